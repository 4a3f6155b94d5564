"""The step that lets entries be found by meaning: one vector each, into the cache, then into the index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memcli.llm.embed import Embedder
from memcli.log.record import Change
from memcli.projection import reduce, vectors
from memcli.projection.database import Database
from memcli.projection.vectors import Space
from memcli.store.cache import VectorCache, text_key
from memcli.store.store import Store

BATCH = 64
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Indexed:
    """What the step did: entries embedded now, taken from the cache, and left for the next time.

    `replaced` is true where vectors of another model had to go first.
    """

    embedded: int
    cached: int
    pending: int
    replaced: bool


def count_pending(db: Database) -> int:
    """How many visible entries have no vector yet."""
    return int(db.one("SELECT COUNT(*) FROM entries WHERE state = 0 AND embedded = 0")[0])


def decide(store: Store, db: Database, space: Space, run: str) -> bool:
    """Write down what is to be searched by meaning, before anything is embedded.

    Replay then knows the reach without asking a model. Returns whether
    vectors of another model were thrown out. Nothing is written where the
    last decision still says the same.
    """
    newest = db.one("SELECT MAX(id) FROM entries WHERE state = 0 AND embedded = 0")[0]
    through = reduce.indexed_through(db)
    old = vectors.space(db)
    if old is not None and old != space:
        newest = db.one("SELECT MAX(id) FROM entries WHERE state = 0")[0]
    elif newest is not None and through is not None and newest <= through:
        newest = None
    if newest is not None:
        store.append_change(
            Change(
                op="index",
                run=run,
                author="tidy",
                reason="entries are to be found by meaning",
                after={"through": max(newest, through or ""), "model": space.model, "dim": space.dim},
            )
        )
    with db.transaction():
        return vectors.use_space(db, space)


def index(
    store: Store,
    db: Database,
    embedder: Embedder,
    run: str,
    out_of_time: Callable[[], bool],
    progress: Progress | None = None,
) -> Indexed:
    """Embed what is pending, a batch at a time; every batch is kept whatever happens after it.

    The caller holds the tidy lock. No model is asked inside a transaction.
    Raises `ModelFailed` where the embedder does not answer, with the batches
    before it kept.
    """
    space = Space(embedder.model, embedder.dim)
    replaced = decide(store, db, space, run)
    cache = VectorCache(store.home.cache, space)
    total = count_pending(db)
    known = cache.load() if total else {}
    embedded = cached = done = last = 0
    while not out_of_time():
        rows = db.rows(
            "SELECT seq, id, text FROM entries WHERE state = 0 AND embedded = 0 AND seq > ? ORDER BY seq LIMIT ?",
            (last, BATCH),
        )
        if not rows:
            break
        missing = list(dict.fromkeys(text for _, _, text in rows if text_key(text) not in known))
        fresh = {
            text_key(text): vectors.to_half(vector)
            for text, vector in zip(missing, embedder.embed(missing), strict=True)
        }
        cache.append(list(fresh.items()), store.disk)
        known |= fresh
        with db.transaction():
            vectors.insert(db, [(seq, entry_id, known[text_key(text)]) for seq, entry_id, text in rows])
        embedded += len(fresh)
        cached += len(rows) - len(fresh)
        done += len(rows)
        last = rows[-1][0]
        if progress is not None:
            progress(done, total)
    return Indexed(embedded, cached, count_pending(db), replaced)
