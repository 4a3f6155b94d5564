"""The step that makes memories of new entries: read, propose, verify, decide (B2, C1, C3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from memcli.govern.ledger import Ledger
from memcli.govern.propose import propose
from memcli.govern.write import Candidate, Writer
from memcli.log.record import Change
from memcli.projection import reduce
from memcli.projection.database import COLUMNS, Database
from memcli.recall.people import speakers
from memcli.store.store import Store

BATCH = 200
AUTHOR = "extractor"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Derived:
    """What the step did: entries read, changes by operation, refusals by reason, entries left for next time."""

    entries: int
    changes: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    pending: int = 0


def count_unread(db: Database) -> int:
    """How many visible entries were not read for memories yet."""
    through = reduce.extracted_through(db) or ""
    return int(db.one("SELECT COUNT(*) FROM entries WHERE state = 0 AND id > ?", (through,))[0])


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
    done = 0
    changes: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    while total and not out_of_time():
        through = reduce.extracted_through(db) or ""
        rows = db.rows(
            f"SELECT {COLUMNS} FROM entries WHERE state = 0 AND id > ? ORDER BY id LIMIT ?", (through, BATCH)
        )
        if not rows:
            break
        entries = [db.entry(row) for row in rows]
        candidates, why = propose(db, entries, me, speakers(db))
        refused += why

        def choose(
            db: Database, candidates: Sequence[Candidate] = candidates, last: str = entries[-1].id
        ) -> Sequence[Change]:
            writer = Writer(Ledger(db, me), run, AUTHOR, store.ids.new)
            for item in candidates:
                writer.consider(item)
            decided = writer.changes
            changes.update(change.op for change in decided)
            cursor = Change("extract", run, AUTHOR, "read for memories", after={"through": last})
            return [*decided, cursor]

        store.decide_within(db, choose)
        done += len(entries)
        if progress is not None:
            progress(done, total)
    return Derived(done, changes, refused, count_unread(db))
