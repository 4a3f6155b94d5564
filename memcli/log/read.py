"""Reading the log: whole lines, split on newline bytes only, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memcli.log.record import BadLine, Envelope, unpack

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Line:
    """One complete line: its number in the bytes read (from 1), where it ends, and what it holds.

    `envelope` is None and `problem` says why where the bytes are no record.
    """

    number: int
    end: int
    envelope: Envelope | None
    problem: str | None = None


def raw_lines(path: Path, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """(offset after the newline, bytes without it) of every complete line from `start` on.

    A last line without its newline is not given: it is being written, or
    torn, and the next append closes it.
    """
    offset = start
    with path.open("rb") as file:
        file.seek(start)
        rest = b""
        while chunk := file.read(_CHUNK):
            pieces = (rest + chunk).split(b"\n")
            rest = pieces.pop()
            for piece in pieces:
                offset += len(piece) + 1
                yield offset, piece


def read(path: Path, start: int = 0) -> Iterator[Line]:
    """Every complete line from byte `start` on; a line that is no record is reported, never dropped silently.

    An empty line is what the closing of a torn line leaves behind: it is no
    problem and not given.
    """
    for number, (end, raw) in enumerate(raw_lines(path, start), 1):
        if not raw:
            continue
        try:
            yield Line(number, end, unpack(raw))
        except BadLine as error:
            yield Line(number, end, None, str(error))


def torn_tail(path: Path) -> int:
    """How many bytes stand behind the last newline: 0 in a healthy file."""
    size = path.stat().st_size
    return size - max((end for end, _ in raw_lines(path)), default=0)
