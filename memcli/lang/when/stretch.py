"""Stretches of time that a question names, open on a side where it is: since March, before 2020, the last 7 days.

`find_times` gives what words name; here "since", "before", "by" and "between"
count too. "since March" runs from its first day, "before March" up to it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import chain, islice

from memcli.lang.when.almanac import midnight, near_weekday, nth_weekday, shifted
from memcli.lang.when.interval import Interval
from memcli.lang.when.phrase import narrow, read_phrase

_WORDS = 5
"""Words that a time behind "since" or "between" has at most."""
_LOOKED_AT = 1_000
"""Characters that are read: a question that is longer is a pasted text."""
_MOST = 8
"""Words like "since" whose time is looked for."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """From `start` up to, not including, `end`, naive local wall clock; None where the side is open.

    `span` is where its words stand in the text, `named` where those of the
    time alone do: without "since".
    """

    start: datetime | None
    end: datetime | None
    span: tuple[int, int]
    named: tuple[int, int]


def find_stretches(
    text: str, anchor: datetime, zone: tzinfo | None = None, *, names: Collection[str] = ()
) -> list[Stretch]:
    """The stretches that a short text, a question say, names at `anchor`, in its order, none within another."""
    from memcli.lang.when import find_times

    plain = narrow(text[:_LOOKED_AT])
    times = find_times(plain, anchor, zone, names=names)
    found: list[Stretch] = []
    taken = bytearray(len(plain))
    readers = (
        _between(plain, anchor, zone, names),
        _running(plain, anchor),
        _counted_from(plain, times),
        _part_of_month(plain, anchor, zone),
        _opened(plain, times, anchor, zone),
        _opened_by_phrase(plain, times, anchor, zone, names),
        (Stretch(time.start, time.end, time.span, time.span) for time in times),
    )
    for stretch in chain.from_iterable(readers):
        first, end = stretch.span
        if not any(taken[first:end]):
            taken[first:end] = b"\1" * (end - first)
            found.append(stretch)
    return sorted(found, key=lambda stretch: stretch.span)


# Two ends: between March and May 2026, from 2015 to 2018, de marzo a mayo, 3月から5月まで.

_PAIRS = (
    r"\b(?:between|from)\s+(?P<a>\S+(?:\s\S+){0,3}?)\s+(?:and|to|until|till|through)\s+(?P<b>\S+(?:\s\S+){0,4})",
    r"\b(?:zwischen|von)\s+(?P<a>\S+(?:\s\S+){0,3}?)\s+(?:und|bis)\s+(?P<b>\S+(?:\s\S+){0,4})",
    r"\b(?:entre|desde|de)\s+(?P<a>\S+(?:\s\S+){0,3}?)\s+(?:y|hasta|a)\s+(?P<b>\S+(?:\s\S+){0,4})",
    r"(?P<a>[0-9一二三四五六七八九十年月日]{2,11})(?:から|到|至|부터|에서)\s?(?P<b>[0-9一二三四五六七八九十年月日]{2,11})",
    r"(?P<a>[0-9년월일 ]{2,14})(?:부터|에서) (?P<b>[0-9년월일 ]{2,14})",
)
_YEAR = re.compile(r"\b(?:1[89]|2[01])\d\d\b")


def _between(text: str, anchor: datetime, zone: tzinfo | None, names: Collection[str]) -> Iterator[Stretch]:
    for source in _PAIRS:
        for match in islice(_compiled(source).finditer(text), _MOST):
            read = _prefix(text, match.start("b"), match.end("b"), anchor, zone, names)
            if read is None:
                continue
            last, end = read
            year = _YEAR.search(text[match.start("b") : end])
            first = None
            if year is not None and not _YEAR.search(match["a"]):
                first = read_phrase(f"{match['a']} {year[0]}", anchor, zone, names=names)
            first = first or read_phrase(match["a"], anchor, zone, names=names)
            if first is not None and first.start < last.end:
                place = (match.start("a"), end)
                yield Stretch(first.start, last.end, (match.start(), end), place)


# Stretches that run up to now, or begin with it: the last 7 days, die nächsten drei Wochen, 最近3天.

_UNITS = {
    "day": "day days tag tage tagen día dias días 天 日 일".split(),
    "week": "week weeks woche wochen semana semanas 周 週 週間 个星期 주".split(),
    "month": "month months monat monate monaten mes meses 个月 か月 ヶ月 개월".split(),
    "year": "year years jahr jahre jahren año años 年 년".split(),
}
_UNIT_OF = {word: unit for unit, words in _UNITS.items() for word in words}
_NUMBER = (
    r"(?P<n>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve|few|couple of|several|zwei|drei|vier|fünf|sechs"
    r"|sieben|acht|zehn|paar|dos|tres|cuatro|cinco|seis|siete|ocho|diez|[一二两三四五六七八九十])"
)
_VALUES = (
    {word: value for value, word in enumerate("two three four five six seven eight nine ten".split(), 2)}
    | {word: value for value, word in enumerate("zwei drei vier fünf sechs sieben acht".split(), 2)}
    | {word: value for value, word in enumerate("dos tres cuatro cinco seis siete ocho".split(), 2)}
    | {word: value for value, word in enumerate("一二三四五六七八九十", 1)}
    | {"twelve": 12, "zehn": 10, "diez": 10, "两": 2, "few": 3, "paar": 3, "couple of": 2, "several": 5}
)
_RUNNING = (
    rf"\b(?:(?:in|over|during|within|for|from)\s+)?(?:(?:the|these|my)\s+)?(?P<way>last|past|previous|next|coming)\s+"
    rf"{_NUMBER}\s+(?P<unit>days|weeks|months|years)\b(?!\s+of\b)",
    r"\b(?:in|over|during|within)\s+the\s+(?P<way>last|past|next|coming)(?P<n>)\s+(?P<unit>week|month|year)\b(?!\s+of\b)",
    rf"\b(?:in\s+)?(?:den|der|die)\s+(?P<way>letzten|vergangenen|nächsten|kommenden)\s+{_NUMBER}\s+"
    r"(?P<unit>tagen?|wochen|monaten?|jahren?)\b",
    rf"\b(?:en\s+)?l[oa]s\s+(?P<way>últim[oa]s|próxim[oa]s)\s+{_NUMBER}\s+(?P<unit>días|semanas|meses|años)\b",
    rf"(?P<way>过去|最近|過去|ここ|この|未来|接下来)の?{_NUMBER}(?P<unit>天|日|周|週間|个星期|个月|か月|ヶ月|年)间?",
    rf"(?P<way>지난|최근|앞으로) ?{_NUMBER} ?(?P<unit>일|주|개월|년)",
)
_AHEAD = frozenset("next coming nächsten kommenden próximos próximas 未来 接下来 앞으로".split())


def _running(text: str, anchor: datetime) -> Iterator[Stretch]:
    """Whole days, today among them."""
    for source in _RUNNING:
        for match in _compiled(source).finditer(text):
            number = (match["n"] or "").casefold()
            count = int(number) if number.isdecimal() else _VALUES.get(number, 1)
            today = midnight(anchor.date())
            ahead = match["way"].casefold() in _AHEAD
            try:
                far = _moved(today, _UNIT_OF[match["unit"].casefold()], count if ahead else -count)
            except (ValueError, OverflowError):
                continue
            start, end = sorted((today, far))
            yield Stretch(start, end + timedelta(days=1), match.span(), match.span())


def _moved(day: datetime, unit: str, count: int) -> datetime:
    """The day so many units away; the last day of a month stays in its month. ValueError outside the calendar."""
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    month = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
    for back in range(4):
        try:
            return datetime(month // 12, month % 12 + 1, day.day - back)
        except ValueError:
            if back == 3:
                raise
    raise AssertionError


# Counted from a time that is named: the week before 3 August 2023, two days after Christmas.

_COUNTED = (
    r"\b(?:(?:the|a|one|last|next|(?P<n>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten))\s+)?"
    r"(?P<unit>days?|weeks?|weekend|months?|years?|(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day)\s+"
    r"(?P<way>before|after)\s+(?:the\s+)?$"
)
_DAYS = "mon tues wednes thurs fri satur sun".split()


def _counted_from(text: str, times: list[Interval]) -> Iterator[Stretch]:
    for time in times:
        match = _compiled(_COUNTED).search(text[: time.span[0]])
        if match is None:
            continue
        sign = -1 if match["way"].casefold() == "before" else 1
        near = time.start if sign < 0 else time.end - timedelta(minutes=1)
        number = (match["n"] or "one").casefold()
        count = int(number) if number.isdecimal() else _VALUES.get(number, 1)
        place = (match.start(), time.span[1])
        try:
            if match["day"]:
                day = midnight(near_weekday(near.date(), _DAYS.index(match["day"].casefold()), sign))
                yield Stretch(day, day + timedelta(days=1), place, place)
                continue
            found = shifted(near, match["unit"].casefold().removesuffix("s"), sign * count, None)
        except (ValueError, OverflowError):
            continue
        if found is not None:
            yield Stretch(found.start, found.end, place, place)


# A week or a weekend of a month: the last weekend of June, the first week of May 2025.

_PART_OF = r"\b(?:the\s+)?(?P<which>first|second|third|fourth|last)\s+(?P<unit>week|weekend)\s+(?:of|in)\s+"
_SATURDAY = 5


def _part_of_month(text: str, anchor: datetime, zone: tzinfo | None) -> Iterator[Stretch]:
    for match in islice(_compiled(_PART_OF).finditer(text), _MOST):
        read = _prefix(text, match.end(), len(text), anchor, zone, ())
        if read is None or read[0].grain != "month":
            continue
        month, end = read
        nth = ("last", "first", "second", "third", "fourth").index(match["which"].casefold())
        if match["unit"].casefold() == "weekend":
            start, days = midnight(nth_weekday(month.start.year, month.start.month, _SATURDAY, nth)), 2
        else:
            start = month.start + timedelta(days=7 * (nth - 1)) if nth else month.end - timedelta(days=7)
            days = 7
        place = (match.start(), end)
        yield Stretch(start, start + timedelta(days=days), place, place)


# Open on a side: since March, before 2020, by the end of June, seit Mai, desde marzo, 三月以来.

_SIDES = {
    "since": "since seit desde منذ",
    "after": "after nach después_de después_del بعد",
    "before": "before prior_to vor antes_de antes_del قبل",
    "by": "by until till bis hasta حتى",
}
_SIDE_OF = {word.replace("_", " "): side for side, words in _SIDES.items() for word in words.split()}
_OPENER = r"(?<!\w)(?P<side>" + "|".join(sorted(map(re.escape, _SIDE_OF), key=len, reverse=True)) + r")\s+"
_BEFORE_TIME = _OPENER + r"(?:(?:the|el|la|los|las|dem|der|den|about|around)\s+)*$"
_CLOSERS = {
    "since": "以来 以來 から 부터 이후로 이래".split(),
    "after": "以后 以後 之后 之後 より後 이후 후".split(),
    "before": "以前 之前 より前 이전 전".split(),
    "by": "まで 为止 為止 까지".split(),
}
_CLOSER_OF = {word: side for side, words in _CLOSERS.items() for word in words}
_CLOSER = r"\s?(?P<side>" + "|".join(sorted(_CLOSER_OF, key=len, reverse=True)) + ")"
_ONWARDS = r"\s+(?:on|onwards?|forward)\b"
_FROM = r"\b(?:from|starting)\s+$"


_TOLD = r"\b(?:did|was|were|had|has|have)\b"


def _opened(text: str, times: list[Interval], anchor: datetime, zone: tzinfo | None) -> Iterator[Stretch]:
    """The times that were found, with the word beside them that opens a side."""
    for time in times:
        before = _compiled(_BEFORE_TIME).search(text[: time.span[0]])
        after = _compiled(_CLOSER).match(text, time.span[1])
        if before is not None:
            side = _SIDE_OF[_spaced(before["side"])]
            past = None
            if side == "by" and time.start > anchor and _compiled(_TOLD).search(text):
                past = read_phrase(time.phrase, anchor, zone)  # the grammar takes "until May" for the May to come
            yield _open(side, past or time, (before.start(), time.span[1]), time.span)
        elif after is not None:
            yield _open(_CLOSER_OF[after["side"]], time, (time.span[0], after.end()), time.span)
        else:
            origin = _compiled(_FROM).search(text[: time.span[0]])
            onwards = _compiled(_ONWARDS).match(text, time.span[1])
            if onwards is not None:
                start = origin.start() if origin is not None else time.span[0]
                yield _open("since", time, (start, onwards.end()), time.span)


def _opened_by_phrase(
    text: str, times: list[Interval], anchor: datetime, zone: tzinfo | None, names: Collection[str]
) -> Iterator[Stretch]:
    """Behind such a word a time needs no tense: "Wer hat sich seit März gemeldet?"."""
    for match in islice(_compiled(_OPENER + r"(?=\S)").finditer(text), _MOST):
        if any(time.span[0] <= match.start() < time.span[1] for time in times):
            continue  # "the day before yesterday"
        read = _prefix(text, match.end(), len(text), anchor, zone, names)
        if read is not None:
            time, end = read
            yield _open(_SIDE_OF[_spaced(match["side"])], time, (match.start(), end), (match.end(), end))
    for match in _compiled(rf"(?P<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])[月월]{_CLOSER}").finditer(text):
        end = match.start("side")
        month = read_phrase(text[match.start() : end], anchor, zone)
        if month is not None:
            yield _open(_CLOSER_OF[match["side"]], month, match.span(), (match.start(), end))


def _open(side: str, time: Interval, span: tuple[int, int], named: tuple[int, int]) -> Stretch:
    match side:
        case "since":
            return Stretch(time.start, None, span, named)
        case "after":
            return Stretch(time.end, None, span, named)
        case "before":
            return Stretch(None, time.start, span, named)
        case _:
            return Stretch(None, time.end, span, named)


def _spaced(words: str) -> str:
    return " ".join(words.casefold().split())


def _prefix(
    text: str, start: int, stop: int, anchor: datetime, zone: tzinfo | None, names: Collection[str]
) -> tuple[Interval, int] | None:
    """The longest run of words from `start` on that is a time as a whole, and where it ends."""
    ends = [match.end() for match in _compiled(r"[^\s,;?!？؟。、،]+").finditer(text, start, stop)][:_WORDS]
    for end in reversed(ends):
        found = read_phrase(text[start:end], anchor, zone, names=names)
        if found is not None:
            return found, end
    return None


@lru_cache(maxsize=64)
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)
