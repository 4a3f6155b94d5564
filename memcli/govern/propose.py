"""What some entries state: each read in the light of the turns before it, and verified (B2)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from memcli.extract.context import WINDOW, Context
from memcli.extract.extract import extract
from memcli.govern.narrow import named_scopes, narrowed
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
    projects = named_scopes(db)
    talks = _talks(db, entries)
    for entry in entries:
        talk = talks.get(entry.session)
        context = (
            context_of(db, entry, me, names) if talk is None else _in_light(entry, _before(talk, entry), me, names)
        )
        known = {item.id: item for item in (*context.before, entry)}
        for item in extract(context):
            why = refusal(item, known, " ".join((context.speaker or "", context.listener or "")))
            if why is None and any(is_silent(db, quote.entry) for quote in item.quotes):
                why = PURGED
            if why is None:
                made = candidate(item, known)
                if item.statement.kind == "instruction" and made.trust == "self":
                    made = replace(made, scope=narrowed(made.scope, item.quotes[0].text, projects))
                found.append(made)
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
    return _in_light(entry, tuple(db.entry(row) for row in reversed(rows)), me, people)


def _talks(db: Database, entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """The turns of the sessions that several of these are in, and those just before: two questions a session."""
    places: dict[str, list[tuple[int, str]]] = {}
    for entry in entries:
        places.setdefault(entry.session, []).append((entry.ordinal, entry.id))
    found = {}
    for session, here in places.items():
        if len(here) < 3:
            continue
        most = 3 * len(here)
        rows = db.rows(
            f"SELECT {COLUMNS} FROM entries WHERE state = 0 AND session = ? AND (ordinal, id) >= (?, ?) "
            "AND (ordinal, id) <= (?, ?) ORDER BY ordinal, id LIMIT ?",
            (session, *min(here), *max(here), most),
        )
        if len(rows) == most:
            continue
        earlier = db.rows(
            f"SELECT {COLUMNS} FROM entries WHERE state = 0 AND session = ? AND (ordinal, id) < (?, ?) "
            "ORDER BY ordinal DESC, id DESC LIMIT ?",
            (session, *min(here), WINDOW),
        )
        found[session] = [db.entry(row) for row in (*reversed(earlier), *rows)]
    return found


def _before(talk: Sequence[Entry], entry: Entry) -> tuple[Entry, ...]:
    stop = bisect_left(talk, (entry.ordinal, entry.id), key=lambda turn: (turn.ordinal, turn.id))
    return tuple(talk[max(0, stop - WINDOW) : stop])


def _in_light(entry: Entry, before: tuple[Entry, ...], me: Sequence[str], people: frozenset[str]) -> Context:
    speaker = name_of(entry, me)
    others = {name for item in before if (name := name_of(item, me)) is not None and name != speaker}
    return Context(entry, speaker, others.pop() if len(others) == 1 else None, before, people)


def name_of(entry: Entry, me: Sequence[str]) -> str | None:
    """Whom "I" means in an entry: the person by their first configured name, others by the name that they go by."""
    if entry.trust == "self" or (entry.trust == "mail" and entry.role == "user"):
        return me[0] if me else entry.speaker or "You"
    return entry.speaker
