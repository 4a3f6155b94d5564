"""How deep JSON may nest. A streaming parser keeps a path for every level: at ten thousand levels that is gigabytes."""

from __future__ import annotations

import re
from typing import BinaryIO

DEEPEST = 200
"""More levels than any export has."""

_ESCAPE = re.compile(rb"\\.", re.DOTALL)
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEPS = bytes.maketrans(b"[{]}", b"\2\2\0\0")


class Shallow:
    """A byte stream of JSON that ends where it nests too deeply, `too_deep` then being true."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._depth = 0
        self._before = b""
        self.too_deep = False

    def read(self, size: int = -1) -> bytes:
        """The next bytes; none behind what is too deep."""
        if self.too_deep:
            return b""
        data = self._stream.read(size)
        depth, before = self._depth, self._before
        if self._follow(before + data):
            return data
        self.too_deep = True
        for token in _TOKEN.finditer(before + data):
            depth += (token[0] in (b"[", b"{")) - (token[0] in (b"]", b"}"))
            if depth > DEEPEST:
                return data[: token.start() - len(before)]
        return b""

    def _follow(self, data: bytes) -> bool:
        """Count the levels through the next bytes; whether they stay few enough."""
        plain = _ESCAPE.sub(b"", data) if b"\\" in data else data
        pieces = plain.split(b'"')
        for step in b"".join(pieces[::2]).translate(_STEPS, _NO_BRACKETS):
            self._depth += step - 1
            if self._depth > DEEPEST:
                return False
        inside = len(pieces) % 2 == 0
        # What a string that goes on needs to be read on: its quote, and a backslash whose letter is still to come.
        self._before = (b'"\\' if plain.endswith(b"\\") else b'"') if inside else b""
        return True
