"""Runs: batches that double nothing, undos that restore what was, questions that change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.clock import Clock
from memcli.errors import IOFailed, MemError, NothingFound, UsageError
from memcli.log.files import all_files
from memcli.log.read import read
from memcli.log.record import Change, Question, question_of
from memcli.projection.database import Database
from memcli.projection.sqlite import Damaged
from memcli.store.rebuild import rebuild
from memcli.store.store import QUESTION_BYTES
from memcli.store.undo import Refused, describe, find, runs, undo
from memcli.store.verify import verify
from memcli.types import Entry
from store.making import (
    NOW,
    add,
    digest,
    dump,
    failing_at,
    logged_texts,
    note,
    open_store,
    python,
    replayed,
    visible,
)

IMPORT = """
import sys
from pathlib import Path
from memcli.clock import Clock
from memcli.store.home import Home
from memcli.store.store import Store
from store.making import note
store = Store(Home(Path(sys.argv[1])), Clock.system())
run = store.ids.new()
def choose(db, keys):
    new = [key for key in keys if not db.one("SELECT 1 FROM entries WHERE key = ?", (key,))]
    return [note(store, "message " + key, run, source_key=key) for key in new]
sys.stdin.readline()
total = 0
with store.batch() as put:
    for start in range(0, 500, 25):
        total += len(put(lambda db: choose(db, [f"k{n}" for n in range(start, start + 25)])))
print(total)
"""


@pytest.mark.slow
def test_four_imports_of_the_same_at_once_double_nothing(tmp_path: Path) -> None:
    root = tmp_path / "home"
    importers = [python(IMPORT, root) for _ in range(4)]
    outs = [importer.communicate("go\n", timeout=100) for importer in importers]
    assert [err for _, err in outs] == [""] * 4
    assert sum(int(out) for out, _ in outs) == 500
    assert sorted(logged_texts(root)) == sorted(f"message k{n}" for n in range(500))
    assert len(visible(open_store(root))) == 500
    assert verify(open_store(root)).healthy


def test_a_batch_in_a_fresh_home_and_adds_between_its_puts(tmp_path: Path) -> None:
    root = tmp_path / "home"
    store, other = open_store(root), open_store(root)
    with store.batch() as put:
        put(lambda db: [note(store, "one")])
        add(other, "typed meanwhile")
        put(lambda db: [note(store, "two", source_key=str(db.visible()))])
        assert list(put(lambda db: [])) == []
    with store.reading() as reading:
        assert dump(reading.db, ("typed",)) == replayed(root, tmp_path / "replay.db", ("typed",))
        assert reading.db.one("SELECT key FROM entries WHERE text = 'two'")[0] == "2"


def test_a_batch_over_a_torn_tail_counts_it_once(tmp_path: Path) -> None:
    root = tmp_path / "home"
    store = open_store(root)
    add(store, "one")
    log = next((root / "log").iterdir())
    log.write_bytes(log.read_bytes() + b"torn")
    with store.batch() as put:
        put(lambda db: [note(store, "two")])
    with store.reading() as reading:
        bad = reading.db.rows("SELECT file, bad FROM applied")
    rebuild(store)
    with store.reading() as reading:
        assert reading.db.rows("SELECT file, bad FROM applied") == bad
    assert len(verify(store).bad) == 1


def test_a_batch_whose_chooser_fails_writes_nothing(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")

    def choose(db: object) -> list[object]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), store.batch() as put:
        put(choose)  # type: ignore[arg-type]
    assert logged_texts(tmp_path / "home") == []
    add(store, "after")
    assert len(visible(store)) == 1


@pytest.mark.parametrize("first", range(1, 12))
def test_a_batch_on_a_failing_disk_tells_or_keeps(tmp_path: Path, first: int) -> None:
    root = tmp_path / "home"
    add(open_store(root), "before")
    store = open_store(root, failing_at({first}))
    try:
        with store.batch() as put:
            (entry,) = put(lambda db: [note(store, "imported")])
    except MemError:
        pass
    else:
        assert entry.text in logged_texts(root)
    after = open_store(root)
    assert sorted(visible(after).values()) == sorted(logged_texts(root))


def test_an_index_that_fails_after_the_append_does_not_take_the_entries_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "home"
    store = open_store(root)
    add(store, "before")

    def broken(*arguments: object) -> None:
        raise IOFailed("broken")

    with monkeypatch.context() as patch:
        patch.setattr("memcli.store.store.advance", broken)
        with store.batch() as put:
            assert [entry.text for entry in put(lambda db: [note(store, "kept")])] == ["kept"]
    assert list(visible(store).values()) == ["before", "kept"]


def test_undo_restores_the_digest_step_by_step(tmp_path: Path) -> None:
    root = tmp_path / "home"
    store = open_store(root)
    digests = []
    for number in range(5):
        digests.append(digest(store))
        if number == 2:
            with store.batch() as put:
                run = store.ids.new()
                put(lambda db, run=run: [note(store, f"imported {n}", run, origin="a.txt") for n in range(20)])
        elif number == 3:
            after = {"through": store.ids.new(), "model": "m" * 64, "dim": 16}
            store.append_change(Change(op="index", run=store.ids.new(), author="tidy", reason="test", after=after))
        else:
            add(store, f"typed {number}")
    kinds = []
    for expected in reversed(digests):
        taken = undo(store)
        kinds.append((taken.kind, taken.entries))
        assert digest(store) == expected
        with store.reading() as reading:
            assert dump(reading.db, ("typed",)) == replayed(root, tmp_path / "replay.db", ("typed",))
    assert kinds == [("add", 1), ("tidy", 0), ("import", 20), ("add", 1), ("add", 1)]
    with pytest.raises(NothingFound):
        undo(store)
    (root / "mem.db").unlink()
    assert digest(store) == digests[0]


UNDO = """
import sys
from pathlib import Path
from memcli.clock import Clock
from memcli.store.home import Home
from memcli.store.store import Store
from memcli.store.undo import undo
store = Store(Home(Path(sys.argv[1])), Clock.system())
sys.stdin.readline()
print(undo(store).id)
"""


def test_undos_at_once_take_back_different_runs(tmp_path: Path) -> None:
    root = tmp_path / "home"
    made = add(open_store(root), *[f"entry {n}" for n in range(6)])
    undoers = [python(UNDO, root) for _ in range(4)]
    outs = [undoer.communicate("go\n", timeout=60) for undoer in undoers]
    assert [err for _, err in outs] == [""] * 4
    assert {out.strip() for out, _ in outs} == set(made[2:])
    assert list(visible(open_store(root))) == made[:2]


def test_an_older_run_can_be_named_by_its_end(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    first, second = add(store, "first", "second")
    assert undo(store, first[-6:].lower()).id == first
    assert list(visible(store)) == [second]
    for tail in (first[-6:], "", "%", "_", "ZZZZZZ"):
        with pytest.raises(NothingFound):
            undo(store, tail)
    add(store, "third")
    with store.reading() as reading, pytest.raises((UsageError, NothingFound)):
        find(reading.db, second[1:4])


def test_a_tidy_that_others_build_on_is_refused(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    made = []
    for _ in range(2):
        made.append(store.ids.new())
        after = {"through": store.ids.new(), "model": "m" * 64, "dim": 16}
        store.append_change(Change(op="index", run=made[-1], author="tidy", reason="test", after=after))
    with pytest.raises(Refused):
        undo(store, made[0])
    undo(store, made[1])
    assert undo(store, made[0]).kind == "tidy"


def test_a_run_that_is_no_ulid_can_be_described(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    for run in ("", "not a ulid!", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "花生"):
        store.append_entries([note(store, "text", run or "x")])
    with store.reading() as reading:
        assert len([describe(reading.db, run.id) for run in runs(reading.db, 9)]) == 4


@pytest.mark.parametrize("first", range(1, 9))
def test_an_undo_on_a_failing_disk_happens_once_or_is_told(tmp_path: Path, first: int) -> None:
    root = tmp_path / "home"
    made = add(open_store(root), "one", "two", "three")
    try:
        undo(open_store(root, failing_at({first})))
    except MemError:
        assert len(visible(open_store(root))) == 3
    else:
        assert list(visible(open_store(root))) == made[:2]


def test_a_change_that_no_reader_could_apply_is_refused(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    deep: dict[str, object] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    bad = [
        Change(op="undo", run=5, author="a", reason="b"),  # type: ignore[arg-type]
        Change(op="undo", run="r", author="a", reason="b", evidence=(1,)),  # type: ignore[arg-type]
        Change(op="index", run="r", author="a", reason="b", after={"x": float("nan")}),
        Change(op="index", run="r", author="a", reason="b", after={"x": {1, 2}}),
        Change(op="index", run="r", author="a", reason="b", after=deep),
    ]
    for change in bad:
        with pytest.raises(MemError):
            store.append_change(change)
    assert not list(all_files(tmp_path / "home" / "journal"))
    while deep:
        deep = deep.pop("a")  # type: ignore[assignment]


def ids_of(count: int) -> tuple[str, ...]:
    return tuple(f"01M6SBQ500000000000000{n:04d}" for n in range(count))


@pytest.mark.parametrize("text", ["short?", "花生" * 400, "why " * 500, "\ud800" * 300, "😀" * 200, "\0" * 100])
@pytest.mark.parametrize(("evidence", "cited"), [(0, 0), (8, 3), (300, 2), (300, 300), (0, 50)])
@pytest.mark.parametrize("scope", [None, "user", "project:" + "x" * 2000])
def test_a_question_is_at_most_a_kilobyte(
    tmp_path: Path, text: str, evidence: int, cited: int, scope: str | None
) -> None:
    root = tmp_path / "home"
    store = open_store(root)
    store.append_question(Question(text, ids_of(evidence), ids_of(cited), False, scope, "0123456789abcdef"))
    (path,) = all_files(root / "journal")
    assert path.stat().st_size <= QUESTION_BYTES
    (line,) = read(path)
    assert line.envelope is not None
    noted = question_of(line.envelope)
    assert noted.text
    assert noted.terminal == "0123456789abcdef"
    assert set(noted.cited) <= set(ids_of(cited))
    if cited <= 3:
        assert noted.cited == ids_of(cited)
        assert noted.evidence[: len(noted.cited)] == noted.cited[: len(noted.evidence)] or not evidence
    assert list(noted.evidence) == sorted(noted.evidence)


def test_a_hundred_questions_change_neither_digest_nor_order(tmp_path: Path) -> None:
    from memcli.projection import lexical

    root = tmp_path / "home"
    store = open_store(root)
    made = add(store, "the key", "the key is here", "a key, and words around it")
    before = digest(store)

    def order() -> list[tuple[int, float]]:
        return store.consult(lambda reading: [(hit.seq, hit.score) for hit in lexical.search(reading.db, ["key"], 9)])

    hits = order()
    for _ in range(100):
        store.append_question(Question("where is the key?", tuple(made), (made[2],), False))
    assert digest(store) == before
    assert order() == hits
    rebuild(store)
    assert (digest(store), order()) == (before, hits)
    assert store.consult(lambda reading: reading.db.one("SELECT COUNT(*) FROM questions")[0]) == 100


@pytest.mark.parametrize("first", range(1, 8))
def test_a_question_that_cannot_be_noted_is_no_error(tmp_path: Path, first: int) -> None:
    store = open_store(tmp_path / "home", failing_at(set(range(first, 99))))
    store.append_question(Question("q", (), (), True))
    assert len(list(all_files(tmp_path / "home" / "journal"))) <= 1


def test_an_undo_that_the_index_cannot_take_is_still_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "home"
    store = open_store(root)
    (made, _) = add(store, "stays", "goes")

    def broken(*arguments: object) -> None:
        raise Damaged("broken")

    with monkeypatch.context() as patch:
        patch.setattr("memcli.store.store.catch_up", lambda *a, n=[]: n.append(1) if not n else broken())
        undo(store)
    assert list(visible(open_store(root))) == [made]


def test_the_newest_run_is_the_last_one_made_though_the_clock_stepped_back(tmp_path: Path) -> None:
    root = tmp_path / "home"
    add(open_store(root), "first")
    earlier = open_store(root, clock=Clock(lambda: NOW - 3_600_000))
    add(earlier, "second")
    assert undo(open_store(root, clock=Clock(lambda: NOW - 3_600_000))).sample == "second"
    assert list(visible(earlier).values()) == ["first"]


def test_an_add_does_not_wait_for_what_a_batch_thinks_about(tmp_path: Path) -> None:
    root = tmp_path / "home"
    store = open_store(root)

    def choose(db: Database) -> list[Entry]:
        add(open_store(root), "meanwhile")
        return [note(store, "from the batch")]

    with store.batch() as put:
        put(choose)
    assert sorted(visible(open_store(root)).values()) == ["from the batch", "meanwhile"]
    assert verify(store).healthy
