"""Lines that were torn in the middle of words that are purged: known by all they have of them (C11)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path

from memcli.disk import unreadable
from memcli.store.looking import loose_text
from memcli.store.needles import fold

_TEXT = re.compile(rb'"text":"((?:[^"\\]|\\.)*)', re.DOTALL)
_HALF_ESCAPE = re.compile(rb"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_RUBBISH = b"\0\xff\xfe"
_FEWEST = 4


def torn_end(path: Path, size: int) -> bytes:
    """What stands behind the last newline, which ends at `size`. Raises `IOFailed`."""
    try:
        with path.open("rb") as file:
            file.seek(size)
            return file.read()
    except OSError as error:
        raise unreadable(error, str(path)) from error


class Beginnings:
    """Knows a line that was torn in the middle of one of these texts, or that no reader takes for another reason."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._sorted = sorted({fold(text) for text in texts})

    def of(self, raw: bytes) -> bool:
        """Whether the words in an unreadable line are one of the texts, as far as they go."""
        found = _TEXT.search(raw)
        if found is None:
            return False
        words = fold(loose_text(_HALF_ESCAPE.sub(b"", found[1].rstrip(_RUBBISH))))
        at = bisect_left(self._sorted, words)
        if at == len(self._sorted):
            return False
        torn = len(words) >= _FEWEST and found.end() == len(raw)
        return self._sorted[at].startswith(words) if torn else self._sorted[at] == words
