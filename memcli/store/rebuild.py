"""Making the index again from the log: beside the old one, then in its place.

The order of the last steps is the design's: under `home`, unlink mem.db, then
its journal, then rename. A rename over a database whose writer was killed
would roll the old journal into the new file.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memcli.disk import refusal
from memcli.errors import IOFailed
from memcli.projection import reduce, vectors
from memcli.projection.database import Database
from memcli.projection.sqlite import Damaged, NoVectors
from memcli.projection.vectors import Space
from memcli.store.cache import VectorCache, text_key
from memcli.store.catchup import catch_up

if TYPE_CHECKING:
    from memcli.store.store import Progress, Store

TIDY_WAIT_S = 120.0
SWAP_WAIT_S = 60.0
VECTORS_A_TRANSACTION = 2_000


def rebuild(store: Store, progress: Progress | None = None, needed: Callable[[], bool] | None = None) -> None:
    """Build the whole projection again and put it in place. Needs no model.

    `needed` is asked again under the lock: of several that find the index
    missing, one builds it. Raises `Busy` where a tidy, another rebuild or a
    reader does not end in time, and `CannotWrite` where the home cannot be
    written. Killed at any point, the next opener finds the old index, the new
    one, or none and builds again.
    """
    home = store.home
    home.make(store.disk)
    beside = home.root / "mem.db.new"
    with store.tidying(TIDY_WAIT_S):
        if needed is not None and not needed():
            return
        try:
            remove(store, beside)
            _fill(store, beside, progress, whole=True)
            with store.alone(SWAP_WAIT_S):
                # What came meanwhile: a reader must not find less than it found before.
                _fill(store, beside, None, whole=False)
                remove(store, home.database)
                store.disk.rename(beside, home.database)
                store.disk.fsync_dir(home.root)
        except OSError as error:
            raise refusal(error, "the index") from error
        except Damaged as error:
            raise IOFailed(f"The index could not be built: {error}.", "Run `mem verify`, then try again.") from error
        finally:
            with suppress(OSError):
                remove(store, beside)


def _fill(store: Store, path: Path, progress: Progress | None, *, whole: bool) -> None:
    db = Database(path)
    try:
        db.execute("PRAGMA synchronous = OFF")
        catch_up(db, store.home, progress)
        if whole:
            restore_vectors(store, db)
    finally:
        db.close()
    _sync(store, path)


def remove(store: Store, path: Path) -> None:
    """Take an index away, then its journal: the other way round a hot journal would be lost."""
    store.disk.unlink(path)
    store.disk.unlink(path.with_name(path.name + "-journal"))


def _sync(store: Store, path: Path) -> None:
    fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        store.disk.fsync(fd)
    finally:
        os.close(fd)


def last_space(db: Database) -> Space | None:
    """The embedding that the newest tidy that stands decided on."""
    row = db.one(
        "SELECT json_extract(body, '$.after.model'), json_extract(body, '$.after.dim') FROM changes "
        "WHERE op = 'index' AND run NOT IN (SELECT run FROM undone) ORDER BY id DESC LIMIT 1"
    )
    if row is None or not isinstance(row[1], int) or row[1] <= 0 or row[1] % 8:
        return None
    return Space(str(row[0]), row[1])


def restore_vectors(store: Store, db: Database) -> int:
    """Put the cached vectors back for every entry that a standing tidy covers. Returns how many."""
    space = last_space(db)
    through = reduce.indexed_through(db)
    if space is None or through is None:
        return 0
    cache = VectorCache(store.home.cache, space)
    cached = cache.load()
    cache.mend(cached, store.disk)
    if not cached:
        return 0
    try:
        db.need_vectors()
    except NoVectors:
        return 0
    with db.transaction():
        vectors.use_space(db, space)
    count, last = 0, 0
    while True:
        pending = db.rows(
            "SELECT seq, id, text FROM entries WHERE seq > ? AND state = 0 AND embedded = 0 AND id <= ? "
            "ORDER BY seq LIMIT ?",
            (last, through, VECTORS_A_TRANSACTION),
        )
        if not pending:
            return count
        last = pending[-1][0]
        keyed = [(seq, entry_id, text_key(text)) for seq, entry_id, text in pending]
        with db.transaction():
            count += vectors.insert(db, [(seq, entry_id, cached[key]) for seq, entry_id, key in keyed if key in cached])
