"""Question → plan → candidates → ranked evidence (D2, D3, D5)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memcli.projection.database import COLUMNS, Database
from memcli.recall.candidates import Turn, gather
from memcli.recall.people import speakers
from memcli.recall.question import Query, read
from memcli.recall.signals import measure, weigh
from memcli.recall.switches import SWITCHES, Switches
from memcli.recall.weights import WEIGHTS, Weights
from memcli.types import Entry


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
    weights: Weights = WEIGHTS,
    switches: Switches = SWITCHES,
    topic: str | None = None,
) -> list[Evidence]:
    """The best evidence first, at most `query.k`.

    `vector` is the unit embedding of `as_said(query.text, speakers(db))`,
    None where there is no embedder. The order depends on what is stored and
    on nothing else; equal scores go by id. The same words of the same speaker
    count once. `switches` say which mechanisms are on; `topic` is where the
    question is filed, for the one that asks.
    """
    ranked = rank(db, query, vector, weights, switches, topic)
    return [Evidence(_entry(db, turn), score, parts, turn.meaning) for turn, score, parts in ranked[: max(0, query.k)]]


def rank(
    db: Database,
    query: Query,
    vector: Sequence[float] | None,
    weights: Weights,
    switches: Switches = SWITCHES,
    topic: str | None = None,
) -> list[tuple[Turn, float, dict[str, float]]]:
    """Every candidate with its score and the parts of it, best first."""
    plan = read(query.text, speakers(db))
    field = gather(db, query, plan, vector, weights, switches, topic)
    scored = []
    for turn, signals in measure(field, plan):
        parts = weigh(signals, weights)
        scored.append((turn, math.fsum(parts.values()), parts))
    scored.sort(key=lambda item: (-item[1], item[0].id))
    seen: set[tuple[str | None, str]] = set()
    once = []
    for item in scored:
        said = (item[0].speaker, item[0].text)
        if said not in seen:
            seen.add(said)
            once.append(item)
    return once


def _entry(db: Database, turn: Turn) -> Entry:
    return db.entry(db.one(f"SELECT {COLUMNS} FROM entries WHERE seq = ?", (turn.seq,)))
