"""Every system call that makes bytes last, in one object that is passed in.

Tests pass a `Disk` that fails or dies at the n-th call: what must survive a
kill, a full disk or a failing fsync is tried at each of them.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sys
from contextlib import suppress
from pathlib import Path

from memcli.errors import CannotWrite, IOFailed

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NOT_OURS = {
    errno.EROFS,
    errno.EACCES,
    errno.EPERM,
    errno.ELOOP,
    errno.EISDIR,
    errno.ENOTDIR,
    errno.ENOENT,
    errno.EEXIST,
}
DIR_MODE = 0o700
FILE_MODE = 0o600


def unreadable(error: OSError, what: str) -> IOFailed:
    """The error of ours for something of the memory that is there and cannot be read."""
    return IOFailed(f"Reading {what} failed: {error.strerror or error}.", "Run `mem doctor`, then try again.")


def refusal(error: OSError, what: str) -> CannotWrite | IOFailed:
    """The error of ours that says what the system refused."""
    if error.errno in _NO_ROOM:
        return CannotWrite(f"No room left to write {what}; nothing was added.", "Free some space and run it again.")
    if error.errno in _NOT_OURS:
        return CannotWrite(
            f"Cannot write {what}: {os.strerror(error.errno or 0)}.",
            "Check the permissions of the memory's folder, or set MEM_HOME to one you can write.",
        )
    return IOFailed(f"Writing {what} failed: {error.strerror or error}.", "Run `mem doctor`, then try again.")


class Disk:
    """The real one."""

    def write(self, fd: int, data: bytes | memoryview) -> int:
        return os.write(fd, data)

    def pwrite(self, fd: int, data: bytes | memoryview, offset: int) -> int:
        return os.pwrite(fd, data, offset)

    def fsync(self, fd: int) -> None:
        if sys.platform == "darwin":
            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
        else:
            os.fsync(fd)

    def truncate(self, fd: int, size: int) -> None:
        os.ftruncate(fd, size)

    def rename(self, source: Path, target: Path) -> None:
        source.rename(target)

    def unlink(self, path: Path) -> None:
        path.unlink(missing_ok=True)

    def make_dirs(self, path: Path) -> None:
        """Make the folder and what is above it; a folder that is made is ours alone, and its name lasts."""
        try:
            missing = []
            while not path.is_dir():
                missing.append(path)
                if path == path.parent:
                    break
                path = path.parent
            for folder in reversed(missing):
                folder.mkdir(mode=DIR_MODE, exist_ok=True)
                self.fsync_dir(folder.parent)
        except OSError as error:
            raise refusal(error, f"the folder {missing[0] if missing else path}") from error

    def write_all(self, fd: int, data: bytes) -> None:
        """Write every byte, however short the single writes fall."""
        view = memoryview(data)
        while view:
            done = self.write(fd, view)
            if done <= 0:
                raise OSError(errno.ENOSPC, "nothing could be written")
            view = view[done:]

    def pwrite_all(self, fd: int, data: bytes, offset: int) -> None:
        """The same over what stands at `offset` already."""
        view = memoryview(data)
        while view:
            done = self.pwrite(fd, view, offset)
            if done <= 0:
                raise OSError(errno.ENOSPC, "nothing could be written")
            view, offset = view[done:], offset + done

    def fsync_dir(self, path: Path) -> None:
        """Make a new, renamed or removed name in this folder last."""
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self.fsync(fd)
        finally:
            os.close(fd)

    def replace_file(self, path: Path, data: bytes) -> None:
        """Put `data` at `path` whole or not at all: a file beside it, fsync, rename, fsync of the folder."""
        beside = path.with_name(f".{path.name}.{os.getpid()}.new")
        try:
            fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, FILE_MODE)
            try:
                self.write_all(fd, data)
                self.fsync(fd)
            finally:
                os.close(fd)
            self.rename(beside, path)
            self.fsync_dir(path.parent)
        except OSError as error:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
            raise refusal(error, str(path)) from error
