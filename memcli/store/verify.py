"""Is everything as it was written? Every line, every row, the index against the log."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from memcli.log.read import read, torn_tail
from memcli.projection import digest, vectors
from memcli.projection.database import COLUMNS, Database, entry_of_row
from memcli.projection.sqlite import Damaged, DatabaseError, NoVectors
from memcli.store.cache import VectorCache
from memcli.store.catchup import catch_up, file_name, files

if TYPE_CHECKING:
    from memcli.store.store import Progress, Store


@dataclass(frozen=True, slots=True)
class BadPlace:
    """A line of the log or journal that is no record: file, line number, why."""

    file: str
    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Report:
    """What `mem verify` found. `index_problems` are cured by `mem rebuild`; bad lines are reported and kept."""

    lines: int
    entries: int
    bad: tuple[BadPlace, ...] = ()
    unknown: int = 0
    torn: tuple[tuple[str, int], ...] = ()
    index_problems: tuple[str, ...] = ()
    vectors: int = 0
    cached: int = 0
    cache_damaged: int = 0
    loose: tuple[str, ...] = field(default=())

    @property
    def healthy(self) -> bool:
        return not (self.bad or self.index_problems or self.cache_damaged or self.loose)


def verify(store: Store, progress: Progress | None = None) -> Report:
    """Read everything and compare. Writes nothing but a temporary replay outside the home."""
    home = store.home
    lines, bad, torn = 0, [], []
    for path in files(home):
        name = file_name(home, path)
        number = 0
        for line in read(path):
            lines += 1
            number = line.number
            if line.envelope is None:
                bad.append(BadPlace(name, number, line.problem or ""))
        rest = torn_tail(path)
        if rest:
            torn.append((name, rest))
    with TemporaryDirectory(prefix="mem-verify-") as scratch:
        replay = Database(Path(scratch) / "replay.db")
        try:
            replay.execute("PRAGMA synchronous = OFF")
            catch_up(replay, home, progress)
            expected, entries = replay.meta("digest"), replay.meta("visible")
            unknown = replay.one("SELECT COALESCE(SUM(unknown), 0) FROM applied")[0]
        finally:
            replay.close()
    problems, count, cached, damaged = _index(store, expected)
    return Report(
        lines,
        entries,
        tuple(bad),
        unknown,
        tuple(torn),
        tuple(problems),
        count,
        cached,
        damaged,
        tuple(loose(store)),
    )


def _index(store: Store, expected: str) -> tuple[list[str], int, int, int]:
    problems: list[str] = []
    try:
        with store.reading() as reading:
            db = reading.db
            if reading.behind_bytes:
                problems.append(f"{reading.behind_bytes} bytes of the log are not applied yet")
            elif db.meta("digest") != expected:
                problems.append("its digest differs from a replay of the log")
            problems += rows_that_changed(db)
            problems += _sqlite_checks(db)
            space = vectors.space(db)
            if space is None:
                return problems, 0, 0, 0
            count = db.one("SELECT COUNT(*) FROM vectors")[0]
            try:
                db.need_vectors()
                if db.one("SELECT COUNT(*) FROM bits")[0] != count:
                    problems.append("the bit vectors and the vectors differ in number")
            except NoVectors:
                pass
            cached, damaged = VectorCache(store.home.cache, space).count()
            return problems, count, cached, damaged
    except Damaged as error:
        return [*problems, str(error)], 0, 0, 0


def rows_that_changed(db: Database) -> list[str]:
    """Compare every row with its own hash, and their sum with the digest."""
    total = "0" * 32
    wrong = 0
    for row in db.execute(f"SELECT {COLUMNS}, state FROM entries"):
        if digest.mark(entry_of_row(row)) != row[21]:
            wrong += 1
        if row[22] == 0:
            total = digest.shift(total, row[21], 1)
    problems = [f"{wrong} rows have changed by themselves"] if wrong else []
    if total != db.meta("digest"):
        problems.append("its stored digest differs from its rows")
    return problems


def _sqlite_checks(db: Database) -> list[str]:
    problems = []
    try:
        found = db.one("PRAGMA integrity_check")[0]
        if found != "ok":
            problems.append(f"SQLite says: {found}")
        visible = db.one("SELECT COUNT(*) FROM entries WHERE state = 0")[0]
        if db.one("SELECT COUNT(*) FROM words")[0] != visible:
            problems.append("the word index has another number of entries")
        with db.transaction():
            db.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    except DatabaseError as error:
        problems.append(f"SQLite says: {error}")
    return problems


def loose(store: Store) -> list[str]:
    """Names under the home that others may read or write."""
    root = store.home.root
    if not root.exists():
        return []
    paths = [root, *root.rglob("*")]
    return [
        str(path.relative_to(root)) or "." for path in paths if not path.is_symlink() and path.stat().st_mode & 0o077
    ]
