"""The step that makes memories of new entries: read, propose, verify, decide (B2, C1, C3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from memcli.extract.context import WINDOW, Context
from memcli.extract.extract import extract
from memcli.govern.ledger import Ledger
from memcli.govern.verify import refusal
from memcli.govern.write import Candidate, Writer, candidate
from memcli.log.record import Change
from memcli.projection import reduce
from memcli.projection.database import COLUMNS, Database
from memcli.recall.people import speakers
from memcli.store.store import Store
from memcli.types import Entry

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
        candidates, why = propose(db, entries, me)
        refused += why

        def choose(
            db: Database, candidates: Sequence[Candidate] = candidates, last: str = entries[-1].id
        ) -> Sequence[Change]:
            writer = Writer(Ledger(db), run, AUTHOR, store.ids.new)
            for item in candidates:
                writer.consider(item)
            changes.update(change.op for change in writer.changes)
            cursor = Change("extract", run, AUTHOR, "read for memories", after={"through": last})
            return [*writer.changes, cursor]

        store.decide_within(db, choose)
        done += len(entries)
        if progress is not None:
            progress(done, total)
    return Derived(done, changes, refused, count_unread(db))


def propose(db: Database, entries: Sequence[Entry], me: Sequence[str]) -> tuple[list[Candidate], Counter[str]]:
    """The verified proposals of some entries, and how many were refused for what reason."""
    names = frozenset(speakers(db)) | frozenset(me)
    found: list[Candidate] = []
    refused: Counter[str] = Counter()
    for entry in entries:
        context = context_of(db, entry, me, names)
        known = {item.id: item for item in (*context.before, entry)}
        for item in extract(context):
            why = refusal(item, known, " ".join((context.speaker or "", context.listener or "")))
            if why is None:
                found.append(candidate(item, known))
            else:
                refused[why] += 1
    return found, refused


def context_of(db: Database, entry: Entry, me: Sequence[str], people: frozenset[str]) -> Context:
    """An entry with the turns before it, and whom "I" and "you" mean in it."""
    rows = db.rows(
        f"SELECT {COLUMNS} FROM entries WHERE state = 0 AND session = ? AND (ordinal, id) < (?, ?) "
        "ORDER BY ordinal DESC, id DESC LIMIT ?",
        (entry.session, entry.ordinal, entry.id, WINDOW),
    )
    before = tuple(db.entry(row) for row in reversed(rows))
    speaker = name_of(entry, me)
    others = {name for item in before if (name := name_of(item, me)) is not None and name != speaker}
    return Context(entry, speaker, others.pop() if len(others) == 1 else None, before, people)


def name_of(entry: Entry, me: Sequence[str]) -> str | None:
    """Whom "I" means in an entry: the person by their first configured name, others by the name that they go by."""
    if entry.trust == "self" or (entry.trust == "mail" and entry.role == "user"):
        return me[0] if me else entry.speaker or "You"
    return entry.speaker
