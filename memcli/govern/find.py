"""Looking memories up: by id, by subject and person, by words, by evidence."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from memcli.errors import NothingFound, UsageError
from memcli.ids import ending
from memcli.lang.words import content_terms, match_expression
from memcli.memories import Memory
from memcli.projection.database import Database
from memcli.projection.memories import COLUMNS, memory_of_row
from memcli.store import meant

SHOWN = ("memory", "rule", "held")
"""Standings that a list shows; the others are asked for."""


def by_tail(db: Database, tail: str, hint: str = "`mem timeline` shows their ids.") -> Memory:
    """The memory whose id ends with `tail`. Raises `NothingFound` (with `hint`), or `UsageError` where several do."""
    found = ending_with(db, tail)
    if not found:
        raise meant.unknown(db, tail) or NothingFound(f"No memory has an id that ends with {tail}.", hint)
    if len(found) > 1:
        raise UsageError(f"Several memories have an id that ends with {tail}.", "Give more of its characters.")
    return found[0]


def ending_with(db: Database, tail: str) -> list[Memory]:
    """At most two memories whose id ends so and that are not forgotten. Raises `UsageError` where it is no id."""
    return select(db, "standing <> 'forgotten' AND id LIKE ? ORDER BY id LIMIT 2", (f"%{ending(tail)}",))


def by_ids(db: Database, ids: Sequence[str]) -> dict[str, Memory]:
    """The memories that there are of these ids and that are not forgotten."""
    found = select(db, "standing <> 'forgotten' AND id IN (SELECT value FROM json_each(?))", (json.dumps(list(ids)),))
    return {memory.id: memory for memory in found}


def resting_on(db: Database, entries: Collection[str], where: str = "1", values: Sequence[object] = ()) -> list[Memory]:
    """The memories one of whose quotes stands in one of these entries, under a condition, oldest first."""
    return select(
        db,
        f"{where} AND id IN (SELECT memory FROM cites WHERE entry IN (SELECT value FROM json_each(?))) ORDER BY id",
        (*values, json.dumps(sorted(entries))),
    )


def in_time(
    db: Database,
    *,
    since_ms: int | None = None,
    until_ms: int | None = None,
    scope: str | None = None,
    standings: Sequence[str] = SHOWN,
    limit: int | None = None,
) -> list[Memory]:
    """Memories by when they became true, newest first; those without a time last."""
    clauses, values = [f"standing IN ({', '.join('?' * len(standings))})"], list[object](standings)
    for clause, value in (("since_ms >= ?", since_ms), ("since_ms < ?", until_ms), ("scope = ?", scope)):
        if value is not None:
            clauses.append(clause)
            values.append(value)
    order = "ORDER BY since_ms IS NULL, since_ms DESC, id DESC"
    if limit is not None:
        order += " LIMIT ?"
        values.append(limit)
    return select(db, f"{' AND '.join(clauses)} {order}", values)


def about(db: Database, name: str, standings: Sequence[str] = SHOWN) -> list[Memory]:
    """What is kept about somebody or something: as its subject, or named in it; oldest first."""
    folded = name.casefold()
    marks = ", ".join("?" * len(standings))
    return select(
        db,
        f"standing IN ({marks}) AND (subject = ? OR subject LIKE ? OR subject LIKE ? OR EXISTS (SELECT 1 FROM "
        "json_each(memories.statement, '$.people') WHERE lower(value) = ? OR lower(value) LIKE ?)) "
        "ORDER BY since_ms, id",
        (*standings, folded, f"{folded} %", f"{folded}'s %", folded, f"{folded} %"),
    )


def with_words(db: Database, text: str, limit: int, standings: Sequence[str] = SHOWN) -> list[Memory]:
    """The memories that share most with these words, best first."""
    return matching(db, content_terms(text), f"standing IN ({', '.join('?' * len(standings))})", standings, limit)


def matching(db: Database, terms: Collection[str], where: str, values: Sequence[object], limit: int) -> list[Memory]:
    """The memories under a condition that share most with these terms, best first (BM25, ties by id)."""
    expression = match_expression(terms)
    if not expression:
        return []
    rows = db.rows(
        f"SELECT {COLUMNS} FROM memory_words JOIN memories ON seq = memory_words.rowid WHERE memory_words MATCH ? "
        f"AND {where} ORDER BY bm25(memory_words), id LIMIT ?",
        (expression, *values, limit),
    )
    return [memory_of_row(row) for row in rows]


def opposed(db: Database, scope: str | None = None) -> list[tuple[Memory, Memory]]:
    """Pairs of memories that contradict each other, where nobody could tell which holds; oldest pair first."""
    found = select(db, "against <> '[]' AND standing IN ('memory', 'rule', 'held') ORDER BY id", ())
    known = {memory.id: memory for memory in found}
    return [
        (memory, known[other])
        for memory in found
        for other in memory.against
        if other in known and memory.id < other and scope in (None, memory.scope)
    ]


def select(db: Database, where: str, values: Sequence[object]) -> list[Memory]:
    """The memories under a condition, in the order that it gives."""
    return [memory_of_row(row) for row in db.rows(f"SELECT {COLUMNS} FROM memories WHERE {where}", values)]
