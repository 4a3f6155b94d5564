"""Times with a name or a figure of the calendar: 5 June 2025, in March, the 12th, Q3, summer 2025, on Friday."""

from __future__ import annotations

from memcli.lang.when.almanac import (
    DAY,
    Found,
    days,
    decade,
    midnight,
    month_of,
    months,
    near_date,
    near_month,
    near_season,
    quarter_of,
    season_of,
    third,
    year_of,
)
from memcli.lang.when.grammar import Block, Context, rule

_MONTH_AFTER = frozenset("in since until till by during from before after around im seit bis ab en desde hasta".split())
_YEAR_AFTER = _MONTH_AFTER | {"circa", "year", "jahr", "über", "of", "about", "early", "late", "mid"}


@rule("month-year", "M", "M(?:C|f|-)?Y")
def month_year(context: Context, first: int, last: int) -> Found | None:
    """March 2024, marzo de 2024."""
    if context.tokens.symbols[first + 1] == "C" and context.tokens.word(first - 1) not in _MONTH_AFTER:
        return None
    return month_of(context.value(last - 1), context.value(first))


@rule("third", "EB", "E-?f?i?M(?:C?Y)?", "Bf?t?M(?:f?C?Y)?", "E-?f?t?i?Y", "E-?f?t?Sf?t?Y", "Bf?Y")
def third_of_named(context: Context, first: int, last: int) -> Found | None:
    """Early June, mid-July, late February 2024, the end of March, early 2024."""
    year_at, month_at = context.at("Y", first, last), context.at("M", first, last)
    season_at = context.at("S", first, last)
    year = context.value(year_at) if year_at >= 0 else None
    which = context.value(first)
    if month_at < 0:
        if year is None or not 1800 <= year <= 2199:
            return None
        return third(season_of(year, context.value(season_at)) if season_at >= 0 else year_of(year), which)
    month = context.value(month_at)
    if year is not None:
        return third(month_of(year, month), which)
    side = context.side(first, last)
    if not side:
        return None
    return third(near_month(context.today, month, side), which)


@rule("month", "M", "M")
def bare_month(context: Context, first: int, last: int) -> Found | None:
    """In March, since April, until August: never a month without a word before it that asks for one."""
    tokens = context.tokens
    before = tokens.word(first - 1)
    if before not in _MONTH_AFTER or tokens.symbol(last) == "'":
        return None
    if before not in ("in", "im", "en") and not context.free_after(last):
        return None  # "by August Wilson"
    if tokens.raw(last)[:1].isupper() and tokens.symbol(last) == "x" and tokens.word(last) != "i" and before != "in":
        return None
    side = context.side(first, last)
    if not side or (context.habitual(first, last) and before in ("in", "im", "en")):
        return None
    return near_month(context.today, context.value(first), side)


@rule("month-range", "M", "MvM(?:C?Y)?")
def month_range(context: Context, first: int, last: int) -> Found | None:
    """From January to March (2024): one range."""
    year_at, count = context.at("Y", first, last), (context.value(first + 2) - context.value(first)) % 12 + 1
    if year_at >= 0:
        return months(context.value(year_at), context.value(first), count, "month")
    side = context.side(first, last)
    if not side or context.habitual(first, last):
        raise Block
    start = near_month(context.today, context.value(first), side).start
    return months(start.year, start.month, count, "month")


@rule("year-season", "S", "S(?:ft?|t)?Y")
def season_year(context: Context, first: int, last: int) -> Found | None:
    """Summer 2025, the autumn of 2019."""
    return season_of(context.value(last - 1), context.value(first))


@rule("season", "iboQ", "[ib]t?S")
def bare_season(context: Context, first: int, last: int) -> Found | None:
    """In the summer, over the winter, in a sentence whose tense tells which one."""
    word = context.tokens.word(first)
    if word not in ("in", "over", "during", "since", "until", "by", "im", "en", "durante"):
        return None
    side = context.side(first, last)
    if word == "by" and side < 0:  # "inspired by autumn"
        return None
    of_year = context.tokens.symbol(last) == "Y" or context.tokens.symbol(last + 1) == "Y"
    if not side or of_year or not context.free_after(last) or context.habitual(first, last):
        return None
    return near_season(context.today, context.value(last - 1), side)


@rule("quarter", "Q", "Q(?:[fC-]?Y)?")
def quarter(context: Context, first: int, last: int) -> Found | None:
    """Q3 2025; a bare Q4 only after a preposition and with a tense."""
    if last - first > 1:
        return quarter_of(context.value(last - 1), context.value(first))
    side = context.side(first, last) if context.tokens.symbol(first - 1) in "ibF" else 0
    if not side or not context.free_after(last):
        return None
    found = quarter_of(context.today.year, context.value(first))
    if side > 0 and found.end <= midnight(context.today):
        return quarter_of(context.today.year + 1, context.value(first))
    return (
        quarter_of(context.today.year - 1, context.value(first)) if side < 0 and found.start > context.anchor else found
    )


@rule("quarter", "uO", "[uO]U(?:f?C?Y|ft?[LNT]U)")
def worded_quarter(context: Context, first: int, last: int) -> Found | None:
    """The third quarter of 2024, the second quarter of last year."""
    if context.text_value(first + 1) != "quarter" or not 1 <= context.value(first) <= 4:
        return None
    if context.tokens.symbols[last - 1] == "Y":
        return quarter_of(context.value(last - 1), context.value(first))
    if context.text_value(last - 1) != "year":
        return None
    step = {"L": -1, "N": 1, "T": 0}[context.tokens.symbols[last - 2]]
    return quarter_of(context.today.year + step, context.value(first))


@rule("year", "Y", "Y")
def bare_year(context: Context, first: int, last: int) -> Found | None:
    """In 2019, since 2010, around 1998: a number between 1800 and 2199 after a word that asks for a year."""
    tokens, year = context.tokens, context.value(first)
    before = tokens.word(first - 1)
    if not 1800 <= year <= 2199 or (tokens.symbol(last) in "-#~" and tokens.word(last) not in (")", '"')):
        return None
    if before not in _YEAR_AFTER and tokens.symbol(first - 1) != "X":
        return None
    if before in ("of", "about") and tokens.symbol(last) not in ".C":
        return None
    follower = tokens.raw(last)
    if not context.free_after(last) and not follower[:1].isupper():
        return None  # "in 2000 steps"
    vague = before in ("around", "circa", "about") or tokens.symbol(first - 1) == "X"
    return year_of(year)._replace(approximate=vague)


@rule("decade", "Z", "Z")
def decades(context: Context, first: int, last: int) -> Found | None:
    """The 1990s, the 80s; not "in her 80s"."""
    year = context.value(first)
    if year >= 1000:
        return decade(year)
    before = context.tokens.word(first - 2)
    return decade(1900 + year) if context.tokens.symbol(first - 1) == "t" and before in ("in", "of", "from") else None


@rule("feast", "H", "Hx?")
def feast(context: Context, first: int, last: int) -> Found | None:
    """For Christmas, on Halloween: with a preposition and a tense. Not "Christmas tree"."""
    tokens, value = context.tokens, context.tokens.values[first]
    month, day = (int(value[0] or 0), int(value[1] or 0)) if isinstance(value, tuple) else (0, 0)
    if last - first == 2:
        if tokens.word(first + 1) != "eve":
            return None
        day -= 1
    before, symbol = tokens.word(first - 1), tokens.symbol(first - 1)
    if not context.free_after(last) or context.habitual(first, last):
        return None
    if symbol in "LN":
        side = -1 if symbol == "L" else 1
    elif before in ("for", "at", "on", "by", "until", "since", "before", "over", "an", "zu", "en", "this"):
        side = context.side(first, last)
    else:
        return None
    found = near_date(month, day, context.today + (side * DAY if symbol in "LN" else 0 * DAY), side) if side else None
    return None if found is None else days(found)
