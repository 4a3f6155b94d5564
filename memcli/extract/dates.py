"""Times of a sentence, anchored to when it was said, and how a memory writes them (B2)."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from memcli.extract.english.words import WEEKDAYS
from memcli.lang.when import Interval, describe, find_times
from memcli.types import Moment

_MINUTE_MS = 60_000
_EPOCH = datetime(1970, 1, 1)
_NOTED = re.compile(r"\b(mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\.? (?:at )?(\d{1,2}[:.]\d\d)\b", re.IGNORECASE)
_REPEATED = re.compile(r"\b(?:every|each|on|most)\s+$", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"\b(on|in|at|by|since|until|till|from|before|after|for|of|to|around|about|over|during|is|was)\s+$", re.IGNORECASE
)
_MANY = re.compile(
    r"\s+(?:mornings|afternoons|evenings|nights)\b|,? (?:of )?(?:each|every) (?:month|year|week)\b", re.IGNORECASE
)
_MONTHLY = re.compile(r"\b(?:each|every) month\b|\bmonth after month\b|\bmonthly\b", re.IGNORECASE)
_WORKING_DAYS = re.compile(
    r"\b(?:works?|working|teach(?:es)?|open|opens|available|practi[sc]es?) (?:from )?"
    r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]* (?:to|through|till|until|[–-]) (?:mon|tue|wed|thu|fri|sat|sun)[a-z]*",
    re.IGNORECASE,
)
"""Days of every week: "works Tuesday to Friday" names no Tuesday."""
_WEEKDAY = re.compile(r"\b((?:mon|tues|wednes|thurs|fri|satur|sun)day),?\s+$", re.IGNORECASE)
_SHIFT = re.compile(r"\b(?:moved?|moves|shift(?:ed|s)?|switch(?:ed|es)?)\b", re.IGNORECASE)
_FROM_TO = re.compile(r"\b(?:from|to) $", re.IGNORECASE)
_BARE_DAY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)$")
_MONTH_NAME = re.compile(r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:1[5-9]|2[01])\d\d\b")
_ARTICLE = re.compile(r"\b(?:the|on the|in the)\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Time:
    """A time in a text: the stretch that names it, with the words that hang on it, and what to write there."""

    start: int
    end: int
    words: str
    begin_ms: int
    end_ms: int
    grain: str


def wall_clock(moment: Moment | None) -> datetime | None:
    """The wall clock at which something was said; None where it is unknown."""
    if moment is None or moment.precision == "none":
        return None
    try:
        return datetime.fromtimestamp((moment.ms + (moment.offset or 0) * _MINUTE_MS) / 1000, UTC).replace(tzinfo=None)
    except (OverflowError, ValueError, OSError):
        return None


def times_in(text: str, anchor: datetime | None, names: Collection[str], future: bool | None) -> list[Time]:
    """The times that a text names, in its order; none where it is not known when it was said."""
    if anchor is None:
        return []
    found = [
        _time(text, interval)
        for interval in find_times(text, anchor, names=names, future=future)
        if interval.rule != "clock" and not _MANY.match(text, interval.span[1]) and not _moved(text, interval)
    ]
    if (week := _WORKING_DAYS.search(text)) is not None:
        found = [time for time in found if not week.start() <= time.start < week.end()]
    if _MONTHLY.search(text):
        found = [time for time in found if _BARE_DAY.search(text[time.start : time.end]) is None or time.grain != "day"]
    found = _stretched(text, _following(text, found))
    if future is not False and ":" in text:
        found = [*found, *_noted(text, anchor, found)]
    return sorted(found, key=lambda time: time.start)


def _moved(text: str, interval: Interval) -> bool:
    """The group meeting moved from Monday 10:00 to Wednesday 9:15: days of every week."""
    clock = interval.grain in ("minute", "hour") and _SHIFT.search(text) is not None
    return clock and _FROM_TO.search(text, max(0, interval.span[0] - 6), interval.span[0]) is not None


def _stretched(text: str, found: list[Time]) -> list[Time]:
    """From 1 March to the end of August, between 1951 and 1968: the first time reaches to the end of the second."""
    made = list(found)
    for at, (first, second) in enumerate(pairwise(found)):
        opened = _OPENED.search(text, max(0, first.start - 12), first.start + 8)
        joint = "and" if opened is not None and opened[1].lower() == "between" else "to"
        joined = _JOINED[joint].fullmatch(text, first.end, second.start) is not None
        if opened is not None and joined and second.end_ms > first.begin_ms:
            made[at] = replace(first, end_ms=second.end_ms)
    return made


_OPENED = re.compile(r"\b(from|between) ", re.IGNORECASE)
_JOINED = {
    "to": re.compile(r"\s*(?:to|until|till|through|–|-)\s*(?:the )?", re.IGNORECASE),
    "and": re.compile(r"\s*and\s*(?:the )?", re.IGNORECASE),
}


def _following(text: str, found: list[Time]) -> list[Time]:
    """On 3 October … on the 17th: a bare day of the month behind a date is of that month."""
    made: list[Time] = []
    for time in found:
        last = made[-1] if made else None
        bare = _BARE_DAY.search(text[time.start : time.end])
        if (
            last is not None
            and bare is not None
            and last.grain == "day"
            and not _MONTH_NAME.search(text[time.start : time.end])
        ):
            first = _EPOCH + timedelta(milliseconds=last.begin_ms)
            try:
                day = first.replace(day=int(bare[1]))
            except ValueError:
                continue
            if day < first:
                day = (day.replace(day=1) + timedelta(days=32)).replace(day=day.day if day.day <= 28 else 28)
            words = f"on {day:%A} {day.day} {_NAMES[day.month - 1]} {day.year}"
            begin = milliseconds(day)
            time = Time(time.start, time.end, words, begin, begin + 86_400_000, "day")
        made.append(time)
    return made


def _noted(text: str, anchor: datetime, known: list[Time]) -> list[Time]:
    """Appointments as notes have them: "Tue 14:00"."""
    found = []
    for match in _NOTED.finditer(text):
        if _REPEATED.search(text, 0, match.start()) or any(time.start <= match.start() < time.end for time in known):
            continue
        day = WEEKDAYS.get(match[1].lower(), "")
        meant = find_times(f"on {day} at {match[2]}", anchor, future=True)[:1]
        found += [_time(text, interval, (match.start(), match.end())) for interval in meant]
    return found


def _time(text: str, interval: Interval, span: tuple[int, int] | None = None) -> Time:
    start, end = span or interval.span
    words = _written(interval)
    weekday = _WEEKDAY.search(text, max(0, start - 14), start)
    if weekday is not None and interval.grain == "day" and words.startswith(weekday[1].capitalize()):
        start = weekday.start()
    before = _PREPOSITION.search(text, max(0, start - 12), start)
    article = _ARTICLE.search(text, max(0, start - 8), start)
    if article is not None and not words.startswith("the "):
        start = article.start() + (article[0].lower().index("the") if " the" in article[0].lower() else 0)
        before = _PREPOSITION.search(text, max(0, start - 12), start)
    elif article is not None:
        start = article.end() - len(article[0].lstrip()) if " " not in article[0].strip() else start - 4
        before = _PREPOSITION.search(text, max(0, start - 12), start)
    preposition = _preposition(interval)
    if before is not None and not words.startswith("around"):
        kept = before[1].lower()
        if kept in ("on", "in", "at", "over", "during"):
            start, words = before.start(), f"{preposition} {words}"
    elif before is not None and before[1].lower() in ("on", "in", "at", "around", "about"):
        start = before.start()
    elif before is None and not words.startswith("around"):
        words = f"{preposition} {words}"
    return Time(start, end, words, milliseconds(interval.start), milliseconds(interval.end), interval.grain)


def _preposition(interval: Interval) -> str:
    if interval.grain == "day" and interval.end - interval.start > timedelta(days=1):
        return "from"
    return "in" if interval.grain in ("week", "month", "quarter", "season", "year") else "on"


def _written(interval: Interval) -> str:
    """The interval as a memory writes it, without its preposition; days with their weekday."""
    phrase = interval.phrase
    if interval.grain == "month" and interval.approximate and not _YEAR.search(phrase):
        words = phrase.split()
        if words[-1][0].isalpha() and (words[-1][:3].lower() in _MONTHS):
            bare = phrase if phrase.lower().startswith("the ") or words[0].lower() in _EARLY else f"the {phrase}"
            return f"{bare} {interval.start.year}"
    told = describe(interval)
    if told.startswith("about "):
        return "around" + told[5:]
    if interval.grain in ("minute", "hour"):
        start = interval.start
        return f"{start:%A} {start.day} {_NAMES[start.month - 1]} {start.year} at {start:%H:%M}"
    if interval.grain == "day" and interval.end - interval.start <= timedelta(days=1):
        return f"{interval.start:%A} {told}"
    return f"the {told}" if interval.grain == "part" else told


_NAMES = "January February March April May June July August September October November December".split()
_MONTHS = frozenset(name[:3].lower() for name in _NAMES)
_EARLY = frozenset(("early", "mid", "late"))


def milliseconds(moment: datetime) -> int:
    """Milliseconds of the wall clock, as a statement stores them."""
    return int((moment - _EPOCH).total_seconds() * 1000)


def computed(text: str, moment: Moment | None) -> str:
    """Every date that the rules can make of a text said then: what a statement may say without its being written."""
    anchor = wall_clock(moment)
    if anchor is None:
        return ""
    return " ".join(time.words for future in (True, False) for time in times_in(text, anchor, (), future))
