"""From a question to the evidence that is handed on: what `mem ask` does before anything is answered (D1-D5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memcli.errors import ModelFailed
from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.projection.sqlite import NoVectors
from memcli.recall.depth import MOST, depth
from memcli.recall.people import speakers
from memcli.recall.question import Plan, Query, as_said
from memcli.recall.rounds import BEHIND, ROUNDS, next_look, parts_of
from memcli.recall.search import Evidence, plan_of, recall_both, recall_several
from memcli.recall.switches import SWITCHES, Switches
from memcli.recall.weights import Weights

if TYPE_CHECKING:
    from memcli.llm.embed import Embedder

Shelve = Callable[[Sequence[float], str], str]
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
    weights: Weights | None = None,
    switches: Switches = SWITCHES,
    shelve: Shelve | None = None,
) -> Found:
    """The evidence worth reading for a question.

    `understood` is the question completed from the dialogue before it (D1);
    both are searched. `adaptive`: as many pieces as seem worth it, whatever
    `query.k` says; else `query.k` of them.
    """
    names = speakers(db)
    k = query.k if not adaptive else MOST if switches.depth else FIXED
    asked = replace(query, k=k)
    full = asked if understood is None else replace(asked, text=understood)
    plan = plan_of(db, full, switches, names)
    parts = [replace(full, text=text) for text in parts_of(full.text, names)] if switches.rounds else []
    queries = [full, asked, *parts]
    found, notice = vectors_for(db, [_embedded_as(one.text, names, switches) for one in queries], embedder, switches)
    if shelve is not None:
        queries = [
            one if vector is None else replace(one, topic=shelve(vector, one.text))
            for one, vector in zip(queries, found, strict=True)
        ]
    if parts:
        evidence = recall_several(db, queries, found, [0.0] * len(queries), weights, switches)
    else:
        evidence = recall_both(db, queries[1], queries[0], (found[1], found[0]), weights, switches, plan)
    for _ in range(ROUNDS - 1 if switches.rounds else 0):
        text = next_look(db, plan, [item.entry for item in evidence[:FIXED]], names, full.text)
        if text is None:
            break
        more, _ = vectors_for(db, [text], embedder, switches)
        queries.append(replace(full, text=text))
        found += more
        lowered = [0.0] * (len(queries) - 1) + [BEHIND]
        evidence = recall_several(db, queries, found, lowered, weights, switches)
    if adaptive and switches.depth:
        evidence = evidence[: depth(evidence, complexity=plan.complexity if switches.intent_depth else None)]
    return Found(plan, evidence, names, found[0], notice)


def _embedded_as(text: str, names: Sequence[str], switches: Switches) -> str:
    return as_said(text, names) if switches.as_said else text


def vectors_for(
    db: Database, texts: Sequence[str], embedder: Embedder | None, switches: Switches = SWITCHES
) -> tuple[list[list[float] | None], str | None]:
    """The texts as vectors of this store's space, None where there is none, and why not."""
    nothing: list[list[float] | None] = [None] * len(texts)
    space = vectors.space(db)
    if space is None or embedder is None or not switches.meaning:
        return nothing, None
    if space.model != embedder.model:
        return nothing, "The embedding model has changed: searched by words only until `mem tidy`."
    once = list(dict.fromkeys(texts))
    try:
        known = dict(zip(once, embedder.embed(once), strict=True))
        db.need_vectors()
    except ModelFailed as error:
        return nothing, f"{error.message} Searched by words only."
    except NoVectors as error:
        return nothing, f"Searched by words only: {error}."
    return [known[text] for text in texts], None
