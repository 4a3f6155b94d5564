"""What a tidy would decide, without deciding it (C3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memcli.govern import find
from memcli.govern.ledger import Ledger
from memcli.govern.propose import propose
from memcli.govern.write import Writer
from memcli.ids import Ids
from memcli.log.memory import ms_of, text_of
from memcli.projection.database import Database
from memcli.recall.people import speakers
from memcli.store.store import Store
from memcli.tidy.derive import AUTHOR, say_nothing_new, unread
from memcli.tidy.index import count_pending

MOST = 5_000


@dataclass(frozen=True, slots=True)
class Step:
    """One decision that would be made: `op` as in the journal, about a memory that is there or would be made.

    `text` are its words, `since_ms` from when it is true, `other` the words
    of the memory that replaces it, has its sayings from then on, or stands
    against it.
    """

    op: str
    text: str
    since_ms: int | None = None
    other: str | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """The decisions in order, how many entries would be embedded and read, and whether more would follow."""

    steps: tuple[Step, ...]
    to_embed: int
    to_read: int
    more: bool


def preview(store: Store, db: Database, me: Sequence[str]) -> Preview:
    """Everything that reading the new entries would change; the first `MOST` of them. Writes nothing."""
    found = unread(db, MOST + 1)
    entries = found[:MOST]
    gated = say_nothing_new(db, entries)
    candidates, _ = propose(db, [entry for entry in entries if entry.id not in gated], me, speakers(db))
    writer = Writer(Ledger(db, me), "", AUTHOR, Ids(store.clock.now_ms).new)
    for item in candidates:
        writer.consider(item)
    changes = writer.changes
    told: dict[str, tuple[str, int | None]] = {}
    for change in changes:
        if change.op == "memory" and change.target is not None:
            told[change.target] = text_of(change.after["text"]), ms_of(change.after.get("since_ms"))
    named = [change.target or "" for change in changes] + [_other(change.after) or "" for change in changes]
    for memory in find.by_ids(db, named).values():
        told.setdefault(memory.id, (memory.statement.text, memory.since_ms))
    steps = []
    for change in changes:
        if change.target in told:
            text, since_ms = told[change.target]
            other = told.get(_other(change.after) or "")
            steps.append(Step(change.op, text, since_ms, None if other is None else other[0]))
    return Preview(tuple(steps), count_pending(db), len(entries), len(found) > MOST)


def _other(after: object) -> str | None:
    """The other memory that a change names."""
    if isinstance(after, dict):
        for name in ("by", "with", "into"):
            if isinstance(after.get(name), str):
                return str(after[name])
    return None
