"""Memories as the journal leaves them: each is folded anew from its changes when one of them comes or goes.

A fold looks at the set of changes about one memory, in the order of their
ids, and at which of its entries are visible; so it does not matter in which
order records arrive, and taking a run back needs no inverse of its own. A
memory none of whose quotes stands in a visible entry is not there (invariant 7).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from memcli.ids import milliseconds
from memcli.lang.words import indexed_form
from memcli.log import memory as written
from memcli.log.record import BadLine, Change
from memcli.projection.database import Database
from memcli.projection.digest import MARK_BYTES
from memcli.types import Memory, Quote, Standing, Statement, Trust

COLUMNS = (
    "id, run, author, scope, trust, statement, quotes, standing, reason, pin, said_ms, since_ms, until_ms, "
    "recorded_ms, expired_ms, replaced_by, against"
)
_WALL_MS = "said_ms + COALESCE(offset, 0) * 60000"


class _Retired(NamedTuple):
    """One retirement: from when it is no longer true, when that was decided, and what replaced it."""

    until_ms: int | None
    expired_ms: int | None
    by: str | None


_NEVER = _Retired(None, None, None)


@dataclass(slots=True)
class _Fold:
    """What the changes looked at so far make of a memory."""

    id: str
    run: str = ""
    author: str = ""
    scope: str = ""
    trust: Trust = "other"
    statement: Statement | None = None
    quotes: dict[tuple[str, str], Quote] = field(default_factory=dict)
    standing: Standing = "memory"
    earlier: Standing = "memory"
    reason: str = ""
    pin: bool = False
    since_ms: int | None = None
    recorded_ms: int = 0
    retired: list[_Retired] = field(default_factory=list)
    against: set[str] = field(default_factory=set)


_AWAY = ("forgotten", "refused")
"""Standings in which a memory is as good as not there: it retires nothing."""
_BLANK = Statement(".", "", "", "", "fact", "semantic")


def check(change: Change) -> None:
    """Raise `BadLine` where a change about a memory could not be folded."""
    if change.target is None:
        raise BadLine(f"a {change.op} change without a target")
    fold = _Fold(change.target, statement=_BLANK)
    _STEPS[change.op](fold, "0" * 26, change.run, change.author, change.reason, change.after)


def apply(db: Database, change: Change) -> None:
    """Note which entries the memory rests on, and fold it; the change itself is in `changes` already."""
    assert change.target is not None
    if change.op in ("memory", "support"):
        db.raw.executemany(
            "INSERT OR IGNORE INTO cites VALUES (?, ?)",
            [(quote.entry, change.target) for quote in written.quotes_of(change.after.get("quotes"))],
        )
    if change.op == "retire" and "by" in change.after:
        db.execute("INSERT OR IGNORE INTO leans VALUES (?, ?)", (change.after["by"], change.target))
    refold(db, [change.target])


def refold_citing(db: Database, entry: str) -> None:
    """An entry came, went or came back: what rests on it is folded anew."""
    refold(db, [row[0] for row in db.raw.execute("SELECT memory FROM cites WHERE entry = ?", (entry,)).fetchall()])


def refold_run(db: Database, run: str) -> None:
    """A run was taken back: every memory that it touched is folded anew."""
    marks = ", ".join("?" * len(OPERATIONS))
    rows = db.rows(f"SELECT DISTINCT target FROM changes WHERE run = ? AND op IN ({marks})", (run, *sorted(OPERATIONS)))
    refold(db, [row[0] for row in rows])


def refold(db: Database, ids: Iterable[str]) -> None:
    """Fold these memories from their changes and put the outcome into the tables.

    Where one comes or goes, those that it retired are folded too: what is not
    there retires nothing. Whether a memory is there hangs on its own evidence
    and standing alone, so this ends after one step.
    """
    for memory_id in ids:
        if _put(db, memory_id):
            for (other,) in db.rows("SELECT memory FROM leans WHERE heir = ?", (memory_id,)):
                if other != memory_id:
                    _put(db, other)


def _put(db: Database, memory_id: str) -> bool:
    """Fold one memory; whether it came or went."""
    old = db.one("SELECT seq, mark, standing FROM memories WHERE id = ?", (memory_id,))
    if old is not None:
        db.execute("DELETE FROM memories WHERE seq = ?", (old[0],))
        db.execute("DELETE FROM memory_words WHERE rowid = ?", (old[0],))
        db.shift_digest(old[1], -1)
    made = fold(db, memory_id)
    if made is not None:
        _insert(db, made)
    was = old is not None and old[2] not in _AWAY
    return was != (made is not None and made.standing not in _AWAY)


def _is_there(db: Database, memory_id: str) -> bool:
    row = db.one("SELECT standing FROM memories WHERE id = ?", (memory_id,))
    return row is not None and row[0] not in _AWAY


def fold(db: Database, memory_id: str) -> Memory | None:
    """One memory as its standing changes and visible entries leave it; None where nothing is left."""
    state = _Fold(memory_id)
    undone = db.undone()
    rows = db.rows("SELECT id, op, run, author, reason, body FROM changes WHERE target = ? ORDER BY id", (memory_id,))
    for change_id, op, run, author, reason, body in rows:
        step = _STEPS.get(op)
        if step is not None and run not in undone:
            step(state, change_id, run, author, reason, json.loads(body)["after"])
    if state.statement is None:
        return None
    visible = _visible(db, {quote.entry for quote in state.quotes.values()})
    quotes = tuple(quote for quote in state.quotes.values() if quote.entry in visible)
    if not quotes:
        return None
    said = [ms for ms in visible.values() if ms is not None]
    retired = [item for item in state.retired if item.by is None or _is_there(db, item.by)]
    end = retired[-1] if retired else _NEVER
    return Memory(
        id=memory_id,
        run=state.run,
        author=state.author,
        scope=state.scope,
        trust=state.trust,
        statement=state.statement,
        quotes=quotes,
        standing=state.standing,
        reason=state.reason,
        pin=state.pin,
        said_ms=max(said, default=None),
        since_ms=state.since_ms if state.since_ms is not None else min(said, default=None),
        until_ms=end.until_ms,
        recorded_ms=state.recorded_ms,
        expired_ms=end.expired_ms,
        replaced_by=end.by,
        against=tuple(sorted(state.against)),
    )


def _visible(db: Database, entries: set[str]) -> Mapping[str, int | None]:
    """Which of these entries are visible, with the wall clock at which they were said."""
    rows = db.rows(
        f"SELECT id, {_WALL_MS} FROM entries WHERE state = 0 AND id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(entries)),),
    )
    return dict(rows)


def mark(memory: Memory) -> bytes:
    """The hash of a memory's logical fields."""
    statement = json.dumps(written.statement_record(memory.statement), sort_keys=True)
    rest = (
        memory.id,
        memory.run,
        memory.author,
        memory.scope,
        memory.trust,
        statement,
        tuple((quote.entry, quote.text) for quote in memory.quotes),
        memory.standing,
        memory.reason,
        memory.pin,
        memory.said_ms,
        memory.since_ms,
        memory.until_ms,
        memory.recorded_ms,
        memory.expired_ms,
        memory.replaced_by,
        memory.against,
    )
    return blake2b(ascii(rest).encode("ascii"), digest_size=MARK_BYTES).digest()


def _insert(db: Database, memory: Memory) -> None:
    statement = memory.statement
    row_mark = mark(memory)
    cursor = db.execute(
        f"INSERT INTO memories ({COLUMNS}, subject, relation, cls, kind, mark) "
        f"VALUES ({', '.join('?' * (COLUMNS.count(',') + 6))})",
        (
            memory.id,
            memory.run,
            memory.author,
            memory.scope,
            memory.trust,
            json.dumps(written.statement_record(statement)),
            json.dumps(written.quotes_record(memory.quotes)),
            memory.standing,
            memory.reason,
            int(memory.pin),
            memory.said_ms,
            memory.since_ms,
            memory.until_ms,
            memory.recorded_ms,
            memory.expired_ms,
            memory.replaced_by,
            json.dumps(memory.against),
            statement.subject.casefold(),
            statement.relation,
            statement.cls,
            statement.kind,
            row_mark,
        ),
    )
    db.execute(
        "INSERT INTO memory_words (rowid, stems) VALUES (?, ?)", (cursor.lastrowid, indexed_form(statement.text))
    )
    db.shift_digest(row_mark, 1)


def memory_of_row(row: Any) -> Memory:
    """A row of `COLUMNS` as a memory."""
    return Memory(
        id=row[0],
        run=row[1],
        author=row[2],
        scope=row[3],
        trust=row[4],
        statement=written.statement_of(json.loads(row[5])),
        quotes=written.quotes_of(json.loads(row[6])),
        standing=row[7],
        reason=row[8],
        pin=bool(row[9]),
        said_ms=row[10],
        since_ms=row[11],
        until_ms=row[12],
        recorded_ms=row[13],
        expired_ms=row[14],
        replaced_by=row[15],
        against=tuple(json.loads(row[16])),
    )


# One step an operation: (fold, id of the change, run, author, reason, after).


def _memory(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """A memory is made; a later one of the same target makes it anew, with other evidence."""
    fold.statement = written.statement_of(after)
    fold.quotes = {(quote.entry, quote.text): quote for quote in written.quotes_of(after.get("quotes"))}
    fold.scope = written.text_of(after.get("scope", "user"))
    fold.trust = written.trust_of(after.get("trust"))
    fold.since_ms = written.ms_of(after.get("since_ms"))
    fold.standing = fold.earlier = written.standing_of(after.get("standing", "memory"))
    if not fold.run:
        fold.run, fold.author, fold.recorded_ms = run, author, milliseconds(change_id)
    fold.reason = reason


def _support(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """More evidence for the same statement."""
    for quote in written.quotes_of(after.get("quotes")):
        fold.quotes.setdefault((quote.entry, quote.text), quote)
    if "trust" in after:
        fold.trust = written.trust_of(after["trust"])


def _retire(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """It is no longer true from `until_ms` on; `by` is what replaced it, if anything did (C7)."""
    by = after.get("by")
    heir = None if by is None else written.text_of(by)
    fold.retired.append(_Retired(written.ms_of(after.get("until_ms")), milliseconds(change_id), heir))


def _revive(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """It is true again, or was never retired rightly."""
    fold.retired.clear()


def _conflict(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """It contradicts the memory `with`, and nobody can tell which of them holds."""
    fold.against.add(written.text_of(after.get("with")))


def _settle(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """The contradiction with the memory `with` is resolved."""
    fold.against.discard(written.text_of(after.get("with")))


def _standing(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """Promoted, held, refused or forgotten, and why (C2); "restored" is what it was before it was forgotten."""
    if after.get("standing") == "restored":
        fold.standing = fold.earlier
    else:
        standing = written.standing_of(after.get("standing"))
        if standing != "forgotten":
            fold.earlier = standing
        fold.standing = standing
    fold.reason = reason


def _edit(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """The person, or who has the rank, sets fields of the statement, its scope, or from when it is true."""
    if fold.statement is not None:
        kept = written.statement_record(fold.statement) | {
            name: value for name, value in after.items() if name not in ("scope", "since_ms")
        }
        fold.statement = written.statement_of(kept)
    if "scope" in after:
        fold.scope = written.text_of(after["scope"])
    if "since_ms" in after:
        fold.since_ms = written.ms_of(after["since_ms"])


def _pin(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """Kept in sight, whatever its age, or no longer."""
    pin = after.get("pin")
    if type(pin) is not bool:
        raise BadLine("a pin that is neither on nor off")
    fold.pin = pin


_STEPS = {
    "memory": _memory,
    "support": _support,
    "retire": _retire,
    "revive": _revive,
    "conflict": _conflict,
    "settle": _settle,
    "standing": _standing,
    "edit": _edit,
    "pin": _pin,
}
OPERATIONS = frozenset(_STEPS)
"""The operations of changes whose target is a memory."""
