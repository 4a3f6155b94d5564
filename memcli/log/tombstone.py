"""What stands in the place of a line that was purged: its id, and two marks that only this home can make (C11).

A tombstone is as long as the line it covers, so that no file is renamed and
no offset moves. `key` keeps a later import from bringing the entry back,
`words` keeps other routes to the same long words shut (docs/records.md).
"""

from __future__ import annotations

from typing import NamedTuple

from memcli.log.record import BadLine, Envelope, pack

KIND = "tombstone"
_HEX = frozenset("0123456789abcdef")
_MARK_LENGTH = 24


# A named tuple: a dataclass takes a millisecond to make, on the way of every `mem add`.
class Marks(NamedTuple):
    """HMACs under the home's key: of the source key, and of day and words. None where there is none to keep."""

    key: str | None = None
    words: str | None = None


NO_MARKS = Marks()


def covering(size: int, envelope: Envelope, marks: Marks) -> bytes:
    """The tombstone of a line of `size` bytes (its newline not counted): as long, and only spaces where none fits.

    Of the envelope the id, the device and the time of writing stay.
    """
    rec = {name: mark for name, mark in (("key", marks.key), ("words", marks.words)) if mark is not None}
    line = pack(Envelope(envelope.id, envelope.device, KIND, envelope.at, rec))[:-1]
    return line.ljust(size) if len(line) <= size else b" " * size


def marks_of(envelope: Envelope) -> Marks:
    """The marks of a tombstone. Raises `BadLine`."""
    return marks_from((envelope.rec.get("key"), envelope.rec.get("words")))


def marks_from(pair: object) -> Marks:
    """The marks that a list or tuple of two holds. Raises `BadLine`."""
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise BadLine("marks that are no pair")
    for mark in pair:
        if mark is not None and not (isinstance(mark, str) and len(mark) == _MARK_LENGTH and set(mark) <= _HEX):
            raise BadLine("a mark that is none")
    return Marks(*pair)
