"""What a tidy would decide, without deciding it (C3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memcli.govern.ledger import Ledger
from memcli.govern.write import Writer
from memcli.ids import Ids
from memcli.projection import reduce
from memcli.projection.database import COLUMNS, Database
from memcli.store.store import Store
from memcli.tidy.derive import AUTHOR, propose, say_nothing_new
from memcli.tidy.index import count_pending
from memcli.types import Memory

MOST = 5_000


@dataclass(frozen=True, slots=True)
class Step:
    """One decision that would be made: `op` as in the journal, about a memory that is there or would be made.

    `other` is the memory that replaces it, supports it or stands against it.
    """

    op: str
    memory: Memory
    other: Memory | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """The decisions in order, how many entries would be embedded and read, and whether more would follow."""

    steps: tuple[Step, ...]
    to_embed: int
    to_read: int
    more: bool


def preview(store: Store, db: Database, me: Sequence[str]) -> Preview:
    """Everything that reading the new entries would change; the first `MOST` of them. Writes nothing."""
    through = reduce.extracted_through(db) or ""
    rows = db.rows(f"SELECT {COLUMNS} FROM entries WHERE state = 0 AND id > ? ORDER BY id LIMIT ?", (through, MOST + 1))
    entries = [db.entry(row) for row in rows[:MOST]]
    gated = say_nothing_new(db, entries)
    candidates, _ = propose(db, [entry for entry in entries if entry.id not in gated], me)
    ledger = Ledger(db)
    writer = Writer(ledger, "", AUTHOR, Ids(store.clock.now_ms).new)
    for item in candidates:
        writer.consider(item)
    steps = []
    for change in writer.changes:
        memory = ledger.by_id(change.target or "")
        other = change.after.get("by") or change.after.get("with")
        if memory is not None:
            steps.append(Step(change.op, memory, None if other is None else ledger.by_id(str(other))))
    return Preview(tuple(steps), count_pending(db), len(entries), len(rows) > MOST)
