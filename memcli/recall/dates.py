"""Dates that a question names, and how near to them something was said (D2 symbolic view, D6).

Only dates of the calendar, read without a clock: one without a year means that
of any year. What a question means seen from the day it is asked, see `bounds`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memcli.clock import DAY_MS, EPOCH

_MONTHS = "january february march april may june july august september october november december".split()
_NAMES = {name[:3]: number for number, name in enumerate(_MONTHS, 1)}
_MONTH = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_WORDED = re.compile(
    rf"(?:\b(?P<before>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+)?\b{_MONTH}"
    r"(?:\s+(?P<after>\d{1,2})(?:st|nd|rd|th)?\b(?!\s*(?:%|o'clock)))?(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b)?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?:-(?P<day>\d\d))?\b"
    r"|(?:(?P<year2>(?:19|20)\d\d)年)?(?P<month2>\d{1,2})月(?:(?P<day2>\d{1,2})[日号號])?"
)
_IN = re.compile(r"\b(?:in|of|during|since|until|till|by|from|between|to|and|early|late|mid|last|next|this)\s+$", re.I)
AFTERWARDS = 8
"""Days within which people tell of what happened on a day."""
_DAY_SHARE, _LATER_SHARE, _MONTH_SHARE, _NEXT_MONTH_SHARE = 1.0, 0.5, 0.6, 0.3
_NEXT_MONTH_DAYS = 10


@dataclass(frozen=True, slots=True)
class NamedDate:
    """A month or a day, of one year or, where `year` is None, of any."""

    month: int
    day: int | None = None
    year: int | None = None

    def nearness(self, when: datetime) -> float:
        """From 0 to 1: said on that day or a little after, in that month or a little after."""
        if self.day is None:
            if when.month == self.month and self.year in (None, when.year):
                return _MONTH_SHARE
            later = when - timedelta(days=min(_NEXT_MONTH_DAYS, (when - datetime.min).days))
            return _NEXT_MONTH_SHARE if later.month == self.month and self.year in (None, later.year) else 0.0
        try:
            gap = (when - datetime(self.year or when.year, self.month, self.day)).days
        except ValueError:
            return 0.0
        if gap == 0:
            return _DAY_SHARE
        return _LATER_SHARE if 0 < gap <= AFTERWARDS else 0.0

    def spans(self, first_year: int, last_year: int) -> Iterator[tuple[int, int]]:
        """The milliseconds of the wall clock that it means, half-open, for every year it may mean."""
        for year in range(first_year, last_year + 1) if self.year is None else (self.year,):
            try:
                start = datetime(year, self.month, self.day or 1, tzinfo=UTC)
            except ValueError:
                continue
            length = (start + timedelta(days=31)).replace(day=1) - start if self.day is None else timedelta(days=1)
            begin = (start - EPOCH) // timedelta(milliseconds=1)
            yield begin, begin + length // timedelta(milliseconds=1)

    @property
    def told_ms(self) -> int:
        """How long after its end it is told of."""
        return DAY_MS * (_NEXT_MONTH_DAYS if self.day is None else AFTERWARDS)


def named_dates(text: str, names: Collection[str] = ()) -> tuple[NamedDate, ...]:
    """The dates in a question, each once. `names` are people: a bare "June" or "April" may be one of them."""
    people = {part.casefold() for name in names for part in name.split()}
    found: list[NamedDate] = []
    for match in _WORDED.finditer(text):
        word, day, year = match["month"], match["before"] or match["after"], match["year"]
        if day is None and year is None and (word.casefold() in people or not _is_month(text[: match.start()], word)):
            continue
        found += _date(year, _NAMES[word[:3].casefold()], day)
    for match in _NUMBERED.finditer(text):
        year = match["year"] or match["year2"]
        found += _date(year, int(match["month"] or match["month2"]), match["day"] or match["day2"])
    return tuple(dict.fromkeys(found))


def nearness(dates: Iterable[NamedDate], wall_ms: int | None) -> float:
    """How near to the nearest of the dates something was said; 0 where the time is unknown."""
    if wall_ms is None:
        return 0.0
    try:
        when = (EPOCH + timedelta(milliseconds=wall_ms)).replace(tzinfo=None)
    except OverflowError:
        return 0.0
    return max((date.nearness(when) for date in dates), default=0.0)


def _is_month(before: str, word: str) -> bool:
    """Whether a month's name that stands alone is one: "Sep" and "May I" are not."""
    return (word[0].isupper() and len(word) > 3) or (word == "May" and _IN.search(before) is not None)


def _date(year: str | None, month: int, day: str | None) -> list[NamedDate]:
    if not 1 <= month <= 12 or (day is not None and not 1 <= int(day) <= 31):
        return []
    return [NamedDate(month, None if day is None else int(day), None if year is None else int(year))]
