"""Days with a word of their own: yesterday, the day after tomorrow, tonight, heute Morgen."""

from __future__ import annotations

from memcli.lang.when.almanac import DAY, Found, days, part_of
from memcli.lang.when.grammar import Context, rule


@rule("day-before", "U", "Ubd")
def day_before(context: Context, first: int, last: int) -> Found | None:
    """The day before yesterday, the day after tomorrow."""
    step = {"before": -1, "after": 1}.get(context.tokens.word(first + 1))
    if context.text_value(first) != "day" or step is None:
        return None
    return days(context.today + (context.value(last - 1) + step) * DAY)


@rule("day", "L", "Ld")
def day_over(context: Context, first: int, last: int) -> Found | None:
    """Pasado mañana."""
    return days(context.today + 2 * DAY) if context.language == "es" else None


@rule("day", "d", "dd", "d")
def day_word(context: Context, first: int, last: int) -> Found | None:
    """Yesterday, heute; heute Morgen; not the morning ("guten Morgen", "por la mañana")."""
    tokens, word = context.tokens, context.tokens.word(first)
    before = tokens.word(first - 1)
    if word in ("morgen", "mañana"):
        if before in ("guten", "jeden", "jeder", "am", "der", "den", "dem", "einen", "einem", "schönen", "vom", "la"):
            return None
        if word == "mañana" and before in ("esta", "una", "de") and last - first == 1:
            return part_of(context.today, "morning") if before == "esta" else None
    if context.value(first) == -1 and _as_if(context, first):
        return None
    if last - first == 2:
        if tokens.word(last - 1) != "morgen" or word in ("morgen", "übermorgen"):
            return None
        return part_of(context.today + context.value(first) * DAY, "morning")
    return days(context.today + context.value(first) * DAY)


def _as_if(context: Context, first: int) -> bool:
    """Whether it only feels "like it was just yesterday"."""
    at = first - 1
    while context.tokens.word(at) in ("just", "only", "it", "was", "were"):
        at -= 1
    return context.tokens.word(at) in ("like", "if")


@rule("day", "g", "g")
def night(context: Context, first: int, last: int) -> Found | None:
    """Tonight, anoche."""
    return part_of(context.today + context.value(first) * DAY, "night")
