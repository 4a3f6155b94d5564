"""The only module that imports SQLite.

`pysqlite3` brings a recent SQLite that can load extensions; the standard
library's is the fallback where no wheel exists. Their exceptions differ, so
nobody else may import either.
"""

from __future__ import annotations

import importlib.util
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memcli.disk import FILE_MODE
from memcli.errors import Busy, CannotWrite, IOFailed, MemError

if TYPE_CHECKING:
    import sqlite3 as driver
else:
    try:
        import pysqlite3 as driver
    except ImportError:  # no wheel for this machine
        import sqlite3 as driver

Connection = driver.Connection
Cursor = driver.Cursor
Row = tuple[Any, ...]
DatabaseError = driver.DatabaseError
OperationalError = driver.OperationalError
# A damaged file can put bytes that are no text into SQLite's own messages, which the driver then fails to decode.
FAILURES = (DatabaseError, UnicodeDecodeError)
version: str = driver.sqlite_version


class Damaged(Exception):
    """The index cannot be read as one: it is to be rebuilt from the log."""


def broken(error: Damaged) -> IOFailed:
    """The same for people, where the index cannot be rebuilt in the middle of what is being done."""
    return IOFailed(f"The index is damaged: {error}.", "Run `mem rebuild`, then try again.")


class NoVectors(Exception):
    """This SQLite cannot load sqlite-vec: search goes by words only."""


def connect(path: Path | str, *, read_only: bool = False, create: bool = True, timeout: float = 0.0) -> Connection:
    """A connection in autocommit; transactions are begun by hand, always IMMEDIATE."""
    if path == ":memory:":
        return driver.connect(":memory:", isolation_level=None)
    quoted = str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    if not _is_there(path) and create and not read_only:
        _make_private(path)
    mode = "ro" if read_only else "rw"
    return driver.connect(f"file:{quoted}?mode={mode}", uri=True, isolation_level=None, timeout=timeout)


def _is_there(path: Path | str) -> bool:
    """Whether the file is there; a symbolic link in its place is refused.

    It is not opened: closing any descriptor of it would drop the locks of this
    process's other connections.
    """
    try:
        if stat.S_ISLNK(os.lstat(path).st_mode):
            raise OperationalError("unable to open database file: it is a symbolic link")
    except FileNotFoundError:
        return False
    except OSError as error:
        raise OperationalError(f"unable to open database file: {error.strerror}") from error
    return True


def _make_private(path: Path | str) -> None:
    """Make the file before SQLite does, readable by us alone: its journal takes over the same mode."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, FILE_MODE))
    except FileExistsError:
        return
    except OSError as error:
        raise OperationalError(f"unable to open database file: {error.strerror}") from error


def load_vec(connection: Connection) -> None:
    """Load sqlite-vec into the connection. Raises `NoVectors` with the reason.

    Its file is found without importing the package, which would import numpy.
    """
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        raise NoVectors("sqlite-vec is not installed")
    library = Path(spec.submodule_search_locations[0]) / "vec0"
    try:
        connection.enable_load_extension(True)
        connection.load_extension(str(library))
        connection.enable_load_extension(False)
    except (AttributeError, DatabaseError) as error:
        raise NoVectors(f"this Python's SQLite ({version}) cannot load extensions") from error


def is_locked(error: Exception) -> bool:
    """Whether another connection holds the lock that this statement needed."""
    text = str(error)
    return "locked" in text or "busy" in text


def translate(error: Exception, path: Path) -> MemError | Damaged:
    """Our word for what SQLite refused (one of `FAILURES`)."""
    if isinstance(error, UnicodeDecodeError):
        return Damaged("it holds text that is none")
    text = str(error)
    if is_locked(error):
        return Busy("Another `mem` is writing to the index.", "Try again in a moment.")
    if "full" in text:
        return CannotWrite("No room left for the index.", "Free some space; the log itself is safe.")
    if "readonly" in text or "unable to open" in text:
        return CannotWrite(f"Cannot write the index {path}.", "Check its permissions; reading still works.")
    if "disk I/O" in text:
        return IOFailed(f"Reading or writing {path} failed.", "Run `mem doctor`.")
    return Damaged(text)


if sys.platform == "win32":  # pragma: no cover
    raise ImportError("mem runs on Linux and macOS; on Windows use WSL")
