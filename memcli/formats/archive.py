"""The members of a zip, streamed, with limits: an archive from elsewhere may be made to hurt.

No name may leave the archive, no member may be a link, and sizes, ratio and
number are capped before anything is unpacked. A zip in a zip is opened once.
"""

from __future__ import annotations

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, BinaryIO, cast

from memcli.errors import BadData, NoInput
from memcli.formats.source import Source

MOST_ENTRIES = 10_000
MOST_BYTES = 2 * 1024**3
MOST_MEMBER_BYTES = 500 * 1024**2
HIGHEST_RATIO = 200
RATIO_FROM_BYTES = 1024**2
"""Below this size a high ratio does no harm: an empty page compresses well."""

_IN_MEMORY = 16 * 1024**2
_OFFICE = ("[Content_Types].xml", "META-INF/manifest.xml", "META-INF/container.xml")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


@dataclass
class _Budget:
    """What is left of the caps, shared by an archive and those in it."""

    entries: int = MOST_ENTRIES
    bytes: int = MOST_BYTES


def members(path: Path) -> dict[str, Source]:
    """The files of a zip by name, those of zips in it included. BadData where it is damaged or dangerous."""
    try:
        archive = zipfile.ZipFile(path)
    except OSError as error:
        raise NoInput(f"{path}: {error.strerror or error}") from error
    except _BROKEN as error:
        raise BadData(f"{path} is a damaged zip archive: {error}.") from error
    return _members(archive, str(path), _Budget(), nested=True)


def _members(archive: zipfile.ZipFile, shown: str, budget: _Budget, nested: bool) -> dict[str, Source]:
    infos = [info for info in archive.infolist() if not info.is_dir()]
    if any(info.filename in _OFFICE for info in infos):
        raise BadData(f"{shown} is an office document, an app or a book.", "save it as text, Markdown, HTML or PDF")
    budget.entries -= len(infos)
    if budget.entries < 0:
        raise BadData(f"{shown} has more than {MOST_ENTRIES:,} members.", "unpack it and import the folder")
    found: dict[str, Source] = {}
    for info in infos:
        name = _safe_name(info, shown)
        if name.startswith("__MACOSX/") or any(part.startswith(".") for part in name.split("/")):
            continue
        _check_size(info, shown, budget)
        source = Source(f"{shown}/{name}", _opener(archive, info, f"{shown}/{name}"))
        if name.lower().endswith(".zip"):
            if nested:
                inner = _members(_unpacked(source), source.name, budget, nested=False)
                found |= {f"{name}/{leaf}": member for leaf, member in inner.items()}
            continue
        found[name] = source
    return found


def _safe_name(info: zipfile.ZipInfo, shown: str) -> str:
    """A member's name. BadData where unpacking it would write or read outside of the archive."""
    name = info.filename.replace("\\", "/")
    if name.startswith("/") or re.match(r"[A-Za-z]:", name) or ".." in name.split("/"):
        raise BadData(f"{shown} has a member that leaves it: {info.filename!r}.", "nothing of it was read")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise BadData(f"{shown} has a member that is a link: {info.filename!r}.", "nothing of it was read")
    return name


def _check_size(info: zipfile.ZipInfo, shown: str, budget: _Budget) -> None:
    budget.bytes -= info.file_size
    ratio = info.file_size / max(info.compress_size, 1)
    if info.file_size > RATIO_FROM_BYTES and ratio > HIGHEST_RATIO:
        raise BadData(f"{shown} has a member that unpacks {ratio:,.0f}-fold: {info.filename!r}.", "nothing was read")
    if info.file_size > MOST_MEMBER_BYTES or budget.bytes < 0:
        raise BadData(f"{shown} is too big unpacked: {info.filename!r}.", "unpack it and import the folder")


def _opener(archive: zipfile.ZipFile, info: zipfile.ZipInfo, shown: str) -> Callable[[], BinaryIO]:
    def opener() -> BinaryIO:
        if info.flag_bits & 1:
            raise BadData(f"{shown} is encrypted.", "unpack the archive with its password first")
        try:
            return io.BufferedReader(_Member(archive.open(info), shown))
        except _BROKEN as error:
            raise BadData(f"{shown} cannot be unpacked: {error}.") from error

    return opener


def _unpacked(source: Source) -> zipfile.ZipFile:
    """A zip in a zip, in a file without a name: an archive needs to be read from its end."""
    held: IO[bytes] = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 -- lives as long as the archive
    with source.opener() as stream:
        while chunk := stream.read(_IN_MEMORY // 16):
            held.write(chunk)
    try:
        return zipfile.ZipFile(held)
    except _BROKEN as error:
        raise BadData(f"{source.name} is a damaged zip archive: {error}.") from error


class _Member(io.RawIOBase):
    """A member's bytes; damage found on the way is an error of ours."""

    def __init__(self, stream: IO[bytes], shown: str) -> None:
        self._stream = stream
        self._shown = shown

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            data = self._stream.read(len(buffer))
        except _BROKEN as error:
            raise BadData(f"{self._shown} is damaged: {error}.") from error
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            cast(BinaryIO, self._stream).close()
        super().close()
