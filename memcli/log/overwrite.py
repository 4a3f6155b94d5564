"""Overwriting whole lines in place. Files are never renamed: a rename under the lock lost 53 of 1,600 adds.

Others may append meanwhile: what they add stands behind the lines that are
overwritten, and those keep their length.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from memcli.disk import Disk, refusal
from memcli.errors import IOFailed


@dataclass(frozen=True, slots=True)
class Spot:
    """One line: where it begins, its bytes without the newline, and what is to stand there instead, as long."""

    path: Path
    start: int
    old: bytes
    new: bytes

    @property
    def end(self) -> int:
        """The offset behind its newline."""
        return self.start + len(self.old) + 1


def overwrite(spots: Iterable[Spot], disk: Disk) -> None:
    """Put every `new` in the place of its `old`, and return when all of it is on disk.

    A file in which something else stands there now (a sync tool replaced it)
    is left alone from there on. Raises `CannotWrite` or `IOFailed`.
    """
    for path, group in groupby(sorted(spots, key=lambda spot: (spot.path, spot.start)), key=lambda spot: spot.path):
        try:
            fd = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError as error:
            raise refusal(error, str(path)) from error
        try:
            for spot in group:
                if len(spot.new) != len(spot.old) or os.pread(fd, len(spot.old), spot.start) != spot.old:
                    raise IOFailed(f"{path} changed while it was purged.", "Run the purge again.")
                disk.pwrite_all(fd, spot.new, spot.start)
            disk.fsync(fd)
        except OSError as error:
            raise refusal(error, str(path)) from error
        finally:
            os.close(fd)


def cut_torn(path: Path, size: int, disk: Disk) -> None:
    """Cut off what stands behind the last newline at `size`: it was never acknowledged. Needs the `append` lock."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            disk.truncate(fd, size)
            disk.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        raise refusal(error, str(path)) from error
