"""Is everything as it was written? Every line, every row, the index against the log."""

from __future__ import annotations

import stat
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from memcli.errors import Busy, CannotWrite
from memcli.lang.words import indexed_form
from memcli.log.read import read, torn_tail
from memcli.log.tombstone import KIND as TOMBSTONE
from memcli.projection import digest, events, memories, vectors
from memcli.projection.database import COLUMNS, Database, entry_of_row
from memcli.projection.memories import COLUMNS as MEMORY_COLUMNS
from memcli.projection.sqlite import Damaged, NoVectors
from memcli.store import blobs
from memcli.store.cache import VectorCache, text_key
from memcli.store.catchup import catch_up, file_name, files
from memcli.store.locks import ALONE_WAIT_S, Lock

if TYPE_CHECKING:
    from memcli.store.store import Progress, Store

_LOGICAL = (
    ("entries", COLUMNS.replace("seq, ", "", 1) + ", state", "id"),
    ("changes", "*", "id"),
    ("undone", "*", "run"),
    ("questions", "*", "id"),
    ("forgettings", "*", "entry, run"),
    ("purged", "*", "id"),
    ("silent", "*", "entry"),
    ("memories", MEMORY_COLUMNS + ", mark", "id"),
    ("cites", "*", "entry, memory"),
    ("memory_keys", "*", "key, memory"),
    ("applied", "file, offset, tail, unknown", "file"),
    ("event_claims", "*", "event, change"),
    ("event_links", "*", "entry, event"),
    ("events", events.COLUMNS, "id"),
    ("event_entries JOIN entries USING (seq)", "id, event", "id"),
)


@dataclass(frozen=True, slots=True)
class BadPlace:
    """A line of the log or journal that is no record: file, line number, why."""

    file: str
    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Report:
    """What `mem verify` found. `index_problems` are cured by `mem rebuild`; bad lines are reported and kept.

    `purged` counts tombstones, `unfinished` lines that a purge has still to overwrite.
    """

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
    damaged_originals: tuple[str, ...] = ()
    purged: int = 0
    unfinished: int = 0

    @property
    def healthy(self) -> bool:
        return not (
            self.bad
            or self.index_problems
            or self.cache_damaged
            or self.loose
            or self.damaged_originals
            or self.unfinished
        )


def verify(store: Store, progress: Progress | None = None) -> Report:
    """Read everything and compare. Writes nothing but a temporary replay outside the home.

    Raises `Busy` where a purge is under way.
    """
    with Lock(store.home.locks / "home").shared(ALONE_WAIT_S):
        return _verify(store, progress)


def _verify(store: Store, progress: Progress | None) -> Report:
    home = store.home
    purged = 0
    lines, bad, torn = 0, [], []
    for path in files(home):
        name = file_name(home, path)
        number = 0
        for line in read(path):
            lines += 1
            number = line.number
            if line.envelope is None:
                bad.append(BadPlace(name, number, line.problem or ""))
            elif line.envelope.kind == TOMBSTONE:
                purged += 1
        rest = torn_tail(path)
        if rest:
            torn.append((name, rest))
    with TemporaryDirectory(prefix="mem-verify-") as scratch:
        replay = Database(Path(scratch) / "replay.db")
        try:
            replay.execute("PRAGMA synchronous = OFF")
            catch_up(replay, home, progress)
            entries = replay.visible()
            unknown = replay.one("SELECT COALESCE(SUM(unknown), 0) FROM applied")[0]
            unfinished = replay.one("SELECT COUNT(*) FROM remains")[0]
            problems, count, cached, damaged = _index(store, replay)
        finally:
            replay.close()
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
        tuple(blobs.damaged(home)),
        purged,
        unfinished,
    )


def _index(store: Store, replay: Database) -> tuple[list[str], int, int, int]:
    """What is wrong with the index, which is not rebuilt here; how many vectors it and the cache have."""
    if not store.home.database.exists():
        return [], 0, 0, 0  # it may be deleted at any time
    problems: list[str] = []
    try:
        with store.opened() as reading:
            db = reading.db
            if reading.behind_bytes:
                problems.append(f"{reading.behind_bytes} bytes of the log are not applied yet")
            else:
                problems += differences(replay, db)
            problems += rows_that_changed(db)
            problems += _sqlite_checks(db)
            space = vectors.space(db)
            if space is None:
                if db.one("SELECT COUNT(*) FROM entries WHERE embedded <> 0")[0]:
                    problems.append("entries are marked as having vectors that are not there")
                return problems, 0, 0, 0
            cache = VectorCache(store.home.cache, space)
            problems += _vectors(db, space, cache)
            return problems, db.one("SELECT COUNT(*) FROM vectors")[0], *cache.count()
    except Damaged as error:
        return [*problems, str(error)], 0, 0, 0


def differences(replay: Database, db: Database) -> list[str]:
    """The tables that a replay of the log fills otherwise, row numbers aside."""
    problems = []
    if db.digest() != replay.digest() or db.visible() != replay.visible():
        problems.append("its digest differs from a replay of the log")
    for table, columns, order in _LOGICAL:
        sql = f"SELECT {columns} FROM {table} ORDER BY {order}"
        if any(ours != theirs for ours, theirs in zip_longest(replay.each(sql), db.each(sql))):
            problems.append(f"its table {table.split()[0]} differs from a replay of the log")
    return problems


def rows_that_changed(db: Database) -> list[str]:
    """Compare every row with its own hash, and their sum with the digest."""
    total = 0
    wrong = 0
    for row in db.each(f"SELECT {COLUMNS}, state FROM entries"):
        if digest.mark(entry_of_row(row)) != row[21]:
            wrong += 1
        elif row[23] == 0:
            total = digest.shift(total, row[21], 1)
    for row in db.each(f"SELECT {events.COLUMNS} FROM events"):
        members = db.rows(
            "SELECT e.id FROM event_entries x JOIN entries e USING (seq) WHERE x.event = ? ORDER BY e.id", (row[0],)
        )
        if events.mark_of(row, [entry for (entry,) in members]) != row[11]:
            wrong += 1
        total = digest.shift(total, row[11], 1)
    for row in db.each(f"SELECT {MEMORY_COLUMNS}, mark FROM memories"):
        if memories.mark(memories.memory_of_row(row)) != row[-1]:
            wrong += 1
        total = digest.shift(total, row[-1], 1)
    problems = [f"{wrong} rows have changed by themselves"] if wrong else []
    if digest.text(total) != db.digest():
        problems.append("its stored digest differs from its rows")
    return problems


def _vectors(db: Database, space: vectors.Space, cache: VectorCache) -> list[str]:
    """Compare the vectors with the entries, with their bits and with the cache."""
    problems = []
    cached = cache.load()
    wrong = 0
    for sample, half, entry_id, text, embedded in db.each(
        "SELECT v.sample, v.half, e.id, e.text, e.embedded FROM vectors v LEFT JOIN entries e USING (seq)"
    ):
        if (
            entry_id is None
            or embedded != 1
            or sample != zlib.crc32(entry_id.encode())
            or not isinstance(half, bytes)
            or len(half) != 2 * space.dim
            or cached.get(text_key(text), half) != half
        ):
            wrong += 1
    if wrong:
        problems.append(f"{wrong} vectors have changed by themselves")
    marked = db.one("SELECT COUNT(*) FROM entries WHERE embedded <> 0")[0]
    if marked != db.one("SELECT COUNT(*) FROM vectors")[0]:
        problems.append("the vectors and the entries that have one differ in number")
    try:
        db.need_vectors()
    except NoVectors:
        return problems
    bits: dict[int, bytes] = dict(db.rows("SELECT seq, embedding FROM bits"))
    for seq, half in db.each("SELECT seq, half FROM vectors"):
        if not isinstance(half, bytes) or bits.pop(seq, None) != vectors.to_bits(vectors.from_half(half)):
            problems.append("the bit vectors and the vectors differ")
            return problems
    if bits:
        problems.append("the bit vectors and the vectors differ")
    return problems


def _sqlite_checks(db: Database) -> list[str]:
    problems = []
    try:
        found = db.one("PRAGMA integrity_check")[0]
        if found != "ok":
            problems.append(f"SQLite says: {found}")
        wrong = sum(
            text is None or stems != indexed_form(text)
            for text, stems in db.each(
                "SELECT e.text, w.stems FROM words w LEFT JOIN entries e ON e.seq = w.rowid AND e.state = 0"
            )
        )
        visible = db.one("SELECT COUNT(*) FROM entries WHERE state = 0")[0]
        if wrong or db.one("SELECT COUNT(*) FROM words")[0] != visible:
            problems.append("the word index differs from the entries")
        if db.one("SELECT COUNT(*) FROM memories")[0] != db.one("SELECT COUNT(*) FROM memory_words")[0]:
            problems.append("the word index differs from the memories")
        with db.transaction():
            db.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    except Damaged as error:
        problems.append(f"SQLite says: {error}")
    except (Busy, CannotWrite):
        pass  # SQLite checks a word index by a statement that writes: not now, or not here
    return problems


def loose(store: Store) -> list[str]:
    """Names under the home that others may read or write."""
    root = store.home.root
    found = []
    for path in [root, *root.rglob("*")]:
        with suppress(FileNotFoundError):
            mode = path.lstat().st_mode
            if not stat.S_ISLNK(mode) and mode & 0o077:
                found.append(str(path.relative_to(root)))
    return found
