"""The events that a tidy would form, without forming them: what is done to the index is rolled back (B4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memcli.errors import Busy, CannotWrite, ModelFailed
from memcli.lang.taxonomy import Taxonomy
from memcli.llm.embed import Embedder
from memcli.log.record import Change
from memcli.projection import events as claimed
from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.projection.events import Claim
from memcli.projection.sqlite import NoVectors
from memcli.projection.vectors import Space
from memcli.recall.topics import Shelves, known_shelves
from memcli.store.cache import VectorCache, text_key
from memcli.store.store import Store
from memcli.tidy.events import form
from memcli.tidy.index import Progress
from memcli.tidy.shelving import vectors_of

MOST = 2_000
"""Entries that are embedded for a look ahead at most: about 20 s on two idle cores."""
Half = tuple[int, str, bytes]


@dataclass(frozen=True, slots=True)
class Planned:
    """An event as it would be; `is_new` where it would begin, not grow or be worded anew."""

    claim: Claim
    is_new: bool


class _RollBack(Exception):
    pass


def planned(
    store: Store, db: Database, embedder: Embedder | None, taxonomy: Taxonomy, progress: Progress | None = None
) -> tuple[list[Planned], str | None]:
    """(the events that the next tidy would form or change, why there could be more). Writes nothing.

    Vectors that are missing are made, `MOST` of them, and thrown away; no
    model is asked inside the transaction. An index that cannot be written is
    not looked into.
    """
    halves: list[Half] = []
    shelves: Shelves | None = None
    why = None
    space = vectors.space(db)
    if space is not None:
        shelves = known_shelves(store.home, taxonomy, space)
    try:
        db.need_vectors()
        if embedder is not None and space in (None, Space(embedder.model, embedder.dim)):
            space = Space(embedder.model, embedder.dim)
            halves, why = _missing(store, db, embedder, space, progress)
            if shelves is None:
                shelves = vectors_of(store.home, taxonomy, embedder)[0]
    except NoVectors as error:
        return [], f"{error}"
    except ModelFailed as error:
        why = error.message
    if space is None:
        return [], why or "no embedder is installed"
    try:
        return _formed(store, db, space, halves, shelves), why
    except (Busy, CannotWrite) as error:
        return [], error.message


def _missing(
    store: Store, db: Database, embedder: Embedder, space: Space, progress: Progress | None
) -> tuple[list[Half], str | None]:
    """The vectors that a tidy would put in first, and whether there are more of them. Raises `ModelFailed`."""
    rows = db.rows(
        "SELECT seq, id, text FROM entries WHERE state = 0 AND embedded = 0 ORDER BY seq LIMIT ?", (MOST + 1,)
    )
    known = VectorCache(store.home.cache, space).load() if rows else {}
    texts = list(dict.fromkeys(text for _, _, text in rows[:MOST] if text_key(text) not in known))
    for place, (text, vector) in enumerate(zip(texts, embedder.embed(texts), strict=True), 1):
        known[text_key(text)] = vectors.to_half(vector)
        if progress is not None:
            progress(place, len(texts))
    halves = [(seq, entry, known[text_key(text)]) for seq, entry, text in rows[:MOST]]
    return halves, f"only the first {MOST:,} entries were looked at" if len(rows) > MOST else None


def _formed(store: Store, db: Database, space: Space, halves: Sequence[Half], shelves: Shelves | None) -> list[Planned]:
    """What the step makes of it, in a transaction that is rolled back. Raises `Busy` or `CannotWrite`."""
    claims: tuple[Claim, ...] = ()
    old: set[str] = set()

    def put(changes: Sequence[Change]) -> None:
        for change in changes:
            claimed.apply(db, change, store.ids.new())

    try:
        with db.transaction():
            vectors.use_space(db, space)
            vectors.insert(db, halves)
            old = {event for (event,) in db.rows("SELECT id FROM events")}
            claims = form(store, db, store.ids.new(), shelves, lambda: False, put=put).claims
            raise _RollBack
    except _RollBack:
        return [Planned(claim, claim.event not in old) for claim in claims]
