"""Events: what the journal claims of them settles into one state, whatever comes first and whatever is taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store.making import NOW, dump

from memcli.log.record import BadLine, Change, Envelope, change_record, entry_record
from memcli.projection import reduce
from memcli.projection.database import Database
from memcli.projection.events import (
    COLUMNS,
    Claim,
    Event,
    Fact,
    change_of,
    claims_of,
    entries_of,
    event_of,
    formed_through,
    standing,
)
from memcli.store.verify import rows_that_changed
from memcli.types import Entry, Moment

AT = "2026-11-06T21:20:00Z"
TEXTS = ("The boiler is loud.", "Call the plumber.", "The plumber came.", "It is quiet now.", "Apples for a cake.")


@pytest.fixture
def db() -> Iterator[Database]:
    made = Database(":memory:")
    yield made
    made.close()


def entry(number: int, run: str = "I1", **fields: object) -> Envelope:
    made = Entry(
        id=f"E{number}",
        run=run,
        session="talk",
        ordinal=number,
        source_key=f"k{number}",
        text=TEXTS[number],
        imported_at=NOW,
        moment=Moment(NOW + number * 60_000, "minute", 60),
    )
    return Envelope(made.id, "aaaaaa", "entry", AT, entry_record(replace(made, **fields)))  # type: ignore[arg-type]


def claim(event: str, *numbers: int, title: str = "Boiler", **fields: object) -> Claim:
    entries = tuple(f"E{number}" for number in numbers)
    facts = ((entries[0], 0, 10),) if entries else ()
    return replace(Claim(event, title, entries, facts, "home/repairs/boiler", "ed"), **fields)  # type: ignore[arg-type]


def line(change: Change, change_id: str) -> Envelope:
    return Envelope(change_id, "aaaaaa", "change", AT, change_record(change))


def formed(change_id: str, *claims: Claim, run: str = "T1") -> Envelope:
    return line(change_of(run, claims, "tidy", "test"), change_id)


def undo(change_id: str, run: str) -> Envelope:
    return line(Change(op="undo", run=f"U{change_id}", author="user", reason="test", target=run), change_id)


def apply(db: Database, *records: Envelope) -> None:
    for record in records:
        with db.transaction():
            assert reduce.apply(db, record)


def listed(db: Database) -> dict[str, Event]:
    return {row[0]: event_of(row) for row in db.rows(f"SELECT {COLUMNS} FROM events ORDER BY id")}


def test_an_event_has_its_entries_its_times_and_the_words_of_its_facts(db: Database) -> None:
    apply(db, *map(entry, range(3)), formed("C1", claim("V1", 0, 1, 2)))
    hour = 3_600_000
    assert listed(db)["V1"] == Event(
        "V1",
        "Boiler",
        (Fact("E0", "The boiler"),),
        "home/repairs/boiler",
        "ed",
        "user",
        NOW + hour,
        NOW + hour + 120_000,
        3,
        False,
    )
    assert entries_of(db, "V1") == ["E0", "E1", "E2"]
    assert formed_through(db) == "E2"


def test_the_newest_claim_that_stands_counts_whole(db: Database) -> None:
    apply(db, *map(entry, range(4)), formed("C1", claim("V1", 0, 1, 2)))
    apply(db, formed("C2", claim("V1", 0, 3, title="Noise"), run="T2"))
    assert (listed(db)["V1"].title, entries_of(db, "V1")) == ("Noise", ["E0", "E3"])
    apply(db, undo("C3", "T2"))
    assert (listed(db)["V1"].title, entries_of(db, "V1")) == ("Boiler", ["E0", "E1", "E2"])
    apply(db, undo("C4", "T1"))
    assert listed(db) == {}


def test_an_entry_that_two_events_claim_belongs_to_the_one_claimed_last(db: Database) -> None:
    apply(db, *map(entry, range(3)), formed("C1", claim("V1", 0, 1)), formed("C2", claim("V2", 1, 2), run="T2"))
    assert (entries_of(db, "V1"), entries_of(db, "V2")) == (["E0"], ["E1", "E2"])
    assert listed(db)["V1"].stale
    apply(db, undo("C3", "T2"))
    assert (entries_of(db, "V1"), listed(db)["V1"].stale) == (["E0", "E1"], False)


def test_entries_taken_back_leave_and_an_event_without_entries_is_not_there(db: Database) -> None:
    apply(db, entry(0), entry(1), entry(2, "I2"), formed("C1", claim("V1", 0, 2), claim("V2", 1)))
    apply(db, undo("C2", "I2"))
    event = listed(db)["V1"]
    assert (event.title, event.size, event.stale) == (None, 1, True)
    apply(db, undo("C3", "I1"))
    assert listed(db) == {}
    assert db.digest() == "0" * 32


def test_a_fact_of_an_entry_that_has_left_is_not_told(db: Database) -> None:
    both = claim("V1", 0, 2, facts=(("E0", 0, 10), ("E2", "The plumber was here")))
    apply(db, entry(0), entry(2, "I2"), formed("C1", both))
    assert [fact.text for fact in listed(db)["V1"].facts] == ["The boiler", "The plumber was here"]
    apply(db, undo("C2", "I2"))
    assert [fact.text for fact in listed(db)["V1"].facts] == ["The boiler"]


def test_undo_of_the_tidy_restores_the_digest(db: Database) -> None:
    apply(db, *map(entry, range(4)))
    before = db.digest()
    apply(db, formed("C1", claim("V1", 0, 1), claim("V2", 2, 3)))
    assert db.digest() != before
    assert rows_that_changed(db) == []
    apply(db, undo("C2", "T1"))
    assert db.digest() == before


def test_a_standing_claim_is_what_the_event_is_now(db: Database) -> None:
    first = claim("V1", 0, 1)
    apply(db, entry(0), entry(1, "I2"), formed("C1", first))
    assert standing(db, "V1") == first
    apply(db, undo("C2", "I2"))
    assert standing(db, "V1") == claim("V1", 0)
    assert standing(db, "V9") is None


def test_a_change_is_read_as_it_was_written() -> None:
    claims = [
        claim("V1", 0, 3, facts=(("E3", 2, 5), ("E0", "in other words"))),
        claim("V2", 1, title="Küche 台所", topic="unsorted", edition=""),
    ]
    change = change_of("T1", claims, "tidy", "test")
    assert change.evidence == ("E0", "E3", "E1")
    assert claims_of(change) == claims


BAD: Sequence[dict[str, object]] = (
    {},
    {"through": "E0"},
    {"through": "E0", "events": []},
    {"through": 1, "events": [{"id": "V", "title": "t", "topic": "t", "edition": "", "entries": [0], "facts": []}]},
    {"through": "E0", "events": ["V1"]},
    {"through": "E0", "events": [{"id": "V"}]},
    *(
        {"through": "E0", "events": [{"id": "V", "title": "t", "topic": "t", "edition": ""} | more]}
        for more in (
            {"entries": [1], "facts": []},
            {"entries": [-1], "facts": []},
            {"entries": [True], "facts": []},
            {"entries": [0, 0], "facts": []},
            {"entries": ["E0"], "facts": []},
            {"entries": [0], "facts": [[0]]},
            {"entries": [0], "facts": [[0, 3, 3]]},
            {"entries": [0], "facts": [[0, 1, "x"]]},
            {"entries": [0], "facts": [[5, "x"]]},
            {"entries": [0], "facts": "x"},
        )
    ),
)


@pytest.mark.parametrize("after", BAD)
def test_a_change_that_is_no_claim_is_refused_whole(db: Database, after: dict[str, object]) -> None:
    apply(db, entry(0))
    change = Change(op="event", run="T1", author="tidy", reason="test", evidence=("E0",), after=after)
    with pytest.raises(BadLine), db.transaction():
        reduce.apply(db, line(change, "C1"))
    assert db.rows("SELECT * FROM event_claims") == db.rows("SELECT * FROM changes") == []


def test_halves_of_surrogate_pairs_in_a_title_do_no_harm(db: Database) -> None:
    apply(db, entry(0), formed("C1", claim("V1", 0, title="half \ud800", facts=(("E0", "and \udfff"),))))
    assert listed(db)["V1"].title == "half \ufffd"


NUMBERS = st.lists(st.integers(0, 4), unique=True, min_size=1, max_size=4)
CHANGES = st.lists(
    st.tuples(st.sampled_from(["V1", "V2", "V3"]), NUMBERS, st.sampled_from(["T1", "T2", "T3"])), max_size=5
)


UNDONE = st.lists(st.sampled_from(["I1", "I2", "T1", "T2", "T3"]), max_size=2)


@given(CHANGES, UNDONE, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_any_order_of_the_records_gives_the_same_state(
    changes: list[tuple[str, list[int], str]], undone: list[str], chance: Random
) -> None:
    records = [entry(number, "I1" if number < 3 else "I2") for number in range(5)]
    records += [
        formed(f"C{place}", claim(event, *numbers, title=f"title {place}"), run=run)
        for place, (event, numbers, run) in enumerate(changes)
    ]
    records += [undo(f"D{place}", run) for place, run in enumerate(undone)]
    shuffled = list(records)
    chance.shuffle(shuffled)
    states = []
    for order in (records, shuffled):
        db = Database(":memory:")
        try:
            apply(db, *order)
            assert rows_that_changed(db) == []
            states.append(dump(db))
        finally:
            db.close()
    assert states[0] == states[1]
