"""Dates and times as people and apps write them: `20/05/2026, 3:04 pm`, `8 May, 2023`, `15:04`.

Only spellings that cannot mean two things are read. `03/04/2026` needs an
order; without one its day is unknown. A wall clock stays a wall clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from memcli.formats.stamps import day
from memcli.types import Moment, Precision

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?"
    r"|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+)?"
DATE = (
    rf"{_WEEKDAY}(?:(?P<y>\d{{4}})[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})"
    rf"|(?P<a>\d{{1,2}})(?P<sep>[-/.])\s?(?P<b>\d{{1,2}})(?:[-/.]\s?(?P<y2>\d{{4}}|\d\d))?"
    rf"|(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m3>{_MONTH}),?\s+(?P<y3>\d{{4}})"
    rf"|(?P<m4>{_MONTH})\s+(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y4>\d{{4}}))"
)
TIME = (
    r"(?P<h>\d{1,2}):(?P<min>\d\d)(?::(?P<s>\d\d)(?:[.,](?P<f>\d{1,6}))?)?"
    r"(?:\s?(?P<half>[ap])\.?\s?m\.?(?![a-z]))?(?:\s?(?P<zone>Z|UTC|[+-]\d\d:?\d\d)(?!\w))?"
)
_WHOLE = (
    re.compile(rf"{DATE}(?:(?:T|,?\s+(?:at\s+)?|,){TIME})?", re.IGNORECASE),
    re.compile(rf"{TIME}(?:\s+on\s+|,?\s+){DATE}", re.IGNORECASE),
    re.compile(TIME, re.IGNORECASE),
)


class Written(NamedTuple):
    """A time as written: its day and clock in milliseconds, each None where it is not there.

    `fields` are the numbers of a date whose order is not written: two that are
    day and month, and the year. Where `day` is known too, they settle the order.
    """

    day: int | None
    clock: int | None
    precision: Precision
    offset: int | None = None
    fields: tuple[int, int, int | None] | None = None

    def resolve(self, order: str | None) -> Written:
        """With the day of an ambiguous date read in that order ("dmy" or "mdy")."""
        if self.fields is None or self.day is not None or order is None:
            return self
        first, second, year = self.fields
        month, number = (second, first) if order == "dmy" else (first, second)
        return self._replace(day=day(year, month, number) if year is not None else None)

    def moment(self, carried: int | None = None) -> Moment | None:
        """The moment, with the day `carried` from elsewhere where none is written; None without a day."""
        start = self.day if self.day is not None else carried
        if start is None:
            return None
        if self.clock is None:
            return Moment(start, "day", None, True)
        if self.offset is not None:
            return Moment(start + self.clock - self.offset * 60_000, self.precision, self.offset)
        return Moment(start + self.clock, self.precision, None, True)


def written(text: str) -> Written | None:
    """A text that is a date, a time, or both, and nothing else."""
    text = " ".join(text.split())
    for shape in _WHOLE:
        if match := shape.fullmatch(text):
            return _read(match.groupdict())
    return None


def wall_time(text: str) -> Moment | None:
    """The same as a moment; None where the text is no unambiguous date."""
    found = written(text)
    return found.moment() if found else None


def order_of(pairs: Iterable[tuple[int, int]]) -> str | None:
    """Whether pairs of numbers are day and month or month and day, where one of them settles it."""
    day_first = month_first = False
    for first, second in pairs:
        day_first = day_first or first > 12
        month_first = month_first or second > 12
    if day_first == month_first:
        return None
    return "dmy" if day_first else "mdy"


def _read(found: dict[str, str | None]) -> Written | None:
    clock, precision = _clock(found)
    if clock is not None and clock < 0:
        return None
    start: int | None = None
    fields: tuple[int, int, int | None] | None = None
    if found.get("y"):
        start = day(_int(found["y"]), _int(found["m"]), _int(found["d"]))
    elif found.get("a"):
        year = _year(found["y2"]) if found.get("y2") else None
        fields = (_int(found["a"]), _int(found["b"]), year)
        if found["sep"] == "." or fields[0] > 12 or fields[0] == fields[1]:
            return Written(None, clock, precision, _zone(found), fields).resolve("dmy")
        if fields[1] > 12:
            return Written(None, clock, precision, _zone(found), fields).resolve("mdy")
    else:
        for suffix in ("3", "4"):
            if found.get(f"y{suffix}"):
                month = _MONTHS.index(str(found[f"m{suffix}"])[:3].lower()) + 1
                start = day(_int(found[f"y{suffix}"]), month, _int(found[f"d{suffix}"]))
    if start is None and fields is None and clock is None:
        return None
    return Written(start, clock, precision, _zone(found), fields)


def _clock(found: dict[str, str | None]) -> tuple[int | None, Precision]:
    """Milliseconds into the day, -1 where there is no such time, None where there is none."""
    if not found.get("h"):
        return None, "day"
    hour, minute = _int(found["h"]), _int(found["min"])
    second = _int(found["s"]) if found.get("s") else 0
    half = (found.get("half") or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return -1, "day"
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return -1, "day"
    ms = int((found.get("f") or "0").ljust(3, "0")[:3])
    return ((hour * 60 + minute) * 60 + second) * 1000 + ms, "second" if found.get("s") else "minute"


def _zone(found: dict[str, str | None]) -> int | None:
    zone = (found.get("zone") or "").upper()
    if not zone:
        return None
    if zone in ("Z", "UTC"):
        return 0
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    return -minutes if zone[0] == "-" else minutes


def _year(text: str | None) -> int:
    year = _int(text)
    return year + 2000 if year < 100 else year


def _int(text: str | None) -> int:
    return int(text or 0)
