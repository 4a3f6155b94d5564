"""What the rules promise beyond the labels: names, tense, titles, plans that the day's hour contradicts."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memcli.lang.when import Interval, describe, find_times

WEDNESDAY = datetime(2026, 5, 20, 15, 30)


def said(text: str, anchor: datetime = WEDNESDAY, **options: object) -> list[str]:
    return [describe(one) for one in find_times(text, anchor, ZoneInfo("Europe/Berlin"), **options)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # what a phrase like this names is told by another sentence, or runs up to now
        ("I can take that Friday off, I'll ask.", []),
        ("They gave me the Thursday at 14:00.", []),
        ("The train leaves at 8:40 on the Friday.", []),
        ("So much has happened in the last month.", []),
        ("We'll talk more in the next week.", []),
        ("The last week of June was a mess.", []),
        # the words say twice which day it is
        ("Tomorrow, Thursday, we'll sail.", ["21 May 2026"]),
        ("The party is on Saturday, the 23rd of May.", ["23 May 2026"]),
        ("It's Saturday the 23rd of May now, not the 16th.", ["23 May 2026"]),
        ("We looked at a hut for the weekend of 5 to 7 June, Friday to Sunday.", ["the weekend of 6 June 2026"]),
        # a plan that the hour of day contradicts is another day's
        ("Let's meet at 8:50 by the stairs.", []),
        ("The call started at 9 pm.", []),
        ("Not at 4 pm, please.", []),
        # prepositions that look ahead, whatever the verb
        ("They moved the check-up to Friday.", ["22 May 2026"]),
        ("I booked a table for Friday.", ["22 May 2026"]),
        ("Thanks for Friday, it was lovely.", ["15 May 2026"]),
        ("He asked me, so I'm away from Friday.", ["22 May 2026"]),
        ("I should have called on Friday.", ["15 May 2026"]),
        ("Will you have finished by Friday?", ["22 May 2026"]),
        ("I wanted to see you on Friday.", ["15 May 2026"]),
        ("Did you hear about Friday?", ["15 May 2026"]),
        # ranges
        ("Could you feed the cat from the 27th to the 29th?", ["27 to 29 May 2026"]),
        ("We were in Rome June 5-7, 2025.", ["5 to 7 June 2025"]),
        ("We'll be away on 5 and 6 June.", ["5 to 6 June 2026"]),
        ("I worked there from January to March.", ["1 January to 31 March 2026"]),
        ("The call was moved from Monday to Wednesday.", []),
        # two units, anniversaries, a week from a day
        ("Remind me in 2 hours and 30 minutes.", ["20 May 2026 18:00"]),
        ("We married ten years ago today.", ["20 May 2016"]),
        ("I'm leaving a week on Monday.", ["1 June 2026"]),
        ("Two or three weeks ago it hailed.", ["about the week of 27 April 2026"]),
        # the part of the day tells which 5 and which 8
        ("I got up at 5 this morning.", ["20 May 2026 05:00"]),
        ("I'll do it this evening at 8.", ["20 May 2026 20:00"]),
        ("He rang at 2 am last night.", ["20 May 2026 02:00"]),
        ("Yesterday, at about 4 in the afternoon, it hailed.", ["about 19 May 2026 16:00"]),
        ("Mid-2019 was quiet.", ["about 1 May to 31 August 2019"]),
        # durations, abilities, feelings
        ("They built it in two weeks.", []),
        ("You can learn it in 3 days.", []),
        ("It's the first time in ten years.", []),
        ("It feels like it was just yesterday.", []),
        ("I usually get up at 6 am.", []),
        ("I run it every day, so if it breaks at midnight I know.", []),
        ("He is in his 80s.", []),
        # habits of writing
        ("A few years back I lived in Lyon.", ["about 2023"]),
        ("We start on the first Monday of next month.", ["1 June 2026"]),
        ("We met on the morning of 5 June 2025.", ["morning of 5 June 2025"]),
        ("The ferry leaves tomorrow at 7 in the evening.", ["21 May 2026 19:00"]),
        ("Early next year we'll move.", ["about 1 January to 30 April 2027"]),
        ("Tell her by the end of the week.", ["about 22 to 24 May 2026"]),
        ("The log says 2026-05-19T23:30:00Z.", ["20 May 2026 01:30"]),
    ],
)
def test_english(text: str, expected: list[str]) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("明天下午三点开会。", ["21 May 2026 15:00"]),
        ("我们下周一起去吧。", ["the week of 25 May 2026"]),
        ("半年前我搬了家。", ["November 2025"]),
        ("今日子さんに会った。", []),
        ("明日の15時30分に会いましょう。", ["21 May 2026 15:30"]),
        ("去年の夏は暑かった。", ["summer 2025"]),
        ("Gestern um 14 Uhr kam das Paket.", ["19 May 2026 14:00"]),
        ("Ende Juni werden wir umziehen.", ["about 21 to 30 June 2026"]),
        ("Nos vemos mañana por la mañana.", ["morning of 21 May 2026"]),
        ("Mañana a las 8 tengo dentista.", ["21 May 2026 08:00"]),
        ("El fin de semana pasado llovió.", ["the weekend of 16 May 2026"]),
        ("Morgen um 8 habe ich Zahnarzt.", ["21 May 2026 08:00"]),
        ("Heute in einer Woche fliegen wir.", ["27 May 2026"]),
        ("Am Wochenende war es schön.", ["the weekend of 16 May 2026"]),
        ("上个月5号我搬家了。", ["5 April 2026"]),
        ("去年十二月我结婚了。", ["December 2025"]),
    ],
)
def test_other_languages(text: str, expected: list[str]) -> None:
    assert said(text) == expected


def test_a_person_is_no_month_unless_a_figure_stands_beside_the_name() -> None:
    assert said("I saw her with June and since May she will not sing.", names=["May", "June"]) == []
    assert said("I met May on May 5.", names=["May"]) == ["5 May 2026"]


def test_what_the_caller_expects_decides_where_the_sentence_does_not() -> None:
    assert said("Friday?") == []
    assert said("Friday?", future=True) == ["22 May 2026"]
    assert said("Friday?", future=False) == ["15 May 2026"]
    assert said("We met on Friday.", future=True) == ["15 May 2026"]


def test_an_hour_is_elapsed_time_and_a_day_is_the_calendars() -> None:
    evening = datetime(2026, 3, 28, 20, 0)
    assert said("We hike in 12 hours.", evening) == ["29 March 2026 09:00"]
    assert find_times("We hike in 12 hours.", evening)[0].start == datetime(2026, 3, 29, 8, 0)


def test_no_date_outside_the_calendar() -> None:
    assert said("That was 9999 years ago.") == []
    assert said("In 8000 years we will know.") == []
    assert find_times("Yesterday it rained.", datetime(1, 1, 1)) == []
    assert find_times("Tomorrow it will rain.", datetime(9999, 12, 31)) == []


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (("2026-05-07", "2026-05-08", "day", False), "7 May 2026"),
        (("2026-05-01", "2026-06-01", "month", False), "May 2026"),
        (("2025-06-01", "2025-07-01", "month", True), "about June 2025"),
        (("2026-05-04", "2026-05-11", "week", False), "the week of 4 May 2026"),
        (("2026-05-18", "2026-05-20", "week", True), "about 18 to 19 May 2026"),
        (("2026-05-16", "2026-05-18", "weekend", False), "the weekend of 16 May 2026"),
        (("2026-05-20T15:00", "2026-05-20T16:00", "hour", False), "20 May 2026 15:00"),
        (("2026-05-20T22:00", "2026-05-21T05:00", "part", False), "night of 20 May 2026"),
        (("2025-12-01", "2026-03-01", "season", False), "winter 2025/26"),
        (("2025-06-01", "2025-09-01", "season", False), "summer 2025"),
        (("2026-07-01", "2026-10-01", "quarter", False), "Q3 2026"),
        (("2019-01-01", "2020-01-01", "year", False), "2019"),
        (("1990-01-01", "2000-01-01", "year", True), "the 1990s"),
        (("2025-12-30", "2026-01-02", "day", False), "30 December 2025 to 1 January 2026"),
    ],
)
def test_an_interval_reads_as_a_person_would_write_it(interval: tuple[str, str, str, bool], text: str) -> None:
    start, end, grain, approximate = interval
    one = Interval(
        datetime.fromisoformat(start),
        datetime.fromisoformat(end),
        grain,
        "x",
        (0, 1),
        approximate,
        "test",  # type: ignore[arg-type]
    )
    assert describe(one) == text
