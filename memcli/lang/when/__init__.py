"""Times that a text names, relative or absolute, as intervals of the calendar.

A small closed grammar of our own decides what is a time phrase: no general
date parser reads prose, because every one that was tried makes dates of
"may", "We" and "3/4 of the cake". Where nothing tells the side of a bare
"Friday", nothing is claimed.

    find_times("We met last Friday.", datetime(2026, 5, 20, 15, 30))
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, tzinfo

from memcli.lang.when.describe import describe
from memcli.lang.when.interval import Grain, Interval

__all__ = ["Grain", "Interval", "describe", "find_times"]


def find_times(
    text: str,
    anchor: datetime,
    zone: tzinfo | None = None,
    *,
    names: Collection[str] = (),
    future: bool | None = None,
) -> list[Interval]:
    """The times that a text names, in its order, as said at `anchor` (naive local wall clock).

    `zone` is the speaker's: it matters only where hours and minutes cross a
    change of the clocks, and for instants with an offset. `names` are people
    ("May", "April") who must not be read as months or days. `future` is the
    side that is taken where neither the words nor the tense of the sentence
    tell one; with None such a phrase ("Friday works for me") gives nothing.
    Days and longer run from local midnight to local midnight. Dates outside
    the years 1 to 9999 and days that do not exist give nothing.
    """
    from memcli.lang.when import prefilter

    found: list[Interval] = []
    if prefilter.maybe_words(text):
        from memcli.lang.when import resolve

        found = resolve.find(text, anchor, zone, frozenset(name.lower() for name in names), future)
    if not text.isascii():
        from memcli.lang.when import cjk

        if cjk.triggered(text):
            for start, end, hit, rule in cjk.read(text, anchor, zone, future):
                found.append(
                    Interval(hit.start, hit.end, hit.grain, text[start:end], (start, end), hit.approximate, rule)
                )
            found.sort(key=lambda interval: interval.span)
        from memcli.lang.when import spoken

        if spoken.triggered(text):
            found = _merged(found, spoken.read(text, anchor, zone))
    return found


def _merged(found: list[Interval], more: list[Interval]) -> list[Interval]:
    """Both in the order of the text; what overlaps one that was there is left out."""
    taken = {place for one in found for place in range(*one.span)}
    free = [one for one in more if taken.isdisjoint(range(*one.span))]
    return sorted(found + free, key=lambda interval: interval.span)
