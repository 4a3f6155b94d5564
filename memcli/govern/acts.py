"""What the person decides about a memory: each is a change of its own run, with its reason (C3, C8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memcli.errors import UsageError
from memcli.govern.rank import may_change
from memcli.log.memory import statement_record
from memcli.log.record import Change
from memcli.memories import Memory, Statement

Act = Callable[[Memory, str], list[Change]]
"""(memory, run) → changes."""


def edit(memory: Memory, run: str, author: str, **fields: object) -> list[Change]:
    """Set fields of the statement, the scope or `since_ms`. Raises `UsageError` where nothing would change.

    What the evidence says stays as it is: the quotes are the entry's own words.
    """
    _allowed(memory, author)
    before = _fields(memory)
    after = {name: value for name, value in fields.items() if before[name] != value}
    if not after:
        raise UsageError("Nothing would change.", "Give other words, --class, --scope or --since.")
    old = {name: before[name] for name in after}
    return [Change("edit", run, author, "corrected by hand", memory.id, before=old, after=after)]


def _fields(memory: Memory) -> Mapping[str, object]:
    blank = Statement("", "", "", "", memory.statement.kind, memory.statement.cls)
    record = statement_record(blank) | statement_record(memory.statement)
    return record | {"scope": memory.scope, "since_ms": memory.since_ms}


def pin(memory: Memory, run: str, author: str, *, on: bool) -> list[Change]:
    """Keep it in sight whatever its age, or no longer. Nothing where it is so already."""
    if memory.pin == on:
        return []
    reason = "to stay in sight" if on else "no longer to stay in sight"
    return [Change("pin", run, author, reason, memory.id, before={"pin": memory.pin}, after={"pin": on})]


def keep(winner: Memory, loser: Memory, run: str, author: str) -> list[Change]:
    """Settle a contradiction: one holds, the other held until then. Raises `UsageError` where they are in none."""
    _in_conflict(winner, loser)
    _allowed(loser, author)
    after: dict[str, object] = {"by": winner.id}
    since, until = loser.since_ms, winner.since_ms
    if until is not None and (since is None or until > since):
        after["until_ms"] = until
    elif since is not None:
        after["until_ms"] = since
    return [
        *_settled(winner, loser, run, author, "settled by hand"),
        Change("retire", run, author, "the other one was said to hold", loser.id, after=after),
    ]


def keep_both(one: Memory, other: Memory, run: str, author: str) -> list[Change]:
    """Settle a contradiction: both hold. Raises `UsageError` where they are in none."""
    _in_conflict(one, other)
    return _settled(one, other, run, author, "both hold")


def _settled(one: Memory, other: Memory, run: str, author: str, reason: str) -> list[Change]:
    return [Change("settle", run, author, reason, a.id, after={"with": b.id}) for a, b in ((one, other), (other, one))]


def _in_conflict(one: Memory, other: Memory) -> None:
    if other.id not in one.against:
        raise UsageError("These two are not in conflict.", "`mem conflicts` shows those that are.")


def _allowed(memory: Memory, author: str) -> None:
    if not may_change(author, memory):
        raise UsageError(f"{author} may not change what {memory.author} wrote.", "The person may: do it by hand.")
