"""The step that embeds what was asked before, where past questions are to choose chunks of documents (D7)."""

from __future__ import annotations

from memcli.llm.embed import Embedder
from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.recall.history import asked_before, embedded
from memcli.recall.people import speakers
from memcli.recall.question import as_said
from memcli.store.cache import VectorCache, text_key
from memcli.store.store import Store


def are_missing(store: Store, db: Database) -> bool:
    """Whether one of the newest past questions has no vector in the cache; without asking a model."""
    space = vectors.space(db)
    if space is None:
        return False
    names = speakers(db)
    keys = {text_key(as_said(text, names)) for text in asked_before(db)}
    return len(VectorCache(store.home.cache, space).find(keys)) < len(keys)


def embed_questions(store: Store, db: Database, embedder: Embedder) -> int:
    """Put the vectors of the newest past questions into the cache; how many were new.

    The caller holds the tidy lock. Only vectors are kept, and nothing is
    searched. Raises `ModelFailed`.
    """
    space = vectors.space(db)
    if space is None or space.model != embedder.model:
        return 0
    cache = VectorCache(store.home.cache, space)
    _, fresh = embedded(asked_before(db), speakers(db), embedder, cache)
    cache.append(list(fresh.items()), store.disk)
    return len(fresh)
