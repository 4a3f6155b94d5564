"""The marks that a tombstone keeps: HMACs under the home's own key, which tell nothing to who reads the log (C11)."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator

from memcli.clock import DAY_MS, FIRST_MS, LAST_MS, iso, wall_ms
from memcli.log.tombstone import Marks
from memcli.types import Entry, Moment

HEX = 24
LONG_WORDS = 40
"""So many characters, white space aside, are taken for the same words whatever way they come."""
_TYPED = "typed:"


def marks_for(entry: Entry, home_key: bytes) -> Marks:
    """The marks that an entry leaves behind."""
    return Marks(key_mark(entry.source_key, home_key), words_mark(entry.text, entry.moment, home_key))


def key_mark(source_key: str, home_key: bytes) -> str | None:
    """The mark of a source key; None for that of a typed note, which no import brings."""
    return None if source_key.startswith(_TYPED) else _hmac(home_key, ("key", source_key))


def words_mark(text: str, moment: Moment | None, home_key: bytes) -> str | None:
    """The mark of long words on the day on which they were said; None for short ones, which others say too."""
    return next(_words_marks(text, [_day(moment)], home_key), None)


def words_marks(text: str, moment: Moment | None, home_key: bytes) -> list[str]:
    """The marks under which the same words may have been purged: that day, the days beside it, or no known day.

    Another export may name the instant where the first had a wall clock.
    """
    days = [""]
    if moment is not None:
        days += [_day(moment, shift) for shift in (-DAY_MS, 0, DAY_MS)]
    return list(_words_marks(text, days, home_key))


def _words_marks(text: str, days: Iterable[str], home_key: bytes) -> Iterator[str]:
    words = "".join(text.split())
    if len(words) >= LONG_WORDS:
        yield from (_hmac(home_key, ("words", day, words)) for day in days)


def _day(moment: Moment | None, shift: int = 0) -> str:
    if moment is None or moment.precision == "none":
        return ""
    return iso(min(max(wall_ms(moment) + shift, FIRST_MS), LAST_MS))[:10]


def _hmac(home_key: bytes, parts: Iterable[str]) -> str:
    message = b"\x00".join(part.encode("utf-8", "surrogatepass") for part in parts)
    return hmac.digest(home_key, message, "sha256").hex()[:HEX]
