"""Thousands of texts looked for in megabytes of bytes, exactly, in plain Python (C11).

Every needle gives the numbers of eight neighbouring blocks of its own: one of
them lies on a block border of the data, wherever the needle begins there. The
data is cut at those borders into numbers, and the two sets are intersected:
about 100 MB a second, however many needles there are.
"""

from __future__ import annotations

import json
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

PIECE = 120
"""Bytes of a long text that are looked for at its beginning, in its middle and at its end."""

LEAST = 15
"""Fewer bytes ("thank you") are said by everybody: they are compared as whole texts only."""

_FEWEST_DIFFERENT = 4
"""Bytes that are nearly all the same are anywhere."""

_SIZE = 8
_PART = 48
_TRIED = 8
"""Of so many places in the middle of a needle its blocks are taken from the one that is rarest."""


def fold(text: str) -> str:
    """A text as it is compared: case, composition and white space made one."""
    plain = text.lower() if text.isascii() else unicodedata.normalize("NFC", text).casefold()
    return " ".join(plain.split())


def folded(text: str) -> bytes:
    """The same as bytes."""
    return fold(text).encode("utf-8", "surrogatepass")


class Needles:
    """Texts and bytes to be looked for. Each piece of one has a number; `pieces` tells those of a text."""

    def __init__(self, texts: Iterable[str], raw: Iterable[bytes] = ()) -> None:
        self.short: set[str] = set()
        self.pieces: dict[str, tuple[int, ...]] = {}
        self._needles: list[tuple[bytes, int]] = []
        self._count = 0
        for text in dict.fromkeys(texts):
            self._add_text(text)
        for data in raw:
            if len(set(data)) >= _FEWEST_DIFFERENT:
                self._add({data.lower()})
        self.longest = max((len(needle) for needle, _ in self._needles), default=0)
        self._blocks = self._cut_up()
        self._keys = frozenset(self._blocks)

    def _add_text(self, text: str) -> None:
        whole = folded(text)
        if len(whole) < LEAST:
            self.short.add(fold(text))
            self.pieces[text] = ()
            return
        plain = text.encode("utf-8", "surrogatepass").lower()
        escaped = json.dumps(text)[1:-1].encode("ascii").lower()
        ways = [_cut(way) for way in dict.fromkeys((whole, plain, escaped))]
        # The n-th piece is about the same words in each way of writing them: a hit in one is a hit of all.
        count = max(map(len, ways))
        self.pieces[text] = tuple(self._add({way[min(at, len(way) - 1)] for way in ways}) for at in range(count))

    def _add(self, ways: set[bytes]) -> int:
        self._needles += [(needle, self._count) for needle in ways if len(needle) >= LEAST]
        self._count += 1
        return self._count - 1

    def _cut_up(self) -> dict[int, list[tuple[int, int]]]:
        """Block → (needle, where in it). Each needle gives those of its neighbours that are rarest among all."""
        places = [max(0, (len(needle) - _PART) // 2) for needle, _ in self._needles]
        windows = [_windows(needle[at : at + _PART]) for (needle, _), at in zip(self._needles, places, strict=True)]
        usual = Counter(chain.from_iterable(windows))
        blocks: dict[int, list[tuple[int, int]]] = {}
        for index, (found, place) in enumerate(zip(windows, places, strict=True)):
            begins = range(0, len(found) - _SIZE + 1, max(1, len(found) // _TRIED))
            _, begin = min((usual[found[at]] + usual[found[at + _SIZE - 1]], at) for at in begins)
            for shift in range(begin, begin + _SIZE):
                blocks.setdefault(found[shift], []).append((index, place + shift))
        return blocks

    def found(self, data: bytes) -> set[int]:
        """The numbers of the pieces that occur in the data, which is folded or in lower case already."""
        numbers = array("Q", data[: len(data) - len(data) % _SIZE])
        common = self._keys.intersection(numbers)
        hits: set[int] = set()
        for at in [at for at, block in enumerate(numbers) if block in common] if common else ():
            for index, shift in self._blocks[numbers[at]]:
                needle, number = self._needles[index]
                begin = at * _SIZE - shift
                if begin >= 0 and number not in hits and data.startswith(needle, begin):
                    hits.add(number)
        return hits

    def in_values(self, values: Iterable[str]) -> set[int]:
        """The same in texts that are not folded yet."""
        return self.found(b"\x00".join(map(folded, values)))


def _windows(needle: bytes) -> list[int]:
    """The block that begins at each byte."""
    found = [0] * (len(needle) - _SIZE + 1)
    for shift in range(min(_SIZE, len(found))):
        found[shift::_SIZE] = array("Q", needle[shift : len(needle) - (len(needle) - shift) % _SIZE])
    return found


def chunks(data: Iterable[bytes], overlap: int) -> Iterator[bytes]:
    """Pieces of a stream in lower case, each beginning with so many bytes of what was before it."""
    before = b""
    for piece in data:
        whole = before + piece.lower()
        yield whole
        before = whole[-overlap:] if overlap else b""


def _cut(needle: bytes) -> list[bytes]:
    if len(needle) <= PIECE:
        return [needle]
    middle = (len(needle) - PIECE) // 2
    return [needle[:PIECE], needle[middle : middle + PIECE], needle[-PIECE:]]
