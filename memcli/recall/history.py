"""Which chunks of the documents found are shown, judged by what was asked before (D7).

The documents are found by the question; among all their chunks those are
chosen that are nearest to the past questions most like it. Turns of
conversations are never touched, so asking leaves the order of that evidence
as it was.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import mul

from memcli.llm.embed import Embedder
from memcli.projection import vectors
from memcli.projection.database import COLUMNS, Database
from memcli.recall.filters import condition
from memcli.recall.question import Query, as_said
from memcli.recall.search import Evidence
from memcli.store.cache import VectorCache, text_key
from memcli.types import Entry

NEWEST = 50
"""Past questions that are looked at."""
MOST = 5
"""Past questions that judge: H_n."""
SAME_TOPIC = 0.4
"""The least cosine between two questions of one topic, while there is no taxonomy to tell topics by.

The best of those that `bench/past_questions.py` was run with: less lets
questions about anything judge, from 0.6 on none is left.
"""
_DOCUMENT_TRUST = ("document", "web")
_DOCUMENT_SOURCES = ("html", "markdown", "pdf")

Vector = Sequence[float]
Topic = Callable[[Vector, Sequence[Vector]], Sequence[Vector]]
"""Given a question and the past ones, those of them that belong to its topic."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk of a document that was found, and its mean cosine to the past questions."""

    entry: Entry
    score: float


def asked_before(db: Database, newest: int = NEWEST) -> list[str]:
    """The newest questions as they were asked, each once, newest first. They are read and nothing is searched."""
    rows = db.rows("SELECT text FROM questions ORDER BY id DESC LIMIT ?", (newest,))
    return list(dict.fromkeys(text for (text,) in rows))


def embedded(
    texts: Sequence[str], names: Sequence[str], embedder: Embedder, cache: VectorCache
) -> tuple[list[Vector], dict[bytes, bytes]]:
    """(the embedding of each past question, those of them that the cache did not have).

    They are embedded as questions are, in the words of whom they are about. Raises `ModelFailed`.
    """
    said = [as_said(text, names) for text in texts]
    known = cache.find({text_key(text) for text in said})
    missing = list(dict.fromkeys(text for text in said if text_key(text) not in known))
    fresh = {
        text_key(text): vectors.to_half(vector) for text, vector in zip(missing, embedder.embed(missing), strict=True)
    }
    known |= fresh
    return [vectors.from_half(known[text_key(text)]) for text in said], fresh


def is_document(entry: Entry) -> bool:
    """Whether an entry is a chunk of a document, as against a turn of a talk or a typed note."""
    return entry.trust in _DOCUMENT_TRUST or entry.source in _DOCUMENT_SOURCES


def same_topic(question: Vector, past: Sequence[Vector]) -> Sequence[Vector]:
    """The past questions that are near enough to be about the same; the seam for a taxonomy of topics (B7)."""
    return [one for one in past if _cosine(question, one) >= SAME_TOPIC]


def choose_chunks(
    db: Database,
    query: Query,
    found: Sequence[Evidence],
    question: Vector,
    past: Sequence[Vector],
    topic: Topic = same_topic,
) -> list[Evidence]:
    """The evidence with the chunks of its documents chosen by the past questions, in the places of chunks (D7).

    `question` and `past` are unit embeddings. What is no chunk keeps its
    place, and no document comes that was not found. Without a past question
    of the topic the evidence stays as it is.
    """
    places = [place for place, item in enumerate(found) if is_document(item.entry)]
    history = nearest(question, topic(question, past))
    if not places or not history:
        return list(found)
    chunks = _chunks(db, query, {found[place].entry.session for place in places})
    golden = _golden(db, chunks, history, len(places))
    if len(golden) < len(places):  # some chunk has no vector yet: nothing can be said of it
        return list(found)
    near = vectors.exact(db, question, [seq for seq, _ in golden])
    known = {item.entry.id: item for item in found}
    chosen = list(found)
    for place, (seq, chunk) in zip(places, golden, strict=True):
        before = known.get(chunk.entry.id) or Evidence(chunk.entry, 0.0, {}, near.get(seq, 0.0))
        signals = {**before.signals, "past_questions": chunk.score}
        chosen[place] = replace(before, score=found[place].score, signals=signals)
    return chosen


def nearest(question: Vector, past: Sequence[Vector], most: int = MOST) -> list[Vector]:
    """H_n: the past questions most like this one."""
    return sorted(past, key=lambda one: -_cosine(question, one))[:most]


def _chunks(db: Database, query: Query, documents: set[str]) -> dict[int, Entry]:
    """Every chunk of these documents that the question allows at all, by row number."""
    where, values = condition(query)
    rows = db.rows(
        f"SELECT {COLUMNS} FROM entries e WHERE e.session IN (SELECT value FROM json_each(?)) AND {where}",
        (json.dumps(sorted(documents)), *values),
    )
    return {row[0]: entry for row in rows if is_document(entry := db.entry(row))}


def _golden(db: Database, chunks: dict[int, Entry], history: Sequence[Vector], most: int) -> list[tuple[int, Chunk]]:
    """The chunks with the highest mean cosine to the past questions, equal ones by id."""
    total = dict.fromkeys(chunks, 0.0)
    missing = set(chunks)
    for one in history:
        for seq, value in vectors.exact(db, one, chunks).items():
            total[seq] += value
            missing.discard(seq)
    scored = [(seq, Chunk(chunks[seq], total[seq] / len(history))) for seq in chunks if seq not in missing]
    return sorted(scored, key=lambda item: (-item[1].score, item[1].entry.id))[:most]


def _cosine(one: Vector, other: Vector) -> float:
    return math.fsum(map(mul, one, other))
