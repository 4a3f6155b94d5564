"""What the storage tests share: stores with a fixed clock, entries, disks that fail or die, and logical dumps."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from memcli.clock import Clock
from memcli.disk import Disk
from memcli.log.record import Change
from memcli.projection import events, lexical
from memcli.projection.database import COLUMNS, Database
from memcli.projection.memories import COLUMNS as MEMORY_COLUMNS
from memcli.store.catchup import catch_up
from memcli.store.home import Home
from memcli.store.store import Store
from memcli.types import Entry, Moment

NOW = 1_794_000_000_000  # in November 2026
REPOSITORY = Path(__file__).parents[2]
LOGICAL = {
    "entries": COLUMNS.replace("seq, ", "", 1) + ", state",
    "changes": "*",
    "undone": "*",
    "questions": "*",
    "memories": f"{MEMORY_COLUMNS}, mark",
    "cites": "*",
    "memory_keys": "*",
    "forgettings": "*",
    "purged": "*",
    "silent": "entry, entry",
    "event_claims": "event || ' ' || change, run, body",
    "event_links": "entry || ' ' || event, change",
    "events": events.COLUMNS,
    "event_entries JOIN entries USING (seq)": "id, event",
}


def ticking(start: int = NOW) -> Clock:
    """A clock that goes on by a millisecond at each look."""
    times = iter(range(start, start + 10_000_000))
    return Clock(lambda: next(times))


def open_store(root: Path, disk: Disk | None = None, clock: Clock | None = None) -> Store:
    return Store(Home(root), clock or ticking(), disk)


def note(store: Store, text: str, run: str | None = None, **fields: Any) -> Entry:
    """An entry as `mem add` makes it."""
    entry_id = store.ids.new()
    made = Entry(
        id=entry_id,
        run=run or entry_id,
        session="notes:2026-11-06",
        ordinal=0,
        source_key=entry_id,
        text=text,
        imported_at=NOW,
        role="user",
        trust="self",
        moment=Moment(NOW, "second", 60),
    )
    return replace(made, **fields)


def add(store: Store, *texts: str) -> list[str]:
    """Append each text as a run of its own; the ids."""
    made = []
    for text in texts:
        entry = note(store, text)
        store.append_entries([entry])
        made.append(entry.id)
    return made


def visible(store: Store) -> dict[str, str]:
    """Id → text of what counts, as a command finds it."""
    rows = store.consult(lambda reading: reading.db.rows("SELECT id, text FROM entries WHERE state = 0 ORDER BY id"))
    return dict(rows)


def logged_texts(root: Path) -> list[str]:
    """The texts in the log files, read without our index."""
    from memcli.log.files import all_files
    from memcli.log.read import read

    return [
        line.envelope.rec["text"]
        for path in all_files(root / "log")
        for line in read(path)
        if line.envelope is not None and line.envelope.kind == "entry"
    ]


def digest(store: Store) -> str:
    return store.consult(lambda reading: reading.db.digest())


def dump(db: Database, queries: tuple[str, ...] = ()) -> dict[str, Any]:
    """Everything logical: no row numbers, no offsets. Word hits as ids."""
    found: dict[str, Any] = {"digest": db.digest(), "visible": db.visible()}
    for table, columns in LOGICAL.items():
        found[table] = db.rows(f"SELECT {columns} FROM {table} ORDER BY 1, 2")
    ids = dict(db.rows("SELECT seq, id FROM entries"))
    for query in queries:
        found["? " + query] = [(ids[hit.seq], hit.score) for hit in lexical.search(db, [query], 1000)]
    return found


def replayed(root: Path, scratch: Path, queries: tuple[str, ...] = ()) -> dict[str, Any]:
    """The dump of a fresh projection made of all logs and then all journals."""
    scratch.unlink(missing_ok=True)
    db = Database(scratch)
    try:
        catch_up(db, Home(root))
        return dump(db, queries)
    finally:
        db.close()


def undo_of(store: Store, run: str) -> Change:
    return Change(op="undo", run=store.ids.new(), author="user", reason="test", target=run)


class CountedDisk(Disk):
    """Calls `at(n, name)` before the n-th call (from 1) that makes something last."""

    def __init__(self, at: Callable[[int, str], None] = lambda n, name: None) -> None:
        self.calls: list[str] = []
        self.at = at

    def _call(self, name: str) -> None:
        self.calls.append(name)
        self.at(len(self.calls), name)

    def write(self, fd: int, data: bytes | memoryview) -> int:
        self._call("write")
        return super().write(fd, data)

    def pwrite(self, fd: int, data: bytes | memoryview, offset: int) -> int:
        self._call("pwrite")
        return super().pwrite(fd, data, offset)

    def fsync(self, fd: int) -> None:
        self._call("fsync")
        super().fsync(fd)

    def truncate(self, fd: int, size: int) -> None:
        self._call("truncate")
        super().truncate(fd, size)

    def rename(self, source: Path, target: Path) -> None:
        self._call("rename")
        super().rename(source, target)

    def unlink(self, path: Path) -> None:
        self._call("unlink")
        super().unlink(path)


def failing_at(numbers: set[int], code: int = errno.EIO) -> CountedDisk:
    def at(n: int, name: str) -> None:
        if n in numbers:
            raise OSError(code, os.strerror(code))

    return CountedDisk(at)


def dying_at(number: int) -> CountedDisk:
    def at(n: int, name: str) -> None:
        if n == number:
            os._exit(137)

    return CountedDisk(at)


class ShortDisk(Disk):
    """Writes three bytes at a time at most."""

    def write(self, fd: int, data: bytes | memoryview) -> int:
        return super().write(fd, data[:3])

    def pwrite(self, fd: int, data: bytes | memoryview, offset: int) -> int:
        return super().pwrite(fd, data[:3], offset)


class QuickDisk(Disk):
    """Does not wait for the disk: for tests of what is written, not of what lasts."""

    def fsync(self, fd: int) -> None:
        pass


def in_child(do: Callable[[], None]) -> int:
    """Run in a forked child; how it ended (exit code, or minus the signal)."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            do()
            code = 0
        except SystemExit as error:
            code = int(error.code or 0)
        except BaseException:  # noqa: BLE001 - the child must not return into pytest
            import traceback

            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def python(code: str, *arguments: object) -> subprocess.Popen[str]:
    """A fresh interpreter that runs `code` with `sys.argv[1:]` as given."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{REPOSITORY}:{REPOSITORY / 'tests'}"},
    )


def names_under(root: Path) -> Iterator[tuple[str, int]]:
    """(name, permission bits) of everything under the folder, itself included."""
    for path in [root, *root.rglob("*")]:
        yield str(path.relative_to(root)), path.lstat().st_mode & 0o777
