"""Question → plan → candidates → ranked evidence (D2, D3, D5)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memcli.projection import vectors
from memcli.projection.database import COLUMNS, Database
from memcli.recall.candidates import Field, Turn, gather
from memcli.recall.order import Scored, in_order
from memcli.recall.people import speakers
from memcli.recall.question import Plan, Query, read
from memcli.recall.signals import measure, weigh, weight
from memcli.recall.switches import SWITCHES, Switches
from memcli.recall.weights import Weights, audible, weights_for
from memcli.types import Entry

LATER = "later_look"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One entry that may answer the question. `signals` says what its score is the sum of.

    `cosine` is that of the question and the entry, 0 where there is no vector.
    """

    entry: Entry
    score: float
    signals: Mapping[str, float]
    cosine: float = 0.0


def recall(
    db: Database,
    query: Query,
    vector: Sequence[float] | None,
    weights: Weights | None = None,
    switches: Switches = SWITCHES,
    plan: Plan | None = None,
) -> list[Evidence]:
    """The best evidence first, at most `query.k`.

    `vector` is the unit embedding of `as_said(query.text, speakers(db))`,
    None where there is no embedder. The order depends on what is stored, on
    `query.now_ms` and on nothing else; equal scores go by id. The same words of the same speaker
    count once. `weights` are by default those that were fitted with the switches;
    `plan` is that of the question, where it is known already.
    """
    ranked = rank(db, query, vector, weights, switches, plan)
    return [Evidence(_entry(db, turn), score, parts, turn.meaning) for turn, score, parts in ranked[: max(0, query.k)]]


def plan_of(db: Database, query: Query, switches: Switches = SWITCHES, names: Sequence[str] | None = None) -> Plan:
    """What the question looks for, in this store; `names` are its speakers, where they are known already."""
    names = speakers(db) if names is None else names
    return read(query.text, names, query.now_ms if switches.time_bounds else None)


def recall_both(
    db: Database,
    asked: Query,
    understood: Query,
    vectors_of: tuple[Sequence[float] | None, Sequence[float] | None],
    weights: Weights | None = None,
    switches: Switches = SWITCHES,
    plan: Plan | None = None,
) -> list[Evidence]:
    """The best evidence for a question as it was asked and as it is understood, best first (D1).

    Every turn counts with the better of its two scores, so what the question
    finds by its own words is never lost to a wrong rewriting. What share of a
    question a turn covers is measured by the fuller of the two: "and" is the
    whole of "And Ben?", and turns that say "and" would come first. Where both
    are the same it is `recall`, with that `plan`. `vectors_of` are the embeddings of the two;
    `cosine` is that with the question as it is understood.
    """
    if understood.text == asked.text:
        return recall(db, asked, vectors_of[0], weights, switches, plan)
    return recall_several(db, (understood, asked), vectors_of[::-1], (0.0, 0.0), weights, switches)


def recall_several(
    db: Database,
    queries: Sequence[Query],
    vectors_of: Sequence[Sequence[float] | None],
    lowered: Sequence[float],
    weights: Weights | None = None,
    switches: Switches = SWITCHES,
) -> list[Evidence]:
    """The best evidence for several questions that stand for one, the first of them the one that is meant.

    Every turn counts with the best of its scores, each lowered by what that
    question's are `lowered` by; `cosine` is that with the first question.
    """
    weighed = audible(weights or weights_for(switches), switches)
    scored = _score_several(db, queries, vectors_of, lowered, weighed, switches)
    chosen = _once(sorted(scored, key=_order))[: max(0, queries[0].k)]
    near = {} if vectors_of[0] is None else vectors.exact(db, vectors_of[0], [turn.seq for turn, _, _ in chosen])
    return [Evidence(_entry(db, turn), score, parts, near.get(turn.seq, 0.0)) for turn, score, parts in chosen]


def rank(
    db: Database,
    query: Query,
    vector: Sequence[float] | None,
    weights: Weights | None = None,
    switches: Switches = SWITCHES,
    plan: Plan | None = None,
) -> list[Scored]:
    """Every candidate with its score and the parts of it, best first."""
    weights = audible(weights or weights_for(switches), switches)
    plan = plan or plan_of(db, query, switches)
    field = gather(db, query, plan, vector, weights, switches)
    return _once(sorted(_scored(field, plan, weights, switches), key=_order))


def _score_several(
    db: Database,
    queries: Sequence[Query],
    embeddings: Sequence[Sequence[float] | None],
    lowered: Sequence[float],
    weights: Weights,
    switches: Switches,
) -> Iterator[Scored]:
    """The candidates of several questions, their words measured by the one that has most to tell."""
    plans = [plan_of(db, query, switches) for query in queries]
    fields = [
        gather(db, query, plan, vector, weights, switches)
        for query, plan, vector in zip(queries, plans, embeddings, strict=True)
    ]
    need = max(weight(field) for field in fields)
    for field, plan, less in zip(fields, plans, lowered, strict=True):
        for turn, score, parts in _scored(field, plan, weights, switches, need):
            yield (turn, score - less, {**parts, LATER: -less}) if less else (turn, score, parts)


def _scored(field: Field, plan: Plan, weights: Weights, switches: Switches, need: float = 0.0) -> list[Scored]:
    scored = []
    for turn, signals in measure(field, plan, need):
        parts = weigh(signals, weights)
        scored.append((turn, math.fsum(parts.values()), parts))
    return in_order(scored, plan, field.rarity) if switches.order else scored


def _order(item: Scored) -> tuple[float, str]:
    return -item[1], item[0].id


def _once(ranked: Sequence[Scored]) -> list[Scored]:
    """The same without what stands further up, the turn itself or the same words of the same speaker."""
    seen: set[tuple[str | None, str]] = set()
    once = []
    for item in ranked:
        said = (item[0].speaker, item[0].text)
        if said not in seen:
            seen.add(said)
            once.append(item)
    return once


def _entry(db: Database, turn: Turn) -> Entry:
    return db.entry(db.one(f"SELECT {COLUMNS} FROM entries WHERE seq = ?", (turn.seq,)))
