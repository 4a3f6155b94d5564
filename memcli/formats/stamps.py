"""Times that machines write: epochs and ISO 8601. Never a guess: what cannot be read is None."""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime, timedelta

from memcli.types import Moment, Precision

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_DAY = date(1970, 1, 1).toordinal()
_MILLISECOND = timedelta(milliseconds=1)
_MILLISECONDS_FROM = 1e11
_LATEST = 253_402_300_800
"""The year 10000, in seconds: beyond what a date can hold."""
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(:\d\d)?)?")

DAY = 86_400_000


def epoch(value: object) -> Moment | None:
    """Seconds (or, from 1e11, milliseconds) since 1970 as an instant; a number or its digits."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        seconds = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(seconds):
        return None
    if abs(seconds) >= _MILLISECONDS_FROM:
        seconds /= 1000
    if not 0 < seconds < _LATEST:
        return None
    # Microseconds first, so that a float's last bits do not cost a millisecond; then cut, not rounded.
    return Moment(round(seconds * 1_000_000) // 1000)


def iso(value: object, zone: int | None = None) -> Moment | None:
    """ISO 8601. `zone` is the offset in minutes that is meant where none is written; None: a wall clock.

    With `zone` given the instant is known, but the source names no offset.
    """
    if not isinstance(value, str):
        return None
    text = value.strip()
    shape = _ISO.match(text)
    if shape is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    precision: Precision = "second" if shape[1] else ("minute" if len(shape[0]) > 10 else "day")
    offset = moment.utcoffset()
    if offset is not None:
        ms = (moment - _EPOCH) // _MILLISECOND
        return Moment(ms, precision, int(offset.total_seconds() // 60))
    ms = (moment.replace(tzinfo=UTC) - _EPOCH) // _MILLISECOND
    if zone is None or precision == "day":
        return Moment(ms, precision, None, True)
    return Moment(ms - zone * 60_000, precision)


def any_time(*values: object) -> Moment | None:
    """The first of some fields that is a time, ISO or epoch."""
    for value in values:
        moment = iso(value) or epoch(value)
        if moment is not None:
            return moment
    return None


def day(year: int, month: int, day_of_month: int) -> int | None:
    """A calendar day as floating milliseconds at midnight; None where there is no such day."""
    try:
        return (date(year, month, day_of_month).toordinal() - _EPOCH_DAY) * DAY
    except (ValueError, OverflowError):
        return None


def shift(base: Moment | None, ms: int) -> Moment | None:
    """A time `ms` after the base. A base known to the day only says no more than its day."""
    if base is None or base.precision in ("day", "none"):
        return base
    return Moment(base.ms + ms, "second", base.offset, base.floating)
