"""Making the index again from the log: beside the old one, then in its place.

The order of the last steps is the design's: under `home`, unlink mem.db, then
its journal, then rename. A rename over a database whose writer was killed
would roll the old journal into the new file.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memcli.log.read import read
from memcli.projection import reduce, vectors
from memcli.projection.database import Database
from memcli.projection.sqlite import NoVectors
from memcli.projection.vectors import Space
from memcli.store.cache import VectorCache, text_key
from memcli.store.catchup import catch_up, files
from memcli.store.locks import Lock

if TYPE_CHECKING:
    from memcli.store.store import Progress, Store

TIDY_WAIT_S = 120.0
VECTORS_A_TRANSACTION = 2_000


def rebuild(store: Store, progress: Progress | None = None) -> None:
    """Build the whole projection again and put it in place. Needs no model.

    Raises `Busy` where a tidy or another rebuild does not end in time, and
    `CannotWrite` where the home cannot be written. Killed at any point, the
    next opener finds the old index, the new one, or none and builds again.
    """
    home, disk = store.home, store.disk
    home.make(disk)
    with Lock(home.locks / "tidy").exclusive(TIDY_WAIT_S):
        beside = home.root / "mem.db.new"
        _remove(store, beside)
        db = Database(beside)
        try:
            db.execute("PRAGMA synchronous = OFF")
            catch_up(db, home, progress)
            restore_vectors(store, db)
        finally:
            db.close()
        _sync(store, beside)
        with Lock(home.locks / "home").exclusive():
            _remove(store, home.database)
            disk.rename(beside, home.database)
            disk.fsync_dir(home.root)


def _remove(store: Store, path: Path) -> None:
    store.disk.unlink(path)
    store.disk.unlink(path.with_name(path.name + "-journal"))


def _sync(store: Store, path: Path) -> None:
    import os

    fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        store.disk.fsync(fd)
    finally:
        os.close(fd)


def last_space(store: Store) -> Space | None:
    """The embedding that the newest tidy that stands decided on, as the journal says and the cache holds."""
    undone: set[str] = set()
    decided: list[tuple[str, str, int]] = []
    for path in files(store.home):
        if path.parent.name != "journal":
            continue
        for line in read(path):
            envelope = line.envelope
            if envelope is None or envelope.kind != "change":
                continue
            rec = envelope.rec
            if rec.get("op") == "undo":
                undone.add(str(rec.get("target")))
            elif rec.get("op") == "index":
                after = rec.get("after", {})
                decided.append((str(rec.get("run")), str(after.get("model")), int(after.get("dim", 0))))
    standing = [(model, dim) for run, model, dim in decided if run not in undone]
    return Space(*standing[-1]) if standing else None


def restore_vectors(store: Store, db: Database) -> int:
    """Put the cached vectors back for every entry that a standing tidy covers. Returns how many."""
    space = last_space(store)
    through = reduce.indexed_through(db)
    if space is None or through is None:
        return 0
    cached = VectorCache(store.home.cache, space).load()
    if not cached:
        return 0
    try:
        db.need_vectors()
    except NoVectors:
        return 0
    with db.transaction():
        vectors.use_space(db, space)
    pending = db.rows("SELECT seq, id, text FROM entries WHERE state = 0 AND embedded = 0 AND id <= ?", (through,))
    count = 0
    for start in range(0, len(pending), VECTORS_A_TRANSACTION):
        rows = [
            (seq, entry_id, cached[key])
            for seq, entry_id, text in pending[start : start + VECTORS_A_TRANSACTION]
            if (key := text_key(text)) in cached
        ]
        with db.transaction():
            count += vectors.insert(db, rows)
    return count
