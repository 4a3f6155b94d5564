"""Times counted from now: two weeks ago, in half an hour, three days from now."""

from __future__ import annotations

from memcli.lang.when.almanac import (
    DAY,
    Found,
    days,
    elapsed,
    last_season,
    moved,
    near_weekday,
    part_of,
    season_of,
    shifted,
)
from memcli.lang.when.grammar import AMOUNT, Block, Context, rule

_ONCE = frozenset("time times once twice thrice first best worst most only least biggest longest".split())
_ABLE = frozenset("can could would able takes take took within".split())


@rule("repetition", "RV", "R[unx#]?[WUPMSVdH](?:C?@?[kKz#]p?)?", "V(?!A)P?(?:C?@[kKz#]p?)?")
def repetition(context: Context, first: int, last: int) -> Found | None:
    """Every Tuesday at 6pm, Mondays: no interval, and the clock time beside it is none either."""
    raise Block


def _by_unit(context: Context, first: int, last: int, sign: int) -> Found | None:
    unit = context.text_value(context.at("U", first, last))
    count, vague = context.amount(first, last)
    found = shifted(context.anchor, unit, sign * count, context.zone)
    if found is not None and (vague or context.vague(first) or context.at("X", first, last) >= 0):
        return found._replace(approximate=True)
    return found


@rule("ago", "aqn#h", f"{AMOUNT}U(?:jah)?A")
def ago(context: Context, first: int, last: int) -> Found | None:
    """Two weeks ago, half an hour ago, an hour and a half ago."""
    return _by_unit(context, first, last, -1)


@rule("ago", "<", f"<X?{AMOUNT}U(?:jah)?")
def ago_before(context: Context, first: int, last: int) -> Found | None:
    """Vor drei Tagen, hace tres días. Vor zwei Stunden Fahrt would be rare."""
    return _by_unit(context, first, last, -1)


@rule("ago", "aqn#", f"{AMOUNT}Ux")
def back(context: Context, first: int, last: int) -> Found | None:
    """A few years back; not "I want my two hours back"."""
    if context.tokens.word(last - 1) != "back" or context.text_value(last - 2) not in ("week", "month", "year"):
        return None
    return _by_unit(context, first, last, -1) if context.side(first, last) <= 0 else None


@rule("ago", "an#", "[an#]Uj?[n#]UA")
@rule("in", "i", "i[an#]Uj?[n#]U(?!A)")
def two_units(context: Context, first: int, last: int) -> Found | None:
    """Two hours and ten minutes ago, in a year and two months."""
    ahead = context.tokens.symbols[first] == "i"
    at = first + ahead
    low_at = last - 1 if ahead else last - 2
    units = context.text_value(at + 1), context.text_value(low_at)
    high, low = context.amount(at, at + 1)[0], context.amount(low_at - 1, low_at)[0]
    sign = 1 if ahead else -1
    if ahead and context.side(first, last) < 0:
        return None
    if units == ("hour", "minute"):
        return elapsed(context.anchor, sign * round(high * 60 + low), context.zone)
    if units == ("year", "month"):
        return moved(context.today, "month", sign * round(high * 12 + low))
    return None


@rule("ago-today", "an#", "[an#]UAd")
def ago_today(context: Context, first: int, last: int) -> Found | None:
    """Ten years ago today: the day itself."""
    unit, count = context.text_value(first + 1), context.amount(first, first + 1)[0]
    if context.value(last - 1) != 0 or unit not in ("week", "month", "year") or count != int(count):
        return None
    if unit == "week":
        return days(context.today - int(count) * 7 * DAY)
    month = moved(context.today, "month", -int(count) * (12 if unit == "year" else 1)).start
    return days(month.date().replace(day=context.today.day))


@rule("ago-quarter", "a", "aUfaUA")
def ago_quarter(context: Context, first: int, last: int) -> Found | None:
    """A quarter of an hour ago."""
    if context.text_value(first + 1) != "quarter" or context.text_value(last - 2) != "hour":
        return None
    return elapsed(context.anchor, -15, context.zone)


@rule("ago-named", "aqn#", f"{AMOUNT}[VWSP]A")
def ago_named(context: Context, first: int, last: int) -> Found | None:
    """Two Fridays ago, two summers ago, three nights ago."""
    count, vague = context.amount(first, last)
    at, today = last - 2, context.today
    if count != int(count):
        return None
    symbol, steps = context.tokens.symbols[at], int(count)
    if symbol == "P":
        return part_of(today - steps * DAY, context.text_value(at))._replace(approximate=vague)
    if symbol == "S":
        found = last_season(today, context.value(at))
        return season_of(found.start.year - steps + 1, context.value(at))._replace(approximate=vague)
    if context.text_value(at):
        return moved(today, "weekend", -steps)._replace(approximate=vague)
    return days(near_weekday(today, context.value(at), -1) - 7 * (steps - 1) * DAY)._replace(approximate=vague)


@rule("from-now", "aqn#h", f"{AMOUNT}UFw")
def from_now(context: Context, first: int, last: int) -> Found | None:
    """Three days from now."""
    return _by_unit(context, first, last, 1)


@rule("from-day", "an#", "[an#]UF[dW]", "aUoW")
@rule("from-day", "d", "di[an#]U")
def from_day(context: Context, first: int, last: int) -> Found | None:
    """A week from tomorrow, two weeks from Friday, a week on Monday, heute in einer Woche: that day."""
    unit = context.text_value(context.at("U", first, last))
    if unit not in ("day", "week"):
        return None
    at, today = context.at("dW", first, last), context.today
    near = context.tokens.symbols[at] == "W"
    start = near_weekday(today, context.value(at), 1) if near else today + context.value(at) * DAY
    return days(start + int(context.amount(first, last)[0]) * (7 if unit == "week" else 1) * DAY)


@rule("in", "i", f"if?X?{AMOUNT}U(?:jah)?(?!A)")
def ahead(context: Context, first: int, last: int) -> Found | None:
    """In two weeks. Not the time that something took ("built in two weeks", "first time in years")."""
    tokens, before = context.tokens, context.tokens.word(first - 1)
    spanish = context.language == "es"
    if spanish and tokens.word(first) != "dentro":
        return None
    if tokens.symbol(last - 2) == "a" and context.text_value(last - 1) == "minute":
        return None  # "in a minute" is soon
    if before in _ONCE or tokens.symbol(last) == "-" or tokens.word(last) in ("old", "long", "or"):
        return None
    if any(tokens.word(at) in _ABLE for at in range(max(0, first - 5), first)):
        return None
    side = 1 if spanish else context.side(first, last)
    if side < 0:
        return None
    opens = tokens.symbol(first - 1) in ".C" or tokens.symbol(last) in "."
    if context.language == "en" and side == 0 and tokens.symbol(first + 1) == "a" and not opens:
        return None
    return _by_unit(context, first, last, 1)
