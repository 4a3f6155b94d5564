"""From a question to the evidence that is handed on: what `mem ask` does before anything is answered (D1-D5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memcli.errors import ModelFailed
from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.projection.sqlite import NoVectors
from memcli.recall.depth import MOST, depth
from memcli.recall.people import speakers
from memcli.recall.question import Query, as_said
from memcli.recall.search import Evidence, recall
from memcli.recall.switches import SWITCHES, Switches
from memcli.recall.weights import WEIGHTS, Weights

if TYPE_CHECKING:
    from memcli.llm.embed import Embedder

FIXED = 8
"""Pieces of evidence where their number does not depend on the question."""


@dataclass(frozen=True, slots=True)
class Found:
    """The evidence for one question, best first. `names` are the speakers the store knows.

    `notice` says why it was searched by words only, where an embedder was at
    hand and could not be used.
    """

    evidence: Sequence[Evidence]
    names: Sequence[str]
    notice: str | None = None


def find(
    db: Database,
    query: Query,
    embedder: Embedder | None,
    *,
    adaptive: bool = True,
    weights: Weights = WEIGHTS,
    switches: Switches = SWITCHES,
) -> Found:
    """The evidence worth reading for a question.

    `adaptive`: as many pieces as seem worth it, whatever `query.k` says; else
    `query.k` of them.
    """
    names = speakers(db)
    vector, notice = _vector(db, query.text, names, embedder if switches.meaning else None, switches)
    if not adaptive:
        return Found(recall(db, query, vector, weights, switches), names, notice)
    if not switches.depth:
        return Found(recall(db, replace(query, k=FIXED), vector, weights, switches), names, notice)
    evidence = recall(db, replace(query, k=MOST), vector, weights, switches)
    return Found(evidence[: depth(evidence)], names, notice)


def _vector(
    db: Database, text: str, names: Sequence[str], embedder: Embedder | None, switches: Switches
) -> tuple[list[float] | None, str | None]:
    """The question as a vector of this store's space, None where there is none, and why not."""
    space = vectors.space(db)
    if space is None or embedder is None:
        return None, None
    if space.model != embedder.model:
        return None, "The embedding model has changed: searched by words only until `mem tidy`."
    try:
        vector = next(iter(embedder.embed([as_said(text, names) if switches.as_said else text])))
        db.need_vectors()
    except ModelFailed as error:
        return None, f"{error.message} Searched by words only."
    except NoVectors as error:
        return None, f"Searched by words only: {error}."
    return vector, None
