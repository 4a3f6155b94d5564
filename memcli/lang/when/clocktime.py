"""Times of the day: alone they are today's; beside a day they are that day's."""

from __future__ import annotations

from typing import NamedTuple

from memcli.lang.when.almanac import Found, at, part_name, part_of
from memcli.lang.when.grammar import Context

_ASKS = frozenset("at by until till before after around from um bis ab gegen hasta since".split())
_STOPS = frozenset("today on in and or for with to then sharp but so because if when we i please tonight".split())


class Clock(NamedTuple):
    """A time of day: `minute` is None where only the hour was named, `end` is the token after it.

    `firm`: the words cannot mean anything else. `exact`: the hour is one of 24.
    """

    hour: int
    minute: int | None
    end: int
    firm: bool
    exact: bool
    vague: bool = False


def read_clock(context: Context, first: int) -> Clock | None:
    """The clock time that begins at a token, its preposition included."""
    clock = _read_clock(context, first)
    if clock is None:
        return None
    vague = any(context.tokens.word(at) in ("about", "around", "roughly") for at in (first - 1, first, first + 1))
    return clock._replace(vague=True) if vague else clock


def _read_clock(context: Context, first: int) -> Clock | None:
    tokens = context.tokens
    asked = tokens.symbol(first) == "@"
    at_token = first + asked
    if context.language == "es" and tokens.word(first) == "a" and tokens.word(first + 1) in ("la", "las"):
        asked, at_token = True, first + 2
    if asked and (tokens.symbol(at_token) == "X" or tokens.word(at_token) == "around"):
        at_token += 1
    symbol = tokens.symbol(at_token)
    asked = asked or tokens.word(first - 1) in _ASKS
    end = at_token + 1
    if symbol == "k":
        value = tokens.values[at_token]
        hour, minute = (int(value[0] or 0), value[1]) if isinstance(value, tuple) else (0, None)
        return Clock(hour, int(minute) if minute is not None else None, end, True, True)
    if symbol == "z":
        return Clock(context.value(at_token), None, end, asked and context.free_after(end), True)
    if symbol not in "K#n":
        return None
    value = tokens.values[at_token]
    minute_: int | None = None
    exact = False
    if symbol == "K" and isinstance(value, tuple):
        hour, minute_, exact = int(value[0] or 0), int(value[1] or 0), value[2] is not None
    elif isinstance(value, int) and 0 <= value <= 24:
        hour = value
    else:
        return None
    meridiem = tokens.symbol(end) == "p"
    if meridiem and not (context.language == "en" and 1 <= hour <= 12):
        return None
    if meridiem:
        return Clock(hour % 12 + context.value(end), minute_, end + 1, True, True)
    if context.language == "de" and tokens.word(end) == "uhr":
        return Clock(hour, minute_, end + 1, True, True)
    if symbol != "K":
        if not asked or not 1 <= hour <= 12:
            return None
        if tokens.word(end) == "o" and tokens.word(end + 2) == "clock":
            return Clock(hour, None, end + 3, True, False)
        ends = tokens.symbol(end) in ".C" or tokens.word(end) in _STOPS or tokens.symbol(end) == "d"
        return Clock(hour, None, end, ends and symbol == "#" and tokens.symbol(first) == "@", False)
    return Clock(hour, minute_, end, asked, exact or hour > 12)


def hour_of(clock: Clock, part: str | None) -> int:
    """The hour of 24; 1 to 6 without am or pm is the afternoon, a part of the day says more."""
    if clock.exact:
        return clock.hour + 24 if part == "night" and clock.hour < 6 else clock.hour
    if part in ("evening", "afternoon") and clock.hour < 12:
        return clock.hour + 12
    if part == "night":
        return clock.hour + 12 if 5 <= clock.hour < 12 else (24 if clock.hour == 12 else clock.hour + 24)
    if part is None and 1 <= clock.hour <= 6:
        return clock.hour + 12
    return clock.hour


def on_day(context: Context, day: Found, first: int, last: int) -> tuple[int, Found]:
    """A day with what follows it: "tomorrow morning", "Friday at 3", "Friday night at 8". (token after, interval)"""
    tokens = context.tokens
    end, part = last, None
    for lead in ("", "C", "it", "C", "@", "xt", "bt"):
        place = last + len(lead)
        if tokens.symbols[last:place] == lead and tokens.symbol(place) == "P":
            if lead == "xt" or (lead == "bt" and tokens.word(last) != "por"):
                continue
            word = tokens.word(place)
            if word.endswith("s") and context.language == "en":
                continue
            end, part = place + 1, context.text_value(place)
            break
    if context.language == "es" and part is None and tokens.word(last) == "por" and tokens.word(last + 2) == "mañana":
        end, part = last + 3, "morning"
    given = part or part_name(day)
    date = day.start.date()
    skip = end + (tokens.symbol(end) == "C")
    skip += tokens.word(skip) in ("from", "around", "by", "after", "before", "until")
    clock = read_clock(context, skip) or (read_clock(context, end) if skip != end else None)
    sharp = clock is not None and (
        clock.firm or tokens.symbol(skip) in "K@" or tokens.word(skip) == "a" or context.free_after(clock.end)
    )
    if clock is not None and sharp:
        end = clock.end
        if given is None and tokens.symbols[end : end + 3] == "itP":
            given, end = context.text_value(end + 2), end + 3
        if tokens.symbol(first) in "IJ":
            clock = clock._replace(exact=True)
        found = at(date, hour_of(clock, given), clock.minute, context.zone)
        return end, found._replace(approximate=clock.vague)
    return (end, part_of(date, part)) if part else (last, day)
