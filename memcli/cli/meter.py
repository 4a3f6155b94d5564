"""How much of the files is read, so that an import can say how long it will still take."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, cast

from memcli.formats.source import Source
from memcli.formats.walk import READ

_BUFFER = 64 * 1024


class Meter:
    """Counts the bytes that go through the sources it is given, against the size of all of them."""

    def __init__(self, paths: Sequence[Path]) -> None:
        files = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
        sizes = {
            str(path): path.stat().st_size for path in files if path.is_file() and (path in paths or _is_read(path))
        }
        self._sizes = sizes
        self._total = None if any(_is_zip(path) for path in paths) else sum(sizes.values())
        self._before = 0
        self._size = 0
        self._now = 0

    def watch(self, source: Source) -> Source:
        """The same source, its bytes counted; the one before it is done."""
        if self._total is None:
            return source
        self._before += self._size
        self._size, self._now = self._sizes.get(source.name, 0), 0

        def opener() -> BinaryIO:
            self._now = 0  # it is read again from the beginning, to see what it is and then for what it holds
            return cast(BinaryIO, io.BufferedReader(_Counted(source.opener(), self), _BUFFER))

        return Source(source.name, opener)

    def expected(self, done: int) -> int | None:
        """How many there will be, judged by the share of the bytes that gave so many; None where it is unknown."""
        read = self._before + self._now
        return None if not self._total or not read else max(done, round(done * self._total / read))

    def count(self, size: int) -> None:
        """So many bytes more were read."""
        self._now = min(self._size, self._now + size)


class _Counted(io.RawIOBase):
    def __init__(self, stream: BinaryIO, meter: Meter) -> None:
        self._stream = stream
        self._meter = meter

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        self._meter.count(len(data))
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


def _is_read(path: Path) -> bool:
    return path.suffix.lower() in READ | {""} and not any(part.startswith(".") for part in path.parts)


def _is_zip(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(2) == b"PK"
    except OSError:  # a folder; and whoever reads it says what is wrong
        return False
