"""An interval as a person would write it."""

from __future__ import annotations

from datetime import timedelta

from memcli.lang.when.interval import PARTS, Interval

_MONTHS = "January February March April May June July August September October November December".split()
_SEASONS = {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}


def describe(interval: Interval) -> str:
    """ "7 May 2026", "May 2026", "the week of 4 May 2026", "about June 2025", "20 May 2026 15:00"."""
    start, last = interval.start, interval.end - timedelta(days=1)
    grain = interval.grain
    month = f"{_MONTHS[start.month - 1]} {start.year}"
    day = f"{start.day} {month}"
    whole = start.day == 1 and interval.end.day == 1
    if grain in ("minute", "hour"):
        text = f"{day} {start:%H:%M}"
    elif grain == "part":
        part = next((name for name, (first, _) in PARTS.items() if first == start.hour), "")
        text = f"{part} of {day}" if part else day
    elif grain == "day":
        text = day if last <= start else f"{_span(interval)}"
    elif grain == "weekend":
        text = f"the weekend of {day}"
    elif grain == "week" and (interval.end - start).days == 7:
        text = f"the week of {day}"
    elif grain == "month" and whole and last.month == start.month:
        text = month
    elif grain == "quarter" and whole:
        text = f"Q{(start.month + 2) // 3} {start.year}"
    elif grain == "season" and whole and start.month in _SEASONS:
        season, year = _SEASONS[start.month], start.year
        text = f"{season} {year}/{(year + 1) % 100:02d}" if start.month == 12 else f"{season} {year}"
    elif grain == "year" and start.month == 1 and interval.end.month == 1 and whole:
        years = interval.end.year - start.year
        text = f"{start.year}" if years == 1 else f"the {start.year}s"
        return text if years == 10 else _about(interval, text)
    else:
        text = _span(interval)
    return _about(interval, text)


def _about(interval: Interval, text: str) -> str:
    return f"about {text}" if interval.approximate else text


def _span(interval: Interval) -> str:
    """The first and the last day: "1 to 10 June 2026"."""
    start, last = interval.start, interval.end - timedelta(days=1)
    end = f"{last.day} {_MONTHS[last.month - 1]} {last.year}"
    if start.date() >= last.date():
        return end
    first = str(start.day)
    if (start.month, start.year) != (last.month, last.year):
        first += f" {_MONTHS[start.month - 1]}"
    if start.year != last.year:
        first += f" {start.year}"
    return f"{first} to {end}"
