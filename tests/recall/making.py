"""What the tests of recall share: a small store of conversations, and an embedder that needs no model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any

from store.making import NOW

from memcli.lang.words import STOP, stem, words
from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.recall.people import speakers
from memcli.recall.question import Query, as_said
from memcli.recall.search import Evidence, recall
from memcli.store.store import Store
from memcli.tidy.index import index
from memcli.types import Entry, Moment

DIM = 64
DAY = 86_400_000


class WordEmbedder:
    """Texts that share words are near each other: every stem has a fixed direction, a text is their sum."""

    model = "f" * 64
    dim = DIM

    def embed(self, texts: Iterable[str]) -> Iterator[list[float]]:
        return (self.one(text) for text in texts)

    def one(self, text: str) -> list[float]:
        total = [1e-3] * DIM
        for word in words(text):
            if word not in STOP:
                digest = blake2b(stem(word).encode(), digest_size=DIM).digest()
                total = [value + byte - 127.5 for value, byte in zip(total, digest, strict=True)]
        norm = math.sqrt(math.fsum(value * value for value in total))
        return [value / norm for value in total]


EMBEDDER = WordEmbedder()


def talk(store: Store, session: str, lines: Sequence[tuple[str, str]], at: int = NOW, **fields: Any) -> list[Entry]:
    """A conversation of (speaker, text) lines, a minute apart, as an import would make it."""
    made = []
    for ordinal, (speaker, text) in enumerate(lines):
        entry_id = store.ids.new()
        values: dict[str, Any] = {
            "run": "R1",
            "source_key": entry_id,
            "role": "other",
            "moment": Moment(at + ordinal * 60_000, "minute", None, True),
            "source": "talk",
        }
        made.append(
            Entry(
                id=entry_id,
                session=session,
                ordinal=ordinal,
                text=text,
                imported_at=NOW,
                speaker=speaker,
                **(values | fields),
            )
        )
    store.append_entries(made)
    return made


def embed_all(store: Store) -> None:
    """What a tidy does about vectors."""
    with store.writing() as db:
        index(store, db, EMBEDDER, store.ids.new(), lambda: False)


def vector(db: Database, text: str) -> list[float] | None:
    """The embedding of a question, None while nothing is embedded."""
    return None if vectors.space(db) is None else EMBEDDER.one(as_said(text, speakers(db)))


def ask(store: Store, text: str, **filters: Any) -> list[Evidence]:
    query = Query(text, **filters)
    return store.consult(lambda reading: recall(reading.db, query, vector(reading.db, text)))


def found(store: Store, text: str, **filters: Any) -> list[str]:
    """The texts of the evidence, best first."""
    return [item.entry.text for item in ask(store, text, **filters)]
