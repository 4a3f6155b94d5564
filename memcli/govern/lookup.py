"""What steers and what is told: the rules in force, what waits, what may be said for a task."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from memcli.extract.lessons import LESSON
from memcli.govern.find import matching, resting_on, select
from memcli.memories import Memory, Standing
from memcli.projection.database import Database
from memcli.types import DEFAULT_SCOPE, Entry

HIDDEN: tuple[Standing, ...] = ("held", "refused", "forgotten")
"""Standings of what may not steer and is not told."""
_VALID = "until_ms IS NULL AND expired_ms IS NULL"


def in_force(db: Database, scopes: Collection[str] | None = None) -> list[Memory]:
    """The rules that hold in these scopes (None: in any), oldest first: not retired, not in conflict (A3, B8)."""
    return _standing(db, f"standing = 'rule' AND {_VALID}", scopes)


def waiting(db: Database, scopes: Collection[str] | None = None) -> list[Memory]:
    """The candidates that wait for the person's yes, oldest first."""
    return _standing(db, f"standing = 'held' AND {_VALID}", scopes)


def refused(db: Database, scopes: Collection[str] | None = None) -> list[Memory]:
    """What the person did not want as a rule, oldest first."""
    return _standing(db, "standing = 'refused'", scopes)


def lessons(db: Database, scopes: Collection[str] | None = None) -> list[Memory]:
    """What was learnt from failures and is no rule (B11), oldest first."""
    return [memory for memory in _standing(db, "standing = 'memory'", scopes) if memory.statement.relation == LESSON]


def _standing(db: Database, where: str, scopes: Collection[str] | None) -> list[Memory]:
    within, values = _within(scopes)
    return select(db, f"{where} AND {within} ORDER BY id", values)


def about(db: Database, terms: Collection[str], scopes: Collection[str], limit: int) -> list[Memory]:
    """Plain memories that share words with a task, best first: valid, of these scopes, nothing hidden (G4)."""
    within, values = _within(scopes)
    return matching(db, terms, f"standing = 'memory' AND {_VALID} AND {within}", values, limit)


def weighty(
    db: Database, terms: Collection[str], scopes: Collection[str], importance: float, limit: int
) -> list[Memory]:
    """Those of `about` that are at least so important: many plain notes in the same words cannot crowd them out."""
    within, values = _within(scopes)
    where = f"standing = 'memory' AND {_VALID} AND json_extract(statement, '$.importance') >= ? AND {within}"
    return matching(db, terms, where, (importance, *values), limit)


def permanent(db: Database, scopes: Collection[str]) -> list[Memory]:
    """Plain, valid memories of these scopes of the class that never fades (C4), oldest first."""
    return _standing(db, f"standing = 'memory' AND cls = 'permanent' AND {_VALID}", scopes)


def citing(db: Database, entries: Collection[str], scopes: Collection[str]) -> list[Memory]:
    """Plain, valid memories of these scopes that rest on one of these entries, oldest first."""
    within, values = _within(scopes)
    return resting_on(db, entries, f"standing = 'memory' AND {_VALID} AND {within}", values)


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
    return db.entries_of({quote.entry for quote in memory.quotes})


def scopes_here(scope: str | None) -> tuple[str, ...]:
    """Where rules are looked for: what holds everywhere, and the scope of the work at hand (B8)."""
    return tuple(dict.fromkeys((DEFAULT_SCOPE, scope or DEFAULT_SCOPE)))


def _within(scopes: Collection[str] | None) -> tuple[str, Sequence[str]]:
    if scopes is None:
        return "1", ()
    return f"scope IN ({', '.join('?' * len(scopes))})", tuple(scopes)
