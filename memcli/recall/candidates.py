"""Which turns are worth scoring, and what stands around them (D2).

Hits by words and hits by meaning; the best of both; then their neighbours in
the session, because an answer often shares nothing with the question but
stands right after the turn that does.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import NamedTuple

from memcli.clock import DAY_MS, EPOCH, FIRST_MS, LAST_MS
from memcli.projection import lexical, vectors
from memcli.projection.database import Database
from memcli.recall import events
from memcli.recall.filters import WALL_MS, condition, is_narrow
from memcli.recall.question import Plan, Query
from memcli.recall.switches import SWITCHES, Switches
from memcli.recall.weights import Weights

HITS = 200
BEST = 100
REACH = 2
"""How far from a hit a turn may stand and still be a candidate."""
BACK, AHEAD = 4, 2
"""How far back and ahead of a candidate its score looks."""
TOO_FEW = 100
_COLUMNS = (
    f"e.seq, e.id, e.session, e.ordinal, e.speaker, e.trust, CASE WHEN e.precision <> 'none' THEN {WALL_MS} END, e.text"
)
_MOST_OFFSET_MS = 14 * 3_600_000
_MONOLOGUE_MS = 3_600_000
_LONGEST_MS = 62 * DAY_MS


@dataclass(slots=True, eq=False)
class Turn:
    """A visible entry with what its score is made of, linked to its neighbours as far as they were looked at.

    `words` is its BM25 over the logarithm of the number of entries,
    `covers` which terms of the question it has, `meaning` its cosine;
    `names_date` whether it names a time that the question names. `event` is the
    one it is in and `shelf` how near that is filed to the question, both only
    where a mechanism that is on reads them.
    """

    seq: int
    id: str
    session: str
    ordinal: int
    speaker: str | None
    trust: str
    wall_ms: int | None
    text: str
    words: float = 0.0
    covers: frozenset[int] = frozenset()
    meaning: float = 0.0
    before: Turn | None = None
    after: Turn | None = None
    names_time: bool = False
    names_date: bool = False
    opens: bool = False
    closes: bool = False
    event: str | None = None
    shelf: float = 0.0

    @property
    def sitting(self) -> tuple[str, int]:
        """Its session, cut by days: a chat that never ends is no one conversation."""
        return self.session, -1 if self.wall_ms is None else self.wall_ms // DAY_MS


@dataclass(frozen=True, slots=True)
class Field:
    """What is scored (`turns`), everything that was looked at (`known`), and how rare each term of the question is."""

    turns: Sequence[Turn]
    known: Sequence[Turn]
    rarity: Sequence[float]


class Span(NamedTuple):
    """A stretch of the wall clock that the question names, and for how long after it is told of.

    `named`: an entry may also mean it by naming it, whenever that is said.
    `coming`: it is not over yet, so it can only be named beforehand.
    """

    begin: int
    end: int
    told: int
    named: bool = True
    coming: bool = False

    @property
    def long(self) -> bool:
        """Whether more is said in it than is worth looking at without a word of the question."""
        return self.end - self.begin > _LONGEST_MS


def gather(
    db: Database,
    query: Query,
    plan: Plan,
    vector: Sequence[float] | None,
    weights: Weights,
    switches: Switches = SWITCHES,
) -> Field:
    """The candidates for a question, measured by words and by meaning."""
    where, values = condition(query)
    spans = _spans(db, plan)
    known = _hits(db, query, plan, vector, spans)
    total = math.log(2 + int(db.meta("visible")))
    for turn in known.values():
        turn.words /= total

    def promise(turn: Turn) -> tuple[float, str]:
        score = weights.words * turn.words + weights.meaning * turn.meaning
        return -(score + weights.date * plan.nearness(turn.wall_ms)), turn.id

    ranked = sorted(known.values(), key=promise)
    chosen: dict[int, Turn] = {}
    for hit in ranked[:BEST]:
        chosen.update((turn.seq, turn) for turn in _surround(db, hit, known, where, values))
    if switches.event_route or switches.topic_route:
        promised = {turn.seq: -promise(turn)[0] for turn in ranked}
        routed = events.routed(db, promised, vector, weights.meaning, switches, query.topic)
        known.update(_load(db, routed - known.keys(), where, values))
        for seq in sorted(routed & known.keys()):
            chosen.update((turn.seq, turn) for turn in _surround(db, known[seq], known, where, values))
    if vector is not None:
        beside = {near.seq for turn in chosen.values() for near in (turn, turn.before, turn.after) if near}
        for seq, value in vectors.exact(db, vector, [seq for seq in beside if not known[seq].meaning]).items():
            known[seq].meaning = value
    _read_times(db, chosen, spans)
    rarity = _measure_words(db, plan.terms, known, total)
    if switches.event_signal or switches.topic_route:
        for seq, place in events.places(db, known).items():
            known[seq].event = place.event if switches.event_signal else None
            known[seq].shelf = events.alike(place.topic, query.topic) if switches.topic_route else 0.0
    return Field(sorted(chosen.values(), key=lambda turn: turn.id), list(known.values()), rarity)


def _hits(
    db: Database, query: Query, plan: Plan, vector: Sequence[float] | None, spans: Sequence[Span]
) -> dict[int, Turn]:
    """The turns that the two indexes find, first without a look at the filters: most pass them."""
    where, values = condition(query)
    narrow = is_narrow(query)
    by_words = None if narrow else lexical.best(db, plan.terms, HITS)
    if by_words is None:
        by_words = lexical.search(db, list(plan.terms), HITS, where, values)
    close: dict[int, float] = {}
    if vector is not None:
        close = vectors.nearest(db, vector, HITS, where, values) if narrow else vectors.nearest(db, vector, HITS)
    dated = _dated(db, spans, plan.terms, where, values)
    found = _load(db, {hit.seq for hit in by_words} | close.keys() | dated, where, values)
    if not narrow and len(found) < TOO_FEW:
        by_words = lexical.search(db, list(plan.terms), HITS, where, values)
        if vector is not None:
            close = vectors.nearest(db, vector, HITS, where, values)
        found = _load(db, {hit.seq for hit in by_words} | close.keys() | dated, where, values)
    if vector is not None:
        close |= vectors.exact(db, vector, found.keys() - close.keys())
    for hit in by_words:
        if hit.seq in found:
            found[hit.seq].words = hit.score
    for seq, turn in found.items():
        turn.meaning = close.get(seq, 0.0)
    return found


def _dated(db: Database, spans: Sequence[Span], terms: Sequence[str], where: str, values: Sequence[object]) -> set[int]:
    """The turns said in a time that the question names or a little after, and those that name it themselves (D6).

    Of a long time only those that share a word with the question.
    """
    found: set[int] = set()
    for span in spans:
        begin, end = span.begin, span.end + span.told
        within = f"e.said_ms >= ? AND e.said_ms < ? AND {WALL_MS} >= ? AND {WALL_MS} < ? AND {where}"
        limits = (begin - _MOST_OFFSET_MS, end + _MOST_OFFSET_MS, begin, end, *values)
        if span.long and terms:
            found.update(hit.seq for hit in lexical.search(db, list(terms), HITS, within, limits))
        else:
            rows = db.rows(f"SELECT e.seq FROM entries e WHERE {within} ORDER BY e.id LIMIT ?", (*limits, HITS))
            found.update(seq for (seq,) in rows)
        if span.named and (span.coming or not span.long):
            named = db.rows(
                "SELECT DISTINCT e.seq FROM times t JOIN entries e USING (seq) "
                f"WHERE t.start_ms >= ? AND t.start_ms < ? AND {where} ORDER BY e.id LIMIT ?",
                (span.begin, span.end, *values, HITS),
            )
            found.update(seq for (seq,) in named)
    return found


def _spans(db: Database, plan: Plan) -> list[Span]:
    """The stretches of time that the question may mean in this store."""
    found = [
        Span(
            FIRST_MS if bound.start_ms is None else bound.start_ms,
            LAST_MS if bound.end_ms is None else bound.end_ms,
            bound.told_ms,
            bound.axis == "happened",
            plan.comes(bound),
        )
        for bound in plan.bounds
    ]
    dates = plan.dates + plan.other_years
    if not dates:
        return found
    first, last = db.one("SELECT MIN(said_ms), MAX(said_ms) FROM entries WHERE state = 0")
    if first is None:
        return found
    years = [(EPOCH + timedelta(milliseconds=ms)).year for ms in (first, last)]
    return found + [
        Span(begin, end, date.told_ms) for date in dates for begin, end in date.spans(years[0] - 1, years[1] + 1)
    ]


def _read_times(db: Database, turns: Mapping[int, Turn], spans: Sequence[Span]) -> None:
    """What times the turns name, and whether one is a time that the question names."""
    rows = db.rows(
        "SELECT seq, start_ms, end_ms FROM times WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(turns)),),
    )
    for seq, start, end in rows:
        turns[seq].names_time = True
        if end - start <= _LONGEST_MS and any(span.named and start < span.end and end > span.begin for span in spans):
            turns[seq].names_date = True


def _load(db: Database, seqs: Iterable[int], where: str, values: Sequence[object]) -> dict[int, Turn]:
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM entries e WHERE e.seq IN (SELECT value FROM json_each(?)) AND {where}",
        (json.dumps(sorted(seqs)), *values),
    )
    return {row[0]: Turn(*row) for row in rows}


def _surround(db: Database, hit: Turn, known: dict[int, Turn], where: str, values: Sequence[object]) -> list[Turn]:
    """Link a hit to its neighbours, as far as scores look; those within reach, and the hit itself."""
    earlier = _walk(hit, REACH + BACK, back=True)
    if earlier is None:
        earlier = _fetch(db, hit, known, where, values, REACH + BACK, back=True)
        for after, before in pairwise([hit, *earlier]):
            after.before, before.after = before, after
        if len(earlier) < REACH + BACK:
            (earlier or [hit])[-1].opens = True
    later = _walk(hit, REACH + AHEAD, back=False)
    if later is None:
        later = _fetch(db, hit, known, where, values, REACH + AHEAD, back=False)
        for before, after in pairwise([hit, *later]):
            before.after, after.before = after, before
        if len(later) < REACH + AHEAD:
            (later or [hit])[-1].closes = True
    return [*earlier[:REACH], hit, *later[:REACH]]


def _walk(hit: Turn, far: int, *, back: bool) -> list[Turn] | None:
    """The neighbours on one side, nearest first, where enough of them are linked already."""
    found: list[Turn] = []
    here = hit
    while len(found) < far:
        if here.opens if back else here.closes:
            return found
        there = here.before if back else here.after
        if there is None:
            return None
        found.append(there)
        here = there
    return found


def _fetch(
    db: Database, hit: Turn, known: dict[int, Turn], where: str, values: Sequence[object], far: int, *, back: bool
) -> list[Turn]:
    than, order = ("<", "DESC") if back else (">", "ASC")
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM entries e WHERE e.session = ? AND (e.ordinal, e.id) {than} (?, ?) AND {where} "
        f"ORDER BY e.ordinal {order}, e.id {order} LIMIT ?",
        (hit.session, hit.ordinal, hit.id, *values, far),
    )
    found: list[Turn] = []
    here = hit
    for row in rows:
        there = known.get(row[0]) or Turn(*row)
        if not _together(here, there):
            break
        known[there.seq] = there
        found.append(there)
        here = there
    return found


def _together(turn: Turn, other: Turn) -> bool:
    """Whether neighbours belong together: an answer may take all day, a monologue ends after an hour."""
    if turn.speaker != other.speaker or turn.wall_ms is None or other.wall_ms is None:
        return True
    return abs(turn.wall_ms - other.wall_ms) <= _MONOLOGUE_MS


def _measure_words(db: Database, terms: Sequence[str], known: Mapping[int, Turn], total: float) -> list[float]:
    """BM25 of every known turn, exactly, a term at a time; returns how rare each term is."""
    entries = max(1, int(db.meta("visible")))
    scores: dict[int, float] = {}
    covers: dict[int, list[int]] = {}
    rarity = []
    for number, term in enumerate(terms):
        count = lexical.frequency(db, term)
        rarity.append(max(0.1, math.log((entries - count + 0.5) / (count + 0.5))) if count else 0.0)
        for seq, score in lexical.scores(db, term, known).items():
            scores[seq] = scores.get(seq, 0.0) + score
            covers.setdefault(seq, []).append(number)
    for seq, turn in known.items():
        turn.words = scores.get(seq, 0.0) / total
        turn.covers = frozenset(covers.get(seq, ()))
    return rarity
