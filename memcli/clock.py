"""The one place that knows what time it is, and how times are written down."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache

from memcli.types import Moment, Precision

_TO_THE_SECOND = re.compile(r"\d:\d\d:\d\d")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_WALL = datetime(1970, 1, 1)
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
FIRST_MS = -62_135_596_800_000
LAST_MS = 253_402_300_799_999


@dataclass(frozen=True, slots=True)
class Clock:
    """Now, in milliseconds since 1970 UTC, and the person's own time zone (None: the system's)."""

    now_ms: Callable[[], int]
    zone: tzinfo | None = None

    @classmethod
    def system(cls) -> Clock:
        return cls(lambda: time.time_ns() // 1_000_000)

    def offset_minutes(self, ms: int) -> int:
        """The person's UTC offset at that instant, in minutes."""
        moment = (EPOCH + timedelta(milliseconds=ms)).astimezone(self.zone)
        return int((moment.utcoffset() or timedelta()).total_seconds() // 60)

    def moment(self) -> Moment:
        """Now, as something said here and now."""
        ms = self.now_ms()
        return Moment(ms, "second", self.offset_minutes(ms))


@lru_cache(maxsize=64, typed=True)
def iso(ms: int) -> str:
    """Milliseconds since 1970 as ISO 8601 in UTC: `2026-05-20T15:04:05Z`, with a fraction if there is one."""
    seconds, rest = divmod(ms, 1000)
    # An import writes three times an entry, two of them now: remembered, and eight times as fast as `strftime`.
    text = (_EPOCH_WALL + timedelta(seconds=seconds)).isoformat()
    return f"{text}.{rest:03d}Z" if rest else f"{text}Z"


def to_iso(moment: Moment) -> str:
    """A moment as a record writes it: with `Z` where the instant is known, without where it floats."""
    text = iso(moment.ms)
    return text[:-1] if moment.floating else text


def from_iso(text: str) -> tuple[int, bool]:
    """(milliseconds, floating) of what `to_iso` wrote. ValueError where it is no time."""
    value = datetime.fromisoformat(text)
    floating = value.tzinfo is None
    aware = value.replace(tzinfo=UTC) if floating else value
    ms = (aware - EPOCH) // timedelta(milliseconds=1)
    if not FIRST_MS <= ms <= LAST_MS:
        raise ValueError(f"{text} is outside the years 1 to 9999")
    return ms, floating


def wall(moment: Moment, reader: tzinfo | None = None) -> datetime:
    """The clock on the wall where it was said, naive; the reader's wall where only the instant is known."""
    instant = EPOCH + timedelta(milliseconds=moment.ms)
    if moment.floating or moment.precision == "day":
        return instant.replace(tzinfo=None)
    zone = reader if moment.offset is None else timezone(timedelta(minutes=moment.offset))
    try:
        return instant.astimezone(zone).replace(tzinfo=None)
    except OverflowError:  # in the first or the last hours that a date can name
        return instant.replace(tzinfo=None)


def wall_ms(moment: Moment) -> int:
    """The wall clock where it was said, in milliseconds since 1970 as if in UTC; UTC where no offset is known."""
    return moment.ms + (moment.offset or 0) * 60_000


def day(moment: Moment, begins_ms: int = 0) -> str:
    """The day on which it was said there, `2026-05-20`; a day begins so many milliseconds after midnight."""
    return iso(min(max(wall_ms(moment) - begins_ms, FIRST_MS), LAST_MS))[:10]


def show(moment: Moment | None, reader: tzinfo | None = None) -> str:
    """A moment as a person reads it: `2026-05-20 15:04`, a bare day, or `time unknown`."""
    if moment is None or moment.precision == "none":
        return "time unknown"
    form = "%Y-%m-%d" if moment.precision == "day" else "%Y-%m-%d %H:%M"
    return wall(moment, reader).strftime(form)


def parse_when(text: str, clock: Clock) -> Moment | None:
    """What `--at` accepts: an ISO date or date and time; None where it is neither.

    Without a zone the person's own zone is meant.
    """
    raw = text.strip()
    try:
        value = datetime.fromisoformat(raw)
    except ValueError:
        return None
    precision: Precision = "day" if len(raw) <= 10 else ("second" if _TO_THE_SECOND.search(raw) else "minute")
    if precision == "day":
        ms = (value.replace(tzinfo=UTC) - EPOCH) // timedelta(milliseconds=1)
        return Moment(ms, "day", None, True)
    try:
        aware = value if value.tzinfo else value.replace(tzinfo=clock.zone).astimezone(clock.zone)
        ms = (aware - EPOCH) // timedelta(milliseconds=1)
    except OverflowError:
        return None
    offset = int((aware.utcoffset() or timedelta()).total_seconds() // 60)
    return Moment(ms, precision, offset) if FIRST_MS <= ms <= LAST_MS else None
