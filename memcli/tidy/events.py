"""The step that forms events: entries that were embedded join one or start one, and the journal says which (B4, B6).

Incremental: what comes to a session is cut together with its event before,
so that a talk that is tidied turn by turn ends like one tidied whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from memcli.clock import DAY_MS
from memcli.lang.phrases import names_of
from memcli.lang.taxonomy import Taxonomy
from memcli.log.record import Change
from memcli.projection import events
from memcli.projection.database import Database
from memcli.projection.events import UNSORTED, Claim
from memcli.recall.topics import Shelves, filed
from memcli.store.store import Store
from memcli.tidy import grouping, wording
from memcli.tidy.grouping import Group
from memcli.tidy.material import AT_ONCE, Material, Stream, Turn, count_unplaced, said
from memcli.tidy.wording import Said

JOIN, NOTE_JOIN = 0.8, 0.4
"""How near a stretch must be to an event that it does not follow, to join it; a note has only that."""
REACH_MS, NOTE_REACH_MS = 2 * DAY_MS, 14 * DAY_MS
"""How far back and ahead such an event may lie."""
CANDIDATES = 40
MOST = 40
"""Entries that an event is let grow to by joining."""
TOGETHER = 256
"""Entries whose events are written and synced at once."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Formed:
    """What the step did: events that are new or have changed, entries that found their place, and that still wait.

    `claims` are the newest of each event, for whoever words them better.
    """

    events: int
    entries: int
    pending: int
    claims: tuple[Claim, ...] = ()


NOTHING = Formed(0, 0, 0)


def form(
    store: Store,
    db: Database,
    run: str,
    shelves: Shelves | None,
    out_of_time: Callable[[], bool],
    progress: Progress | None = None,
    put: Callable[[Sequence[Change]], None] | None = None,
) -> Formed:
    """Form events of what waits, a session at a time; what is written stays whatever happens after it.

    The caller holds the tidy lock. Asks no model. Without `shelves` events
    stay unsorted until a tidy that has them. `put` takes the changes instead
    of the journal, and has to apply them.
    """
    waiting = count_unplaced(db)
    forming = _Forming(store, db, run, shelves, put or partial(_decide, store, db))
    for stream in forming.material.streams() if waiting else ():
        more = True
        while more and not out_of_time():
            more = forming.place(stream)
            if progress is not None:
                progress(forming.placed, waiting)
    forming.write()
    forming.mend(out_of_time)
    forming.write()
    return Formed(len(forming.claims), forming.placed, waiting - forming.placed, tuple(forming.claims.values()))


def _decide(store: Store, db: Database, changes: Sequence[Change]) -> None:
    store.decide_within(db, lambda _: changes)


def is_due(db: Database, taxonomy: Taxonomy) -> bool:
    """Whether there is anything to form, to word anew or to file anew."""
    return (
        db.one("SELECT 1 FROM events WHERE stale = 1 LIMIT 1") is not None
        or bool(misfiled(db, taxonomy))
        or count_unplaced(db) > 0
    )


def misfiled(db: Database, taxonomy: Taxonomy) -> list[str]:
    """The events that another taxonomy could not sort, or sorted where this one has no place."""
    rows = db.rows("SELECT id, topic FROM events WHERE edition <> ? ORDER BY id", (taxonomy.edition,))
    return [event for event, topic in rows if not taxonomy.has(topic)]


@dataclass(slots=True)
class _Known:
    """An event as this run knows it: its entries, in order, and what a stretch has to be near to."""

    entries: list[str]
    group: Group
    notes: bool
    scope: str
    at_ms: int


class _Forming:
    """One run of the step. Events that this run has made or read are known; the others are in the index."""

    def __init__(
        self,
        store: Store,
        db: Database,
        run: str,
        shelves: Shelves | None,
        put: Callable[[Sequence[Change]], None],
    ) -> None:
        self._store, self._db, self._run, self._shelves, self._put = store, db, run, shelves, put
        self.material = Material(db)
        self.placed = 0
        self.claims: dict[str, Claim] = {}
        self._known: dict[str, _Known] = {}
        self._changes: list[Change] = []
        self._leaves: dict[str, set[str]] = {}

    # Placing

    def place(self, stream: Stream) -> bool:
        """Place what waits in one stretch of a session; whether there is more of it."""
        turns = self.material.stretch(stream)
        waiting = [turn for turn in turns if turn.event is None]
        if stream.notes:
            changed = dict.fromkeys(
                self._join([turn], stream, NOTE_JOIN, self._candidates(stream, ())) for turn in waiting
            )
        else:
            changed = dict.fromkeys(self._cut(turns, stream))
        here = {turn.id: turn for turn in turns}
        self._claim([self._claim_of(event, here) for event in changed], "entries about one thing")
        self.placed += len(waiting)
        more = len(turns) >= AT_ONCE
        if more or sum(len(change.evidence) for change in self._changes) >= TOGETHER:
            self.write()
            self._known = {
                id_: known for id_, known in self._known.items() if known.at_ms >= stream.at_ms - NOTE_REACH_MS
            }
        return more

    def _cut(self, turns: Sequence[Turn], stream: Stream) -> Iterator[str]:
        """Cut every run of waiting turns, with the event before it, where the talk turns; the events that change."""
        start = 0
        while start < len(turns):
            if turns[start].event is not None:
                start += 1
                continue
            end = next((place for place in range(start, len(turns)) if turns[place].event is not None), len(turns))
            begin = self._reopened(turns, start)
            beside = [id_ for place in (start - 1, end) if 0 <= place < len(turns) and (id_ := turns[place].event)]
            window = turns[begin:end]
            edges = [*grouping.cuts(self.material.pieces(window), self.material.scale), len(window)]
            before: str | None = None
            for left, right in pairwise(edges):
                event = window[0].event if left == 0 else None
                if event is not None:
                    before = self._keep(event, window[:right], stream.scope)
                elif end - start < grouping.SHORT and beside and begin == start:
                    before = self._join(window[left:right], stream, 0.0, beside)
                else:
                    near = [id_ for id_ in self._candidates(stream, turns) if id_ != before]
                    before = self._join(window[left:right], stream, JOIN, near)
                yield before
            start = end

    def _reopened(self, turns: Sequence[Turn], start: int) -> int:
        """Where the event begins that ends just before `start`, if it is whole and nowhere else; else `start`."""
        event = turns[start - 1].event if start else None
        if event is None:
            return start
        begin = start
        while begin and turns[begin - 1].event == event:
            begin -= 1
        return begin if start - begin == len(self._event(event).entries) else start

    def _keep(self, event: str, turns: Sequence[Turn], scope: str, group: Group | None = None) -> str:
        """The event is these turns from now on."""
        for turn in turns:
            turn.event = event
        notes = all(turn.notes for turn in turns)
        group = group or self.material.group(turns)
        known = _Known([turn.id for turn in turns], group, notes, scope, turns[-1].at_ms)
        self._known[event] = known
        return event

    def _join(self, part: Sequence[Turn], stream: Stream, least: float, candidates: Sequence[str]) -> str:
        """Put a stretch into the event that it is nearest to, where that is near enough, or begin one."""
        group = self.material.group(part)
        best, event = max(((self._nearness(group, id_), id_) for id_ in candidates), default=(-1.0, ""))
        if best < least:
            return self._keep(self._store.ids.new(), part, stream.scope, group)
        known = self._event(event)
        for turn in part:
            turn.event = event
        known.entries += [turn.id for turn in part]
        known.group = grouping.merged(known.group, group)
        known.at_ms = max(known.at_ms, part[-1].at_ms)
        return event

    def _nearness(self, group: Group, event: str) -> float:
        known = self._event(event)
        if known.group.size + group.size > MOST:
            return -1.0
        return grouping.nearness(group, known.group, self.material.scale)

    def _candidates(self, stream: Stream, turns: Sequence[Turn]) -> list[str]:
        """The events of this session, and those near in time of the same scope and kind."""
        reach = NOTE_REACH_MS if stream.notes else REACH_MS
        rows = self._db.rows(
            "SELECT id FROM events WHERE scope = ? AND seen_ms BETWEEN ? AND ? ORDER BY ABS(seen_ms - ?), id LIMIT ?",
            (stream.scope, stream.at_ms - reach, stream.at_ms + reach, stream.at_ms, CANDIDATES),
        )
        made = [id_ for id_, known in self._known.items() if abs(known.at_ms - stream.at_ms) <= reach]
        found = dict.fromkeys([*[turn.event for turn in turns if turn.event], *made, *[row[0] for row in rows]])
        return [
            id_ for id_ in found if self._event(id_).notes == stream.notes and self._event(id_).scope == stream.scope
        ]

    def _event(self, event: str) -> _Known:
        if event not in self._known:
            ids = events.entries_of(self._db, event)
            turns = self.material.turns(ids)
            scope, at_ms = self._db.one("SELECT scope, seen_ms FROM events WHERE id = ?", (event,))
            notes = all(turn.notes for turn in turns)
            self._known[event] = _Known(ids, self.material.group(turns), notes, scope, at_ms)
        return self._known[event]

    # Wording

    def _claim_of(self, event: str, here: Mapping[str, Turn]) -> Claim:
        """What the event is from now on: title, fact sheet and topic of all its turns."""
        ids = self._event(event).entries
        elsewhere = {turn.id: turn for turn in self.material.turns([id_ for id_ in ids if id_ not in here])}
        turns = [turn for id_ in ids if (turn := here.get(id_) or elsewhere.get(id_))]
        group = self._event(event).group
        names = names_of({turn.speaker for turn in turns if turn.speaker})
        worded = said(turns, group)
        telling = wording.weights(worded, self.material.rarity, names)
        topic, edition = self._topic(worded, group, telling, names)
        return Claim(
            event,
            wording.title(worded, telling, names, self.material.own_title(turns)),
            tuple(ids),
            tuple(wording.facts(worded, telling, names)),
            topic,
            edition,
        )

    def _topic(
        self, worded: Sequence[Said], group: Group, telling: Mapping[str, float], names: frozenset[str]
    ) -> tuple[str, str]:
        """(the path that the event is filed under, by which edition of the taxonomy)."""
        if self._shelves is None:
            return UNSORTED, ""
        edition = self._shelves.taxonomy.edition
        path = filed(grouping.unit(group.total), telling, self._shelves)
        if path == UNSORTED:
            return path, edition
        if path not in self._leaves:
            rows = self._db.rows(
                "SELECT DISTINCT topic FROM events WHERE topic >= ? AND topic < ?", (path + "/", path + "0")
            )
            self._leaves[path] = {topic[len(path) + 1 :] for (topic,) in rows}
        found = wording.leaf(worded, telling, names, self.material.rarity, self._leaves[path])
        if found is None:
            return path, edition
        self._leaves[path].add(found)
        return f"{path}/{found}", edition

    def mend(self, out_of_time: Callable[[], bool]) -> None:
        """Word anew the events that entries have left, and file anew those that the taxonomy can now place."""
        for (event,) in self._db.rows("SELECT id FROM events WHERE stale = 1 ORDER BY id"):
            if out_of_time():
                return
            if here := self._readable(event):
                self._claim([self._claim_of(event, here)], "entries have left the event")
        for event in misfiled(self._db, self._shelves.taxonomy) if self._shelves else ():
            if out_of_time():
                return
            old = events.standing(self._db, event)
            if old is not None and event not in self.claims and (here := self._readable(event)):
                new = self._claim_of(event, here)
                self._claim([replace(old, topic=new.topic, edition=new.edition)], "the taxonomy has changed")

    def _readable(self, event: str) -> dict[str, Turn]:
        """Its entries that are embedded just now, by id."""
        return {turn.id: turn for turn in self.material.turns(events.entries_of(self._db, event))}

    # Writing

    def _claim(self, claims: Sequence[Claim], reason: str) -> None:
        if not claims:
            return
        self.claims.update((claim.event, claim) for claim in claims)
        self._changes.append(events.change_of(self._run, claims, "tidy", reason))

    def write(self) -> None:
        """Put what was decided into the journal and into the index."""
        if self._changes:
            self._put(self._changes)
        self._changes = []
