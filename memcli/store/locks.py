"""The three locks of a home: `append`, `tidy`, `home`. Separate files that are never replaced.

`flock` locks belong to the open file, so two of one process exclude each
other too; every descriptor is close-on-exec, so a worker cannot keep one.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from memcli.disk import DIR_MODE, FILE_MODE, refusal
from memcli.errors import Busy

_STEP_S = 0.005
ALONE_WAIT_S = 60.0
"""How long who needs the home alone, or not beside one who does, waits for the others."""


@dataclass(frozen=True, slots=True)
class Lock:
    """One lock file. `wait` is in seconds; None waits as long as it takes, 0 not at all."""

    path: Path

    @contextmanager
    def exclusive(self, wait: float | None = None) -> Iterator[None]:
        """Hold it alone. Raises `Busy` where it cannot be had in time."""
        with self._held(fcntl.LOCK_EX, wait):
            yield

    @contextmanager
    def shared(self, wait: float | None = None) -> Iterator[None]:
        """Hold it together with other sharers. Raises `Busy`.

        A home that has no lock file and cannot be written is nobody's to
        change: then there is nothing to hold.
        """
        with self._held(fcntl.LOCK_SH, wait):
            yield

    @contextmanager
    def _held(self, kind: int, wait: float | None) -> Iterator[None]:
        fd = self._open(reading=kind == fcntl.LOCK_SH)
        if fd is None:
            yield
            return
        try:
            self._take(fd, kind, wait)
            yield
        finally:
            os.close(fd)

    def _open(self, *, reading: bool) -> int | None:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            with suppress(FileNotFoundError):
                return os.open(self.path, flags, FILE_MODE)
            self.path.parent.mkdir(mode=DIR_MODE, exist_ok=True)
            return os.open(self.path, flags, FILE_MODE)
        except OSError as error:
            if error.errno == errno.ENOENT and not reading:
                raise refusal(error, str(self.path)) from error
        try:
            return os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError as error:
            if reading:
                return None
            raise refusal(error, str(self.path)) from error

    def _take(self, fd: int, kind: int, wait: float | None) -> None:
        if wait is None:
            self._flock(fd, kind)
            return
        deadline = time.monotonic() + wait
        while True:
            try:
                self._flock(fd, kind | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise Busy(
                        f"Another `mem` holds the {self.path.name} lock.", "Try again when it is done."
                    ) from None
            time.sleep(_STEP_S)

    def _flock(self, fd: int, kind: int) -> None:
        try:
            fcntl.flock(fd, kind)
        except BlockingIOError:
            raise
        except OSError as error:
            raise refusal(error, str(self.path)) from error
