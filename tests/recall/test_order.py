"""First, last, before, after, and times reckoned from now: three stories by words alone (labels: tests/cases)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memcli.projection import reduce
from memcli.projection.database import Database
from memcli.recall.order import NAME
from memcli.recall.people import speakers
from memcli.recall.question import Query, as_said
from memcli.recall.search import rank, recall
from memcli.recall.switches import Switches
from memcli.types import Entry, Moment
from recall.making import DAY

STORIES = json.loads((Path(__file__).parents[1] / "cases/order.json").read_text("utf-8"))
OFF = Switches(time_bounds=False, order=False)


def ms(moment: str) -> int:
    return int(datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp() * 1000)


def stored(rows: list[list[str]], *, chat: bool = False) -> Database:
    """Rows of (id, time, speaker, text), notes or chats of a day."""
    db = Database(":memory:")
    with db.transaction():
        for number, (key, at, speaker, text) in enumerate(rows):
            own = speaker == "Me"
            entry = Entry(
                id=key,
                run="R1",
                session=f"{'chat' if chat else 'notes'}:{at[:10]}",
                ordinal=number,
                source_key=key,
                text=text,
                imported_at=ms(at),
                speaker=speaker,
                role="user" if own else "other",
                trust="self" if own else "other",
                moment=Moment(ms(at), "minute", None, True),
            )
            reduce.apply_entry(db, entry)
    return db


def places(which: str, switches: Switches) -> dict[str, int]:
    """Where the first gold entry of every question stands, from 1; 99 where there is none."""
    found = {}
    for story in STORIES:
        db = stored(story["entries"], chat=story["chat"])
        for question, gold in story[which]:
            query = Query(question, now_ms=ms(story["asked_at"]))
            ids = [turn.id for turn, _, _ in rank(db, query, None, switches=switches)]
            found[question] = min(ids.index(key) + 1 if key in ids else 99 for key in gold)
    return found


@pytest.mark.parametrize(
    ("which", "best", "among_three", "more"),
    [("questions", 21, 31, 12), ("timed", 19, 25, 5)],
    ids=["first, last, before, after", "times from now"],
)
def test_the_entry_comes_first_more_often_than_without(which: str, best: int, among_three: int, more: int) -> None:
    on, off = places(which, Switches()), places(which, OFF)
    assert sum(place == 1 for place in on.values()) >= best, on
    assert sum(place <= 3 for place in on.values()) >= among_three, on
    assert sum(place == 1 for place in on.values()) >= sum(place == 1 for place in off.values()) + more, off


VISITS = [
    [f"v{year}", f"{year}-05-01T12:00", "Me", f"Visited aunt Rita, cake number {year}."] for year in range(2019, 2026)
]


def first_of(question: str, rows: list[list[str]], **fields: Any) -> str:
    return recall(stored(rows), Query(question, **fields), None)[0].entry.id


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("When did I last visit aunt Rita?", "v2025"),
        ("When did I first visit aunt Rita?", "v2019"),
        ("What was the latest cake of aunt Rita?", "v2025"),
    ],
)
def test_of_what_fits_alike_the_first_or_the_last_is_meant(question: str, first: str) -> None:
    assert first_of(question, VISITS) == first


def test_the_last_of_something_else_is_not_meant() -> None:
    later = ["w", "2026-01-01T12:00", "Me", "The new kettle whistles."]
    assert first_of("When did I last visit aunt Rita?", [*VISITS, later]) == "v2025"


def test_before_and_after_are_seen_from_the_event() -> None:
    rows = [
        ["a", "2026-01-05T12:00", "Me", "Painted the hall grey."],
        ["b", "2026-02-05T12:00", "Me", "The move to Leith went well."],
        ["c", "2026-03-05T12:00", "Me", "Painted the hall yellow."],
    ]
    for side, order in (("before", ["a", "c"]), ("after", ["c", "a"])):
        found = recall(stored(rows), Query(f"How did I paint the hall {side} the move?"), None)
        assert [item.entry.id for item in found if item.entry.id != "b"] == order


def test_evidence_says_what_its_place_in_time_added() -> None:
    found = recall(stored(VISITS), Query("When did I last visit aunt Rita?"), None)
    gains: Mapping[str, float] = {item.entry.id: item.signals.get(NAME, 0.0) for item in found}
    assert gains["v2025"] > gains["v2022"] > gains["v2019"] == 0.0
    assert not any(NAME in item.signals for item in recall(stored(VISITS), Query("When did I visit Rita?"), None))


def test_entries_without_a_time_neither_gain_nor_break_anything() -> None:
    db = stored(VISITS[:1])
    with db.transaction():
        reduce.apply_entry(
            db, Entry("x", "R1", "s", 0, "x", "Visited aunt Rita, some day.", 0, speaker="Me", moment=None)
        )
    assert {item.entry.id for item in recall(db, Query("When did I last visit aunt Rita?"), None)} == {"v2019", "x"}


NOW = ms("2026-07-18T10:00")
WEEKS = [
    [
        f"w{number:02}",
        datetime.fromtimestamp((NOW - number * 7 * DAY) / 1000, UTC).isoformat()[:16],
        "Me",
        "Swam in the lake.",
    ]
    for number in range(12)
]


def test_a_week_reckoned_from_now_ranks_up_what_was_said_in_it() -> None:
    rows = [[key, at, who, f"{text} {key}"] for key, at, who, text in WEEKS]
    assert first_of("How was swimming in the lake three weeks ago?", rows, now_ms=NOW) == "w03"
    assert first_of("How was swimming in the lake three weeks ago?", rows, now_ms=NOW - 28 * DAY) == "w07"


def test_a_bound_ranks_and_does_not_filter() -> None:
    found = recall(stored(WEEKS[:1]), Query("Did I swim in the lake last year?", now_ms=NOW), None)
    assert [item.entry.id for item in found] == ["w00"]


def test_what_was_said_then_is_found_without_a_word_of_the_question() -> None:
    rows = [
        [f"n{number}", f"2026-06-{number:02}T12:00", "Me", f"Nothing much, number {number}."] for number in range(1, 29)
    ]
    assert first_of("What did I do on 14 June?", rows, now_ms=NOW) == "n14"


def test_plans_are_found_by_the_time_they_name() -> None:
    rows = [
        ["a", "2026-07-03T12:00", "Me", "The eye doctor is on 22 July at nine."],
        ["b", "2026-07-10T12:00", "Me", "I love to be at a doctor in time."],
        ["c", "2025-07-20T12:00", "Me", "The doctor was late."],
    ]
    assert first_of("When am I at the doctor next week?", rows, now_ms=NOW) == "a"


def test_a_question_is_embedded_as_before_whatever_its_time() -> None:
    assert speakers(stored(VISITS)) == ["Me"]
    assert as_said("What did Ann say last week?", ["Ann"]) == "What did I say last week?"
