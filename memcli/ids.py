"""ULIDs: 26 characters that sort by the time they were made.

Our own thirty lines and not python-ulid: that package imports uuid and
datetime helpers for longer than `mem add` runs, and an import of 100,000
messages needs ids that keep their order inside one millisecond.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache

from memcli.errors import UsageError

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 26
TAIL = 6
_PAIRS = tuple(a + b for a in ALPHABET for b in ALPHABET)
_RANDOM_BITS = 80
_LOWER_DIGITS = 8
_LOWER_BITS = 5 * _LOWER_DIGITS
_LOWER_MASK = (1 << _LOWER_BITS) - 1


def encode(value: int) -> str:
    """The 26 characters of a 128-bit number."""
    return _upper(value >> _LOWER_BITS) + _digits(value & _LOWER_MASK, _LOWER_DIGITS)


@lru_cache(maxsize=2)
def _upper(value: int) -> str:
    """The first digits: the same for every id of one millisecond."""
    return _digits(value, LENGTH - _LOWER_DIGITS)


def _digits(value: int, count: int) -> str:
    pairs = []
    for _ in range(count // 2):
        pairs.append(_PAIRS[value & 1023])
        value >>= 10
    return "".join(reversed(pairs))


def milliseconds(ulid: str) -> int:
    """The time inside an id, in milliseconds since 1970 (UTC)."""
    value = 0
    for char in ulid[:10]:
        value = value * 32 + ALPHABET.index(char)
    return value


def ending(text: str) -> str:
    """The end of an id as a person gives it, in capitals. Raises `UsageError` where it is none."""
    if not 3 <= len(text) <= LENGTH or not text.isascii() or not text.isalnum():
        raise UsageError(f"“{text}” is not an id.", "An id is 26 letters and digits; its last 6 are enough.")
    return text.upper()


class Ids:
    """Makes ids in rising order, even within a millisecond or when the clock steps back.

    `newest_ms` is asked once, at the first id: the time inside the newest id
    that others have made so far. Ours come after it, whatever the clock says.
    """

    def __init__(
        self,
        now_ms: Callable[[], int],
        random: Callable[[int], bytes] = os.urandom,
        newest_ms: Callable[[], int] = lambda: 0,
    ) -> None:
        self._now_ms = now_ms
        self._random = random
        self._newest_ms = newest_ms
        self._last = 0

    def new(self) -> str:
        """The next id: strictly greater than every earlier one of this object."""
        now = self._now_ms()
        if not self._last:
            # A millisecond of our own, with random bits of its own: two processes that start here stay apart.
            now = max(now, self._newest_ms() + 1)
        if now > self._last >> _RANDOM_BITS:
            self._last = (now << _RANDOM_BITS) | int.from_bytes(self._random(10), "big")
        else:
            self._last += 1
        return encode(self._last)
