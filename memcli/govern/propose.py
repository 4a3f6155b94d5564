"""What some entries state: each read in the light of the turns before it, and verified (B2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from memcli.extract.context import WINDOW, Context
from memcli.extract.extract import extract
from memcli.govern.verify import refusal
from memcli.govern.write import Candidate, candidate
from memcli.projection.database import COLUMNS, Database
from memcli.projection.gone import is_silent
from memcli.types import Entry

PURGED = "purged before"
"""Why nothing is made of words of which a memory was purged."""


def propose(
    db: Database, entries: Sequence[Entry], me: Sequence[str], speakers: Collection[str]
) -> tuple[list[Candidate], Counter[str]]:
    """The verified proposals of some entries, and how many were refused for what reason.

    `me` are the person's configured names, `speakers` those of all who speak in the store.
    """
    names = frozenset(speakers) | frozenset(me)
    found: list[Candidate] = []
    refused: Counter[str] = Counter()
    for entry in entries:
        context = context_of(db, entry, me, names)
        known = {item.id: item for item in (*context.before, entry)}
        for item in extract(context):
            why = refusal(item, known, " ".join((context.speaker or "", context.listener or "")))
            if why is None and any(is_silent(db, quote.entry) for quote in item.quotes):
                why = PURGED
            if why is None:
                found.append(candidate(item, known))
            else:
                refused[why] += 1
    return found, refused


def context_of(db: Database, entry: Entry, me: Sequence[str], people: frozenset[str]) -> Context:
    """An entry with the turns before it, and whom "I" and "you" mean in it."""
    rows = db.rows(
        f"SELECT {COLUMNS} FROM entries WHERE state = 0 AND session = ? AND (ordinal, id) < (?, ?) "
        "ORDER BY ordinal DESC, id DESC LIMIT ?",
        (entry.session, entry.ordinal, entry.id, WINDOW),
    )
    before = tuple(db.entry(row) for row in reversed(rows))
    speaker = name_of(entry, me)
    others = {name for item in before if (name := name_of(item, me)) is not None and name != speaker}
    return Context(entry, speaker, others.pop() if len(others) == 1 else None, before, people)


def name_of(entry: Entry, me: Sequence[str]) -> str | None:
    """Whom "I" means in an entry: the person by their first configured name, others by the name that they go by."""
    if entry.trust == "self" or (entry.trust == "mail" and entry.role == "user"):
        return me[0] if me else entry.speaker or "You"
    return entry.speaker
