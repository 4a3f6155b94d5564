"""Relative words with their date beside them, so that nobody, person or model, has to reckon (B2).

"I adopted a cat last Friday" said on 11 February becomes "… last Friday
(Friday, 6 February 2026)". Code computes the date; the words stay.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from memcli.clock import show, wall
from memcli.lang.when import Interval, describe
from memcli.projection.times import named_times
from memcli.types import Entry

_YEAR = re.compile(r"\d{4}")
_WEEKDAY = re.compile(r"\b(?:mon|tue|wed|thu|fri|sat|sun)", re.IGNORECASE)
_AGO = re.compile(r"\b(two|three|four|five|six|[2-6]) (week(?:end)?s) ago$", re.IGNORECASE)
_DAY = timedelta(days=1)


def times_told(entry: Entry) -> list[str]:
    """The times that an entry tells of, each once, as dates. None of them need be the day on which it was said."""
    return list(dict.fromkeys(written(found, entry) for found in named_times(entry)))


def dated(entry: Entry) -> str:
    """The words of an entry with the date behind each phrase that does not say it itself."""
    text, added = entry.text, 0
    for found in named_times(entry):
        if found.grain in ("hour", "minute") or _YEAR.search(found.phrase):
            continue
        date = f" ({written(found, entry)})"
        place = found.span[1] + added
        text = text[:place] + date + text[place:]
        added += len(date)
    return text


def written(found: Interval, entry: Entry) -> str:
    """A time that an entry names, as a date that needs no other to be understood.

    "Last week" said on 9 June is "the week before 9 June 2023": whether that
    began on a Monday, nobody knows. A weekday keeps its name beside the date.
    """
    said = said_at(entry)
    if said is not None and not found.approximate and found.grain in ("week", "weekend"):
        beside = _beside(found, said)
        if beside is not None:
            return f"{beside} {_day(said)}"
    if found.grain == "day" and found.end - found.start == _DAY and _WEEKDAY.search(found.phrase):
        return f"{found.start:%A}, {describe(found)}"
    return describe(found)


def _beside(found: Interval, said: datetime) -> str | None:
    """ "The week before", as of the day on which it was said; None for one that is farther off."""
    ago = _AGO.search(found.phrase)
    if ago is not None:
        return f"{ago[1].lower()} {ago[2].lower()} before"
    today = datetime(said.year, said.month, said.day)
    if found.end <= today + _DAY and today - found.end < timedelta(days=7):
        return f"the {found.grain} before"
    if found.start > today and found.start - today <= timedelta(days=7):
        return f"the {found.grain} after"
    return f"the {found.grain} of" if found.start <= today < found.end else None


def said_at(entry: Entry) -> datetime | None:
    """The wall clock when it was said, None where that is unknown."""
    moment = entry.moment
    return None if moment is None or moment.precision == "none" else wall(moment, UTC)


def day_of(entry: Entry) -> str:
    """The day on which it was said, as `dated` writes days."""
    said = said_at(entry)
    return show(entry.moment) if said is None else _day(said)


def _day(when: datetime) -> str:
    return f"{when.day} {when:%B %Y}"
