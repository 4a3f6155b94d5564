"""What is purged: it has no row and never gets one again, in whatever order its records come (C11).

A record that still holds words of it goes into `remains`: its line is still to
be overwritten, by who opens the home next.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from memcli.log.tombstone import NO_MARKS, Marks
from memcli.projection import visibility
from memcli.projection.database import Database

__all__ = ["NO_MARKS", "bury", "has_remains", "takes", "takes_question"]


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


def bury(db: Database, found: Mapping[str, Marks]) -> None:
    """Entries and questions go for good, and the questions for which these entries were shown.

    The caller holds the transaction.
    """
    for record_id, marks in found.items():
        _note(db, record_id, marks)
        _remove_entry(db, record_id)
    _remove_questions(db, found)


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


def _remove_entry(db: Database, entry_id: str) -> None:
    row = db.one("SELECT seq, mark, embedded, state FROM entries WHERE id = ?", (entry_id,))
    if row is None:
        return
    seq, row_mark, embedded, state = row
    db.execute("DELETE FROM entries WHERE seq = ?", (seq,))
    if state == visibility.VISIBLE:
        visibility.leave(db, seq, entry_id, row_mark, embedded)
    _remains(db, entry_id)


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
