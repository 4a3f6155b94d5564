"""Memories as they are asked for: the rules in force, what waits, what is about some words, one by its id."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence

from memcli.errors import NothingFound, UsageError
from memcli.extract.lessons import LESSON
from memcli.lang.words import match_expression
from memcli.memories import Memory, Standing
from memcli.projection.database import COLUMNS as ENTRY_COLUMNS
from memcli.projection.database import Database
from memcli.projection.memories import COLUMNS, memory_of_row
from memcli.types import DEFAULT_SCOPE, Entry

HIDDEN: tuple[Standing, ...] = ("held", "refused", "forgotten")
"""Standings of what may not steer and is not told."""


def in_force(db: Database, scopes: Collection[str] | None = None) -> list[Memory]:
    """The rules that hold in these scopes (None: in any), oldest first: not retired, not in conflict (A3, B8)."""
    return [memory for memory in _standing(db, "rule", scopes) if memory.until_ms is None and memory.expired_ms is None]


def waiting(db: Database, scopes: Collection[str] | None = None) -> list[Memory]:
    """The candidates that wait for the person's yes, oldest first."""
    return [memory for memory in _standing(db, "held", scopes) if memory.until_ms is None and memory.expired_ms is None]


def refused(db: Database, scopes: Collection[str] | None = None) -> list[Memory]:
    """What the person did not want as a rule, oldest first."""
    return list(_standing(db, "refused", scopes))


def lessons(db: Database, scopes: Collection[str] | None = None) -> list[Memory]:
    """What was learnt from failures and is no rule (B11), oldest first."""
    return [memory for memory in _standing(db, "memory", scopes) if memory.statement.relation == LESSON]


def _standing(db: Database, standing: Standing, scopes: Collection[str] | None) -> Iterable[Memory]:
    where, values = _within(scopes)
    rows = db.rows(f"SELECT {COLUMNS} FROM memories WHERE standing = ? AND {where} ORDER BY id", (standing, *values))
    return map(memory_of_row, rows)


def about(db: Database, terms: Collection[str], scopes: Collection[str], limit: int) -> list[Memory]:
    """Plain memories that share words with a task, best first: valid, of these scopes, nothing hidden (G4)."""
    expression = match_expression(terms)
    if not expression:
        return []
    marks = ", ".join("?" * len(scopes))
    columns = ", ".join(f"m.{name.strip()}" for name in COLUMNS.split(","))
    rows = db.rows(
        f"SELECT {columns} FROM memory_words JOIN memories m ON m.seq = memory_words.rowid "
        f"WHERE memory_words MATCH ? AND m.standing = 'memory' AND m.until_ms IS NULL AND m.expired_ms IS NULL "
        f"AND m.scope IN ({marks}) ORDER BY bm25(memory_words), m.id LIMIT ?",
        (expression, *scopes, limit),
    )
    return [memory_of_row(row) for row in rows]


def citing(db: Database, entries: Collection[str], scopes: Collection[str]) -> list[Memory]:
    """Plain, valid memories of these scopes that rest on one of these entries, oldest first."""
    marks = ", ".join("?" * len(scopes))
    columns = ", ".join(f"m.{name.strip()}" for name in COLUMNS.split(","))
    rows = db.rows(
        f"SELECT DISTINCT {columns} FROM cites c JOIN memories m ON m.id = c.memory "
        f"WHERE c.entry IN (SELECT value FROM json_each(?)) AND m.standing = 'memory' AND m.until_ms IS NULL "
        f"AND m.expired_ms IS NULL AND m.scope IN ({marks}) ORDER BY m.id",
        (json.dumps(sorted(entries)), *scopes),
    )
    return [memory_of_row(row) for row in rows]


def not_to_be_told(db: Database, entries: Collection[str]) -> set[str]:
    """Those of the entries that something held, refused, forgotten or retired rests on (G4)."""
    marks = ", ".join("?" * len(HIDDEN))
    rows = db.rows(
        f"SELECT DISTINCT c.entry FROM cites c JOIN memories m ON m.id = c.memory "
        f"WHERE c.entry IN (SELECT value FROM json_each(?)) "
        f"AND (m.standing IN ({marks}) OR m.until_ms IS NOT NULL OR m.expired_ms IS NOT NULL)",
        (json.dumps(sorted(entries)), *HIDDEN),
    )
    return {row[0] for row in rows}


def evidence(db: Database, memory: Memory) -> list[Entry]:
    """The visible entries that a memory rests on, in the order in which they were kept."""
    ids = json.dumps(sorted({quote.entry for quote in memory.quotes}))
    rows = db.rows(
        f"SELECT {ENTRY_COLUMNS} FROM entries WHERE state = 0 AND id IN (SELECT value FROM json_each(?)) ORDER BY id",
        (ids,),
    )
    return [db.entry(row) for row in rows]


def find(db: Database, tail: str) -> Memory:
    """The memory whose id ends with `tail`. Raises `NothingFound`, or `UsageError` where several do."""
    if not re.fullmatch(r"[0-9A-Za-z]{3,26}", tail):
        raise UsageError(f"“{tail}” is not an id.", "An id is 26 letters and digits; its last 6 are enough.")
    rows = db.rows(f"SELECT {COLUMNS} FROM memories WHERE id LIKE ? LIMIT 2", (f"%{tail.upper()}",))
    if not rows:
        raise NothingFound(f"No memory has an id that ends with {tail}.", "`mem rules --all` shows the ids of rules.")
    if len(rows) > 1:
        raise UsageError(f"Several memories have an id that ends with {tail}.", "Give more of its characters.")
    return memory_of_row(rows[0])


def scopes_here(scope: str | None) -> tuple[str, ...]:
    """Where rules are looked for: what holds everywhere, and the scope of the work at hand (B8)."""
    return tuple(dict.fromkeys((DEFAULT_SCOPE, scope or DEFAULT_SCOPE)))


def _within(scopes: Collection[str] | None) -> tuple[str, Sequence[str]]:
    if scopes is None:
        return "1", ()
    return f"scope IN ({', '.join('?' * len(scopes))})", tuple(scopes)
