"""The vector cache: what embedding cost once is never paid twice, and survives `rm mem.db`.

`cache/vectors-<model>`: a header line, then records of one length: the key of
the text (16 bytes), the float16 vector, a CRC-32. Only the holder of the tidy
lock writes.
"""

from __future__ import annotations

import math
import os
import re
import struct
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

from memcli.disk import FILE_MODE, Disk, refusal
from memcli.projection.vectors import Space, from_half

KEY_BYTES = 16
_CRC_BYTES = 4
_HEADER = re.compile(rb"mem vectors 1 (\S+) (\d{1,5})\n")
_LONGEST_HEADER = 256


def text_key(text: str) -> bytes:
    """The key of a text: a 128-bit hash."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()


def caches(directory: Path) -> list[VectorCache]:
    """Every cache that can be read, whichever model it is of."""
    found = (VectorCache.of(path) for path in sorted(directory.glob("vectors-*")))
    return [cache for cache in found if cache is not None]


class VectorCache:
    """The cached vectors of one embedding."""

    def __init__(self, directory: Path, space: Space) -> None:
        self.path = directory / f"vectors-{space.model[:16]}"
        self._header = f"mem vectors 1 {space.model} {space.dim}\n".encode()
        self._half = 2 * space.dim
        self._size = KEY_BYTES + self._half + _CRC_BYTES

    @classmethod
    def of(cls, path: Path) -> VectorCache | None:
        """The cache that lies at `path`, as its own first line names it; None where that cannot be read."""
        try:
            with path.open("rb") as file:
                match = _HEADER.fullmatch(file.readline(_LONGEST_HEADER))
        except OSError:
            return None
        found = match and cls(path.parent, Space(match[1].decode(), int(match[2])))
        return found if found and found.path == path else None

    def load(self) -> dict[bytes, bytes]:
        """Text key → float16 vector, for every record that is whole; a damaged one is as if it were not there."""
        return dict(self._records())

    def find(self, keys: Collection[bytes]) -> dict[bytes, bytes]:
        """Those of the given text keys that are there, with their vectors; nothing else is held in memory."""
        return {key: half for key, half in self._records() if key in keys} if keys else {}

    def _records(self) -> Iterator[tuple[bytes, bytes]]:
        try:
            file = self.path.open("rb")
        except OSError:
            return
        with file:
            if file.read(len(self._header)) != self._header:
                return
            while len(record := file.read(self._size)) == self._size:
                body, crc = record[:-_CRC_BYTES], record[-_CRC_BYTES:]
                if zlib.crc32(body) == int.from_bytes(crc, "big"):
                    yield body[:KEY_BYTES], body[KEY_BYTES:]

    def count(self) -> tuple[int, int]:
        """(whole records, damaged ones), a torn or unreadable rest counted as one."""
        try:
            size = self.path.stat().st_size - len(self._header)
        except OSError:
            return 0, 0
        whole = sum(1 for _, half in self._records() if all(map(math.isfinite, from_half(half))))
        return whole, max(0, -(-size // self._size) - whole)

    def append(self, records: Sequence[tuple[bytes, bytes]], disk: Disk) -> None:
        """Add (key, half) records and sync them. A torn tail of an earlier kill is cut off first."""
        if not records:
            return
        data = b"".join(self._pack(key, half) for key, half in records)
        try:
            disk.make_dirs(self.path.parent)
            new = not self.path.exists()
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, FILE_MODE)
            try:
                self._heal(fd, disk)
                disk.write_all(fd, data)
                disk.fsync(fd)
            finally:
                os.close(fd)
            if new:
                disk.fsync_dir(self.path.parent)
        except OSError as error:
            raise refusal(error, str(self.path)) from error

    def mend(self, known: Mapping[bytes, bytes], disk: Disk) -> None:
        """Write the file again with what `load` found whole, where there is more in it. Raises `CannotWrite`."""
        try:
            size = self.path.stat().st_size
        except OSError:
            return
        if size != len(self._header) + len(known) * self._size:
            self.replace(known, disk)

    def replace(self, known: Mapping[bytes, bytes], disk: Disk) -> None:
        """Write the file again with these records alone. Raises `CannotWrite`."""
        records = b"".join(self._pack(key, half) for key, half in known.items())
        disk.replace_file(self.path, self._header + records)

    def _pack(self, key: bytes, half: bytes) -> bytes:
        body = key + half
        return body + struct.pack(">I", zlib.crc32(body))

    def _heal(self, fd: int, disk: Disk) -> None:
        size = os.fstat(fd).st_size
        if os.pread(fd, len(self._header), 0) != self._header:
            disk.truncate(fd, 0)
            disk.write_all(fd, self._header)
            return
        torn = (size - len(self._header)) % self._size
        if torn:
            disk.truncate(fd, size - torn)
