"""The first line of a WhatsApp message in the spellings of many phones, and its date order.

`20/05/2026, 3:04 pm - Ada: hi` (Android) or `[20.05.26, 15:04:05] Ada: hi`
(iOS); year first in East Asia, digits and half-day words of the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from memcli.formats.calendar import order_of
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
_MARKS = dict.fromkeys((8206, 8207, 65279, *range(8234, 8239), *range(8294, 8298)))
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
    first = line[:1]
    if not (first.isdigit() or first == "[" or first in "\u200e\u200f\ufeff\u202a\u202b\u2068"):
        return None
    head = line[:_HEAD_CHARS]
    if not head.isascii():
        head = head.translate(_MARKS | _SPACES)
    match = (_IOS if head[:1] == "[" else _ANDROID).match(head)
    if match is None:
        return None
    hour, minute = int(match["h"]), int(match["m"])
    half = match["before"] or match["after"]
    if half:
        hour = hour % 12 + (0 if half.lower() in _AM_WORDS else 12)
    if hour > 23 or minute > 59:
        return None
    second = int(match["s"] or 0)
    # The rest is taken from the line itself: its marks tell messages of the app from those of people.
    rest = _after(line, match["rest"]) if len(line) > _HEAD_CHARS or not line.isascii() else match["rest"]
    american = match["after"] in ("AM", "PM") and len(match["c"]) == 2 and match["sep"] == "/"
    return Head(
        int(match["a"]), int(match["b"]), int(match["c"]), match["sep"] == ".",
        ((hour * 60 + minute) * 60 + min(second, 59)) * 1000, match["s"] is not None, american, rest,
    )  # fmt: skip


def _after(line: str, shown: str) -> str:
    """What stands behind the head in the line: the end of it that begins like `shown`."""
    if line[:1] == "[" or "]" in line[:_HEAD_CHARS]:
        return line[line.index("]") + 1 :].lstrip(" ")
    at = min((found for dash in (" - ", " – ", "\u202f- ", "\xa0- ") if (found := line.find(dash)) >= 0), default=-1)
    return line[at + 3 :] if at >= 0 else shown


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
            year_first = False
            pairs[head.a, head.b, head.c] = None
        dotted, american = dotted or head.dotted, american or head.american
    if year_first:
        return "dmy"
    settled = order_of((a, b) for a, b, _ in pairs)
    if settled:
        return settled
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
