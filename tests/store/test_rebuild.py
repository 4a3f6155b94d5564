"""Invariant 4: a rebuild killed or failing at any call leaves a memory that the next reading finds right."""

from __future__ import annotations

import errno
import random
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from memcli.errors import Busy, MemError
from memcli.log.record import Change
from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.projection.vectors import Space
from memcli.store import rebuild as rebuilding
from memcli.store.cache import VectorCache, text_key
from memcli.store.locks import Lock
from memcli.store.rebuild import rebuild
from memcli.store.store import Store
from memcli.store.undo import undo
from memcli.store.verify import verify
from store.making import (
    CountedDisk,
    add,
    digest,
    dump,
    dying_at,
    failing_at,
    in_child,
    note,
    open_store,
    python,
    replayed,
    undo_of,
    visible,
)

SPACE = Space("ab" * 32, 16)


def unit(text: str) -> list[float]:
    chance = random.Random(text)
    raw = [chance.gauss(0, 1) for _ in range(SPACE.dim)]
    length = sum(value * value for value in raw) ** 0.5
    return [value / length for value in raw]


def embed(store: Store) -> None:
    """What a tidy does: vectors into the cache, then the decision, then into the index."""
    with store.writing() as db:
        rows = db.rows("SELECT seq, id, text FROM entries WHERE state = 0 AND embedded = 0 ORDER BY id")
        made = [(text_key(text), vectors.to_half(unit(text))) for _, _, text in rows]
        VectorCache(store.home.cache, SPACE).append(made, store.disk)
        after = {"through": rows[-1][1], "model": SPACE.model, "dim": SPACE.dim}
        store.append_change(Change(op="index", run=store.ids.new(), author="tidy", reason="test", after=after))
        with db.transaction():
            vectors.use_space(db, SPACE)
            vectors.insert(
                db, [(seq, entry_id, half) for (seq, entry_id, _), (_, half) in zip(rows, made, strict=True)]
            )


def near(store: Store, text: str) -> list[tuple[str, float, float]]:
    """Entry texts near a text, with cosine and deviation."""

    def use(reading: object) -> list[tuple[str, float, float]]:
        db: Database = reading.db  # type: ignore[attr-defined]
        texts = dict(db.rows("SELECT seq, text FROM entries"))
        return [(texts[hit.seq], hit.cosine, hit.z) for hit in vectors.search(db, unit(text), 5)]

    return store.consult(use)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A memory with entries, an undo and vectors."""
    store = open_store(tmp_path / "home")
    add(store, *[f"entry {n}" for n in range(12)], "taken back")
    undo(store)
    embed(store)
    add(store, "not embedded yet")
    return tmp_path / "home"


def test_a_rebuilt_index_is_the_same_down_to_the_scores(root: Path, tmp_path: Path) -> None:
    store = open_store(root)
    before = near(store, "entry 3"), digest(store)
    assert before[0][0][0] == "entry 3"
    for way in ("rebuild", "delete", "delete all but the truth"):
        if way == "rebuild":
            rebuild(store)
        else:
            (root / "mem.db").unlink()
        assert (near(store, "entry 3"), digest(store)) == before
    report = verify(store)
    assert report.healthy
    assert (report.vectors, report.cached) == (12, 12)
    assert not list(root.glob("mem.db.new*"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["rebuild", "add", "undo", "batch"])
def test_killed_at_any_call_the_next_reading_is_right(root: Path, tmp_path: Path, kind: str) -> None:
    def do(store: Store) -> None:
        if kind == "rebuild":
            rebuild(store)
        elif kind == "add":
            store.append_entries([note(store, "added")])
        elif kind == "undo":
            undo(store)
        else:
            with store.batch() as put:
                put(lambda db: [note(store, "added"), note(store, "added too")])

    for n in range(1, 40):
        ended = in_child(lambda n=n: do(open_store(root, dying_at(n))))
        store = open_store(root)
        with store.reading() as reading:
            assert dump(reading.db, ("entry",)) == replayed(root, tmp_path / "replay.db", ("entry",))
        if kind != "undo":
            assert near(store, "entry 3")[0][0] == "entry 3"
        assert verify(store).index_problems == ()
        if ended == 0:
            break
        assert ended == 137
    assert ended == 0
    assert n > 2


@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC])
def test_failing_at_any_call_is_our_error_and_the_next_reading_is_right(root: Path, tmp_path: Path, code: int) -> None:
    n = 0
    while True:
        n += 1
        disk = failing_at({n}, code)
        try:
            rebuild(open_store(root, disk))
        except MemError:
            pass
        store = open_store(root)
        with store.reading() as reading:
            assert dump(reading.db, ("entry",)) == replayed(root, tmp_path / "replay.db", ("entry",))
        assert near(store, "entry 3")[0][0] == "entry 3"
        if n > len(disk.calls):
            break
    assert n > 5


def test_what_a_killed_rebuild_left_is_taken_away(root: Path) -> None:
    (root / "mem.db.new").write_bytes(b"half a database")
    (root / "mem.db.new-journal").write_bytes(b"and its journal")
    rebuild(open_store(root))
    assert not list(root.glob("mem.db.new*"))
    assert verify(open_store(root)).healthy


def test_a_writer_killed_in_the_middle_of_a_commit_does_not_stop_reading(root: Path) -> None:
    """It leaves a hot journal, which a read-only open could not roll back."""
    before = digest(open_store(root))

    def write_and_die() -> None:
        import os

        db = Database(root / "mem.db")
        db.execute("PRAGMA cache_spill = ON")
        db.execute("PRAGMA cache_size = 5")
        db.execute("BEGIN IMMEDIATE")
        for n in range(2000):
            db.execute("INSERT INTO meta VALUES (?, ?)", (f"k{n}", "x" * 500))
        assert (root / "mem.db-journal").stat().st_size > 0
        os._exit(137)

    assert in_child(write_and_die) == 137
    assert digest(open_store(root)) == before


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        b"garbage" * 1000,
        b"SQLite format 3\0" + b"\0" * 5000,
    ],
)
def test_an_index_that_is_none_is_rebuilt(root: Path, content: bytes | None) -> None:
    store = open_store(root)
    before = near(store, "entry 3"), digest(store)
    (root / "mem.db").unlink()
    if content is not None:
        (root / "mem.db").write_bytes(content)
    (made,) = add(store, "added meanwhile")
    store.append_change(undo_of(store, made))
    assert (near(store, "entry 3"), digest(store)) == before


def test_an_index_of_another_version_is_rebuilt(root: Path) -> None:
    store = open_store(root)
    before = digest(store)
    for version in (1, 99):
        db = Database(root / "mem.db")
        db.execute(f"PRAGMA user_version = {version}")
        db.close()
        assert digest(store) == before


def test_several_that_find_the_index_missing_build_it_once(root: Path) -> None:
    (root / "mem.db").unlink()
    code = (
        "import sys\nfrom pathlib import Path\nfrom store.making import open_store, CountedDisk, visible\n"
        "disk = CountedDisk()\nsys.stdin.readline()\n"
        "print(len(visible(open_store(Path(sys.argv[1]), disk))), disk.calls.count('rename'))\n"
    )
    readers = [python(code, root) for _ in range(4)]
    time.sleep(0.5)
    outs = [reader.communicate("go\n", timeout=30) for reader in readers]
    assert [err for _, err in outs] == [""] * 4
    assert [out.split()[0] for out, _ in outs] == ["13"] * 4
    assert sum(int(out.split()[1]) for out, _ in outs) == 1


def test_a_rebuild_inside_a_reading_of_the_same_process_ends(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuilding, "SWAP_WAIT_S", 0.2)
    store = open_store(root)
    with store.reading(), pytest.raises(Busy):
        rebuild(store)
    assert not list(root.glob("mem.db.new*"))
    rebuild(store)


def test_who_tidies_can_rebuild_and_others_are_busy(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuilding, "TIDY_WAIT_S", 0.2)
    store, other = open_store(root), open_store(root)
    with store.tidying():
        rebuild(store)
        with store.tidying():
            pass
        with pytest.raises(Busy), other.tidying():
            pass
        with pytest.raises(Busy):
            rebuild(other)
    with other.tidying():
        pass


def test_a_home_without_its_lock_folder_makes_it_again(root: Path) -> None:
    for path in (root / "locks").iterdir():
        path.unlink()
    (root / "locks").rmdir()
    store = open_store(root)
    assert len(visible(store)) == 13
    assert (root / "locks").stat().st_mode & 0o777 == 0o700
    with Lock(root / "locks" / "home").shared(0.0), Lock(root / "locks" / "home").shared(0.0):
        pass


def test_vectors_of_a_tidy_that_was_undone_do_not_come_back(root: Path) -> None:
    store = open_store(root)
    undo(store)
    undo(store)
    assert near(store, "entry 3") == []
    rebuild(store)
    assert near(store, "entry 3") == []
    assert verify(store).healthy


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: raw[:-7],
        lambda raw: raw[:200] + bytes([raw[200] ^ 4]) + raw[201:],
        lambda raw: raw + b"\0" * 30,
        lambda raw: b"",
        lambda raw: b"x" * len(raw),
    ],
)
def test_a_damaged_cache_costs_vectors_and_nothing_else(root: Path, damage: object) -> None:
    store = open_store(root)
    cache = next((root / "cache").iterdir())
    cache.write_bytes(damage(cache.read_bytes()))  # type: ignore[operator]
    assert verify(store).cache_damaged or not cache.stat().st_size
    before = digest(store)
    rebuild(store)
    assert digest(store) == before
    assert verify(store).index_problems == ()
    assert verify(store).cache_damaged == 0
    kept = len(VectorCache(store.home.cache, SPACE).load())
    VectorCache(store.home.cache, SPACE).append([(text_key("new"), vectors.to_half(unit("new")))], store.disk)
    assert len(VectorCache(store.home.cache, SPACE).load()) == kept + 1


WRITER = """
import sys, time
from pathlib import Path
from memcli.clock import Clock
from memcli.store.home import Home
from memcli.store.store import Store
from store.making import note
for n in range(int(sys.argv[3])):
    store = Store(Home(Path(sys.argv[1])), Clock.system())
    store.append_entries([note(store, f"{sys.argv[2]}-{n}")])
    print(f"{sys.argv[2]}-{n}", flush=True)
    time.sleep(0.01)
"""
READER = """
import sys, time
from pathlib import Path
from memcli.clock import Clock
from memcli.store.home import Home
from memcli.store.store import Store
stop = Path(sys.argv[2])
least = 0
while not stop.exists():
    store = Store(Home(Path(sys.argv[1])), Clock.system())
    count = store.consult(lambda reading: reading.db.visible())
    if count < least - 400:
        sys.exit(f"{count} after {least}")
    least = max(least, count)
print(least)
"""


@pytest.mark.slow
def test_rebuilding_under_load_loses_nothing(root: Path, tmp_path: Path) -> None:
    """Bounded by work, not by time: a busy machine makes it longer, never red."""
    stop = tmp_path / "stop"
    writers = [python(WRITER, root, f"w{n}", 60) for n in range(3)]
    readers = [python(READER, root, stop) for _ in range(2)]
    rebuilt = 0
    try:
        while rebuilt < 4 or any(process.poll() is None for process in writers):
            rebuild(open_store(root))
            rebuilt += 1
    finally:
        stop.touch()
    told: list[str] = []
    for process in writers:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        told += out.split()
    for process in readers:
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    texts: Sequence[str] = list(visible(open_store(root)).values())
    assert set(told) <= set(texts)
    assert len(set(texts)) == len(texts)
    assert len(told) == 180
    assert verify(open_store(root)).healthy


def test_a_long_reading_does_not_stop_an_add(root: Path) -> None:
    store = open_store(root)
    with store.reading() as reading:
        cursor = reading.db.execute("SELECT * FROM entries")
        cursor.fetchone()
        began = time.monotonic()
        add(open_store(root, CountedDisk()), "meanwhile")
        assert time.monotonic() - began < 1
        cursor.close()
    assert "meanwhile" in visible(store).values()


def test_threads_of_one_process_exclude_each_other_by_the_locks(root: Path) -> None:
    def work(name: str) -> None:
        store = open_store(root)
        add(store, *[f"{name} {n}" for n in range(10)])

    threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(visible(open_store(root))) == 13 + 40
