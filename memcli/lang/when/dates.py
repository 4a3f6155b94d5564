"""Days with a name or a figure of the calendar: 5 June 2025, 2026-05-20, the 12th, on Friday, Monday to Wednesday."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from memcli.lang.when.almanac import DAY, Found, at, days, moved, near_date, near_weekday, nth_weekday
from memcli.lang.when.grammar import Block, Context, rule

_TITLES = frozenset("mr mrs ms dr sir herr frau señor señora don".split())
_CHANGES = frozenset("moved changed shifted pushed postponed rescheduled move change switch switched".split())
_FIRM = frozenset("on by until till since am bis seit ab el before after from vom for starting".split())


@rule("iso-date", "IJ", "[IJ]")
def iso_date(context: Context, first: int, last: int) -> Found | None:
    """2026-05-20, 2026-05-20T09:04:31+02:00, 25/12/2025, 05.06.2025."""
    value = context.tokens.values[first]
    if not isinstance(value, tuple) or not 1 <= int(value[0] or 0) <= 9998:
        return None
    day = date(int(value[0] or 0), int(value[1] or 0), int(value[2] or 0))
    if len(value) < 6 or value[3] is None:
        return days(day)
    hour, minute, zone = int(value[3]), int(value[4] or 0), str(value[5] or "")
    if hour > 23 or minute > 59:
        return None
    if not zone or context.zone is None:
        return at(day, hour, minute)
    offset = timedelta()
    if zone != "z":
        offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:])) * (-1 if zone[0] == "-" else 1)
    instant = datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC) - offset
    local = instant.astimezone(context.zone)
    return at(local.date(), local.hour, local.minute)


@rule("day-range", "r#OM", "[r]f?M(?:C?Y)?", "[#O][vj-][#O]f?M(?:C?Y)?", "Mr(?:C?Y)?")
def day_range(context: Context, first: int, last: int) -> Found | None:
    """5-7 June, June 5-7, 2025, 2 to 5 August: one range."""
    month = context.value(context.at("M", first, last))
    range_at, year_at = context.at("r", first, last), context.at("Y", first, last)
    if range_at >= 0:
        pair = context.tokens.values[range_at]
        start_day, end_day = (int(pair[0] or 0), int(pair[1] or 0)) if isinstance(pair, tuple) else (0, 0)
    else:
        start_day, end_day = context.value(first), context.value(first + 2)
    if not 1 <= start_day < end_day <= 31:
        return None
    joined = context.at("j", first, last)
    if joined >= 0 and (end_day != start_day + 1 or context.tokens.words[joined] not in ("and", "und", "y")):
        return None
    year = context.value(year_at) if year_at >= 0 else None
    side = 0 if year else context.side(first, last)
    start = date(year, month, start_day) if year else near_date(month, start_day, context.today, side)
    if start is None or not (year or side):
        return None
    return days(start, (start.replace(day=end_day) - start).days + 1)


@rule("day-range", "t", "tOvt?O(?:f?M(?:C?Y)?)?")
def ordinal_range(context: Context, first: int, last: int) -> Found | None:
    """From the 17th to the 19th: the nearest on the side of the tense."""
    second_at = context.at("O", first + 2, last)
    month_at, year_at = context.at("M", first, last), context.at("Y", first, last)
    start_day, end_day = context.value(first + 1), context.value(second_at)
    if start_day >= end_day or not context.free_after(last):
        return None
    if year_at >= 0:
        start: date | None = date(context.value(year_at), context.value(month_at), start_day)
    else:
        month = context.value(month_at) if month_at >= 0 else None
        side = context.side(first, last)
        start = near_date(month, start_day, context.today, side) if side else None
    return None if start is None else days(start, (start.replace(day=end_day) - start).days + 1)


@rule("weekday-range", "W", "W[v-]W")
def weekday_range(context: Context, first: int, last: int) -> Found | None:
    """Monday to Wednesday, in the tense of the sentence."""
    side = context.side(first, last)
    moved_day = context.tokens.word(first - 1) == "from" and any(
        context.tokens.word(at) in _CHANGES for at in range(first - 5, first - 1)
    )
    followed = context.tokens.symbol(last) in "xr#kK@"
    if not side or followed or moved_day or context.habitual(first, last) or repeats(context, first):
        raise Block  # opening hours, or days that were named just before: not a Sunday by itself either
    start = near_weekday(context.today, context.value(first), side)
    return days(start, (context.value(last - 1) - context.value(first)) % 7 + 1)


@rule("date", "W", "WC?t?[#O]\\.?f?M(?:[Cf]*Y)?", "WC?Mt?[#O](?:C?Y)?")
@rule("date", "#O", "[#O]\\.?f?M(?:[Cf]*Y)?")
@rule("date", "M", "Mt?[#O](?:C?Y)?")
@rule("date", "u", "ufM(?:C?Y)?")
def full_date(context: Context, first: int, last: int) -> Found | None:
    """5 June, the 5th of June 2025, June 5th, 2025, Sat, 23 May, 5 de junio de 2025."""
    tokens = context.tokens
    month_at, day_at = context.at("M", first, last), context.at("#Ou", first, last)
    year_at = context.at("Y", first, last)
    day = context.value(day_at)
    if not 1 <= day <= 31:
        return None
    if "." in tokens.symbols[first:last] and context.language != "de":
        return None
    if year_at >= 0:
        return days(date(context.value(year_at), context.value(month_at), day))
    if month_at < day_at and tokens.symbols[day_at] == "#" and not context.free_after(last):
        return None  # "May 12 people"
    before = tokens.word(first - 1 if tokens.word(first - 1) != "the" else first - 2)
    if tokens.raw(month_at) in ("may", "march") and before not in _FIRM:
        return None
    side = context.side(first, last)
    if tokens.symbols[first] == "W":
        fits = _fitting(context, context.value(month_at), day, context.value(first))
        if fits is not None:
            return days(fits)
    found = near_date(context.value(month_at), day, context.today, side) if side else None
    return None if found is None else days(found)


def _fitting(context: Context, month: int | None, day: int, weekday: int) -> date | None:
    """The one of the nearest past and the nearest coming date that is that weekday, where only one is."""
    near = [near_date(month, day, context.today, side) for side in (-1, 1)]
    fits = {date for date in near if date is not None and date.weekday() == weekday}
    return fits.pop() if len(fits) == 1 else None


@rule("weekday-date", "W", "WC?t?O")
def weekday_date(context: Context, first: int, last: int) -> Found | None:
    """Friday the 13th: the nearest 13th on that side that is a Friday."""
    side = context.side(first, last)
    weekday, day, cursor = context.value(first), context.value(last - 1), context.today
    if not context.free_after(last):
        return None
    fits = _fitting(context, None, day, weekday)
    if fits is not None:
        return days(fits)
    for _ in range(60 if side else 0):  # every day of the month meets every weekday within 5 years
        found = near_date(None, day, cursor, side)
        if found is None:
            return None
        if found.weekday() == weekday:
            return days(found)
        cursor = found + side * DAY
    return None


@rule("nth-weekday", "uL", "[uL]Wf[LNT]U")
def nth_weekday_near(context: Context, first: int, last: int) -> Found | None:
    """The first Monday of next month."""
    if context.text_value(last - 1) != "month":
        return None
    nth = 0 if context.tokens.symbols[first] == "L" else context.value(first)
    step = {"L": -1, "N": 1, "T": 0}[context.tokens.symbols[last - 2]]
    month = moved(context.today, "month", step).start
    return days(nth_weekday(month.year, month.month, context.value(first + 1), nth))


@rule("nth-weekday", "uLO", "[uLO]Wf?i?[NLT]?M(?:C?Y)?")
def nth_weekday_of(context: Context, first: int, last: int) -> Found | None:
    """The first Monday of June, the last Friday of March 2024."""
    month_at, year_at = context.at("M", first, last), context.at("Y", first, last)
    nth = 0 if context.tokens.symbols[first] == "L" else context.value(first)
    month, weekday = context.value(month_at), context.value(first + 1)
    if year_at >= 0:
        return days(nth_weekday(context.value(year_at), month, weekday, nth))
    side = context.side(first, last)
    for year in range(context.today.year - 1, context.today.year + 2)[::side] if side else ():
        found = nth_weekday(year, month, weekday, nth)
        if (found - context.today).days * side > 0:
            return days(found)
    return None


@rule("day-of-month", "tO", "tO")
def day_of_month(context: Context, first: int, last: int) -> Found | None:
    """The 12th, where nothing that could be the twelfth follows and the tense picks the month."""
    tokens, before = context.tokens, context.tokens.word(first - 1)
    after = tokens.word(last)
    if not context.free_after(last) or after in ("of", "to", "that", "which", "one"):
        return None
    asked = before in _FIRM or (tokens.symbol(first - 1) in ".C" and after in ("was", "is", "will"))
    if not asked and before not in ("is", "was"):
        return None
    if repeats(context, first):
        return None  # "today is the 12th" names one day, not two
    side = context.side(first, last)
    found = near_date(None, context.value(last - 1), context.today, side) if side else None
    return None if found is None else days(found)


@rule("weekday", "W", "W")
def bare_weekday(context: Context, first: int, last: int) -> Found | None:
    """Friday, on the side of the sentence's tense; never a name, a title or a habit."""
    tokens = context.tokens
    before, raw_before, after = tokens.word(first - 1), tokens.raw(first - 1), tokens.raw(last)
    if repeats(context, first) or before in ("that", "first", "second", "third", "fourth", "los", "cada"):
        return None
    firm = before in _FIRM
    if not firm:
        if context.language != "en" or tokens.raw(first).lower() not in _long_weekdays():
            return None
        named = after[:1].isupper() and tokens.symbol(last) == "x" and after != "I" and not tokens.text.isupper()
        if named or (raw_before[:1].isupper() and tokens.symbol(first - 1) == "x" and before not in _callers()):
            return None
        if (
            before in _TITLES
            or tokens.word(first - 2) in _TITLES
            or before in ("a", "the", "every", "each", "and", "or")
        ):
            return None
        if tokens.symbol(last) == "j" and tokens.symbol(last + 1) == "W":
            return None
    if tokens.symbol(last) == "-" or tokens.symbol(first - 1) == "-" or context.habitual(first, last):
        return None
    side = context.side(first, last)
    return days(near_weekday(context.today, context.value(first), side)) if side else None


def repeats(context: Context, first: int) -> bool:
    """Whether the words only say again which day was named just before: "tomorrow is Sunday", "the 5th, a Friday"."""
    if not context.done or context.done[-1][2].grain not in ("day", "weekend"):
        return False
    end = context.done[-1][1]
    between = context.tokens.words[end:first]
    return len(between) <= 1 and all(word in (",", "(", "is", "was", "-", "–") for word in between)


def _long_weekdays() -> tuple[str, ...]:
    return ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _callers() -> tuple[str, ...]:
    return ("i", "yes", "yeah", "ok", "okay", "hey", "hi", "so", "let", "see", "call", "and", "but", "well", "sure")
