"""Catching up: whoever opens the index applies what the log and the journal have beyond it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memcli.log.files import all_files
from memcli.log.read import read
from memcli.log.record import BadLine
from memcli.projection import reduce
from memcli.projection.database import Database
from memcli.projection.sqlite import Damaged
from memcli.store.home import Home

LINES_A_TRANSACTION = 5_000


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


def behind(db: Database, home: Home) -> list[Behind]:
    """The files with bytes that are not applied yet. Raises `Damaged` where a file is shorter than it was."""
    known: dict[str, int] = dict(db.rows("SELECT file, offset FROM applied"))
    found = []
    for path in files(home):
        name = file_name(home, path)
        size = path.stat().st_size
        offset = known.pop(name, 0)
        if size < offset:
            raise Damaged(f"{name} is shorter than it was")
        if size > offset:
            found.append(Behind(name, path, offset, size))
    if known:
        raise Damaged(f"{sorted(known)[0]} is gone")
    return found


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
            yield item.size - start
            return
        yield end - start
        item = Behind(item.name, item.path, end, item.size)


def _apply_lines(db: Database, item: Behind, limit: int | None) -> int | None:
    """Apply up to `limit` lines from the offset on; where it stopped, None at the end of the file."""
    end, bad, unknown, count = item.offset, 0, 0, 0
    stopped = False
    for line in read(item.path, item.offset):
        end = line.end
        if line.envelope is None:
            bad += 1
        else:
            try:
                unknown += not reduce.apply(db, line.envelope)
            except BadLine:
                bad += 1
        count += 1
        if limit is not None and count >= limit:
            stopped = True
            break
    advance(db, item.name, end, bad, unknown)
    return end if stopped else None


def advance(db: Database, name: str, offset: int, bad: int = 0, unknown: int = 0) -> None:
    """Remember that a file is applied up to `offset`."""
    db.execute(
        "INSERT INTO applied VALUES (?, ?, ?, ?) ON CONFLICT (file) DO UPDATE SET "
        "offset = excluded.offset, bad = bad + excluded.bad, unknown = unknown + excluded.unknown",
        (name, offset, bad, unknown),
    )
