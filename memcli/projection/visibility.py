"""Which entries count: not those whose run is taken back, not those that are forgotten.

An entry enters and leaves both indexes and the digest here and nowhere else,
and what is derived from it follows: memories and events.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memcli.projection import lexical, times
from memcli.projection.database import COLUMNS, Database
from memcli.types import Entry

VISIBLE, TAKEN_BACK, FORGOTTEN = 0, 1, 2


def state_of(db: Database, entry_id: str, run: str) -> int:
    """The state that all records so far give an entry. Of what stands about it the newest run decides."""
    if run in db.undone():
        return TAKEN_BACK
    if not db.has_rows("forgettings"):
        return VISIBLE
    for decided_by, forgets in db.rows(
        "SELECT run, forgets FROM forgettings WHERE entry = ? ORDER BY run DESC", (entry_id,)
    ):
        if decided_by not in db.undone():
            return FORGOTTEN if forgets else VISIBLE
    return VISIBLE


def decide(db: Database, ids: Iterable[str], run: str, *, forgets: bool) -> None:
    """A run forgets or restores entries, whether they are there yet or not; the caller holds the transaction."""
    ids = list(ids)
    db.fills("forgettings")
    db.raw.executemany(
        "INSERT INTO forgettings VALUES (?, ?, ?) "
        "ON CONFLICT (entry, run) DO UPDATE SET forgets = max(forgets, excluded.forgets)",
        [(entry_id, run, int(forgets)) for entry_id in ids],
    )
    settle(db, ids)


def settle(db: Database, ids: Iterable[str]) -> None:
    """Bring entries into the state that their records add up to; the caller holds the transaction."""
    moved: list[str] = []
    for entry_id in ids:
        row = db.one(f"SELECT {COLUMNS}, state, embedded FROM entries WHERE id = ?", (entry_id,))
        if row is None:
            continue
        seq, run, row_mark, old, embedded = row[0], row[2], row[21], row[-2], row[-1]
        new = state_of(db, entry_id, run)
        if new == old:
            continue
        db.execute("UPDATE entries SET state = ? WHERE seq = ?", (new, seq))
        if old == VISIBLE:
            leave(db, seq, row_mark, embedded)
        elif new == VISIBLE:
            enter(db, seq, db.entry(row), row_mark)
        moved.append(entry_id)
    tell(db, moved)


def enter(db: Database, seq: int, entry: Entry, row_mark: bytes) -> None:
    """A row that counts from now on; the caller `tell`s of it."""
    lexical.insert(db, seq, entry.text)
    times.insert(db, seq, entry)
    db.count_in(row_mark)


def leave(db: Database, seq: int, row_mark: bytes, embedded: int) -> None:
    """A row that does not count any more, or is not there any more; the caller `tell`s of it.

    Raises `Damaged` where its vector cannot be taken out.
    """
    lexical.delete(db, seq)
    times.delete(db, seq)
    if embedded:
        from memcli.projection import vectors

        vectors.delete(db, [seq])
    db.count_out(row_mark)


def tell(db: Database, ids: Sequence[str]) -> None:
    """What is derived from entries that came or went follows: memories are folded, events are settled anew.

    An add, of which nothing is derived yet, pays for a look only.
    """
    if any(db.raw.execute("SELECT 1 FROM cites WHERE entry = ? LIMIT 1", (one,)).fetchone() for one in ids):
        from memcli.projection import memories

        memories.refold_citing(db, ids)
    if any(db.raw.execute("SELECT 1 FROM event_links WHERE entry = ? LIMIT 1", (one,)).fetchone() for one in ids):
        from memcli.projection import events

        events.settle(db, (), ids)
