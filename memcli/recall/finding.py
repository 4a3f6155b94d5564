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
from memcli.recall.question import Plan, Query, as_said
from memcli.recall.search import Evidence, plan_of, recall_both
from memcli.recall.switches import SWITCHES, Switches
from memcli.recall.weights import WEIGHTS, Weights

if TYPE_CHECKING:
    from memcli.llm.embed import Embedder

FIXED = 8
"""Pieces of evidence where their number does not depend on the question."""


@dataclass(frozen=True, slots=True)
class Found:
    """The evidence for one question, best first. `names` are the speakers the store knows.

    `vector` is the embedding of the question as it is understood. `notice`
    says why it was searched by words only, where an embedder was at hand and
    could not be used.
    """

    plan: Plan
    evidence: Sequence[Evidence]
    names: Sequence[str]
    vector: Sequence[float] | None = None
    notice: str | None = None


def find(
    db: Database,
    query: Query,
    embedder: Embedder | None,
    *,
    understood: str | None = None,
    adaptive: bool = True,
    weights: Weights = WEIGHTS,
    switches: Switches = SWITCHES,
) -> Found:
    """The evidence worth reading for a question.

    `understood` is the question completed from the dialogue before it (D1);
    both are searched. `adaptive`: as many pieces as seem worth it, whatever
    `query.k` says; else `query.k` of them.
    """
    names = speakers(db)
    full = query if understood is None else replace(query, text=understood)
    texts = [as_said(one.text, names) if switches.as_said else one.text for one in (query, full)]
    both, notice = _vectors(db, texts, embedder if switches.meaning else None)
    plan = plan_of(db, full, switches)
    k = query.k if not adaptive else MOST if switches.depth else FIXED
    evidence = recall_both(db, replace(query, k=k), replace(full, k=k), both, weights, switches)
    if adaptive and switches.depth:
        evidence = evidence[: depth(evidence, complexity=plan.complexity if switches.intent_depth else None)]
    return Found(plan, evidence, names, both[1], notice)


def _vectors(
    db: Database, texts: Sequence[str], embedder: Embedder | None
) -> tuple[tuple[list[float] | None, list[float] | None], str | None]:
    """The two texts as vectors of this store's space, None where there is none, and why not."""
    space = vectors.space(db)
    if space is None or embedder is None:
        return (None, None), None
    if space.model != embedder.model:
        return (None, None), "The embedding model has changed: searched by words only until `mem tidy`."
    try:
        found = list(embedder.embed(list(dict.fromkeys(texts))))
        db.need_vectors()
    except ModelFailed as error:
        return (None, None), f"{error.message} Searched by words only."
    except NoVectors as error:
        return (None, None), f"Searched by words only: {error}."
    return (found[0], found[-1]), None
