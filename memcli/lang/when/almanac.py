"""The calendar and how to move in it. Local wall clock throughout, half-open, weeks from Monday."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from memcli.lang.when.interval import PARTS, Grain

DAY = timedelta(days=1)


class Found(NamedTuple):
    """An interval before it is tied to its words."""

    start: datetime
    end: datetime
    grain: Grain
    approximate: bool = False


def midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def days(first: date, count: int = 1, grain: Grain = "day") -> Found:
    return Found(midnight(first), midnight(first + count * DAY), grain)


def monday(day: date) -> date:
    return day - day.weekday() * DAY


def week(day: date) -> Found:
    """The week that holds a day."""
    return days(monday(day), 7, "week")


def weekend(day: date) -> Found:
    """Saturday and Sunday of the week that holds a day."""
    return days(monday(day) + 5 * DAY, 2, "weekend")


def months(year: int, month: int, count: int, grain: Grain) -> Found:
    """`count` whole months; `month` may lie outside 1 to 12 and is carried into the year."""
    first, last = year * 12 + month - 1, year * 12 + month - 1 + count
    return Found(
        datetime(first // 12, first % 12 + 1, 1),
        datetime(last // 12, last % 12 + 1, 1),
        grain,
    )


def month_of(year: int, month: int) -> Found:
    return months(year, month, 1, "month")


def quarter_of(year: int, quarter: int) -> Found:
    """`quarter` counts from 1 and may lie outside 1 to 4."""
    return months(year, quarter * 3 - 2, 3, "quarter")


def season_of(year: int, season: int) -> Found:
    """Seasons of the north by whole months: 0 spring, 1 summer, 2 autumn, 3 the winter that begins in that December."""
    return months(year, 3 + season * 3, 3, "season")


def year_of(year: int) -> Found:
    return months(year, 1, 12, "year")


def decade(year: int) -> Found:
    return months(year, 1, 120, "year")._replace(approximate=True)


def part_of(day: date, part: str) -> Found:
    first, last = PARTS[part]
    start = midnight(day)
    return Found(start + timedelta(hours=first), start + timedelta(hours=last), "part")


def part_name(found: Found) -> str | None:
    """Which part of the day an interval is, None where it is none."""
    if found.grain != "part":
        return None
    return next((name for name, (first, _) in PARTS.items() if first == found.start.hour), None)


def at(day: date, hour: int, minute: int | None, zone: tzinfo | None = None) -> Found:
    """A clock time: one minute, or the whole hour where no minutes were named. Hour 24 is midnight after the day.

    A time that the spring change skips moves forward by the gap.
    """
    start = midnight(day) + timedelta(hours=hour, minutes=minute or 0)
    if zone is not None:
        start = start.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    if minute is None:
        return Found(start, start + timedelta(hours=1), "hour")
    return Found(start, start + timedelta(minutes=1), "minute")


def elapsed(anchor: datetime, minutes: int, zone: tzinfo | None) -> Found:
    """The minute that lies that many real minutes from the anchor, also across a change of the clocks."""
    if zone is None:
        moved = anchor + timedelta(minutes=minutes)
    else:
        instant = anchor.replace(tzinfo=zone).astimezone(UTC) + timedelta(minutes=minutes)
        moved = instant.astimezone(zone).replace(tzinfo=None)
    start = moved.replace(second=0, microsecond=0)
    return Found(start, start + timedelta(minutes=1), "minute")


def third(whole: Found, which: int) -> Found:
    """The beginning (0), middle (1) or end (2) of an interval: vague, so approximate. Months are cut at 11 and 21."""
    length = (whole.end - whole.start).days
    if whole.grain == "month":
        cuts = (0, 10, 20, length)
    elif whole.grain == "week":
        cuts = (0, 2, 4, length)
    else:
        cuts = (0, length // 3, 2 * length // 3, length)
    start, end = whole.start + cuts[which] * DAY, whole.start + cuts[which + 1] * DAY
    if whole.grain in ("year", "quarter", "season"):  # whole months are what people mean
        start, end = start.replace(day=1), end.replace(day=1)
        if which == 2:
            end = whole.end
    return Found(start, end, whole.grain, True)


def moved(today: date, unit: str, count: int) -> Found:
    """The calendar unit that holds the day `count` units away; the last day of a month stays in its month."""
    if unit == "day":
        return days(today + count * DAY)
    if unit == "week":
        return week(today + count * 7 * DAY)
    if unit == "weekend":
        return weekend(today + count * 7 * DAY)
    if unit == "month":
        return month_of(today.year, today.month + count)
    if unit == "quarter":
        return quarter_of(today.year, (today.month + 2) // 3 + count)
    return year_of(today.year + count)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """The nth weekday of a month, from 1; 0 is the last one. ValueError where the month has no such day."""
    if nth == 0:
        last = month_of(year, month).end.date() - DAY
        return last - ((last.weekday() - weekday) % 7) * DAY
    first = date(year, month, 1)
    found = first + ((weekday - first.weekday()) % 7 + 7 * (nth - 1)) * DAY
    if found.month != month:
        raise ValueError(f"no such weekday in month {month}")
    return found


def shifted(anchor: datetime, unit: str, count: float, zone: tzinfo | None) -> Found | None:
    """The unit `count` units from the anchor (negative: back). Hours and minutes are elapsed time."""
    if unit in _MINUTES:
        return elapsed(anchor, round(count * _MINUTES[unit]), zone)
    if unit == "fortnight":
        unit, count = "week", count * 2
    if count == int(count):
        return moved(anchor.date(), unit, int(count))
    if unit != "year":
        return None
    far = moved(anchor.date(), "month", round(count * 12))
    return year_of(far.start.year)._replace(approximate=True)


_MINUTES = {"minute": 1, "hour": 60}


def near_weekday(today: date, weekday: int, side: int) -> date:
    """The nearest such weekday after (1) or before (-1) today, never today."""
    step = (weekday - today.weekday()) % 7 if side > 0 else -((today.weekday() - weekday) % 7)
    return today + (step or 7 * side) * DAY


_REACH = 60
"""Years that are searched for a day that not every year or month has."""


def near_date(month: int | None, day: int, today: date, side: int) -> date | None:
    """The nearest date with that day and month on that side, today included; months without the day are passed."""
    cursor = today.replace(day=1)
    for _ in range(_REACH * 12 if month else 4):
        if month in (None, cursor.month):
            try:
                found = cursor.replace(day=day)
            except ValueError:
                found = None
            if found is not None and (found - today).days * side >= 0:
                return found
        step = month_of(cursor.year, cursor.month + side)
        cursor = step.start.date()
    return None


def near_month(today: date, month: int, side: int) -> Found:
    """The nearest month of that name on that side, this month included."""
    year = today.year
    if side < 0 and month > today.month:
        year -= 1
    if side > 0 and month < today.month:
        year += 1
    return month_of(year, month)


def last_season(today: date, season: int) -> Found:
    years = range(today.year, today.year - 3, -1)
    return next(found for found in (season_of(year, season) for year in years) if found.end <= midnight(today))


def near_season(today: date, season: int, side: int) -> Found:
    """The latest season that began (-1), or the earliest that is not over (1)."""
    years = range(today.year - 1, today.year + 2)
    if side < 0:
        return [found for found in (season_of(year, season) for year in years) if found.start <= midnight(today)][-1]
    return next(found for found in (season_of(year, season) for year in years) if found.end > midnight(today))
