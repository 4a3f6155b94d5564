"""What a digest tells: learnt, changed, faded, waiting for a yes, in conflict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memcli.govern import find
from memcli.memories import Memory
from memcli.projection.database import Database
from memcli.projection.memories import COLUMNS, memory_of_row


@dataclass(frozen=True, slots=True)
class Line:
    """One thing to tell, and the memory it is about."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """What is told under one name, the most important first."""

    name: str
    lines: tuple[Line, ...]


def digest(db: Database, since_ms: int, now_ms: int) -> list[Part]:
    """What became known, or no longer held, here between two instants (UTC milliseconds), and what waits now."""
    rows = db.rows(
        f"SELECT {COLUMNS} FROM memories WHERE standing IN ('memory', 'rule', 'held') "
        "AND ((recorded_ms >= ? AND recorded_ms < ?) OR (expired_ms >= ? AND expired_ms < ?)) ORDER BY id",
        (since_ms, now_ms, since_ms, now_ms),
    )
    found = [memory_of_row(row) for row in rows]
    fresh = [memory for memory in found if memory.recorded_ms >= since_ms]
    current = [memory for memory in fresh if memory.expired_ms is None and memory.standing != "held"]
    retired = [memory for memory in found if memory.expired_ms is not None and memory.expired_ms >= since_ms]
    heirs = find.by_ids(db, [memory.replaced_by for memory in retired if memory.replaced_by])
    held = find.in_time(db, standings=("held",))
    pairs = find.opposed(db)
    rules = [memory for memory in current if memory.standing == "rule"]
    learnt = [memory for memory in current if memory.standing != "rule"]
    return [
        Part("new rules", _lines(rules)),
        Part("learnt", _lines(learnt)),
        Part("changed", tuple(Line(memory.id, _changed(memory, heirs)) for memory in retired)),
        Part("to review", _lines(held)),
        Part(
            "in conflict",
            tuple(Line(one.id, f"{one.statement.text} / {other.statement.text}") for one, other in pairs),
        ),
    ]


def shares(counts: Sequence[int], lines: int) -> list[int]:
    """How many lines each part gets, so that none is crowded out and all together fit."""
    given = [0] * len(counts)
    while sum(given) < min(lines, sum(counts)):
        for number, count in enumerate(counts):
            if given[number] < count and sum(given) < lines:
                given[number] += 1
    return given


def _lines(found: Sequence[Memory]) -> tuple[Line, ...]:
    ranked = sorted(found, key=lambda memory: (not memory.pin, -memory.statement.importance, memory.id))
    return tuple(Line(memory.id, memory.statement.text) for memory in ranked)


def _changed(memory: Memory, heirs: dict[str, Memory]) -> str:
    heir = heirs.get(memory.replaced_by or "")
    return memory.statement.text if heir is None else f"{heir.statement.text} (before: {memory.statement.text})"
