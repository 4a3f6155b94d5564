"""When what a question asks for took place, or was said: stretches of time on one of two axes (D2, D6).

"What happened in May?" looks for what took place in May, told of then or soon
after; "What did Ann say last week?" for what was said then. A bound is a
reason to rank something up, never a filter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from memcli.clock import DAY_MS
from memcli.lang.when.stretch import find_stretches
from memcli.recall.asking import asking_of

Axis = Literal["happened", "said"]
_EPOCH = datetime(1970, 1, 1)
_CALENDAR = re.compile(
    r"\b\d{4}\b|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)|\b(?:januar|märz|mai|juni|juli|okt|dez)"
    r"|\b(?:enero|marzo|abril|mayo|junio|julio|agosto|octubre|noviembre|diciembre)|月",
    re.IGNORECASE,
)
_ORDER = re.compile(r"\W*(?:please\s+)?(?:tell|remind|show|give)\b", re.IGNORECASE)
TOLD_LATER = 8, 10
"""Days within which people tell of what happened on a day or in a week, and of what happened in longer stretches."""
_WEEK_MS = 7 * DAY_MS
_DAY_SHARE, _WEEK_SHARE, _LONG_SHARE = 1.0, 0.8, 0.6
_LATER = 0.5


@dataclass(frozen=True, slots=True)
class Bound:
    """A half-open stretch in milliseconds of the wall clock; None where a side is open.

    `words` is what names it in the question, `span` where they stand there
    ("since" included), `named` where the time alone does.
    """

    start_ms: int | None
    end_ms: int | None
    axis: Axis
    words: str
    span: tuple[int, int]
    named: tuple[int, int]

    @property
    def open(self) -> bool:
        return self.start_ms is None or self.end_ms is None

    @property
    def length_ms(self) -> int | None:
        """None where a side is open."""
        return None if self.start_ms is None or self.end_ms is None else self.end_ms - self.start_ms

    @property
    def several_days(self) -> bool:
        return self.length_ms is None or self.length_ms > DAY_MS

    @property
    def calendar(self) -> bool:
        """Whether a date of the calendar stands in it, and not only "last week"."""
        return _CALENDAR.search(self.words) is not None

    @property
    def share(self) -> float:
        """How much it tells to lie inside, from 0 to 1."""
        length = self.length_ms
        if length is None or length > _WEEK_MS:
            return _LONG_SHARE
        return _DAY_SHARE if length <= DAY_MS else _WEEK_SHARE

    @property
    def told_ms(self) -> int:
        """How long after its end it is told of; what was said then was said then."""
        if self.axis == "said":
            return 0
        length = self.length_ms
        return DAY_MS * TOLD_LATER[length is None or length > _WEEK_MS]

    def holds(self, ms: int) -> bool:
        return (self.start_ms is None or self.start_ms <= ms) and (self.end_ms is None or ms < self.end_ms)

    def nearness(self, ms: int) -> float:
        """From 0 to 1: said within it, or soon after it."""
        if self.holds(ms):
            return self.share
        if self.end_ms is not None and 0 <= ms - self.end_ms < self.told_ms:
            return self.share * _LATER
        return 0.0


def bounds(text: str, now_ms: int | None, names: Collection[str] = ()) -> tuple[Bound, ...]:
    """What bounds a question that is asked at `now_ms` of the wall clock; nothing where that is not known.

    `names` are people who must not be read as months.
    """
    if now_ms is None:
        return ()
    now = _EPOCH + timedelta(milliseconds=now_ms)
    parts = [part for name in names for part in name.split()]
    found = find_stretches(text, now, names=parts)
    if not found:
        return ()
    axis: Axis = "said" if _asks_what_was_said(text) else "happened"
    return _joined(
        [Bound(_ms(one.start), _ms(one.end), axis, text[slice(*one.span)], one.span, one.named) for one in found], text
    )


def _asks_what_was_said(text: str) -> bool:
    """Whether a verb of saying is in it, but for the one that only orders: "Tell me what happened yesterday"."""
    asking = asking_of(text)
    order = _ORDER.match(text) or re.match(asking.lead_in, text, re.IGNORECASE)
    rest = text[order.end() :] if order is not None else text
    return re.search(asking.saying, rest, re.IGNORECASE) is not None


def _joined(found: list[Bound], text: str) -> tuple[Bound, ...]:
    """ "after 3 May and before 10 June" is one stretch."""
    if len(found) != 2:
        return tuple(found)
    start, end = sorted(found, key=lambda bound: bound.start_ms is None)
    if start.end_ms is not None or end.start_ms is not None or not (start.start_ms or 0) < (end.end_ms or 0):
        return tuple(found)
    place = found[0].span[0], found[1].span[1]
    return (replace(start, end_ms=end.end_ms, words=text[slice(*place)], span=place, named=place),)


def hull(found: Sequence[Bound]) -> tuple[int | None, int | None] | None:
    """From the first start to the last end, None for an open side; None as a whole where nothing bounds."""
    if not found:
        return None
    starts = [bound.start_ms for bound in found if bound.start_ms is not None]
    ends = [bound.end_ms for bound in found if bound.end_ms is not None]
    start = min(starts) if len(starts) == len(found) else None
    return start, max(ends) if len(ends) == len(found) else None


def _ms(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - _EPOCH) // timedelta(milliseconds=1)
