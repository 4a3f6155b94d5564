"""Why an entry is not among the evidence for a question: the first thing that kept it out, and what it lacked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from memcli.lang.words import stem, words
from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.recall.candidates import gather
from memcli.recall.filters import condition
from memcli.recall.question import Query
from memcli.recall.search import plan_of, rank
from memcli.recall.weights import WEIGHTS, Weights
from memcli.types import Entry

Step = Literal["shown", "taken back", "filtered", "same words", "no candidate", "ranked lower"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where an entry was lost on its way to the evidence.

    `detail` says more in words. `place` is its rank from 1, of `of`
    candidates, where it was one; `score` its score and `cut` that of the last
    piece that is shown. `signals` are the parts of its score, `needed` those
    of the last piece shown, `shared` the words of the question that it has.
    """

    step: Step
    detail: str
    place: int | None = None
    of: int = 0
    score: float | None = None
    cut: float | None = None
    signals: Mapping[str, float] | None = None
    needed: Mapping[str, float] | None = None
    shared: tuple[str, ...] = ()
    cosine: float | None = None


def why_not(
    db: Database, query: Query, vector: Sequence[float] | None, entry: Entry, weights: Weights = WEIGHTS
) -> Verdict:
    """Follow the entry through visibility, filters, candidates and ranking, as `recall` does it."""
    seq, state = db.one("SELECT seq, state FROM entries WHERE id = ?", (entry.id,))
    if state != 0:
        return Verdict("taken back", "its run was taken back, or it was forgotten")
    where, values = condition(query)
    if db.one(f"SELECT 1 FROM entries e WHERE e.seq = ? AND {where}", (seq, *values)) is None:
        return Verdict("filtered", _filter(query, entry))
    plan = plan_of(db, query)
    own = {stem(word) for word in words(entry.text)}
    shared = tuple(term for term in plan.terms if stem(term) in own)
    cosine = None if vector is None else vectors.exact(db, vector, [seq]).get(seq)
    ranked = rank(db, query, vector, weights)
    shown = ranked[: query.k]
    cut = shown[-1] if shown else None
    for place, (turn, score, parts) in enumerate(ranked, 1):
        if turn.seq == seq:
            step: Step = "shown" if place <= query.k else "ranked lower"
            return Verdict(
                step,
                f"it is number {place} of {len(ranked):,} candidates",
                place,
                len(ranked),
                score,
                cut and cut[1],
                parts,
                cut and cut[2],
                shared,
                cosine,
            )
    twin = next((turn for turn, *_ in ranked if (turn.speaker, turn.text) == (entry.speaker, entry.text)), None)
    if twin is not None:
        return Verdict("same words", f"the same words of the same speaker count once, as {twin.id}", shared=shared)
    known = len(gather(db, query, plan, vector, weights).known)
    return Verdict("no candidate", _unfound(shared, cosine), of=known, shared=shared, cosine=cosine)


def _filter(query: Query, entry: Entry) -> str:
    if query.scope is not None and entry.scope != query.scope:
        return f"it is of scope {entry.scope}, not {query.scope}"
    if not query.include_tools and entry.role in ("tool", "system"):
        return "what tools and systems said is kept as evidence and not searched"
    if entry.moment is None or entry.moment.precision == "none":
        return "when it was said is unknown, so it is in no stretch of time"
    return "it was not said in the stretch of time that was asked for"


def _unfound(shared: Sequence[str], cosine: float | None) -> str:
    near = (
        "it is not indexed by meaning" if cosine is None else f"its meaning is {cosine:.2f} near, and others are nearer"
    )
    if not shared:
        return f"it shares no word with the question, and {near}"
    return f"it shares {', '.join(shared)} with the question, as many others do, and {near}"


def missing(verdict: Verdict, most: int = 3) -> list[tuple[str, float]]:
    """The signals that the last piece shown has more of, the greatest difference first."""
    if verdict.signals is None or verdict.needed is None:
        return []
    names = verdict.signals.keys() | verdict.needed.keys()
    gaps = [(name, verdict.needed.get(name, 0.0) - verdict.signals.get(name, 0.0)) for name in sorted(names)]
    return [
        (name, gap) for name, gap in sorted(gaps, key=lambda item: -item[1]) if gap > 0 and not math.isclose(gap, 0)
    ][:most]
