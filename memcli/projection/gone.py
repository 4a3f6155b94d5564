"""What is purged: it has no row and never gets one again, in whatever order its records come (C11).

A record that still holds words of it goes into `remains`: its line is still to
be overwritten, by who opens the home next.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping

from memcli.log.record import Change
from memcli.log.tombstone import NO_MARKS, Marks
from memcli.projection import visibility
from memcli.projection.database import Database

__all__ = ["NO_MARKS", "bury", "bury_memories", "has_remains", "takes", "takes_change", "takes_question"]


_NAMED = "SELECT 1 FROM cites WHERE entry = ? UNION ALL SELECT 1 FROM event_links WHERE entry = ? LIMIT 1"


def takes(db: Database, entry_id: str) -> bool:
    """Whether an entry that comes is purged already."""
    if not db.has_rows("purged") or db.one("SELECT 1 FROM purged WHERE id = ?", (entry_id,)) is None:
        return False
    _remains(db, entry_id)
    return True


def takes_question(db: Database, question_id: str, cites: Collection[str]) -> bool:
    """Whether a question that comes is purged, by its id or with an entry that was shown for it.

    Its words are about what was purged, so it goes with it.
    """
    if not db.has_rows("purged"):
        return False
    asked = json.dumps([question_id, *cites])
    if db.one("SELECT 1 FROM purged WHERE id IN (SELECT value FROM json_each(?))", (asked,)) is None:
        return False
    _note(db, question_id, NO_MARKS)
    _remains(db, question_id)
    return True


def takes_change(db: Database, change: Change) -> bool:
    """Whether a change that comes is purged, with the memory that it is about.

    One that only names what is purged stays for now: it is yet to be made shorter.
    """
    if not db.has_rows("purged"):
        return False
    quotes = change.after.get("quotes") or ()
    asked = json.dumps([change.target, *change.evidence, *(pair[0] for pair in quotes)])
    named = {row[0] for row in db.rows("SELECT id FROM purged WHERE id IN (SELECT value FROM json_each(?))", (asked,))}
    for one in named:
        _remains(db, one)
    return change.target in named


def bury(db: Database, found: Mapping[str, Marks]) -> None:
    """Entries and questions go for good, and the questions for which these entries were shown.

    The caller holds the transaction.
    """
    homeless: set[str] = set()
    for record_id, marks in found.items():
        _note(db, record_id, marks)
        homeless |= _remove_entry(db, record_id)
        if db.one(_NAMED, (record_id, record_id)) is not None:
            _remains(db, record_id)  # a change that names it
    visibility.tell(db, list(found))
    if homeless:
        from memcli.projection import events

        events.settle(db, homeless)
    _remove_questions(db, found)


def bury_memories(db: Database, ids: Collection[str], silent: Iterable[str] = ()) -> None:
    """Memories go for good, and of these entries, which stay, none is made any more; the caller holds the transaction.

    Else the next reading of the same words would bring them back.
    """
    if not ids:
        return
    from memcli.projection import memories

    db.raw.executemany("INSERT OR IGNORE INTO silent VALUES (?)", [(entry,) for entry in silent])
    for memory_id in ids:
        _note(db, memory_id, NO_MARKS)
        if db.one("SELECT 1 FROM changes WHERE target = ?", (memory_id,)) is not None:
            db.execute("DELETE FROM changes WHERE target = ? AND op <> 'undo'", (memory_id,))
            db.execute("DELETE FROM cites WHERE memory = ?", (memory_id,))
            memories.refold(db, [memory_id])
            _remains(db, memory_id)


def is_silent(db: Database, entry_id: str) -> bool:
    """Whether no memory is made of an entry any more."""
    return db.one("SELECT 1 FROM silent WHERE entry = ?", (entry_id,)) is not None


def has_remains(db: Database) -> bool:
    """Whether a purge is to be finished: lines of what is purged still hold words."""
    return db.one("SELECT 1 FROM remains LIMIT 1") is not None


def _note(db: Database, record_id: str, marks: Marks) -> None:
    db.fills("purged")
    db.execute(
        "INSERT INTO purged VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
        "key = COALESCE(key, excluded.key), words = COALESCE(words, excluded.words)",
        (record_id, marks.key, marks.words),
    )


def _remains(db: Database, record_id: str) -> None:
    db.execute("INSERT OR IGNORE INTO remains VALUES (?)", (record_id,))


def _remove_entry(db: Database, entry_id: str) -> set[str]:
    """Take its row out; the events that had it."""
    row = db.one("SELECT seq, mark, embedded, state FROM entries WHERE id = ?", (entry_id,))
    if row is None:
        return set()
    seq, row_mark, embedded, state = row
    db.execute("DELETE FROM entries WHERE seq = ?", (seq,))
    if state == visibility.VISIBLE:
        visibility.leave(db, seq, row_mark, embedded)
    _remains(db, entry_id)
    homes = {event for (event,) in db.rows("SELECT event FROM event_entries WHERE seq = ?", (seq,))}
    db.execute("DELETE FROM event_entries WHERE seq = ?", (seq,))
    return homes


def _remove_questions(db: Database, found: Collection[str]) -> None:
    ids = json.dumps(list(found))
    doomed = db.rows(
        "WITH gone AS MATERIALIZED (SELECT value FROM json_each(?)) SELECT id FROM questions q WHERE id IN gone "
        "OR EXISTS (SELECT 1 FROM json_each(q.evidence) WHERE value IN gone) "
        "OR EXISTS (SELECT 1 FROM json_each(q.cited) WHERE value IN gone)",
        (ids,),
    )
    for (question_id,) in doomed:
        db.execute("DELETE FROM questions WHERE id = ?", (question_id,))
        _note(db, question_id, NO_MARKS)
        _remains(db, question_id)
