"""A phrase that is a time and nothing else: what a person writes behind `--since`, or behind "before" in a question.

Prose needs a preposition and a tense before "May" is a month; here it can be
nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, tzinfo
from functools import lru_cache

from memcli.lang.when.interval import Interval

LONGEST = 60
"""Characters; no time phrase is longer."""
# The sentences in which a phrase is tried, the likeliest first. Their past tense chooses the side of "Friday".
_FRAMES = (
    "It was {}.",
    "It was in {}.",
    "It was on {}.",
    "It was on the {}.",
    "It was over the {}.",
    "It was at {}.",
    "It was for {}.",
    "Es war {}.",
    "Es war im {}.",
    "Es war am {}.",
    "Fue {}.",
    "Fue en {}.",
    "Fue el {}.",
    "{}に会った。",
    "{}过了。",
)
_FILLERS = frozenset(
    "the in on at of for over during from im am den dem der die das seit ab vom en el la los las de del desde".split()
)
_WIDE = {0xFF10 + figure: str(figure) for figure in range(10)}


def narrow(text: str) -> str:
    """The text with figures of full width made plain, no shorter and no longer."""
    return text if text.isascii() else text.translate(_WIDE)


def read_phrase(
    phrase: str, anchor: datetime, zone: tzinfo | None = None, *, names: Collection[str] = ()
) -> Interval | None:
    """The time that a phrase names as a whole, as said at `anchor`; None where it is none, or more than one.

    "last week", "in May", "May", "2026", "2026-03", "Monday", "3 days ago",
    "the 12th". Where nothing else tells the side it is the past one. `names`
    are people ("May") who must not be read as months.
    """
    plain = narrow(phrase).strip(" \t.,!?")
    if not plain or len(plain) > LONGEST or {word.casefold() for word in plain.split()} & _folded(names):
        return None
    found = _figures(plain) or _framed(plain, anchor, zone)
    return None if found is None else replace(found, phrase=phrase, span=(0, len(phrase)))


def _folded(names: Collection[str]) -> set[str]:
    return {part.casefold() for name in names for part in name.split()}


@lru_cache(maxsize=1)
def _calendar() -> re.Pattern[str]:
    return re.compile(r"(?:in |im |en )?(?P<year>1[89]\d\d|2[01]\d\d)(?:[-/.](?P<month>0[1-9]|1[0-2]))?", re.IGNORECASE)


@lru_cache(maxsize=1)
def _han_month() -> re.Pattern[str]:
    return re.compile("(?P<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月份?")


def _figures(plain: str) -> Interval | None:
    """A year or a month in figures: no sentence would have them so."""
    match = _calendar().fullmatch(plain)
    if match is None:
        return None
    from memcli.lang.when.almanac import month_of, year_of

    year = int(match["year"])
    found = month_of(year, int(match["month"])) if match["month"] else year_of(year)
    return Interval(found.start, found.end, found.grain, plain, (0, len(plain)), False, "figures")


def _framed(plain: str, anchor: datetime, zone: tzinfo | None) -> Interval | None:
    from memcli.lang.when import cjk, find_times, spoken

    han = _han_month().fullmatch(plain)
    if han is not None:
        plain = f"{cjk.number(han['month'])}月"
    plain = spoken.in_english(plain) or plain
    if plain.isdecimal():
        return None  # "3" is an hour, a day or a month
    for frame in _FRAMES:
        before = frame.index("{}")
        found = find_times(frame.format(plain), anchor, zone, future=False)
        if len(found) != 1:
            continue
        start, end = found[0].span[0] - before, found[0].span[1] - before
        beside = f"{plain[: max(0, start)]} {plain[end:]}".casefold()
        if _FILLERS.issuperset(re.findall(r"\w+", beside)):
            return found[0]
    return None
