"""The first line of a WhatsApp message in the spellings of many phones, and its date order.

`20/05/2026, 3:04 pm - Ada: hi` (Android) or `[20.05.26, 15:04:05] Ada: hi`
(iOS); year first in East Asia, digits and half-day words of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from memcli.formats.stamps import day
from memcli.types import Moment, Precision

_AM = "am|a. m.|a.m.|上午|午前|오전|vorm.|ص|पूर्वाह्न|早上|凌晨"
_PM = "pm|p. m.|p.m.|下午|午後|오후|nachm.|م|अपराह्न|晚上|中午"
_HALF = "|".join(re.escape(word) for word in f"{_AM}|{_PM}".split("|"))
_DATE = r"(?P<a>\d{1,4})(?P<sep>[./-]) ?(?P<b>\d{1,2})[./-] ?(?P<c>\d{1,4})\.?"
_TIME = rf"(?:(?P<before>{_HALF}) ?)?(?P<h>\d{{1,2}})[:.](?P<m>\d\d)(?:[:.](?P<s>\d\d))?(?: ?(?P<after>{_HALF}))?"
_BETWEEN = r"(?:,? (?:à |um |at |a las |alle |às |klo |kl\. )?|, ?)"
_IOS = re.compile(rf"\[{_DATE}{_BETWEEN}{_TIME}\] ?(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_ANDROID = re.compile(rf"{_DATE}{_BETWEEN}{_TIME} [-–] (?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_SPACES = {0xA0: " ", 0x2009: " ", 0x202F: " "}
_MARKS = "\u200e\u200f\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_NO_MARKS = dict.fromkeys(map(ord, _MARKS))
_HEAD_CHARS = 48
"""The longest head of a line: only there may spaces and marks be changed for matching."""

_AM_WORDS = frozenset(_AM.split("|"))
_YEAR_FROM = 32


class Head(NamedTuple):
    """A message's first line: the date's three numbers, the clock in milliseconds, and the rest."""

    a: int
    b: int
    c: int
    dotted: bool
    clock: int
    seconds: bool
    american: bool
    rest: str

    def moment(self, order: str | None) -> Moment | None:
        """When: a wall clock. None where the order of day and month is not known, or no such day exists."""
        start = self.day(order)
        precision: Precision = "second" if self.seconds else "minute"
        return None if start is None else Moment(start + self.clock, precision, None, True)

    @property
    def year_first(self) -> bool:
        """Whether the date begins with its year."""
        return self.a >= _YEAR_FROM

    def day(self, order: str | None) -> int | None:
        """The day at midnight in milliseconds."""
        if self.year_first:
            return day(self.a, self.b, self.c)
        year = self.c + 2000 if self.c < 100 else self.c
        if order is None:
            return None
        return day(year, self.b, self.a) if order == "dmy" else day(year, self.a, self.b)


def read_head(line: str) -> Head | None:
    """The head of a line, None where it has none."""
    bare = line.lstrip(_MARKS)
    if not (bare[:1] == "[" or bare[:1].isdigit()):
        return None
    head = bare[:_HEAD_CHARS]
    if not head.isascii():
        head = head.translate(_SPACES)
    match = _match(head)
    if match is None:
        # Right-to-left phones put marks between the numbers too.
        if head.isascii() or not any(mark in head for mark in _MARKS):
            return None
        bare = bare[:_HEAD_CHARS].translate(_NO_MARKS) + bare[_HEAD_CHARS:]
        match = _match(bare.translate(_SPACES)[:_HEAD_CHARS])
        if match is None:
            return None
    a, sep, b, c, before, h, m, s, after, _ = match.groups()
    hour, minute = int(h), int(m)
    half = before or after
    if half:
        hour = hour % 12 + (0 if half.lower() in _AM_WORDS else 12)
    if hour > 23 or minute > 59:
        return None
    clock = ((hour * 60 + minute) * 60 + min(int(s or 0), 59)) * 1000
    american = after in ("AM", "PM") and len(c) == 2 and sep == "/"
    # The rest keeps its marks: they tell messages of the app from those of people.
    rest = bare[match.start("rest") :]
    return Head(int(a), int(b), int(c), sep == ".", clock, s is not None, american, rest)


def _match(head: str) -> re.Match[str] | None:
    return (_IOS if head[:1] == "[" else _ANDROID).match(head)


def date_order(heads: Iterable[Head]) -> str | None:
    """Day first or month first, by what the file itself tells; None where it does not.

    A number above 12 settles it; else that dates never go back; else that the
    day changes more often than the month; else a spelling that only one
    country has.
    """
    pairs: dict[tuple[int, int, int], None] = {}
    dotted = american = False
    year_first = True
    for head in heads:
        if not head.year_first:
            if head.a > 12 or head.b > 12:
                return "dmy" if head.a > 12 else "mdy"
            year_first = False
            pairs[head.a, head.b, head.c] = None
        dotted, american = dotted or head.dotted, american or head.american
    if year_first:
        return "dmy"
    back = {order: _steps_back(list(pairs), order) for order in ("dmy", "mdy")}
    if (back["dmy"] == 0) != (back["mdy"] == 0):
        return "dmy" if back["dmy"] == 0 else "mdy"
    first, second = _changes(a for a, _, _ in pairs), _changes(b for _, b, _ in pairs)
    if first != second:
        return "dmy" if first > second else "mdy"
    if dotted:
        return "dmy"
    return "mdy" if american else None


def _steps_back(dates: list[tuple[int, int, int]], order: str) -> int:
    days = [(year, b, a) if order == "dmy" else (year, a, b) for a, b, year in dates]
    return sum(later < earlier for earlier, later in pairwise(days))


def _changes(numbers: Iterable[int]) -> int:
    return sum(later != earlier for earlier, later in pairwise(numbers))
