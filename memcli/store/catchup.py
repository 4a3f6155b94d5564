"""Catching up: whoever opens the index applies what the log and the journal have beyond it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memcli.disk import unreadable
from memcli.log.files import all_files
from memcli.log.read import complete_size, every_line, raw_lines, tail
from memcli.log.record import BadLine
from memcli.projection import reduce
from memcli.projection.database import Database
from memcli.projection.sqlite import Damaged
from memcli.store.home import Home

LINES_A_TRANSACTION = 5_000
BYTES_A_TRANSACTION = 16 << 20
_PURGE = b'"op":"purge"'


@dataclass(frozen=True, slots=True)
class Behind:
    """One file that has more than the index knows: where it was, and its size now."""

    name: str
    path: Path
    offset: int
    size: int


def file_name(home: Home, path: Path) -> str:
    """How the index names a file: `log/2026-11-a1b2c3.jsonl`."""
    return f"{path.parent.name}/{path.name}"


def files(home: Home) -> list[Path]:
    """All logs, then all journals: the order of replay."""
    return all_files(home.log) + all_files(home.journal)


def size_of(path: Path) -> int:
    """The size of a file. Raises `IOFailed`."""
    try:
        return path.stat().st_size
    except OSError as error:
        raise unreadable(error, str(path)) from error


def behind(db: Database, home: Home) -> list[Behind]:
    """The files with whole lines that are not applied yet.

    Raises `Damaged` where a file is not the continuation of what was applied:
    an append that was cut back, or the power lost before a line lasted.
    """
    known = {name: (offset, end) for name, offset, end in db.rows("SELECT file, offset, tail FROM applied")}
    found = []
    for path in files(home):
        name = file_name(home, path)
        size = size_of(path)
        offset, end = known.pop(name, (0, b""))
        if not isinstance(offset, int) or not isinstance(end, bytes):
            raise Damaged(f"how far {name} was applied is unreadable")
        if size < offset or not tail(path, offset).endswith(end):
            raise Damaged(f"{name} is not what it was")
        if size > offset and (size := complete_size(path)) > offset:
            found.append(Behind(name, path, offset, size))
    if known:
        raise Damaged(f"{sorted(known)[0]} is gone")
    return found


def purge_ahead(items: Iterable[Behind]) -> bool:
    """Whether a purge is among what is not applied yet."""
    return any(
        _PURGE in raw
        for item in items
        if item.path.parent.name == "journal"
        for _, raw in raw_lines(item.path, item.offset)
    )


def catch_up(db: Database, home: Home, progress: Callable[[int, int], None] | None = None) -> None:
    """Apply everything; several transactions where there is much. Raises `Busy` where another one writes."""
    todo = behind(db, home)
    total = sum(item.size - item.offset for item in todo)
    done = 0
    for item in todo:
        for size in _apply_file(db, item):
            done += size
            if progress is not None:
                progress(done, total)


def apply_within(db: Database, home: Home) -> None:
    """Apply everything inside the caller's transaction."""
    for item in behind(db, home):
        _apply_lines(db, item, None)


def _apply_file(db: Database, item: Behind) -> Iterator[int]:
    while True:
        with db.transaction():
            row = db.one("SELECT offset FROM applied WHERE file = ?", (item.name,))
            start = max(item.offset, row[0] if row else 0)
            end = _apply_lines(db, Behind(item.name, item.path, start, item.size), LINES_A_TRANSACTION)
        if end is None:
            yield max(0, item.size - start)
            return
        yield end - start
        item = Behind(item.name, item.path, end, item.size)


def _apply_lines(db: Database, item: Behind, limit: int | None) -> int | None:
    """Apply up to `limit` lines from the offset on; where it stopped, None at the end of the file."""
    line, bad, unknown, count = None, 0, 0, 0
    stopped = False
    for line in every_line(item.path, item.offset):
        if line.envelope is None:
            bad += line.problem is not None
        else:
            try:
                unknown += not reduce.apply(db, line.envelope)
            except BadLine:
                bad += 1
        count += 1
        if limit is not None and (count >= limit or line.end - item.offset >= BYTES_A_TRANSACTION):
            stopped = True
            break
    if line is None:
        return None
    advance(db, item.name, line.end, line.tail, bad, unknown)
    return line.end if stopped else None


def advance(db: Database, name: str, offset: int, end: bytes, bad: int = 0, unknown: int = 0) -> None:
    """Remember that a file is applied up to `offset`, where its bytes end with `end`."""
    db.execute(
        "INSERT INTO applied VALUES (?, ?, ?, ?, ?) ON CONFLICT (file) DO UPDATE SET "
        "offset = excluded.offset, bad = bad + excluded.bad, unknown = unknown + excluded.unknown, "
        "tail = excluded.tail",
        (name, offset, bad, unknown, end),
    )
