"""Rules and candidates as lines and as JSON: the words, why, and whose they are (C3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memcli.clock import iso, show
from memcli.extract import instructions
from memcli.extract.lessons import LESSON
from memcli.govern.lookup import evidence
from memcli.ids import TAIL
from memcli.memories import Memory
from memcli.projection.database import Database
from memcli.render.plain import Style, who
from memcli.render.text import one_line, wrap
from memcli.types import Entry

_MEANS = {
    "self": "you",
    "mail": "mail",
    "web": "a web page",
    "document": "a document",
    "tool": "a tool",
    "assistant": "an assistant",
    "other": "somebody else",
}


@dataclass(frozen=True, slots=True)
class Told:
    """A memory with the visible entries that it rests on."""

    memory: Memory
    entries: tuple[Entry, ...]


def told(db: Database, memories: Sequence[Memory]) -> list[Told]:
    """The memories with their evidence."""
    return [Told(memory, tuple(evidence(db, memory))) for memory in memories]


def said(memory: Memory) -> str:
    """The words of a rule, as they are to be followed."""
    return instructions.said(memory.statement)


def rule_lines(item: Told, columns: int, style: Style, with_standing: bool) -> str:
    """A rule: id, scope, words; and below it why it is one."""
    memory = item.memory
    standing = f"{memory.standing}  " if with_standing and memory.standing != "rule" else ""
    head = f"{memory.id[-TAIL:]}  {memory.scope}  {standing}"
    first = wrap(head + one_line(said(memory)), columns, "        ")
    why = wrap(one_line(f"{memory.reason}; {sources(item)}"), columns, "        ", "        ")
    return style("id", first[:TAIL]) + first[TAIL:] + "\n" + style("dim", why)


def candidate_lines(item: Told, columns: int, style: Style) -> str:
    """A candidate: its words, why it waits, and each source with its true author and the words there."""
    memory = item.memory
    label = "lesson" if memory.statement.relation == LESSON else "held"
    lines = [
        wrap(f"{memory.id[-TAIL:]}  {memory.scope}  {one_line(said(memory))}", columns, "        "),
        wrap(f"{label}: {one_line(memory.reason)}", columns, "        ", "        "),
    ]
    quoted: dict[str, list[str]] = {}
    for quote in memory.quotes:
        quoted.setdefault(quote.entry, []).append(quote.text)
    for entry in item.entries:
        words = one_line(" … ".join(quoted.get(entry.id, ())))
        lines.append(wrap(f"{author(entry)}, {source(entry)}: “{words}”", columns, "          ", "        "))
    return style("id", lines[0][:TAIL]) + lines[0][TAIL:] + "\n" + "\n".join(lines[1:])


def author(entry: Entry) -> str:
    """Who said it, as far as the way in which it came shows."""
    means = _MEANS[entry.trust]
    if entry.trust == "self":
        return means
    return f"{who(entry)} ({means})" if entry.speaker else means


def source(entry: Entry) -> str:
    """Where it came from, and when it was said."""
    place = one_line(entry.origin or ("typed" if entry.source_key.startswith("typed:") else entry.source))
    return f"{place}, {show(entry.moment)}, {entry.id[-TAIL:]}"


def sources(item: Told) -> str:
    """The evidence of a rule in short."""
    if not item.entries:
        return "no evidence in sight"
    more = f" and {len(item.entries) - 1} more" if len(item.entries) > 1 else ""
    return f"{author(item.entries[0])}, {source(item.entries[0])}{more}"


def rule_shape(item: Told) -> dict[str, Any]:
    """A rule or a candidate with all that is known of it."""
    memory = item.memory
    return {
        "id": memory.id,
        "text": said(memory),
        "scope": memory.scope,
        "standing": memory.standing,
        "kind": memory.statement.relation if memory.statement.relation == LESSON else memory.statement.kind,
        "reason": memory.reason,
        "trust": memory.trust,
        "author": memory.author,
        "recorded_at": iso(memory.recorded_ms),
        "evidence": [
            {
                "entry": entry.id,
                "trust": entry.trust,
                "speaker": entry.speaker,
                "origin": entry.origin,
                "source": entry.source,
                "quotes": [quote.text for quote in memory.quotes if quote.entry == entry.id],
            }
            for entry in item.entries
        ],
    }
