"""Memories as the journal leaves them: each is folded anew from its changes when one of them comes or goes.

A fold looks at the set of changes about one memory, in the order of their
ids, and at which of its entries are visible; so it does not matter in which
order records arrive, and taking a run back needs no inverse of its own. A
memory none of whose quotes stands in a visible entry is not there (invariant 7),
and what is not there retires and contradicts nothing: then the memory that it
had replaced is current again. What a memory says is joined from its sayings
that can be seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from memcli.ids import milliseconds
from memcli.lang.words import indexed_form
from memcli.log import memory as written
from memcli.log.record import BadLine, Change
from memcli.memories import Memory, Quote, Standing, Statement
from memcli.projection.database import Database
from memcli.projection.digest import MARK_BYTES
from memcli.types import Trust

COLUMNS = (
    "id, run, author, scope, trust, statement, quotes, standing, reason, pin, said_ms, since_ms, until_ms, "
    "recorded_ms, expired_ms, replaced_by, against"
)
_WALL_MS = "said_ms + COALESCE(offset, 0) * 60000"


@dataclass(slots=True)
class _Fold:
    """What the changes looked at so far make of a memory."""

    id: str
    run: str = ""
    author: str = ""
    scope: str = ""
    trust: Trust = "other"
    sayings: list[Saying] = field(default_factory=list)
    edits: dict[str, Any] = field(default_factory=dict)
    standing: Standing = "memory"
    earlier: Standing = "memory"
    reason: str = ""
    earlier_reason: str = ""
    pin: bool = False
    recorded_ms: int = 0
    closings: list[tuple[str | None, int | None, int]] = field(default_factory=list)
    into: list[str] = field(default_factory=list)
    against: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Saying:
    """One time that a memory was stated: the statement as it was read there, its words, since when it is true."""

    statement: Statement
    quotes: tuple[Quote, ...]
    trust: Trust
    since_ms: int | None = None


_AWAY = ("forgotten", "refused")
_BLANK = Saying(Statement(".", "", "", "", "fact", "semantic"), (), "other")


def check(change: Change) -> None:
    """Raise `BadLine` where a change about a memory could not be folded."""
    if change.target is None:
        raise BadLine(f"a {change.op} change without a target")
    fold = _Fold(change.target, sayings=[_BLANK])
    _STEPS[change.op](fold, "0" * 26, change.run, change.author, change.reason, change.after)


def apply(db: Database, change: Change) -> None:
    """Note which entries the memory rests on, and fold it; the change itself is in `changes` already."""
    assert change.target is not None
    if change.op in ("memory", "support") and change.after.get("purged") is not True:
        db.raw.executemany(
            "INSERT OR IGNORE INTO cites VALUES (?, ?)",
            [(quote.entry, change.target) for quote in written.quotes_of(change.after.get("quotes"))],
        )
    refold(db, [change.target])


def refold_citing(db: Database, entries: Iterable[str]) -> None:
    """Entries came, went or came back: what rests on them is folded anew."""
    listed = json.dumps(sorted(entries))
    rows = db.rows(
        "SELECT DISTINCT memory FROM cites WHERE entry IN (SELECT value FROM json_each(?)) ORDER BY memory", (listed,)
    )
    refold(db, [row[0] for row in rows])


def refold_run(db: Database, run: str) -> None:
    """A run was taken back: every memory that it touched is folded anew."""
    marks = ", ".join("?" * len(OPERATIONS))
    rows = db.rows(f"SELECT DISTINCT target FROM changes WHERE run = ? AND op IN ({marks})", (run, *sorted(OPERATIONS)))
    refold(db, [row[0] for row in rows])


def refold(db: Database, ids: Iterable[str]) -> None:
    """Fold these memories from their changes and put the outcome into the tables; so too what leans on them."""
    for memory_id in ids:
        _replace(db, memory_id)
        for leaning in _leaning(db, memory_id):
            _replace(db, leaning)


def _replace(db: Database, memory_id: str) -> None:
    old = db.one("SELECT seq, mark FROM memories WHERE id = ?", (memory_id,))
    if old is not None:
        db.execute("DELETE FROM memories WHERE seq = ?", (old[0],))
        db.execute("DELETE FROM memory_words WHERE rowid = ?", (old[0],))
        db.shift_digest(old[1], -1)
    made = fold(db, memory_id)
    if made is not None:
        _insert(db, *made)
    elif old is not None:
        db.execute("DELETE FROM memory_keys WHERE memory = ?", (memory_id,))


def _leaning(db: Database, memory_id: str) -> list[str]:
    """The memories of which a change says that this one replaced, contradicts or holds them."""
    rows = db.rows(
        "SELECT DISTINCT target FROM changes WHERE op IN ('retire', 'conflict', 'merge') AND coalesce("
        "json_extract(body, '$.after.by'), json_extract(body, '$.after.with'), json_extract(body, '$.after.into')) = ?",
        (memory_id,),
    )
    return [row[0] for row in rows if row[0] != memory_id]


def is_there(db: Database, memory_id: str) -> bool:
    """Whether a memory was stated, in a run that stands, in words of an entry that can be seen."""
    return bool(sayings(db, memory_id))


def sayings(db: Database, memory_id: str) -> list[Saying]:
    """The sayings that a memory rests on and that can be seen, as its changes have them."""
    return _seen(db, _folded(db, memory_id))[0]


def fold(db: Database, memory_id: str) -> tuple[Memory, tuple[Saying, ...]] | None:
    """One memory as its standing changes and visible entries leave it, with its sayings; None where nothing is left."""
    state = _folded(db, memory_id)
    seen, visible = _seen(db, state)
    if not seen or any(is_there(db, into) for into in state.into):
        return None
    statement = seen[0].statement
    for saying in seen[1:]:
        statement = written.joined(statement, saying.statement)
    if fields := {name: value for name, value in state.edits.items() if name != "since_ms"}:
        statement = written.statement_of(written.statement_record(statement) | fields)
    quotes = tuple(dict.fromkeys(quote for saying in seen for quote in saying.quotes if quote.entry in visible))
    said = [ms for ms in visible.values() if ms is not None]
    since = [saying.since_ms for saying in seen if saying.since_ms is not None]
    by, until_ms, expired_ms = _closing(db, state)
    memory = Memory(
        id=memory_id,
        run=state.run,
        author=state.author,
        scope=state.scope,
        trust=state.trust,
        statement=statement,
        quotes=quotes,
        standing=state.standing,
        reason=state.reason,
        pin=state.pin,
        said_ms=max(said, default=None),
        since_ms=state.edits["since_ms"] if "since_ms" in state.edits else min(since or said, default=None),
        until_ms=until_ms,
        recorded_ms=state.recorded_ms,
        expired_ms=expired_ms,
        replaced_by=by,
        against=tuple(sorted(other for other in state.against if _counts(db, other))),
    )
    return memory, tuple(seen)


def _folded(db: Database, memory_id: str) -> _Fold:
    state = _Fold(memory_id)
    undone = db.undone()
    rows = db.rows("SELECT id, op, run, author, reason, body FROM changes WHERE target = ? ORDER BY id", (memory_id,))
    for change_id, op, run, author, reason, body in rows:
        step = _STEPS.get(op)
        if step is None or run in undone:
            continue
        change = json.loads(body)
        if op == "edit" and change["evidence"] and not _visible(db, set(change["evidence"])):
            continue  # words of an entry that cannot be seen (promotion takes the person's own)
        step(state, change_id, run, author, reason, change["after"])
    return state


def _seen(db: Database, state: _Fold) -> tuple[list[Saying], Mapping[str, int | None]]:
    """The sayings with a word in a visible entry, and when these entries were said."""
    if not state.run:
        return [], {}
    visible = _visible(db, {quote.entry for saying in state.sayings for quote in saying.quotes})
    return [item for item in state.sayings if any(quote.entry in visible for quote in item.quotes)], visible


def _counts(db: Database, memory_id: str) -> bool:
    """Whether a memory is there and counts: what is forgotten or refused retires and contradicts nothing."""
    state = _folded(db, memory_id)
    return state.standing not in _AWAY and bool(_seen(db, state)[0])


def _closing(db: Database, state: _Fold) -> tuple[str | None, int | None, int | None]:
    """By what it was closed last, until when it was true, and when that was known. What is not there closes nothing."""
    for by, until_ms, expired_ms in reversed(state.closings):
        if by is None or _counts(db, by):
            return by, until_ms, expired_ms
    return None, None, None


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


def _insert(db: Database, memory: Memory, stated: Sequence[Saying]) -> None:
    from memcli.extract.gist import keys  # stems of every language: not for an add, which makes no memory

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
    filed = {key for one in {statement, *(saying.statement for saying in stated)} for key in keys(one)}
    db.raw.executemany("INSERT OR IGNORE INTO memory_keys VALUES (?, ?)", [(key, memory.id) for key in sorted(filed)])
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


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadLine("a saying that is no statement")
    return value


# One step an operation: (fold, id of the change, run, author, reason, after).


def _memory(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """A memory is made; a later one of the same target makes it anew, with other evidence.

    One whose first saying was `purged` has only those that support it (C11).
    """
    trust = written.trust_of(after.get("trust"))
    fold.sayings = []
    if after.get("purged") is not True:
        quotes = written.quotes_of(after.get("quotes"))
        fold.sayings.append(Saying(written.statement_of(after), quotes, trust, written.ms_of(after.get("since_ms"))))
    fold.scope = written.text_of(after.get("scope", "user"))
    fold.trust = trust
    fold.standing = written.standing_of(after.get("standing", "memory"))
    if fold.standing != "forgotten":
        fold.earlier, fold.earlier_reason = fold.standing, reason
    if not fold.run:
        fold.run, fold.author, fold.recorded_ms = run, author, milliseconds(change_id)
    fold.reason = reason


def _support(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """Said again: more evidence, with the statement as it was read there (`said`) where that is known."""
    quotes = written.quotes_of(after.get("quotes"))
    trust = written.trust_of(after["trust"]) if "trust" in after else None
    since_ms = written.ms_of(after.get("since_ms"))
    said = written.statement_of(_mapping(after["said"])) if "said" in after else None
    said_trust = written.trust_of(after["said_trust"]) if "said_trust" in after else None
    if trust is not None:
        fold.trust = trust
    statement = said or (fold.sayings[0].statement if fold.sayings else None)
    if statement is not None:
        fold.sayings.append(Saying(statement, quotes, said_trust or trust or fold.trust, since_ms))


def _retire(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """It is no longer true from `until_ms` on; `by` is what replaced it, if anything did (C7)."""
    by = after.get("by")
    until_ms = written.ms_of(after.get("until_ms"))
    fold.closings.append((None if by is None else written.text_of(by), until_ms, milliseconds(change_id)))


def _revive(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """It is true again, or was never retired rightly."""
    fold.closings.clear()


def _merge(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """It says the same as the memory `into`, which has its sayings from now on: as long as that is there."""
    fold.into.append(written.text_of(after.get("into")))


def _conflict(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """It contradicts the memory `with`, and nobody can tell which of them holds."""
    fold.against.add(written.text_of(after.get("with")))


def _settle(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """The contradiction with the memory `with` is resolved."""
    fold.against.discard(written.text_of(after.get("with")))


def _standing(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """Promoted, held, refused or forgotten, and why (C2); "restored" is what it was before it was forgotten."""
    if after.get("standing") == "restored":
        fold.standing, fold.reason = fold.earlier, fold.earlier_reason
        return
    fold.standing, fold.reason = written.standing_of(after.get("standing")), reason
    if fold.standing != "forgotten":
        fold.earlier, fold.earlier_reason = fold.standing, reason


def _edit(fold: _Fold, change_id: str, run: str, author: str, reason: str, after: Mapping[str, Any]) -> None:
    """The person, or who has the rank, sets fields of the statement, its scope, or from when it is true."""
    if "since_ms" in after:
        fold.edits["since_ms"] = written.ms_of(after["since_ms"])
    fields = {name: value for name, value in after.items() if name not in ("scope", "since_ms")}
    if fields and fold.sayings:
        written.statement_of(written.statement_record(fold.sayings[0].statement) | fold.edits | fields)
        fold.edits |= fields
    if "scope" in after:
        fold.scope = written.text_of(after["scope"])


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
    "merge": _merge,
    "conflict": _conflict,
    "settle": _settle,
    "standing": _standing,
    "edit": _edit,
    "pin": _pin,
}
OPERATIONS = frozenset(_STEPS)
"""The operations of changes whose target is a memory."""
