"""Phrases that are a time as a whole, stretches open on a side, and times in Korean and Arabic."""

from __future__ import annotations

import time
from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.lang.when import find_times
from memcli.lang.when.phrase import read_phrase
from memcli.lang.when.stretch import find_stretches

NOW = datetime(2026, 7, 18, 10)  # a Saturday


def days(first: str, last: str) -> tuple[datetime, datetime]:
    """From the first day to the last, both whole."""
    return datetime.fromisoformat(first), datetime.fromisoformat(last) + timedelta(days=1)


@pytest.mark.parametrize(
    ("phrase", "first", "last"),
    [
        ("last week", "2026-07-06", "2026-07-12"),
        ("in May", "2026-05-01", "2026-05-31"),
        ("may", "2026-05-01", "2026-05-31"),
        ("August", "2025-08-01", "2025-08-31"),
        ("2026-03", "2026-03-01", "2026-03-31"),
        ("2025", "2025-01-01", "2025-12-31"),
        ("yesterday", "2026-07-17", "2026-07-17"),
        ("3 days ago", "2026-07-15", "2026-07-15"),
        ("Monday", "2026-07-13", "2026-07-13"),
        ("the 12th", "2026-07-12", "2026-07-12"),
        ("12th", "2026-07-12", "2026-07-12"),
        ("June 3", "2026-06-03", "2026-06-03"),
        ("3 June 2024", "2024-06-03", "2024-06-03"),
        ("last summer", "2025-06-01", "2025-08-31"),
        ("Christmas", "2025-12-25", "2025-12-25"),
        ("weekend", "2026-07-18", "2026-07-19"),
        ("next week", "2026-07-20", "2026-07-26"),
        ("letzte Woche", "2026-07-06", "2026-07-12"),
        ("März", "2026-03-01", "2026-03-31"),
        ("la semana pasada", "2026-07-06", "2026-07-12"),
        ("先週", "2026-07-06", "2026-07-12"),
        ("三月", "2026-03-01", "2026-03-31"),
        ("２０２６年５月", "2026-05-01", "2026-05-31"),
        ("작년", "2025-01-01", "2025-12-31"),
        ("مارس", "2026-03-01", "2026-03-31"),
    ],
)
def test_a_phrase_needs_no_sentence(phrase: str, first: str, last: str) -> None:
    found = read_phrase(phrase, NOW)
    assert found is not None
    assert (found.start, found.end) == days(first, last)
    assert found.phrase == phrase


@pytest.mark.parametrize(
    "phrase", ["", " ", "3", "soon", "the wedding", "week", "05/12/2026", "last week and today", "May Smith", "x" * 200]
)
def test_what_is_no_time_or_several_gives_nothing(phrase: str) -> None:
    assert read_phrase(phrase, NOW) is None


def test_a_person_is_no_month() -> None:
    assert read_phrase("May", NOW, names=["May Lee"]) is None


OPEN = None


@pytest.mark.parametrize(
    ("text", "first", "last", "words"),
    [
        ("What changed since March?", "2026-03-01", OPEN, "since March"),
        ("What came after 9 April 2026?", "2026-04-10", OPEN, "after 9 April 2026"),
        ("What did I do before March 2026?", OPEN, "2026-02-28", "before March 2026"),
        ("What was decided by the end of 2024?", OPEN, "2024-12-31", "by the end of 2024"),
        ("What did I read until May?", OPEN, "2026-05-31", "until May"),
        ("What did I do from March on?", "2026-03-01", OPEN, "from March on"),
        ("Wer hat sich seit März gemeldet?", "2026-03-01", OPEN, "seit März"),
        ("¿Quién ha llamado desde marzo?", "2026-03-01", OPEN, "desde marzo"),
        ("三月以来谁打过电话？", "2026-03-01", OPEN, "三月以来"),
        ("3월부터 뭐 했어?", "2026-03-01", OPEN, "3월부터"),
        ("من اتصل بنا منذ مارس؟", "2026-03-01", OPEN, "منذ مارس"),
        ("between March and May 2025?", "2025-03-01", "2025-05-31", "between March and May 2025"),
        ("Where did I live from 2015 to 2018?", "2015-01-01", "2018-12-31", "from 2015 to 2018"),
        ("What did I eat in the last 7 days?", "2026-07-11", "2026-07-18", "in the last 7 days"),
        ("What did I read over the past two months?", "2026-05-18", "2026-07-18", "over the past two months"),
        ("What is on in the next 3 days?", "2026-07-18", "2026-07-21", "in the next 3 days"),
        ("Was aß ich in den letzten 3 Tagen?", "2026-07-15", "2026-07-18", "in den letzten 3 Tagen"),
        ("the week before 3 August 2023", "2023-07-24", "2023-07-30", "the week before 3 August 2023"),
        ("the Sunday before 25 October 2022", "2022-10-23", "2022-10-23", "the Sunday before 25 October 2022"),
        ("on the last weekend of June?", "2026-06-27", "2026-06-28", "the last weekend of June"),
        ("What did I do last week?", "2026-07-06", "2026-07-12", "last week"),
        ("the day before yesterday?", "2026-07-16", "2026-07-16", "day before yesterday"),
    ],
)
def test_a_stretch_may_be_open_on_a_side(text: str, first: str | None, last: str | None, words: str) -> None:
    (found,) = find_stretches(text, NOW)
    assert found.start == (first and datetime.fromisoformat(first))
    assert found.end == (last and datetime.fromisoformat(last) + timedelta(days=1))
    assert text[slice(*found.span)] == words
    assert found.span[0] <= found.named[0] < found.named[1] <= found.span[1]


@pytest.mark.parametrize(
    "text",
    [
        "What happened between the booking and the trip?",
        "What happened after the boiler broke?",
        "Have I been here before?",
        "What came after 5?",
        "What did Bo say before May came?",
        "What's the last week of school like?",
        "",
    ],
)
def test_an_event_is_no_stretch(text: str) -> None:
    assert find_stretches(text, NOW, names=["May"]) == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("어제 치과에 갔어.", "2026-07-17"),
        ("3일 전에 전화했어요.", "2026-07-15"),
        ("지난주 금요일에 만났다.", "2026-07-10"),
        ("2026년 5월 3일에 이사했다.", "2026-05-03"),
        ("언어제약 때문에", None),
        ("오늘날 사람들은", None),
        ("اتصل أحمد أمس.", "2026-07-17"),
        ("سافرت قبل يومين.", "2026-07-16"),
        ("يوم الجمعة الماضي كنت في البيت", "2026-07-17"),
        ("في اليوم التالي", None),
        ("٥ مايو ٢٠٢٦", "2026-05-05"),
    ],
)
def test_korean_and_arabic_days_are_read(text: str, first: str | None) -> None:
    found = [one.start.date() for one in find_times(text, NOW)]
    assert found == ([] if first is None else [date.fromisoformat(first)])


_PIECES = (
    "since before after by until between and from to in the last past next few 7 3 days weeks May March 2026 Monday"
    " yesterday the of weekend first seit vor de a 3月 から 以来 부터 어제 지난 7일 منذ أمس مارس , ?"
).split()


@settings(max_examples=300, deadline=None)
@given(
    text=st.one_of(st.text(max_size=60), st.lists(st.sampled_from(_PIECES), max_size=12).map(" ".join)),
    anchor=st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31, 23, 59)),
)
def test_any_text_gives_sound_stretches(text: str, anchor: datetime) -> None:
    last = 0
    for one in find_stretches(text, anchor):
        assert one.start is None or one.end is None or one.start < one.end
        assert (one.start, one.end) != (None, None)
        assert last <= one.span[0] <= one.named[0] < one.named[1] <= one.span[1] <= len(text)
        last = one.span[1]
    read_phrase(text, anchor)


@pytest.mark.parametrize("text", ["since may ", "between a and ", "before May 5 ", "어제부터 ", "last 7 days ", "قبل "])
def test_a_pasted_text_costs_no_more_than_a_question(text: str) -> None:
    find_stretches(text, NOW)
    began = time.process_time()
    find_stretches(text * 5_000, NOW)
    assert time.process_time() - began < 1.0
