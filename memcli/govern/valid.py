"""Which memory holds at an instant, on either axis: true in the world, and known here (C7)."""

from __future__ import annotations

from collections.abc import Collection

from memcli.govern.rank import ACTIVE
from memcli.memories import Memory
from memcli.projection.database import Database
from memcli.projection.memories import COLUMNS, memory_of_row


def holds(memory: Memory, at_ms: int) -> bool:
    """Whether it is true at an instant of the wall clock, as far as is known now.

    From when it is true is included, until when it is not; a memory that was
    corrected begins and ends at one instant and never holds. Where nobody
    knows since when, it always was; where it was replaced and nobody knows
    when, it holds no longer.
    """
    if memory.standing not in ACTIVE:
        return False
    if memory.since_ms is not None and memory.since_ms > at_ms:
        return False
    if memory.until_ms is not None:
        return at_ms < memory.until_ms
    return memory.replaced_by is None


def over(memory: Memory, at_ms: int) -> bool:
    """Whether it was true, or was thought to be, and is so no longer at an instant."""
    if memory.until_ms is not None:
        return memory.until_ms <= at_ms
    return memory.replaced_by is not None


def known(memory: Memory, at_ms: int) -> bool:
    """Whether it was recorded here by an instant (of UTC) and not yet known to be over."""
    return memory.recorded_ms <= at_ms and (memory.expired_ms is None or at_ms < memory.expired_ms)


def valid_at(db: Database, at_ms: int, scopes: Collection[str] | None = None) -> list[Memory]:
    """The memories that hold at an instant of the wall clock, oldest first, in these scopes (None: in all)."""
    rows = db.rows(
        f"SELECT {COLUMNS} FROM memories WHERE COALESCE(since_ms, ?) <= ? AND COALESCE(until_ms, ?) > ? ORDER BY id",
        (at_ms, at_ms, at_ms + 1, at_ms),
    )
    found = map(memory_of_row, rows)
    return [memory for memory in found if holds(memory, at_ms) and (scopes is None or memory.scope in scopes)]
