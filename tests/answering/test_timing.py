"""When something happened is read by code: the time that is told of, never the day on which it was told."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memcli.answering.cases import Case
from memcli.answering.gate import pieces
from memcli.answering.timing import Dated, happened
from memcli.recall.dating import dated, day_of, times_told
from memcli.recall.search import Evidence
from memcli.types import Entry

NAMES = ("Ann", "Ben")


def evidence(*notes: str) -> Sequence[Evidence]:
    """Notes of Friday, 9 June 2023, at noon."""
    return pieces(Case("", tuple(f"2023-06-09 12:00 {note}" for note in notes)))


def when(question: str, *notes: str) -> str | None:
    found = happened(question, evidence(*notes), NAMES)
    return None if found is None else found.text


@pytest.mark.parametrize(
    ("told", "written"),
    [
        ("I sold the boat last week", "the week before 9 June 2023"),
        ("I sold the boat last weekend", "the weekend before 9 June 2023"),
        ("I sold the boat two weeks ago", "two weeks before 9 June 2023"),
        ("I sold the boat two weekends ago", "two weekends before 9 June 2023"),
        ("I sold the boat this week", "the week of 9 June 2023"),
        ("I sell the boat next week", "the week after 9 June 2023"),
        ("I sell the boat this weekend", "the weekend after 9 June 2023"),
        ("I sold the boat last Friday", "Friday, 2 June 2023"),
        ("I sold the boat yesterday", "8 June 2023"),
        ("I sold the boat last month", "May 2023"),
        ("I sold the boat five years ago", "2018"),
        ("I sold the boat on 3 May 2021", "3 May 2021"),
    ],
)
def test_a_time_is_written_so_that_it_needs_no_other(told: str, written: str) -> None:
    entry = evidence(f"Ann: {told}")[0].entry
    assert times_told(entry) == [written]
    assert f"({written})" in dated(entry) or written in dated(entry)


@pytest.mark.parametrize(
    ("question", "notes", "text"),
    [
        ("When did Ann sell the boat?", ("Ann: I sold the boat last Friday",), "Friday, 2 June 2023"),
        ("When did Ann sell the boat?", ("Ann: I just sold the boat!",), "9 June 2023"),
        ("What year did Ann sell the boat?", ("Ann: I sold the boat last year",), "2022"),
        ("In which month did Ann sell the boat?", ("Ann: I sold the boat on 3 May 2021",), "May 2021"),
        ("When is Ann going to sell the boat?", ("Ann: I will sell the boat next month",), "July 2023"),
        ("When is Ann selling the boat?", ("Ann: I sell the boat tomorrow",), "10 June 2023"),
        (
            "When did Ann start playing the cello?",
            ("Ann: I've been playing the cello for four months",),
            "February 2023",
        ),
        ("When did Ann start painting boats?", ("Ann: Painting boats, seven years now",), "2016"),
        # Of two times the one in the sentence that has the words, or that the question names.
        ("When did Ann sell the boat?", ("Ann: Yesterday it rained. I sold the boat last month.",), "May 2023"),
        ("When did Ann sail in May?", ("Ann: I sail, on 3 May 2023 and on 4 April 2023",), "3 May 2023"),
        # Whose it is counts for more than which stands first.
        (
            "When did Ben sell the boat?",
            ("Ann: I sold the boat last month", "Ben: I sold the boat yesterday"),
            "8 June 2023",
        ),
    ],
)
def test_what_is_told_answers_when(question: str, notes: tuple[str, ...], text: str) -> None:
    assert when(question, *notes) == text


@pytest.mark.parametrize(
    ("question", "notes"),
    [
        ("What did Ann sell last week?", ("Ann: I sold the boat last week",)),
        ("When does the choir begin?", ("Ann: The choir begins tomorrow with a song",)),
        ("When did Ann sell the boat?", ("Ann: The boat is sold",)),
        ("When did Ann visit the lighthouse?", ("Ann: I will visit the lighthouse next week",)),
        ("When did Ann visit the lighthouse?", ("Ben: I visited the lighthouse yesterday",)),
        ("When did Ann visit the lighthouse?", ("Ann: I ate far too much cake yesterday",)),
        ("How did Ann feel when she sold the boat?", ("Ann: I sold the boat yesterday and felt free",)),
        ("When did Ann sell the boat?", ()),
    ],
)
def test_what_is_not_told_is_not_claimed(question: str, notes: tuple[str, ...]) -> None:
    assert when(question, *notes) is None


def test_the_piece_that_tells_is_named() -> None:
    found = happened("When did Ben call?", evidence("Ann: Ben is nice", "Ben: I called yesterday"), NAMES)
    assert found == Dated("8 June 2023", 2)


def test_what_has_no_time_has_no_day() -> None:
    entry = Entry("I", "R", "S", 0, "K", "I sold the boat yesterday", 0, "Ann")
    assert day_of(entry) == "time unknown"
    assert happened("When did Ann sell the boat?", [Evidence(entry, 1.0, {})], NAMES) is None
