"""The reducers: what one record does to the projection. One a record kind.

Applying a set of records in any order gives the same state: an entry asks
whether its run was already taken back, an undo takes back what is there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from memcli.log.record import VERSION, BadLine, Change, Envelope, change_of, entry_of, question_of
from memcli.projection import lexical, times
from memcli.projection.database import Database
from memcli.projection.digest import mark
from memcli.types import Entry

VISIBLE, TAKEN_BACK = 0, 1
_INSERT = (
    "INSERT OR IGNORE INTO entries (id, run, session, ordinal, key, text, imported_at, speaker, role, trust, said_ms, "
    "precision, offset, floating, scope, source, origin, title, status, pin, mark, blob, state) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def apply(db: Database, envelope: Envelope) -> bool:
    """Apply one record, whole or not at all; the caller holds the transaction.

    False where the kind or the version is not known: it is kept in the log,
    counted, and skipped. Raises `BadLine` where the record cannot be read.
    """
    reducer = _REDUCERS.get(envelope.kind) if envelope.v == VERSION else None
    if reducer is None:
        return False
    return reducer(db, envelope)


def apply_entry(db: Database, entry: Entry) -> None:
    """Apply an entry that is already a value (the importer's way, without reading it back)."""
    moment = entry.moment
    hidden = entry.run in db.undone()
    row_mark = mark(entry)
    cursor = db.raw.execute(
        _INSERT,
        (
            entry.id,
            entry.run,
            entry.session,
            entry.ordinal,
            entry.source_key,
            entry.text,
            entry.imported_at,
            entry.speaker,
            entry.role,
            entry.trust,
            None if moment is None else moment.ms,
            None if moment is None else moment.precision,
            None if moment is None else moment.offset,
            0 if moment is None else int(moment.floating),
            entry.scope,
            entry.source,
            entry.origin,
            entry.title,
            entry.status,
            int(entry.pin),
            row_mark,
            entry.blob,
            TAKEN_BACK if hidden else VISIBLE,
        ),
    )
    if cursor.rowcount == 1 and cursor.lastrowid is not None and not hidden:
        lexical.insert(db, cursor.lastrowid, entry.text)
        times.insert(db, cursor.lastrowid, entry)
        db.count_in(row_mark)
        _tell_memories(db, entry.id)
        _tell_events(db, [entry.id])


def _entry(db: Database, envelope: Envelope) -> bool:
    apply_entry(db, entry_of(envelope))
    return True


def _change(db: Database, envelope: Envelope) -> bool:
    change = change_of(envelope)
    operation = _OPERATIONS.get(change.op) or _of_memories(change.op)
    if operation is None:
        return False
    if db.one("SELECT 1 FROM changes WHERE id = ?", (envelope.id,)) is not None:
        return True
    try:
        body = json.dumps({"evidence": change.evidence, "before": change.before, "after": change.after})
    except RecursionError as error:
        raise BadLine("a change nested too deep") from error
    operation(db, change)
    db.execute(
        "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (envelope.id, envelope.at, change.op, change.run, change.author, change.reason, change.target, body),
    )
    if operation is _about_memory:
        from memcli.projection import memories

        memories.apply(db, change)
    if operation is _about_events:
        from memcli.projection import events

        events.apply(db, change, envelope.id)
    return True


def _tell_memories(db: Database, entry_id: str) -> None:
    """What rests on an entry that came or went is folded anew; an add, on which nothing rests, pays for a look only."""
    if db.raw.execute("SELECT 1 FROM cites WHERE entry = ? LIMIT 1", (entry_id,)).fetchone() is not None:
        from memcli.projection import memories

        memories.refold_citing(db, entry_id)


def _tell_events(db: Database, entry_ids: Sequence[str]) -> None:
    """Events that claim entries that came or went are settled anew; an add, which none claims, pays for a look only."""
    if any(db.raw.execute("SELECT 1 FROM event_links WHERE entry = ?", (one,)).fetchone() for one in entry_ids):
        from memcli.projection import events

        events.settle(db, (), entry_ids)


def _of_memories(op: str) -> Callable[[Database, Change], None] | None:
    from memcli.projection import memories

    return _about_memory if op in memories.OPERATIONS else None


def _question(db: Database, envelope: Envelope) -> bool:
    question = question_of(envelope)
    db.execute(
        "INSERT OR IGNORE INTO questions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            envelope.id,
            envelope.at,
            question.text,
            question.scope,
            int(question.abstained),
            json.dumps(question.evidence),
            json.dumps(question.cited),
            question.terminal,
        ),
    )
    return True


def _undo(db: Database, change: Change) -> None:
    """Everything of the run `target` stops counting; entries leave both indexes, their events and the digest."""
    from memcli.projection import events, memories, vectors

    if change.target is None:
        raise BadLine("an undo without a target")
    db.execute(
        "INSERT INTO undone VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET by_run = min(by_run, excluded.by_run)",
        (change.target, change.run),
    )
    db.undone().add(change.target)
    rows = db.rows("SELECT seq, mark, embedded, id FROM entries WHERE run = ? AND state = ?", (change.target, VISIBLE))
    for seq, row_mark, embedded, entry_id in rows:
        db.execute("UPDATE entries SET state = ? WHERE seq = ?", (TAKEN_BACK, seq))
        lexical.delete(db, seq)
        times.delete(db, seq)
        if embedded:
            vectors.delete(db, [seq])
        db.count_out(row_mark)
        _tell_memories(db, entry_id)
    memories.refold_run(db, change.target)
    events.settle(db, events.of_run(db, change.target), [row[3] for row in rows])
    through = indexed_through(db)
    beyond = db.rows("SELECT seq FROM entries WHERE embedded = 1 AND id > ?", (through or "",))
    vectors.delete(db, [row[0] for row in beyond])


def _index(db: Database, change: Change) -> None:
    """A tidy's decision what is searched by meaning; the vectors themselves are put in by tidy or rebuild."""
    for name in ("through", "model"):
        value = change.after.get(name)
        if not isinstance(value, str) or not value.isascii():
            raise BadLine(f"an index change without `{name}`")


def _about_memory(db: Database, change: Change) -> None:
    """Checked before it is kept, so that a fold never meets a change that it cannot read."""
    from memcli.projection import memories

    memories.check(change)


def _about_events(db: Database, change: Change) -> None:
    """Checked before it is kept, as those about memories are."""
    from memcli.projection import events

    events.claims_of(change)


def _extract(db: Database, change: Change) -> None:
    """A tidy's decision that entries up to `through` were read for memories, which are changes of their own."""
    value = change.after.get("through")
    if not isinstance(value, str) or not value.isascii():
        raise BadLine("an extract change without `through`")


def extracted_through(db: Database, by: str = "") -> str | None:
    """The id up to which entries were read for memories by the rules, or by a model: the furthest tidy that stands."""
    row = db.one(
        "SELECT MAX(json_extract(body, '$.after.through')) FROM changes WHERE op = 'extract' "
        "AND COALESCE(json_extract(body, '$.after.by'), '') = ? AND run NOT IN (SELECT run FROM undone)",
        (by,),
    )
    return None if row[0] is None else str(row[0])


def indexed_through(db: Database) -> str | None:
    """The id up to which entries are to be searched by meaning: the furthest tidy that stands."""
    row = db.one(
        "SELECT MAX(json_extract(body, '$.after.through')) FROM changes "
        "WHERE op = 'index' AND run NOT IN (SELECT run FROM undone)"
    )
    return None if row[0] is None else str(row[0])


_REDUCERS: dict[str, Callable[[Database, Envelope], bool]] = {
    "entry": _entry,
    "change": _change,
    "question": _question,
}
_OPERATIONS: dict[str, Callable[[Database, Change], None]] = {
    "undo": _undo,
    "index": _index,
    "extract": _extract,
    "event": _about_events,
}
