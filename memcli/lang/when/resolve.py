"""Reading a text from left to right: at each token the longest reading that holds takes its tokens."""

from __future__ import annotations

from datetime import datetime, tzinfo

from memcli.lang.when import dates, daywords, named, prefilter, relative, shifts
from memcli.lang.when.almanac import DAY, Found, at, moved, part_name, part_of
from memcli.lang.when.clocktime import hour_of, on_day, read_clock
from memcli.lang.when.grammar import Block, Context, by_symbol, compiled
from memcli.lang.when.interval import Interval
from memcli.lang.when.lexicon import language_of, lexicon
from memcli.lang.when.scan import scan

__all__ = ["dates", "daywords", "find", "named", "relative", "shifts"]

MOST = 2_000
"""Intervals that are read in one text. Whatever names more is a table, not something that was said."""
Hit = tuple[int, int, Found, str]
_DAYS = ("day", "part")


def _rules_at(context: Context, first: int) -> Hit | None:
    """The longest reading that holds at a token. Blocked where a rule says that there is none."""
    symbols = context.tokens.symbols
    readings = []
    for rule, pattern in by_symbol().get(symbols[first], ()):
        match = compiled(pattern).match(symbols, first)
        if match is not None:
            readings.append((match.end(), rule))
    if len(readings) > 1:
        readings.sort(key=lambda reading: -reading[0])
    for end, rule in readings:
        try:
            found = rule.read(context, first, end)
        except (Block, ValueError, OverflowError):  # ValueError: 31 February, the year 0
            raise Blocked(end) from None
        if found is not None and found.start < found.end:
            return first, end, found, rule.name
    return None


class Blocked(Exception):
    """Tokens up to `end` name no time."""

    def __init__(self, end: int) -> None:
        super().__init__(end)
        self.end = end


def _clock(context: Context, first: int) -> Hit | None:
    """A clock time, with the day that follows it or else today's: "3pm tomorrow", "8 in the evening", "at 5"."""
    tokens, symbols = context.tokens, context.tokens.symbols
    clock = read_clock(context, first)
    if clock is None:
        return None
    end, part = clock.end, None
    firm = clock.firm
    if tokens.symbols[end : end + 3] == "itP":
        part, end, firm = context.text_value(end + 2), end + 3, True
    place = end
    while place < end + 3 and (tokens.symbol(place) in "oC" or tokens.symbols[place : place + 2] == "tW"):
        place += 1
    if place < len(tokens.symbols) and symbols[place] in "dgWM#OIJLNTt":
        day = _rules_at(context, place)
        if day is not None and day[2].grain in _DAYS and (day[2].end - day[2].start).days <= 1:
            part = part or part_name(day[2])
            found = at(day[2].start.date(), hour_of(clock, part), clock.minute, context.zone)
            return first, day[1], found._replace(approximate=clock.vague), "clock-day"
    if place < len(symbols) and symbols[place] in "WM":
        raise Blocked(place + 1)  # "at 8:40 on the Friday": some day, and not today
    before = first - 1 - (tokens.symbol(first - 1) == "C")
    if tokens.symbol(before) in "WMSV" or tokens.word(before) == "not":
        raise Blocked(end)
    if not firm or context.tense.habitual(first, end, whole=True):
        return None
    found = at(context.today, hour_of(clock, part), clock.minute, context.zone)
    side = context.side(first, end)
    if (side > 0 and found.end <= context.anchor) or (side < 0 and found.start > context.anchor):
        raise Blocked(end)  # "let's meet at 9", said in the evening
    return first, end, found._replace(approximate=clock.vague), "clock"


def _part(context: Context, first: int) -> Hit | None:
    """The morning of 5 June."""
    if context.tokens.symbol(first + 1) not in "fo":
        return None
    place = first + 2
    if context.tokens.symbol(place) == "t" and context.tokens.symbol(place + 1) != "O":
        place += 1
    if place >= len(context.tokens.symbols):
        return None
    day = _rules_at(context, place)
    if day is None or day[2].grain != "day":
        return None
    return first, day[1], part_of(day[2].start.date(), context.text_value(first)), "part-day"


def _week(context: Context, first: int) -> Hit | None:
    """The week of 4 May, the weekend of 20 to 22 March."""
    unit = context.text_value(first)
    if unit not in ("week", "weekend") or context.tokens.symbol(first + 1) != "f":
        return None
    place = first + 2
    if context.tokens.symbol(place) == "t" and context.tokens.symbol(place + 1) == "#":
        place += 1
    day = _rules_at(context, place) if place < len(context.tokens.symbols) else None
    if day is None or day[2].grain != "day":
        return None
    return first, day[1], moved(day[2].start.date(), unit, 0), "week-of"


def _hit(context: Context, first: int) -> Hit | None:
    symbol = context.tokens.symbols[first]
    hit = _rules_at(context, first)
    if hit is None:
        try:
            if symbol in "@KkzZ#n":
                return _clock(context, first)
            return _week(context, first) if symbol == "U" else (_part(context, first) if symbol == "P" else None)
        except (ValueError, OverflowError):
            return None
    start, end, found, name = hit
    if found.grain in _DAYS and found.end - found.start <= DAY:
        try:
            end, found = on_day(context, found, start, end)
        except (ValueError, OverflowError):
            pass
    if context.vague(start):
        found = found._replace(approximate=True)
    return start, end, found, name


def _mention(context: Context, first: int, last: int) -> bool:
    """Whether the words are a title or part of a name: "Yesterday" in quotes, Monday.com, #friday, @today."""
    text = context.tokens.text
    start, end = context.tokens.start(first), context.tokens.end(last - 1)
    before, after = text[start - 1 : start], text[end : end + 2]
    if before and before in "#@_/\\." and text[max(0, start - 2) : start - 1].strip() + before not in ("...",):
        return before != "." or not text[start].isupper()
    if len(after) == 2 and after[0] in "._@/\\" and (after[1].islower() or after[1].isdigit()) and after[0] != "/":
        return True
    return before in ('"', "“", "„", "«") and after[:1] in ('"', "”", "“", "»")


def read(context: Context) -> list[Hit]:
    """Everything the rules find, in the order of the text: (first token, token after the last, interval, rule)."""
    hits: list[Hit] = []
    rules, symbols = by_symbol(), context.tokens.symbols
    first, count = 0, len(symbols)
    while first < count:
        symbol = symbols[first]
        if symbol not in rules and symbol not in "@KkzP#n":
            first += 1
            continue
        try:
            hit = _hit(context, first)
        except Blocked as blocked:
            first = max(blocked.end, first + 1)
            continue
        if hit is None:
            first += 1
            continue
        if len(hits) == MOST:
            break
        if not _mention(context, hit[0], hit[1]):
            hits.append(hit)
            context.done.append(hit[:3])
        first = max(hit[1], first + 1)
    return hits


def find(
    text: str, anchor: datetime, zone: tzinfo | None, names: frozenset[str], future: bool | None
) -> list[Interval]:
    """The intervals of a text in a language with spaces. `names` in lower case."""
    language = language_of(set(prefilter.words(text)))
    tokens = scan(text, lexicon(language), names)
    context = Context(tokens, anchor, zone, future, language, names)
    found = []
    for first, last, hit, name in read(context):
        start, end = tokens.start(first), tokens.end(last - 1)
        found.append(Interval(hit.start, hit.end, hit.grain, text[start:end], (start, end), hit.approximate, name))
    return found
