"""Whether a text is worth reading: most are not, and they must cost nothing."""

from __future__ import annotations

import re
from functools import lru_cache

from memcli.lang.when.lexicon import all_triggers

_PLAIN = {code: chr(code).lower() if chr(code).isalpha() else " " for code in range(128)}


@lru_cache(maxsize=1)
def _word() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=1)
def _digit() -> re.Pattern[str]:
    return re.compile("[0-9]")


@lru_cache(maxsize=1)
def _figure() -> re.Pattern[str]:
    # Figures that can be a time by themselves: a year, a date, a clock time, an ordinal, or one behind a preposition.
    # With a unit ("3 days ago", "8 Uhr") or a month the words tell.
    return re.compile(
        r"(?:1[5-9]|2[01])[0-9][0-9]|[0-9]\s*[:./-]\s*[0-9]|[0-9]\s?(?:[ap]\.?\s?m|st|nd|rd|th|s|h|ish|\.|º|o)(?![a-z])"
        r"|\b(?:at|um|ab|bis|by|until|till|las?|sobre|from|to|past|since|around|about|before|after)\s+[0-9]",
        re.IGNORECASE,
    )


def words(text: str) -> list[str]:
    """The words in lower case."""
    # one table for ASCII takes half the time of a pattern
    return text.translate(_PLAIN).split() if text.isascii() else _word().findall(text.lower())


def maybe_words(text: str) -> bool:
    """Whether a word or a figure occurs that a time phrase of a language with spaces needs."""
    if not all_triggers().isdisjoint(words(text)):
        return True
    return _digit().search(text) is not None and _figure().search(text) is not None
