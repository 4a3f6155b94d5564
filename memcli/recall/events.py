"""The event route: which events a question is about, and where their turns are filed (D5, B6)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple

from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.projection.events import UNSORTED
from memcli.recall.switches import Switches

BEST = 10
"""Events whose turns are candidates."""
_LOOKED_AT = 40
_BEST_TURNS = 3


class Place(NamedTuple):
    """The event that an entry is in, and the topic that it is filed under."""

    event: str
    topic: str


def places(db: Database, seqs: Iterable[int]) -> dict[int, Place]:
    """Where these entries stand, as far as they are in an event."""
    rows = db.rows(
        "SELECT x.seq, x.event, v.topic FROM event_entries x JOIN events v ON v.id = x.event "
        "WHERE x.seq IN (SELECT value FROM json_each(?))",
        (json.dumps(list(seqs)),),
    )
    return {seq: Place(event, topic) for seq, event, topic in rows}


def routed(
    db: Database,
    promise: Mapping[int, float],
    vector: Sequence[float] | None,
    meaning_weight: float,
    switches: Switches,
    topic: str | None,
) -> set[int]:
    """The entries, by row number, of the events that promise most, at most `BEST` by each route that is on.

    `promise` is the score of every hit. An event has the mean of its three
    best, and on top how near its centroid is to the question, in the same
    measure. The topic route looks only at events filed in the category of the
    question. Equal ones go by id.
    """
    standing = places(db, promise)
    found: set[int] = set()
    if switches.event_route:
        found |= _members(db, _best(db, promise, standing, vector, meaning_weight))
    if switches.topic_route:
        here = {seq: place for seq, place in standing.items() if alike(place.topic, topic) == 1.0}
        found |= _members(db, _best(db, promise, here, vector, meaning_weight))
    return found


def _best(
    db: Database,
    promise: Mapping[int, float],
    standing: Mapping[int, Place],
    vector: Sequence[float] | None,
    meaning_weight: float,
) -> list[str]:
    by_event: dict[str, list[float]] = {}
    for seq, place in standing.items():
        by_event.setdefault(place.event, []).append(promise[seq])
    score = {event: math.fsum(nlargest(_BEST_TURNS, values)) / _BEST_TURNS for event, values in by_event.items()}
    likely = sorted(score, key=lambda event: (-score[event], event))[:_LOOKED_AT]
    if vector is not None:
        for event, cosine in _centroids(db, likely, vector).items():
            score[event] += meaning_weight * cosine
    return sorted(likely, key=lambda event: (-score[event], event))[:BEST]


def _members(db: Database, events: Sequence[str]) -> set[int]:
    rows = db.rows(
        "SELECT seq FROM event_entries WHERE event IN (SELECT value FROM json_each(?))",
        (json.dumps(list(events)),),
    )
    return {seq for (seq,) in rows}


def _centroids(db: Database, events: Sequence[str], vector: Sequence[float]) -> dict[str, float]:
    """The cosine between the question and the centroid of each event."""
    halves = db.rows(
        "SELECT x.event, v.half FROM event_entries x JOIN vectors v USING (seq) "
        "WHERE x.event IN (SELECT value FROM json_each(?)) ORDER BY x.event, x.seq",
        (json.dumps(list(events)),),
    )
    totals: dict[str, list[float]] = {}
    for event, half in halves:
        values = vectors.from_half(half)
        old = totals.get(event)
        totals[event] = list(values) if old is None else [one + other for one, other in zip(old, values, strict=True)]
    found = {}
    for event, total in totals.items():
        norm = math.sqrt(math.fsum([value * value for value in total])) or 1.0
        found[event] = math.fsum([one * other for one, other in zip(vector, total, strict=True)]) / norm
    return found


def alike(topic: str, asked: str | None) -> float:
    """How near an event's topic is to that of a question: 1 in the same category, 0.5 in the same domain, else 0."""
    if asked is None or UNSORTED in (topic, asked):
        return 0.0
    mine, other = topic.split("/"), asked.split("/")
    if mine[:2] == other[:2]:
        return 1.0
    return 0.5 if mine[0] == other[0] else 0.0
