"""The reducers: a record counts whole or not at all, twice is once, and any query string is a query."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from store.making import dump, note, open_store

from memcli.lang.words import content_terms, match_expression
from memcli.log.record import BadLine, Change, Envelope, change_record, entry_record
from memcli.projection import lexical, reduce, vectors
from memcli.projection.database import COLUMNS, Database
from memcli.projection.sqlite import Damaged
from memcli.projection.vectors import Space
from memcli.types import Entry

AT = "2026-11-06T21:20:00Z"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    made = Database(tmp_path / "mem.db")
    yield made
    made.close()


def entries(tmp_path: Path, *texts: str, run: str | None = None) -> list[Entry]:
    store = open_store(tmp_path)
    return [note(store, text, run) for text in texts]


def change(op: str, run: str = "R1", change_id: str = "C1", **fields: object) -> Envelope:
    made = Change(op=op, run=run, author="user", reason="test", **fields)  # type: ignore[arg-type]
    return Envelope(change_id, "aaaaaa", "change", AT, change_record(made))


def test_a_record_applied_twice_counts_once(db: Database, tmp_path: Path) -> None:
    (entry,) = entries(tmp_path, "once")
    envelope = Envelope(entry.id, "aaaaaa", "entry", AT, entry_record(entry))
    undo = change("undo", target="X")
    with db.transaction():
        for record in (envelope, undo, envelope, undo):
            assert reduce.apply(db, record)
    assert db.visible() == 1
    assert len(lexical.search(db, ["once"], 10)) == 1
    assert len(db.rows("SELECT * FROM changes")) == 1


@pytest.mark.parametrize(
    "bad",
    [
        change("undo"),
        change("index", after={"through": "A"}),
        change("index", after={"through": 5, "model": "m"}),
        change("index", after={"through": "A", "model": "\ud800"}),
    ],
)
def test_a_change_that_is_refused_leaves_nothing(db: Database, bad: Envelope) -> None:
    with db.transaction(), pytest.raises(BadLine):
        reduce.apply(db, bad)
    assert db.rows("SELECT * FROM changes") == []
    assert db.rows("SELECT * FROM undone") == []


@pytest.mark.parametrize(
    "unknown",
    [
        Envelope("A", "d", "sticker", AT, {}),
        Envelope("A", "d", "entry", AT, {}, 2),
        change("levitate"),
    ],
)
def test_what_is_not_known_is_skipped(db: Database, unknown: Envelope) -> None:
    with db.transaction():
        assert not reduce.apply(db, unknown)
    assert db.visible() == 0


def test_undo_before_after_and_twice_is_the_same(tmp_path: Path) -> None:
    made = entries(tmp_path, "taken back", "also", run="R0")
    kept = entries(tmp_path / "other", "stays")
    records = [Envelope(entry.id, "aaaaaa", "entry", AT, entry_record(entry)) for entry in made + kept]
    undos = [change("undo", "U1", "C1", target="R0"), change("undo", "U2", "C2", target="R0")]
    dumps = []
    for name, order in enumerate([records + undos, undos + records, [undos[1], *records, undos[0]]]):
        db = Database(tmp_path / f"{name}.db")
        for record in order:
            with db.transaction():
                reduce.apply(db, record)
        dumps.append(dump(db, ("taken", "stays")))
        db.close()
    assert dumps[0] == dumps[1] == dumps[2]
    assert dumps[0]["visible"] == 1
    assert dumps[0]["? taken"] == []


def test_a_transaction_that_fails_leaves_digest_and_rows_alone(db: Database, tmp_path: Path) -> None:
    one, two = entries(tmp_path, "one", "two")
    with db.transaction():
        reduce.apply_entry(db, one)
    before = dump(db, ("two",))
    with pytest.raises(ZeroDivisionError), db.transaction():
        reduce.apply_entry(db, two)
        raise ZeroDivisionError
    assert dump(db, ("two",)) == before
    with db.transaction():
        reduce.apply_entry(db, two)
    assert db.visible() == 2


def test_a_row_that_changed_by_itself_is_not_served(db: Database, tmp_path: Path) -> None:
    (one,) = entries(tmp_path, "pay 10 euros")
    with db.transaction():
        reduce.apply_entry(db, one)
    db.execute("UPDATE entries SET text = 'pay 90 euros'")
    with pytest.raises(Damaged):
        db.entry(db.one(f"SELECT {COLUMNS} FROM entries"))


@pytest.mark.parametrize("value", [None, 5, "xyz", "0" * 31, b"0" * 32, "g" * 32])
def test_a_digest_that_is_none_is_damage(db: Database, tmp_path: Path, value: object) -> None:
    db.execute("UPDATE meta SET value = ? WHERE key = 'digest'", (value,))
    with pytest.raises(Damaged), db.transaction():
        reduce.apply_entry(db, entries(tmp_path, "x")[0])


WORDS = (
    """key 花生 コーヒー " ' NEAR( AND OR NOT * ^ : - + ( ) { } stems: \\ ; -- % 😀 é ﬁ 한국어 , NULL 1e999""".split()
)
WORDS += ["\0", "\ud800", "\udfff", "a" * 500, "\n", "\u202e"]


def test_any_string_is_a_query(db: Database, tmp_path: Path) -> None:
    """2,000 random ones, as terms and as a whole."""
    with db.transaction():
        for entry in entries(tmp_path, "the key and 花生", "NEAR the coffee コーヒー", "quote \" and ' here"):
            reduce.apply_entry(db, entry)
    chance = random.Random(16)
    for _ in range(2000):
        pieces = [
            chance.choice([chance.choice(WORDS), chr(chance.randrange(0x110000))]) for _ in range(chance.randrange(9))
        ]
        text = chance.choice(["", " "]).join(pieces)
        lexical.search(db, content_terms(text), 5)
        lexical.search(db, [text, *pieces], 5)
    lexical.search(db, [f"w{n}" for n in range(5000)], 5)
    assert match_expression(["", " ", "\0", "\ud800"]) == ""
    assert len(lexical.search(db, ["ke\0y", "花生"], 5)) == 1


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("花生过敏", "花生"),
        ("コーヒーが好き", "コーヒー"),
        ("ｺｰﾋｰ", "コーヒー"),
        ("김치 좋아해요", "김치"),
        ("Running late", "run"),
        ("Café", "cafe"),
        ("go to X1", "X1"),
        ("In der Straße", "straße"),
        ("In der Straße", "STRASSE"),
        ("ＡＢＣ Corp", "abc"),
        ("ﬁnal", "final"),
        ("Οδός", "ΟΔΌΣ"),
        ("İstanbul", "İstanbul"),
        ("buy peanuts花生", "peanuts花生"),
        ("花生peanuts", "peanuts"),
        ("मुझे हिन्दी पसंद है", "हिन्दी"),
        ("ฉันชอบกาแฟ", "ฉันชอบกาแฟ"),
        ("cafe\u0301", "café"),
    ],
)
def test_words_are_found_in_every_script(db: Database, tmp_path: Path, text: str, query: str) -> None:
    with db.transaction():
        reduce.apply_entry(db, entries(tmp_path, text)[0])
    assert len(lexical.search(db, content_terms(query), 5)) == 1


def unit(seed: int, dim: int = 16) -> list[float]:
    chance = random.Random(seed)
    raw = [chance.gauss(0, 1) for _ in range(dim)]
    length = sum(value * value for value in raw) ** 0.5
    return [value / length for value in raw]


def test_vectors_come_and_go_with_their_entries(db: Database, tmp_path: Path) -> None:
    made = entries(tmp_path, *[f"text {n}" for n in range(20)])
    with db.transaction():
        vectors.use_space(db, Space("m" * 64, 16))
        for entry in made:
            reduce.apply_entry(db, entry)
    rows = [(seq, entry_id, vectors.to_half(unit(seq))) for seq, entry_id in db.rows("SELECT seq, id FROM entries")]
    with db.transaction():
        reduce.apply(db, change("index", after={"through": made[-1].id, "model": "m" * 64, "dim": 16}))
        assert vectors.insert(db, rows) == 20
        assert vectors.insert(db, rows) == 0
    best = vectors.search(db, unit(5), 3)[0]
    assert best.seq == 5
    assert best.cosine == pytest.approx(1, abs=0.01)
    with db.transaction():
        reduce.apply(db, change("undo", "U", "C2", target=made[4].run))
    assert 5 not in [hit.seq for hit in vectors.search(db, unit(5), 20)]
    with db.transaction():
        reduce.apply(db, change("undo", "U2", "C3", target="R1"))
    assert vectors.search(db, unit(5), 20) == []
    assert db.one("SELECT COUNT(*) FROM entries WHERE embedded <> 0")[0] == 0
    assert db.visible() == 19


@pytest.mark.parametrize(
    "broken", ["DELETE FROM vectors WHERE seq = 3", "UPDATE vectors SET half = x'00' WHERE seq = 3"]
)
def test_vectors_that_do_not_fit_are_damage(db: Database, tmp_path: Path, broken: str) -> None:
    with db.transaction():
        vectors.use_space(db, Space("m" * 64, 16))
        for entry in entries(tmp_path, *[f"text {n}" for n in range(5)]):
            reduce.apply_entry(db, entry)
        rows = db.rows("SELECT seq, id FROM entries")
        vectors.insert(db, [(seq, entry_id, vectors.to_half(unit(seq))) for seq, entry_id in rows])
    db.execute(broken)
    with pytest.raises(Damaged):
        vectors.search(db, unit(3), 5)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_no_vector(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        vectors.to_half([value])


def test_time_of_writing_has_no_part_in_the_digest(tmp_path: Path) -> None:
    (entry,) = entries(tmp_path, "same")
    digests = []
    for at in (AT, "2027-01-01T00:00:00Z"):
        db = Database(tmp_path / f"{at[:4]}.db")
        with db.transaction():
            reduce.apply(db, Envelope(entry.id, at[:4], "entry", at, entry_record(entry)))
        digests.append(db.digest())
        db.close()
    assert digests[0] == digests[1]
