"""What an extractor is given and what it gives."""

from __future__ import annotations

from dataclasses import dataclass

from memcli.memories import Quote, Statement
from memcli.types import Entry

WINDOW = 5
"""Turns before an entry in whose light it is read (B4)."""


@dataclass(frozen=True, slots=True)
class Context:
    """One entry, who speaks in it, and what was said just before.

    `speaker` is whom "I" means, in the form in which memories name them:
    "You" where the person's own name is not configured, None where nobody
    knows. `listener` is whom "you" means in a talk of two. `before` are the
    last turns of the same session, oldest first, at most `WINDOW`. `people`
    are names that are known to be people.
    """

    entry: Entry
    speaker: str | None
    listener: str | None = None
    before: tuple[Entry, ...] = ()
    people: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Found:
    """A statement with the words that it rests on: the entry's own, and those of the question before it, if any."""

    statement: Statement
    quotes: tuple[Quote, ...]
