"""The reducers: what one record does to the projection. One a record kind.

Applying a set of records in any order gives the same state: an entry asks
whether it was already taken back, forgotten or purged, and an undo, a forget
or a purge takes what is there.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from memcli.log.record import VERSION, BadLine, Change, Envelope, change_of, entry_of, question_of
from memcli.log.tombstone import KIND as TOMBSTONE
from memcli.log.tombstone import marks_from, marks_of
from memcli.projection import gone, visibility
from memcli.projection.database import Database
from memcli.projection.digest import mark
from memcli.projection.visibility import VISIBLE
from memcli.types import Entry

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
    if gone.takes(db, entry.id):
        return
    moment = entry.moment
    state = visibility.state_of(db, entry.id, entry.run)
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
            state,
        ),
    )
    if cursor.rowcount == 1 and cursor.lastrowid is not None and state == VISIBLE:
        visibility.enter(db, cursor.lastrowid, entry, row_mark)
        visibility.tell(db, [entry.id])


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
    if operation in (_about_memory, _about_events) and gone.takes_change(db, change):
        return True
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


def _of_memories(op: str) -> Callable[[Database, Change], None] | None:
    from memcli.projection import memories

    return _about_memory if op in memories.OPERATIONS else None


def _question(db: Database, envelope: Envelope) -> bool:
    question = question_of(envelope)
    if gone.takes_question(db, envelope.id, {*question.evidence, *question.cited}):
        return True
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


def _tombstone(db: Database, envelope: Envelope) -> bool:
    gone.bury(db, {envelope.id: marks_of(envelope)})
    return True


def _undo(db: Database, change: Change) -> None:
    """Everything of the run `target` stops counting: its entries, memories, events, what it forgot or restored."""
    from memcli.projection import events, memories, vectors

    if change.target is None:
        raise BadLine("an undo without a target")
    db.execute(
        "INSERT INTO undone VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET by_run = min(by_run, excluded.by_run)",
        (change.target, change.run),
    )
    db.undone().add(change.target)
    touched = db.rows(
        "SELECT id FROM entries WHERE run = ? UNION SELECT entry FROM forgettings WHERE run = ?",
        (change.target, change.target),
    )
    visibility.settle(db, [row[0] for row in touched])
    memories.refold_run(db, change.target)
    events.settle(db, events.of_run(db, change.target))
    through = indexed_through(db)
    beyond = db.rows("SELECT seq FROM entries WHERE embedded = 1 AND id > ?", (through or "",))
    vectors.delete(db, [row[0] for row in beyond])


def _forget(db: Database, change: Change) -> None:
    """The entries of `after.entries` are not to be found until they are restored (C11)."""
    visibility.decide(db, _ids(change, "entries"), change.run, forgets=True)


def _restore(db: Database, change: Change) -> None:
    visibility.decide(db, _ids(change, "entries"), change.run, forgets=False)


def _purge(db: Database, change: Change) -> None:
    """What it names is gone for good: entries (id → marks), questions, memories (id → entries that stay) (C11)."""
    entries = change.after.get("entries")
    if not isinstance(entries, dict) or not all(name.isascii() for name in entries):
        raise BadLine("a purge without its entries")
    found = {entry_id: marks_from(pair) for entry_id, pair in entries.items()}
    memories = change.after.get("memories", {})
    if not isinstance(memories, dict) or not all(name.isascii() for name in memories):
        raise BadLine("a purge of memories without their ids")
    rested = [_checked(change, value, "memories") for value in memories.values()]
    gone.bury(db, found | dict.fromkeys(_ids(change, "questions"), gone.NO_MARKS))
    gone.bury_memories(db, memories, [entry for some in rested for entry in some])


def _ids(change: Change, name: str) -> list[str]:
    return _checked(change, change.after.get(name), name)


def _checked(change: Change, value: object, name: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item.isascii() for item in value):
        raise BadLine(f"a {change.op} without its {name}")
    return value


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
    TOMBSTONE: _tombstone,
}
_OPERATIONS: dict[str, Callable[[Database, Change], None]] = {
    "undo": _undo,
    "index": _index,
    "extract": _extract,
    "forget": _forget,
    "restore": _restore,
    "purge": _purge,
    "event": _about_events,
}
