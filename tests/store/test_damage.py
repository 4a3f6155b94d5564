"""Damage: a flipped bit in a log or in the index is noticed, never served, and never more than one of our errors."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from memcli.errors import IOFailed, MemError
from memcli.log.record import Change, Question
from memcli.projection import events, lexical, vectors
from memcli.projection.database import COLUMNS
from memcli.projection.events import Claim, change_of, event_of
from memcli.store.cache import VectorCache, text_key
from memcli.store.rebuild import rebuild
from memcli.store.store import Reading, Store
from memcli.store.undo import undo
from memcli.store.verify import verify
from store.making import add, dump, logged_texts, note, open_store, replayed, visible
from store.test_rebuild import SPACE, embed, unit

TEXTS = [f"entry {n} about coffee, trains and the key {n * n}" for n in range(30)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    store = open_store(tmp_path / "home")
    with store.batch() as put:
        put(lambda db: [note(store, text) for text in TEXTS])
    add(store, "花生とコーヒー", "to be taken back")
    undo(store)
    embed(store)
    ids = sorted(visible(store))
    claims = [
        Claim(f"V{place}", f"event {place}", tuple(ids[place : place + 9]), ((ids[place], 0, 7),), "home/cooking")
        for place in range(0, 27, 9)
    ]
    store.append_change(change_of(store.ids.new(), claims, "tidy", "test"))
    store.append_question(Question("where is the key?", ("A",), (), False))
    add(store, "the newest")
    return tmp_path / "home"


def everything(store: Store) -> dict[str, object]:
    """What a person can get out of the index, checked row by row."""

    def use(reading: Reading) -> dict[str, object]:
        db = reading.db
        rows = db.rows(f"SELECT {COLUMNS} FROM entries WHERE state = 0 ORDER BY id")
        near = [(hit.seq, round(hit.cosine, 6)) for hit in vectors.search(db, unit(TEXTS[3]), 5)]
        found = {word: [(hit.seq, hit.score) for hit in lexical.search(db, [word], 50)] for word in ("coffee", "花生")}
        texts = {row[0]: db.entry(row) for row in rows}
        return {
            "entries": [db.entry(row) for row in rows],
            "events": [event_of(row) for row in db.rows(f"SELECT {events.COLUMNS} FROM events ORDER BY id")],
            "near": [(texts[seq].text, cosine) for seq, cosine in near if seq in texts],
            "found": {
                word: [(texts[seq].text, score) for seq, score in hits if seq in texts] for word, hits in found.items()
            },
            "dump": {name: value for name, value in dump(db).items() if name in ("digest", "visible")},
        }

    return store.consult(use)


def _mutated(raw: bytes, kind: str, chance: random.Random) -> bytes:
    """Damage of a kind; small damage where there is something, as most pages of a small index are empty."""
    data = bytearray(raw)
    used = [place for place, byte in enumerate(raw) if byte]
    if kind == "bit":
        data[chance.choice(used)] ^= 1 << chance.randrange(8)
    elif kind == "byte":
        data[chance.choice(used)] = chance.randrange(256)
    elif kind == "page":
        start = chance.randrange(len(data) // 4096) * 4096
        data[start : start + 4096] = chance.randbytes(4096)
    elif kind == "zeros":
        start = chance.choice(used)
        data[start : start + 600] = bytes(len(data[start : start + 600]))
    elif kind == "header":
        data[chance.randrange(100)] ^= 1 << chance.randrange(8)
    elif kind == "cut":
        del data[chance.randrange(len(data)) :]
    return bytes(data)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bit", "byte", "page", "zeros", "header", "cut"])
def test_a_damaged_index_is_detected_or_means_the_same(root: Path, tmp_path: Path, kind: str) -> None:
    """25 of each: `verify` says so, or nothing a person can ask for differs; then reading rebuilds or is right."""
    store = open_store(root)
    whole = (root / "mem.db").read_bytes()
    expected = everything(store)
    replay = replayed(root, tmp_path / "replay.db", ("coffee", "key"))
    chance = random.Random(kind)
    detected = 0
    for _ in range(25):
        for path in root.glob("mem.db*"):
            path.unlink()
        (root / "mem.db").write_bytes(_mutated(whole, kind, chance))
        (root / "mem.db").chmod(0o600)
        report = verify(store)
        assert (report.bad, report.lines) == ((), 37)
        if report.index_problems:
            detected += 1
            add_undo_and_questions_work_or_are_refused(root, tmp_path / "copy")
            rebuild(store)
        found = everything(store)
        assert found == expected
        with store.reading() as reading:
            assert dump(reading.db, ("coffee", "key")) == replay
    assert detected > 1


def add_undo_and_questions_work_or_are_refused(root: Path, copy: Path) -> None:
    """On a copy with the damaged index: an acknowledged add is in the log; anything else is one of our errors."""
    shutil.copytree(root, copy)
    store = open_store(copy)
    add(store, "added to a damaged index")
    assert "added to a damaged index" in logged_texts(copy)
    store.append_question(Question("and now?", (), (), True))
    try:
        undo(store)
    except MemError:
        pass
    try:
        with store.batch() as put:
            put(lambda db: [note(store, "imported into a damaged index")])
    except MemError:
        pass
    else:
        assert "imported into a damaged index" in logged_texts(copy)
    rebuild(store)
    assert set(visible(store).values()) <= set(logged_texts(copy))
    shutil.rmtree(copy)


@pytest.mark.slow
def test_what_verify_does_not_catch_is_caught_or_right_when_it_is_read(root: Path) -> None:
    """150 damaged files, never verified: what `consult` gives is what was there, or it rebuilds, or our error."""
    store = open_store(root)
    whole = (root / "mem.db").read_bytes()
    expected = everything(store)["entries"]
    chance = random.Random(8)
    for number in range(150):
        for path in root.glob("mem.db*"):
            path.unlink()
        kind = ("bit", "byte", "page", "zeros", "header", "cut")[number % 6]
        (root / "mem.db").write_bytes(_mutated(whole, kind, chance))
        (root / "mem.db").chmod(0o600)
        found = everything(store)["entries"]
        assert set(found) <= set(expected)  # type: ignore[call-overload]


def test_a_row_that_changed_is_rebuilt_when_it_is_read(root: Path) -> None:
    store = open_store(root)
    expected = everything(store)
    for statement in (
        "UPDATE entries SET text = 'pay 90' WHERE seq = 3",
        "UPDATE entries SET said_ms = said_ms + 1 WHERE seq = 3",
        "UPDATE entries SET mark = NULL",
        "DROP TABLE words",
        "DROP TABLE meta",
        "DELETE FROM vectors WHERE seq = 4",
    ):
        with store.opened() as reading:
            try:
                reading.db.execute(statement)
            except Exception:  # noqa: BLE001 - some need another form; the point is what follows
                reading.db.execute("UPDATE entries SET mark = x'00'")
        assert everything(store) == expected


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET text = text || '!' WHERE seq = 2",
        "UPDATE entries SET state = 1 WHERE seq = 2",
        "UPDATE entries SET state = 0 WHERE state = 1",
        "UPDATE entries SET embedded = 0 WHERE seq = 2",
        "UPDATE entries SET embedded = 1 WHERE embedded = 0",
        "UPDATE entries SET scope = 'project:x' WHERE seq = 2",
        "DELETE FROM entries WHERE seq = 2",
        "DELETE FROM words WHERE rowid = 2",
        "UPDATE words SET stems = 'other' WHERE rowid = 2",
        "DELETE FROM undone",
        "UPDATE changes SET reason = reason || '!'",
        "DELETE FROM questions",
        "UPDATE questions SET abstained = 1 - abstained",
        "UPDATE meta SET value = 'ffffffffffffffffffffffffffffffff' WHERE key = 'digest'",
        "UPDATE meta SET value = value + 1 WHERE key = 'visible'",
        "UPDATE vectors SET half = zeroblob(32) WHERE seq = 2",
        "UPDATE vectors SET sample = sample + 1 WHERE seq = 2",
        "DELETE FROM vectors WHERE seq = 2",
        "UPDATE meta SET value = 24 WHERE key = 'dim'",
        "DELETE FROM meta WHERE key = 'embedder'",
    ],
)
def test_verify_finds_any_row_that_is_not_what_the_log_says(root: Path, statement: str) -> None:
    store = open_store(root)
    assert verify(store).healthy
    with store.opened() as reading, reading.db.transaction():
        reading.db.execute(statement)
    assert verify(store).index_problems
    rebuild(store)
    assert verify(store).healthy


def test_verify_finds_a_bit_vector_that_is_another(root: Path) -> None:
    store = open_store(root)
    with store.opened() as reading:
        reading.db.need_vectors()
        with reading.db.transaction():
            reading.db.execute("DELETE FROM bits WHERE seq = 2")
            reading.db.execute("INSERT INTO bits (seq, embedding) VALUES (2, vec_bit(x'0000'))")
    assert verify(store).index_problems


def test_verify_writes_nothing_under_the_home(root: Path) -> None:
    store = open_store(root)
    visible(store)
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in root.rglob("*") if path.is_file()}
    assert verify(store).healthy
    after = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in root.rglob("*") if path.is_file()}
    assert {path for path in before if before[path][1] != after[path][1]} == set()
    assert before.keys() == after.keys()


def test_verify_of_a_memory_that_is_new_or_has_no_index_is_healthy(root: Path, tmp_path: Path) -> None:
    assert verify(open_store(tmp_path / "nothing")).healthy
    (root / "mem.db").unlink()
    assert verify(open_store(root)).healthy
    assert not (root / "mem.db").exists()


def test_bad_lines_are_reported_with_file_and_number_and_change_nothing_else(root: Path) -> None:
    store = open_store(root)
    log = next((root / "log").iterdir())
    lines = log.read_bytes().split(b"\n")
    junk = [
        b"junk",
        b"\0" * 100,
        b'{"v":1}',
        b"\xff\xfe",
        lines[2].replace(b"coffee", b"toffee"),
        b'{"a":1,"a":2}',
        b"[" * 9999,
    ]
    log.write_bytes(b"\n".join([lines[0], *junk, *lines[1:]]))
    report = verify(store)
    assert [place.line for place in report.bad] == list(range(2, 2 + len(junk)))
    assert {place.file for place in report.bad} == {f"log/{log.name}"}
    assert not report.healthy
    before = everything(store)
    assert len(before["entries"]) == 32  # type: ignore[arg-type]
    assert log.read_bytes().count(b"\n") == len(lines) - 1 + len(junk)


@pytest.mark.slow
def test_a_thousand_good_lines_among_ten_thousand_bad_ones_all_count(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    add(store, "first")
    log = next((tmp_path / "home" / "log").iterdir())
    chance = random.Random(4)
    good = [store._entry_lines([note(store, f"good {n}")])[1] for n in range(1000)]
    bad = [
        chance.choice(
            [
                chance.randbytes(chance.randrange(1, 80)).replace(b"\n", b"x") + b"\n",
                good[chance.randrange(1000)][: chance.randrange(1, 200)] + b"\n",
                b"\0" * chance.randrange(1, 500) + b"\n",
                good[chance.randrange(1000)].replace(b"good", b"evil"),
                b'{"v":1,"v":1}\n',
            ]
        )
        for _ in range(10_000)
    ]
    everything_ = good + bad
    chance.shuffle(everything_)
    content = log.read_bytes() + b"".join(everything_)
    log.write_bytes(content)
    assert sorted(visible(store).values()) == sorted(["first", *(f"good {n}" for n in range(1000))])
    assert len(verify(store).bad) == 10_000
    assert log.read_bytes() == content


def test_flipped_bits_in_a_log_are_never_served(root: Path) -> None:
    """400 flips through the whole way (3,000 more are tried on single lines)."""
    store = open_store(root)
    log = next((root / "log").iterdir())
    whole = log.read_bytes()
    texts = set(logged_texts(root))
    chance = random.Random(5)
    for _ in range(400):
        place = chance.randrange(len(whole) * 8)
        data = bytearray(whole)
        data[place // 8] ^= 1 << place % 8
        log.write_bytes(data)
        found = logged_texts(root)
        assert set(found) <= texts
        assert len(found) >= len(TEXTS)
    log.write_bytes(data)
    assert verify(store).bad
    assert set(visible(store).values()) <= texts
    rebuild(store)
    assert set(visible(store).values()) <= texts


def test_an_index_damaged_again_after_its_rebuild_is_our_error(root: Path) -> None:
    from memcli.projection.sqlite import Damaged

    def use(reading: Reading) -> None:
        raise Damaged("always")

    with pytest.raises(IOFailed):
        open_store(root).consult(use)


@pytest.mark.parametrize(
    "after",
    [{}, {"dim": 0}, {"dim": -8}, {"dim": 13}, {"dim": "16"}, {"dim": None}, {"dim": [16]}, {"dim": True}],
)
def test_an_index_change_that_cannot_be_followed_costs_vectors_only(root: Path, after: dict[str, object]) -> None:
    store = open_store(root)
    made = {"through": store.ids.new(), "model": SPACE.model, **after}
    store.append_change(Change(op="index", run=store.ids.new(), author="tidy", reason="test", after=made))
    before = set(visible(store))
    rebuild(store)
    assert set(visible(store)) == before
    assert verify(store).index_problems == ()


def test_a_cached_vector_of_a_text_that_changed_its_mind_is_found(root: Path) -> None:
    store = open_store(root)
    cache = VectorCache(store.home.cache, SPACE)
    cache.append([(text_key(TEXTS[2]), vectors.to_half(unit("other")))], store.disk)
    assert verify(store).index_problems
    rebuild(store)
    assert verify(store).healthy
