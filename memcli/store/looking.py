"""Looking for needles in whatever a file is: bytes, JSON lines, a database, an archive, a document (C11).

The bytes are searched as they are, and once more as what they mean: values
without their JSON escapes, rows of tables, members of archives, the words of
a PDF or a page.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from memcli.disk import unreadable
from memcli.errors import MemError
from memcli.log.read import raw_lines
from memcli.log.record import sound
from memcli.projection import sqlite
from memcli.store.needles import Needles, chunks, fold

WORDS = frozenset({"text", "title", "session", "origin", "question", "value"})
"""The fields whose whole value is compared with short texts."""

_FEWEST = 4
"""A text of fewer characters has fewer bytes than any needle."""

_ON_ONE_PAGE = 900
"""Bytes of a row that surely lie together in one page of a database."""

_CHUNK = 1 << 20
_BATCH = 200
_WAIT_S = 30.0
_DEEPEST = 3
_MOST_UNPACKED = 1 << 29
_MOST_DOCUMENT = 1 << 27
_SQLITE = b"SQLite format 3\x00"
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_BROKEN = (OSError, EOFError, ValueError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error)


@dataclass(slots=True)
class Hits:
    """Numbers of pieces, and short texts that stand somewhere as a whole value."""

    pieces: set[int] = field(default_factory=set)
    short: set[str] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.pieces or self.short)

    def without(self, other: Hits) -> Hits:
        """What is not among the others."""
        return Hits(self.pieces - other.pieces, self.short - other.short)


class Looker:
    """Collects what is found of the needles. `data` is how many bytes were looked at."""

    def __init__(self, needles: Needles) -> None:
        self._needles = needles
        self._words: list[str] = []
        self.hits = Hits()

    def file(self, path: Path) -> int:
        """Look at a file, as it is and as what it means; its size. Raises `IOFailed`."""
        try:
            with path.open("rb") as stream:
                size = self._raw(stream)
                stream.seek(0)
                head = stream.read(1024)
                stream.seek(0)
                if path.suffix == ".jsonl":
                    self._lines(path)
                elif head.startswith(_SQLITE):
                    self._database(path)
                else:
                    self._meaning(stream, head, 0)
        except OSError as error:
            raise unreadable(error, str(path)) from error
        self._flush()
        return size

    def row(self, values: Iterable[tuple[str, Any]], *, but_plain: bool = False) -> None:
        """Look at named values; `but_plain`: only at those that the bytes of the file do not show as they are."""
        short = self._needles.short
        for name, value in values:
            if isinstance(value, str):
                if len(value) >= _FEWEST and not (but_plain and _is_plain(value)):
                    self._words.append(value)
                if short and name in WORDS and len(value) < 64 and (whole := fold(value)) in short:
                    self.hits.short.add(whole)
            elif isinstance(value, bytes) and not but_plain:
                self.hits.pieces |= self._needles.found(value.lower())
        if len(self._words) >= _BATCH:
            self._flush()

    def done(self) -> Hits:
        """What was found."""
        self._flush()
        return self.hits

    def _flush(self) -> None:
        if self._words:
            self.hits.pieces |= self._needles.in_values(self._words)
            self._words.clear()

    def _raw(self, stream: BinaryIO) -> int:
        for data in chunks(_blocks(stream), self._needles.longest):
            self.hits.pieces |= self._needles.found(data)
        return stream.tell()

    def _lines(self, path: Path) -> None:
        for _, raw in raw_lines(path):
            # A line without escapes and runs of spaces reads as its bytes do, and those were looked at.
            if self._needles.short or b"\\" in raw or b"  " in raw:
                self.line(raw)

    def line(self, raw: bytes) -> None:
        """Look at one JSON line; what is none has its escapes undone where it can be read."""
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError):
            value = {"": loose_text(raw)}
        self.row(strings(value))

    def _database(self, path: Path) -> None:
        try:
            connection = sqlite.connect(path, read_only=True, timeout=_WAIT_S)
        except sqlite.FAILURES:
            return
        try:
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            names = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
            ).fetchall()
            for (name,) in names:
                quoted = name.replace('"', '""')
                rows = connection.execute(f'SELECT * FROM "{quoted}"')
                columns = [item[0] for item in rows.description]
                for row in rows:
                    whole = sum(len(value) for value in row if isinstance(value, str | bytes)) < _ON_ONE_PAGE
                    self.row(zip(columns, row, strict=True), but_plain=whole)
        except sqlite.FAILURES:
            return  # its bytes were looked at
        finally:
            connection.close()

    def _meaning(self, stream: BinaryIO, head: bytes, depth: int) -> None:
        try:
            if head.startswith(b"PK") and depth < _DEEPEST:
                self._zip(stream, depth)
            elif head.startswith(b"\x1f\x8b") and depth < _DEEPEST:
                with gzip.open(stream) as inner:
                    self._member(io.BytesIO(inner.read(_MOST_UNPACKED)), depth)
            else:
                self._document(stream.read(_MOST_DOCUMENT))
        except _BROKEN:
            return  # its bytes were looked at

    def _zip(self, stream: BinaryIO, depth: int) -> None:
        with zipfile.ZipFile(stream) as archive:
            left = _MOST_UNPACKED
            for info in archive.infolist():
                self.row([("", info.filename)])
                left -= info.file_size
                if left < 0:
                    return
                with archive.open(info) as member:
                    self._member(io.BytesIO(member.read(info.file_size)), depth)

    def _member(self, stream: BinaryIO, depth: int) -> None:
        self._raw(stream)
        stream.seek(0)
        head = stream.read(1024)
        stream.seek(0)
        self._meaning(stream, head, depth + 1)

    def _document(self, data: bytes) -> None:
        """The words of a PDF or of a page, else of the text that it is."""
        from memcli.formats.base import ParseOptions
        from memcli.formats.registry import by_name
        from memcli.formats.source import Source
        from memcli.types import Draft

        head = data[:1024]
        name = "pdf" if b"%PDF-" in head else "html" if b"<" in head else None
        if name is None:
            if b"\0" not in head or head[:2] in _MARKS:
                self.row([("text", data.decode(_MARKS.get(head[:2], "utf-8"), "replace"))])
            return
        try:
            for item in by_name(name).parse(Source.from_bytes(name, data), ParseOptions()):
                if isinstance(item, Draft):
                    self.row([("text", item.text), ("title", item.title)])
        except MemError:
            return  # no text: its bytes were looked at


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    while data := stream.read(_CHUNK):
        yield data


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable() and "  " not in text


def strings(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a JSON value with the name of its field; names of fields too."""
    stack = [(name, value)]
    while stack:
        name, value = stack.pop()
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, dict):
            stack += value.items()
            for key in value:
                if len(key) >= _FEWEST:
                    yield "", key
        elif isinstance(value, list):
            stack += [(name, item) for item in value]


def loose_text(raw: bytes) -> str:
    """Bytes that are no JSON with the escapes of JSON undone, as far as they are whole."""
    return sound(_ESCAPE.sub(_unescaped, raw.decode("utf-8", "replace")))


def _unescaped(match: re.Match[str]) -> str:
    escape = match[1]
    return chr(int(escape[1:], 16)) if len(escape) == 5 else _ESCAPES.get(escape, escape)
