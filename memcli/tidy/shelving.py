"""The vectors of the taxonomy's categories, computed once for every model and text (B6)."""

from __future__ import annotations

from memcli.lang.taxonomy import Taxonomy
from memcli.llm.embed import Embedder
from memcli.projection import vectors
from memcli.projection.vectors import Space
from memcli.recall.topics import Shelves, shelf_cache, shelved
from memcli.store.cache import text_key
from memcli.store.home import Home
from memcli.store.store import Store


def shelves(store: Store, taxonomy: Taxonomy, embedder: Embedder) -> Shelves:
    """The taxonomy with its vectors; those that are not in the cache are embedded and put there.

    The caller holds the tidy lock. Raises `ModelFailed`.
    """
    found, fresh = vectors_of(store.home, taxonomy, embedder)
    shelf_cache(store.home, Space(embedder.model, embedder.dim)).append(list(fresh.items()), store.disk)
    return found


def vectors_of(home: Home, taxonomy: Taxonomy, embedder: Embedder) -> tuple[Shelves, dict[bytes, bytes]]:
    """(the taxonomy with its vectors, those of them that the cache did not have). Raises `ModelFailed`."""
    known = shelf_cache(home, Space(embedder.model, embedder.dim)).load()
    missing = [item.text for item in taxonomy.categories if text_key(item.text) not in known]
    embedded = zip(missing, embedder.embed(missing), strict=True) if missing else ()
    fresh = {text_key(text): vectors.to_half(vector) for text, vector in embedded}
    return shelved(taxonomy, known | fresh), fresh
