"""The step that makes memories of new entries: read, propose, verify, decide (B2, C1, C3)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from memcli.govern.ledger import Ledger
from memcli.govern.propose import propose
from memcli.govern.write import Candidate, Writer
from memcli.log.record import Change
from memcli.projection import reduce, vectors
from memcli.projection.database import COLUMNS, Database
from memcli.recall.people import speakers
from memcli.store.store import Store
from memcli.tidy.gate import windows
from memcli.types import Entry

BATCH = 200
AUTHOR = "extractor"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Derived:
    """What the step did: entries seen, of which so many said nothing new; changes by operation, refusals by reason."""

    entries: int
    gated: int = 0
    changes: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    pending: int = 0


def count_unread(db: Database, by: str = "") -> int:
    """How many visible entries were not read for memories yet, by the rules or by this model."""
    through = reduce.extracted_through(db, by) or ""
    return int(db.one("SELECT COUNT(*) FROM entries WHERE state = 0 AND id > ?", (through,))[0])


def unread(db: Database, limit: int, by: str = "") -> list[Entry]:
    """The first of them, oldest first, at most `limit`."""
    through = reduce.extracted_through(db, by) or ""
    rows = db.rows(f"SELECT {COLUMNS} FROM entries WHERE state = 0 AND id > ? ORDER BY id LIMIT ?", (through, limit))
    return [db.entry(row) for row in rows]


def decide(
    store: Store,
    db: Database,
    me: Sequence[str],
    run: str,
    candidates: Sequence[Candidate],
    reason: str,
    after: Mapping[str, object],
) -> Counter[str]:
    """Write what follows from a batch, and how far it went (`after`), as one decision; the changes by operation."""
    counts: Counter[str] = Counter()

    def choose(db: Database) -> Sequence[Change]:
        writer = Writer(Ledger(db, me), run, AUTHOR, store.ids.new)
        for item in candidates:
            writer.consider(item)
        decided = writer.changes
        counts.update(change.op for change in decided)
        return [*decided, Change("extract", run, AUTHOR, reason, after=after)]

    store.decide_within(db, choose)
    return counts


def derive(
    store: Store,
    db: Database,
    me: Sequence[str],
    run: str,
    out_of_time: Callable[[], bool],
    progress: Progress | None = None,
) -> Derived:
    """Read what is new, a batch at a time; every batch is one decision, kept whatever happens after it.

    `me` are the person's configured names. The caller holds the tidy lock.
    """
    total = count_unread(db)
    done = left_out = 0
    changes: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    while total and not out_of_time():
        entries = unread(db, BATCH)
        if not entries:
            break
        gated = say_nothing_new(db, entries)
        candidates, why = propose(db, [entry for entry in entries if entry.id not in gated], me, speakers(db))
        refused += why
        after: dict[str, object] = {"through": entries[-1].id}
        if gated:
            after["gated"] = sorted(gated)
        changes += decide(store, db, me, run, candidates, "read for memories", after)
        done += len(entries)
        left_out += len(gated)
        if progress is not None:
            progress(done, total)
    return Derived(done, left_out, changes, refused, count_unread(db))


def say_nothing_new(db: Database, entries: Sequence[Entry]) -> frozenset[str]:
    """The entries whose windows say too little that is new to be read for memories (B1); none without vectors."""
    half: dict[str, bytes] = dict(
        db.rows(
            "SELECT e.id, v.half FROM vectors v JOIN entries e USING (seq) WHERE e.id IN "
            "(SELECT value FROM json_each(?))",
            (json.dumps([entry.id for entry in entries]),),
        )
    )
    found = {name: vectors.from_half(value) for name, value in half.items()}
    talks: dict[str, list[Entry]] = {}
    for entry in entries:
        talks.setdefault(entry.session, []).append(entry)
    return frozenset(
        name
        for turns in talks.values()
        for window in windows(sorted(turns, key=lambda turn: (turn.ordinal, turn.id)), found, set())
        if window.gated
        for name in window.entries
    )
