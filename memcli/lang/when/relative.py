"""Times told from the speaker's now: yesterday, two weeks ago, last Friday, next summer."""

from __future__ import annotations

from memcli.lang.when.almanac import (
    DAY,
    Found,
    days,
    last_season,
    midnight,
    month_of,
    moved,
    near_season,
    near_weekday,
    part_of,
    season_of,
    third,
)
from memcli.lang.when.grammar import Block, Context, rule

_OWNERS = frozenset("my your his her our their its mein meine meinem dein sein ihr unser".split())
_WHOLE = ("day", "week", "weekend", "month", "quarter", "year")


def direction(context: Context, first: int, last: int) -> int | None:
    """-1 for last, 1 for next, 0 for this; "this past" is last. None where it is somebody's ("my last week")."""
    symbols = context.tokens.symbols[first:last]
    if context.tokens.word(first - 1) in _OWNERS or context.tokens.symbol(first - 1) == "'":
        return None
    if "L" in symbols:
        return -1
    return 1 if "N" in symbols else 0


def _plural(context: Context, at: int) -> bool:
    return context.language == "en" and context.tokens.word(at).endswith("s")


@rule("before-last", "UW", "Ub[LN]", "Wb[LN]")
def before_last(context: Context, first: int, last: int) -> Found | None:
    """The week before last, the Friday after next."""
    word = context.tokens.word(first + 1)
    ahead_ = context.tokens.symbols[last - 1] == "N"
    if word != ("after" if ahead_ else "before") or context.tokens.symbol(last) in "UWMS":
        return None
    sign = 1 if ahead_ else -1
    if context.tokens.symbols[first] == "W":
        return days(near_weekday(context.today, context.value(first), sign) + sign * 7 * DAY)
    unit = context.text_value(first)
    return moved(context.today, unit, 2 * sign) if unit in _WHOLE[1:] else None


@rule("weekday-of-week", "W", "WC?o?[LNT]U")
@rule("weekday-of-week", "LNT", "[LNT]U(?:C?o?|C?t?)W")
def weekday_of_week(context: Context, first: int, last: int) -> Found | None:
    """Friday next week, last week on Thursday: that weekday of that week."""
    unit_at = context.at("U", first, last)
    if context.text_value(unit_at) != "week" or _plural(context, unit_at):
        return None
    step = direction(context, unit_at - 1, unit_at)
    if step is None:
        return None
    weekday = context.value(context.at("W", first, last))
    monday = moved(context.today, "week", step).start.date()
    return days(monday + weekday * DAY)


@rule("relative-unit", "LNT", "T?[LNT]U")
@rule("relative-unit", "U", "U[LN]")
def relative_unit(context: Context, first: int, last: int) -> Found | None:
    """Last week, this month, next year, this past weekend, la semana pasada."""
    at = context.at("U", first, last)
    unit = context.text_value(at)
    if (context.language != "es" and at == first) or _plural(context, at):
        return None
    if unit == "day":
        return _following_day(context, first, last)
    if unit not in _WHOLE:
        return None
    if context.language == "en" and context.tokens.symbol(first - 1) == "t":
        return None  # "in the last month" runs up to now, "the next week" follows another one
    if context.tokens.symbol(last) == "f" and context.tokens.symbol(last + 1) in "MUtS":
        return None  # "last week of June"
    step = direction(context, first, last)
    if step is None:
        return None
    if unit == "weekend":
        return _weekend(context, step)
    return moved(context.today, unit, step)


def _weekend(context: Context, step: int) -> Found:
    """Last and next never mean the weekend that is now; after a working week, last weekend is the nearest one."""
    return moved(context.today, "weekend", step)


def _following_day(context: Context, first: int, last: int) -> Found | None:
    """The following day, the next day: the day after the one that was named before it."""
    if context.tokens.word(last - 2) not in ("following", "next") or context.tokens.symbol(first - 1) != "t":
        return None
    for _, end, found in reversed(context.done):
        if found.grain in ("day", "part", "hour", "minute") and first - end < 16:
            return days(found.start.date() + DAY)
    return None


@rule("that-coming", "UW", "[UW]xx")
def that_coming(context: Context, first: int, last: int) -> Found | None:
    """La semana que viene, el lunes que viene."""
    if context.tokens.word(first + 1) != "que" or context.tokens.word(first + 2) not in ("viene", "entra"):
        return None
    if context.tokens.symbols[first] == "W":
        return days(near_weekday(context.today, context.value(first), 1))
    unit = context.text_value(first)
    return moved(context.today, unit, 1) if unit in _WHOLE[1:] else None


@rule("relative-weekday", "LNT", "T?[LNT]W")
@rule("relative-weekday", "W", "W[LN]")
def relative_weekday(context: Context, first: int, last: int) -> Found | None:
    """Last Friday, next Monday, this Tuesday, el viernes pasado."""
    at = context.at("W", first, last)
    if context.language != "es" and at == first:
        return None
    step = direction(context, first, last)
    if step is None:
        return None
    if step:
        return days(near_weekday(context.today, context.value(at), step))
    this = moved(context.today, "week", 0).start.date() + context.value(at) * DAY
    side = context.side(first, last)
    return days(this + (7 * side * DAY if (context.today - this).days * side > 0 else 0 * DAY))


@rule("relative-month", "LNT", "T?[LNT]M")
def relative_month(context: Context, first: int, last: int) -> Found | None:
    """Last June: before this month. Next June: after it. This June: of this year."""
    step = direction(context, first, last)
    month, today = context.value(last - 1), context.today
    if step is None or (step == 0 and context.tokens.raw(last - 1).islower() and month in (3, 5)):
        return None
    year = today.year
    if step < 0 and month >= today.month:
        year -= 1
    if step > 0 and month <= today.month:
        year += 1
    return month_of(year, month)


@rule("relative-season", "LNT", "T?[LNT]S")
@rule("relative-season", "S", "S[LN]")
def relative_season(context: Context, first: int, last: int) -> Found | None:
    """Last summer: the latest that is over. Next: the first yet to begin. This: the one that is or comes."""
    at = context.at("S", first, last)
    if (context.language != "es" and at == first) or _plural(context, at):
        return None
    step, season, today = direction(context, first, last), context.value(at), context.today
    if step is None:
        return None
    if step < 0:
        return last_season(today, season)
    if step > 0:
        found = near_season(today, season, 1)
        return found if found.start > midnight(today) else season_of(found.start.year + 1, season)
    return near_season(today, season, context.side(first, last) or 1)


@rule("relative-part", "LT", "[LT]P")
def relative_part(context: Context, first: int, last: int) -> Found | None:
    """This morning, last night. "Last morning" is nobody's."""
    part = context.text_value(last - 1)
    if _plural(context, last - 1) or context.tokens.symbols[first + 1 : last] == "L":
        return None
    step = direction(context, first, last)
    if step is None or (step < 0 and part in ("morning", "afternoon")):
        return None
    return part_of(context.today + step * DAY, part)


@rule("earlier-later", "e", "ed", "eTU")
def earlier_later(context: Context, first: int, last: int) -> Found | None:
    """Earlier this week: from its start up to today. Later this week: from tomorrow to its end."""
    if context.tokens.symbols[last - 1] == "d":
        return days(context.today) if context.tokens.words[last - 1] == "today" else None
    unit = context.text_value(last - 1)
    if unit not in _WHOLE[1:]:
        return None
    whole = moved(context.today, unit, 0)
    if context.value(first) < 0:
        found = whole._replace(end=midnight(context.today), approximate=True)
    else:
        found = whole._replace(start=midnight(context.today + DAY), approximate=True)
    return found if found.start < found.end else whole._replace(approximate=True)


@rule("third", "BE", "Bf?t?[LNT]?[USM]", "E(?:it|f)?[LNT][USMP]")
def third_of(context: Context, first: int, last: int) -> Found | None:
    """The end of last month, the middle of next month, early next year, late last night."""
    symbols = context.tokens.symbols[first:last]
    whole: Found | None
    if "L" in symbols or "N" in symbols or "T" in symbols:
        at = context.at("LNT", first, last)
        readers = {"U": relative_unit, "S": relative_season, "M": relative_month, "P": relative_part}
        whole = readers[symbols[-1]](context, at, last)
        if symbols[-1] == "P" or context.tokens.word(first - 1) in ("was", "is", "were", "are", "be", "been", "came"):
            return whole  # "Easter was late this year"
    elif symbols[-1] == "U" and context.tokens.symbols[last - 2] in "tf":
        unit = context.text_value(last - 1)
        whole = moved(context.today, unit, 0) if unit in _WHOLE[1:] and unit != "weekend" else None
        if whole is not None and (context.tokens.symbol(last) == "f" or _plural(context, last - 1)):
            return None
    else:
        return None
    return third(whole, context.value(first)) if whole is not None else None


@rule("weekend", "TNU", "[TN]UfU", "UfU[LN]?")
def fin_de_semana(context: Context, first: int, last: int) -> Found | None:
    """Este fin de semana, el fin de semana pasado."""
    at = context.at("U", first, last)
    if context.tokens.words[at] != "fin" or context.text_value(at + 2) != "week":
        return None
    if context.tokens.symbols[first:last] == "UfU":
        raise Block  # in Spanish the end of the week, but which one
    step = direction(context, first, last)
    return None if step is None else _weekend(context, step)


@rule("weekday-week", "W", "WU")
def weekday_week(context: Context, first: int, last: int) -> Found | None:
    """Monday week: the Monday after the coming one."""
    if context.language != "en" or context.tokens.words[last - 1] != "week" or not context.free_after(last):
        return None
    if context.side(first, last) < 0:
        return None
    return days(near_weekday(context.today, context.value(first), 1) + 7 * DAY)


@rule("the-weekend", "bo@", "[bo@]tU", "bU", "oU")
def the_weekend(context: Context, first: int, last: int) -> Found | None:
    """Over the weekend: the one before in the past tense, the one to come in the future."""
    if context.text_value(last - 1) != "weekend" or context.habitual(first, last):
        return None
    loose = (
        context.tokens.symbols[last - 2] != "t" or not context.free_after(last) or context.tokens.symbol(last) == "f"
    )
    if context.language == "en" and loose:
        return None
    side = context.side(first, last)
    if not side:
        return None
    this = moved(context.today, "weekend", 0)
    if side < 0 and this.start > context.anchor:
        return moved(context.today, "weekend", -1)
    return this
