"""Which entries and memories a forget, a restore or a purge is about: by id, or by what they have in common (C11)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from memcli.errors import NothingFound, UsageError
from memcli.ids import ending
from memcli.lang.exact import Exact
from memcli.memories import Memory
from memcli.projection.database import COLUMNS, Database, entry_of_row
from memcli.projection.sqlite import Row
from memcli.projection.visibility import FORGOTTEN, TAKEN_BACK, VISIBLE
from memcli.store import meant
from memcli.types import Entry

SHOWN = 5
_ELSEWHERE = {
    VISIBLE: ("is not forgotten", "`mem show {}` shows it."),
    TAKEN_BACK: ("was taken back by `mem undo`", "`mem forget {} --purge` erases it."),
    FORGOTTEN: ("is forgotten already", "`mem restore {}` brings it back, `mem forget {} --purge` erases it."),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the person named. Several conditions hold together; `ids` are ends of ids and stand alone.

    `query`: all these words. `person`: the speaker, with `mentions` also who
    has the name in the words. `source`: a format, or the name of a file or of
    the folder or archive that it came from. `evidence`: with the id of a
    memory, the entries too that it rests on.
    """

    ids: tuple[str, ...] = ()
    query: str | None = None
    person: str | None = None
    mentions: bool = False
    scope: str | None = None
    source: str | None = None
    evidence: bool = False

    @property
    def how(self) -> str:
        """The way of choosing, without any of its words: what the journal may keep."""
        ways = [
            name
            for name in ("query", "person", "mentions", "scope", "source")
            if getattr(self, name) not in (None, False)
        ]
        return "by " + (", ".join(ways) if ways else "id")


@dataclass(frozen=True, slots=True)
class Picked:
    """The entries that were meant: their ids, the first of them, and what they have in common.

    `mentioned` counts entries of others that have the person's name in their
    words and are not among them. `originals` are the SHA-256 of their
    originals, `shared` how many other entries come from one of those.

    `memories` are the ids of the memories that were meant, `told` the first of
    them that can be seen, `named` how many others have the person's name in
    them; `falling` are those that rest on nothing but the
    entries, and so go with them; `resting` are the entries on which
    `memories` rest and that stay.
    """

    ids: tuple[str, ...]
    first: tuple[Entry, ...]
    sessions: int
    mentioned: int
    mentions: tuple[Entry, ...]
    originals: tuple[str, ...]
    shared: int
    memories: tuple[str, ...] = ()
    told: tuple[Memory, ...] = ()
    named: int = 0
    falling: tuple[str, ...] = ()
    resting: tuple[str, ...] = ()


def pick(db: Database, wanted: Wanted, states: Collection[int] = (VISIBLE,)) -> Picked:
    """What is meant of what has one of these states, oldest first. Raises `NothingFound`, `UsageError`."""
    memories = meant.by_tails(db, wanted.ids, states) if wanted.ids else {}
    rows = _by_ids(db, wanted, memories, states) if wanted.ids else _by_filters(db, wanted, states)
    ids: list[str] = []
    first: list[Entry] = []
    mentions: list[Entry] = []
    sessions: set[str] = set()
    originals: set[str] = set()
    mentioned = 0
    for row, mention in rows:
        if mention and not wanted.mentions:
            mentioned += 1
            if len(mentions) < SHOWN:
                mentions.append(entry_of_row(row))
            continue
        ids.append(row[1])
        sessions.add(row[3])
        if row[22] is not None:
            originals.add(row[22])
        if len(first) < SHOWN:
            first.append(entry_of_row(row))
    chosen, named = (sorted(memories.values()), []) if wanted.ids else _memories(db, wanted, states)
    falling = meant.resting_only_on(db, ids)
    with_them = set(falling)
    chosen = [memory for memory in chosen if memory not in with_them]
    return Picked(
        tuple(ids),
        tuple(first),
        len(sessions),
        mentioned,
        tuple(mentions),
        tuple(sorted(originals)),
        _shared(db, originals, set(ids)),
        tuple(chosen),
        tuple(meant.seen(db, chosen, SHOWN)),
        len(set(named) - with_them),
        tuple(falling),
        tuple(sorted(meant.evidence_of(db, chosen) - set(ids))),
    )


def _shared(db: Database, originals: Collection[str], ids: Collection[str]) -> int:
    count = 0
    for name in originals:
        count += sum(
            row[0] not in ids for row in db.each("SELECT id FROM entries WHERE blob = ? AND state <> 1", (name,))
        )
    return count


def _by_ids(
    db: Database, wanted: Wanted, memories: Mapping[str, str], states: Collection[int]
) -> Iterator[tuple[Row, bool]]:
    """The entries that are named, and with `evidence` those on which the named memories (tail → id) rest."""
    found: dict[str, Row] = {}
    for tail in wanted.ids:
        end = ending(tail)
        rows = db.rows(f"SELECT {COLUMNS}, state FROM entries WHERE id LIKE ? LIMIT 50", (f"%{end}",))
        fitting = [row for row in rows if row[-1] in states]
        if len(fitting) + (tail in memories) > 1:
            raise UsageError(f"Several ids end with {tail}.", "Give more of its characters.")
        if tail in memories:
            continue
        if not fitting and rows:
            what, step = _ELSEWHERE[rows[0][-1]]
            raise NothingFound(f"The entry {tail} {what}.", step.format(tail, tail))
        if not fitting:
            raise meant.unknown(db, tail) or NothingFound(
                f"No entry or memory has an id that ends with {tail}.",
                "`mem list`, `mem search` and `mem timeline` show ids.",
            )
        found[fitting[0][1]] = fitting[0]
    if wanted.evidence:
        cited = json.dumps(sorted(meant.evidence_of(db, memories.values())))
        sql = f"SELECT {COLUMNS}, state FROM entries WHERE id IN (SELECT value FROM json_each(?))"
        found |= {row[1]: row for row in db.rows(sql, (cited,)) if row[-1] in states}
    return ((found[entry_id], False) for entry_id in sorted(found))


def _memories(db: Database, wanted: Wanted, states: Collection[int]) -> tuple[list[str], list[str]]:
    """The memories that fit, and those that would with `mentions`.

    A source is where entries come from: with one, only what rests on those entries goes.
    """
    if wanted.source is not None:
        return [], []
    query = None if wanted.query is None else Exact(wanted.query)
    name = None if wanted.person is None else Exact(wanted.person)
    person = (wanted.person or "").casefold()
    found: list[str] = []
    named: list[str] = []
    for memory in meant.all_in(db, states):
        statement = memory.statement
        if wanted.scope not in (None, memory.scope) or (query is not None and not query.occurs_in(statement.text)):
            continue
        if name is None or statement.subject.casefold() == person:
            found.append(memory.id)
        elif name.occurs_in(statement.text) or person in map(str.casefold, statement.people):
            (found if wanted.mentions else named).append(memory.id)
    return found, named


def _by_filters(db: Database, wanted: Wanted, states: Collection[int]) -> Iterator[tuple[Row, bool]]:
    """(row, whether it only mentions the person) of every entry that fits."""
    clauses, values = [f"state IN ({', '.join(map(str, sorted(states)))})"], list[object]()
    if wanted.scope is not None:
        clauses.append("scope = ?")
        values.append(wanted.scope)
    if wanted.source is not None:
        # SQLite's substr counts characters, as len does.
        clauses.append("(source = ? OR origin = ? OR substr(origin, 1, ?) = ? OR substr(origin, -?) = ?)")
        source = wanted.source.rstrip("/")
        size = len(source) + 1
        values += [source, source, size, source + "/", size, "/" + source]
    query = None if wanted.query is None else Exact(wanted.query)
    name = None if wanted.person is None else Exact(wanted.person)
    if query is not None and not query:
        raise UsageError(f"--query “{wanted.query}” has no word in it.", "Write the words that have to occur.")
    person = (wanted.person or "").casefold()
    for row in db.each(f"SELECT {COLUMNS} FROM entries WHERE {' AND '.join(clauses)} ORDER BY id", values):
        if query is not None and not query.occurs_in(row[6]):
            continue
        said = name is None or (row[8] or "").casefold() == person
        if said or (name is not None and name.occurs_in(row[6])):
            yield row, not said


def questions_with(db: Database, wanted: Wanted) -> list[str]:
    """The ids of past questions that have these words and this name, or, where neither is given, of this scope."""
    asked = [Exact(text) for text in (wanted.query, wanted.person) if text is not None]
    return [
        question_id
        for question_id, text, scope in db.rows("SELECT id, text, scope FROM questions")
        if (asked and all(exact.occurs_in(text) for exact in asked))
        or (not asked and wanted.scope is not None and scope == wanted.scope)
    ]


def names_like(db: Database, name: str, limit: int = 5) -> list[str]:
    """Speakers whose name has this one in it."""
    rows = db.rows("SELECT DISTINCT speaker FROM entries WHERE speaker IS NOT NULL AND state <> 1 ORDER BY speaker")
    return [speaker for (speaker,) in rows if name.casefold() in speaker.casefold()][:limit]
