"""Memories as lines of text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memcli.clock import iso, show
from memcli.ids import TAIL
from memcli.memories import Memory
from memcli.render.plain import Style
from memcli.render.text import clip, one_line, wrap
from memcli.types import Moment


def day(ms: int | None) -> str:
    """The day of a wall clock, "unknown" where there is none."""
    return "unknown" if ms is None else show(Moment(ms, "day", None, True))


def marks(memory: Memory) -> str:
    """What a reader must know about a memory beside its words: pinned, its standing, whose words, until when."""
    found = []
    if memory.pin:
        found.append("pinned")
    if memory.standing != "memory":
        found.append(memory.standing)
    if memory.trust not in ("self", "other"):
        found.append(memory.trust)
    if memory.ended:
        found.append(f"until {day(memory.until_ms)}" if memory.until_ms is not None else "no longer")
    if memory.against:
        found.append("in conflict")
    return f" ({', '.join(found)})" if found else ""


def line(memory: Memory, columns: int, style: Style) -> str:
    """One memory on one line: id, since when, words, marks. What is no longer true is dim."""
    tail, since = memory.id[-TAIL:], f"{day(memory.since_ms):<10}"
    extra = marks(memory)
    room = max(20, columns - len(tail) - len(since) - 4 - len(extra))
    words = clip(one_line(memory.statement.text), room)
    shown = style("dim", words + extra) if memory.ended else words + style("label", extra)
    return f"{style('id', tail)}  {style('time', since)}  {shown}"


def block(memory: Memory, columns: int) -> str:
    """A memory whole, wrapped, behind its id."""
    head = f"{memory.id[-TAIL:]}  "
    return wrap(head + one_line(memory.statement.text) + marks(memory), columns, " " * len(head))


_SIGNS = {"memory": "+", "support": "=", "merge": "=", "retire": "-", "conflict": "?", "standing": "*"}


def step_lines(op: str, text: str, since_ms: int | None, other: str | None, columns: int, style: Style) -> list[str]:
    """A decision as lines of a diff: + learnt, = said again, - replaced and by what, ? in conflict, * promoted."""
    sign = _SIGNS.get(op, "~")
    room = max(20, columns - 16)
    name = {"+": "good", "-": "bad"}.get(sign, "label")
    lines = [f"{style(name, sign)} {day(since_ms):<10}  {clip(one_line(text), room)}"]
    if other is not None:
        against = {"conflict": "against", "merge": "same as"}.get(op, "now")
        lines.append(style("dim", f"    {against}: {clip(one_line(other), room)}"))
    return lines


def shape(memory: Memory) -> dict[str, Any]:
    """A memory with all its fields; times of the world are wall clocks, those of this store UTC."""
    statement = memory.statement
    return {
        "id": memory.id,
        "text": statement.text,
        "subject": statement.subject,
        "relation": statement.relation,
        "value": statement.value,
        "negated": statement.negated,
        "kind": statement.kind,
        "class": statement.cls,
        "importance": statement.importance,
        "people": list(statement.people),
        "places": list(statement.places),
        "entities": list(statement.entities),
        "begin": wall(statement.begin_ms),
        "end": wall(statement.end_ms),
        "since": wall(memory.since_ms),
        "until": wall(memory.until_ms),
        "said": wall(memory.said_ms),
        "recorded_at": iso(memory.recorded_ms),
        "expired_at": None if memory.expired_ms is None else iso(memory.expired_ms),
        "standing": memory.standing,
        "reason": memory.reason,
        "pin": memory.pin,
        "author": memory.author,
        "trust": memory.trust,
        "scope": memory.scope,
        "run": memory.run,
        "replaced_by": memory.replaced_by,
        "against": list(memory.against),
        "quotes": [{"entry": quote.entry, "text": quote.text} for quote in memory.quotes],
    }


def shapes_of(found: Sequence[Memory]) -> list[dict[str, Any]]:
    """The shapes of several."""
    return [shape(memory) for memory in found]


def wall(ms: int | None) -> str | None:
    """A wall clock as ISO 8601 without a zone."""
    return None if ms is None else iso(ms)[:-1]
