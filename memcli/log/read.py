"""Reading the log: whole lines, split on newline bytes only, each with its place."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memcli.disk import unreadable
from memcli.log.record import BadLine, Envelope, unpack

_CHUNK = 1 << 20
_BLOCK = 1 << 14
_ID = re.compile(rb'\n\{"v":\d+,"id":"([0-7][0-9A-HJKMNP-TV-Z]{25})"')
TAIL = 16


@dataclass(frozen=True, slots=True)
class Line:
    """One complete line: its number in the bytes read (from 1), where it ends, and what it holds.

    `envelope` is None and `problem` says why where the bytes are no record;
    both are None in a blank line, which is what the closing of a torn line
    leaves behind. `tail` is the end of the line as bytes, its newline
    included: it holds the check sum.
    """

    number: int
    end: int
    envelope: Envelope | None
    problem: str | None = None
    tail: bytes = b""


def raw_lines(path: Path, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """(offset after the newline, bytes without it) of every complete line from `start` on.

    A last line without its newline is not given: it is being written, or
    torn, and the next append closes it. Raises `IOFailed`.
    """
    offset = start
    try:
        with path.open("rb") as file:
            file.seek(start)
            unfinished: list[bytes] = []
            while chunk := file.read(_CHUNK):
                pieces = chunk.split(b"\n")
                for piece in pieces[:-1]:
                    unfinished.append(piece)
                    raw = b"".join(unfinished)
                    unfinished.clear()
                    offset += len(raw) + 1
                    yield offset, raw
                unfinished.append(pieces[-1])
    except OSError as error:
        raise unreadable(error, str(path)) from error


def every_line(path: Path, start: int = 0) -> Iterator[Line]:
    """Every complete line from byte `start` on, blank ones too."""
    for number, (end, raw) in enumerate(raw_lines(path, start), 1):
        envelope, problem = None, None
        if raw:
            try:
                envelope = unpack(raw)
            except BadLine as error:
                problem = str(error)
        yield Line(number, end, envelope, problem, raw[1 - TAIL :] + b"\n")


def read(path: Path, start: int = 0) -> Iterator[Line]:
    """Every line from byte `start` on that is not blank; what is no record is reported, never dropped silently."""
    return (line for line in every_line(path, start) if line.envelope is not None or line.problem is not None)


def complete_size(path: Path) -> int:
    """How many bytes there are up to and with the last newline. Raises `IOFailed`."""
    try:
        with path.open("rb") as file:
            end = file.seek(0, os.SEEK_END)
            while end > 0:
                start = max(0, end - _BLOCK)
                file.seek(start)
                found = file.read(end - start).rfind(b"\n")
                if found >= 0:
                    return start + found + 1
                end = start
            return 0
    except OSError as error:
        raise unreadable(error, str(path)) from error


def last_id(path: Path) -> str | None:
    """The greatest id among the last lines of a file, None where it has no line with an id. Raises `IOFailed`."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            length = _BLOCK
            while True:
                start = max(0, size - length)
                file.seek(start)
                found = _ID.findall(b"\n" * (start == 0) + file.read(size - start))
                if found or start == 0:
                    return max(found).decode() if found else None
                length *= 8
    except OSError as error:
        raise unreadable(error, str(path)) from error


def tail(path: Path, end: int) -> bytes:
    """The last bytes before `end`: they hold the check sum of the line that ends there. Raises `IOFailed`."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, end - TAIL))
            return file.read(min(end, TAIL))
    except OSError as error:
        raise unreadable(error, str(path)) from error


def torn_tail(path: Path) -> int:
    """How many bytes stand behind the last newline: 0 in a healthy file."""
    try:
        return max(0, path.stat().st_size - complete_size(path))
    except OSError as error:
        raise unreadable(error, str(path)) from error
