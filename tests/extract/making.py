"""Contexts for tests: one entry, perhaps with turns before it."""

from __future__ import annotations

from datetime import UTC, datetime

from memcli.extract.context import Context
from memcli.extract.extract import extract
from memcli.types import Entry, Moment, Trust

SAID = "2026-03-11T10:00"
"""A Wednesday."""


def entry(
    text: str, speaker: str | None = None, trust: Trust = "self", number: int = 9, said: str | None = SAID
) -> Entry:
    """An entry that was said then; a note of the person where nobody speaks."""
    moment = None
    if said is not None:
        moment = Moment(int(datetime.fromisoformat(said).replace(tzinfo=UTC).timestamp() * 1000), floating=True)
    return Entry(
        id=str(number), run="r", session="s", ordinal=number, source_key=str(number), text=text, imported_at=0,
        speaker=speaker, role="user" if trust == "self" else "assistant" if trust == "assistant" else "other",
        trust=trust, moment=moment, source="chat" if speaker else "note",
    )  # fmt: skip


def note(text: str, me: str = "Nora", said: str | None = SAID) -> Context:
    """A note of the person."""
    return Context(entry(text, said=said), me, None, (), frozenset((me,)))


def turn(
    text: str, speaker: str = "Nora", before: str | None = None, other: str = "Idris", trust: Trust = "other"
) -> Context:
    """A turn of a talk of two, behind one of the other's."""
    earlier = (entry(before, other, "other", 8),) if before is not None else ()
    return Context(
        entry(text, speaker, trust), speaker, other if earlier else None, earlier, frozenset((speaker, other))
    )


def texts(context: Context) -> list[str]:
    """What is stated, as text."""
    return [found.statement.text for found in extract(context)]
