"""How strongly a memory stands, computed when it is needed and never stored (C4).

    strength = strength_at_last_access · exp(−λ_class · days since then)

A memory begins with a strength that grows with its importance. Every answer
that cited one of its entries is an access and raises it. Thirty tidies change
nothing that one would not, because a tidy changes nothing here at all.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memcli.clock import DAY_MS, from_iso
from memcli.memories import Class, Memory
from memcli.projection.database import Database

HALF_LIVES: Mapping[Class, float] = {
    "permanent": math.inf,
    "semantic": 1825.0,
    "preference": 1460.0,
    "observation": 180.0,
    "task_state": 21.0,
}
"""Days after which half of the strength is left, unless `config.toml` says otherwise."""
FLOOR = 0.05
"""Below this a memory is archived: it is kept, still true, and out of sight until it wakes."""
_BASE = 0.5
_GAIN = 0.3
_LONGEST_DAYS = 1e6


@dataclass(frozen=True, slots=True)
class Strength:
    """What a memory had when it was last used, when that was (UTC ms), and what is left of it now.

    `archived_ms` is when it falls, or fell, below the floor; None for never.
    """

    at_access: float
    access_ms: int
    now: float
    archived_ms: int | None

    def archived(self, now_ms: int) -> bool:
        """Whether it is out of sight at that instant."""
        return self.archived_ms is not None and self.archived_ms <= now_ms


def strength(
    memory: Memory,
    accesses: Iterable[int],
    now_ms: int,
    half_lives: Mapping[Class, float] = HALF_LIVES,
) -> Strength:
    """The strength of a memory at `now_ms`, given the instants (UTC ms) at which it was used.

    It counts from when it was last said, as far as that is known, else from
    when it was recorded. Rules and what is pinned do not fade.
    """
    half_life = math.inf if memory.pin or memory.standing == "rule" else half_lives[memory.statement.cls]
    rate = 0.0 if math.isinf(half_life) else math.log(2) / half_life
    value = _BASE + _BASE * memory.statement.importance
    last = memory.recorded_ms if memory.said_ms is None else min(memory.said_ms, memory.recorded_ms)
    for access in sorted(moment for moment in accesses if last <= moment <= now_ms):
        left = value * math.exp(-rate * (access - last) / DAY_MS)
        value, last = left + (1 - left) * _GAIN, access
    left = value * math.exp(-rate * max(0, now_ms - last) / DAY_MS)
    return Strength(value, last, left, _archived(value, last, rate))


def _archived(value: float, last: int, rate: float) -> int | None:
    if not rate:
        return None
    days = math.log(value / FLOOR) / rate
    return None if days > _LONGEST_DAYS else last + math.ceil(days * DAY_MS)


def accesses(db: Database, found: Sequence[Memory]) -> dict[str, list[int]]:
    """When answers cited the entries of these memories, by memory id (UTC ms)."""
    by_entry: dict[str, list[str]] = {}
    for memory in found:
        for quote in memory.quotes:
            by_entry.setdefault(quote.entry, []).append(memory.id)
    used: dict[str, list[int]] = {memory.id: [] for memory in found}
    for at, cited in db.rows("SELECT at, cited FROM questions WHERE cited <> '[]'"):
        touched = {name for entry in json.loads(cited) for name in by_entry.get(entry, ())}
        for name in touched:
            used[name].append(from_iso(at)[0])
    return used


def strengths(
    db: Database, found: Sequence[Memory], now_ms: int, half_lives: Mapping[Class, float] = HALF_LIVES
) -> dict[str, Strength]:
    """The strength of each of these memories, by id."""
    used = accesses(db, found)
    return {memory.id: strength(memory, used[memory.id], now_ms, half_lives) for memory in found}
