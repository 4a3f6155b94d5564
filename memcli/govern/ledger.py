"""The memories that a decision looks at: what is stored, and what the same batch has decided so far.

Nothing is loaded by subject: a person may have thousands of memories, and a
new one is tied to a few. Those are found by the keys under which statements
are filed (`extract/gist.py`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memcli.extract.gist import TIMED, gist, keys, sought, subject_key
from memcli.govern.course import Said
from memcli.govern.doubtful import names_begin
from memcli.govern.rank import ACTIVE, rank
from memcli.govern.relate import Side
from memcli.memories import Memory, Statement
from memcli.projection import memories as projected
from memcli.projection.database import Database
from memcli.projection.memories import COLUMNS, Saying, memory_of_row

"""Standings in which a memory takes part in what is true."""
_WALL_MS = "CASE WHEN precision <> 'none' THEN said_ms + COALESCE(offset, 0) * 60000 END"


@dataclass(frozen=True, slots=True)
class Kept:
    """A memory with its sayings, and what somebody of higher rank decided about it.

    `closed_by` is the author of what it was last closed or reopened by,
    `edited_by` who changed its words, `settled` the memories with which its
    contradiction was resolved, with the author each.
    """

    memory: Memory
    sayings: tuple[Said, ...]
    closed_by: str | None = None
    edited_by: str | None = None
    settled: tuple[tuple[str, str], ...] = ()

    @property
    def active(self) -> bool:
        return self.memory.standing in ACTIVE


def since_of(statement: Statement, said_ms: int | None, words: str) -> int | None:
    """From when a statement is true: as it says itself, else from when it was said.

    What is planned for a day is planned from when it was said; only "from
    Monday the lesson is at ten" begins on Monday.
    """
    if statement.begin_ms is None:
        return said_ms
    if statement.relation.partition(":")[0] in TIMED and not (statement.value and names_begin(words)):
        return said_ms
    return statement.begin_ms


class Ledger:
    """Stored memories, found by what they say, and those of one batch. `me` are the person's names."""

    def __init__(self, db: Database, me: Sequence[str] = ()) -> None:
        self._db = db
        self._me = frozenset(subject_key(name) for name in (*me, "You"))
        self._kept: dict[str, Kept | None] = {}
        self._filed: dict[int, set[str]] = {}
        self._fresh: dict[str, tuple[Said, ...]] = {}
        self._stored: dict[Statement, list[str]] = {}

    def kept(self, memory_id: str) -> Kept | None:
        """A stored memory as it was before this batch; None where it is not there."""
        if memory_id not in self._kept:
            self._kept[memory_id] = self._load(memory_id)
        return self._kept[memory_id]

    def sayings(self, memory_id: str) -> tuple[Said, ...]:
        """The sayings of a memory as this batch has left it."""
        if memory_id in self._fresh:
            return self._fresh[memory_id]
        kept = self.kept(memory_id)
        return () if kept is None else kept.sayings

    def put(self, memory_id: str, sayings: Sequence[Said]) -> None:
        """This batch gave a memory these sayings; none: it is gone."""
        self._fresh[memory_id] = tuple(replace(said, holder=memory_id) for said in sayings)
        for said in sayings:
            for key in keys(said.side.statement):
                self._filed.setdefault(key, set()).add(memory_id)

    def near(self, said: Said) -> list[str]:
        """The ids of the memories that could be tied to a saying."""
        where = sought(said.side.statement)
        found = {memory for key in where.single for memory in self._filed.get(key, ())}
        shared: dict[str, int] = {}
        for key in where.words:
            for memory in self._filed.get(key, ()):
                shared[memory] = shared.get(memory, 0) + 1
        found |= {memory for memory, count in shared.items() if count >= where.shared}
        return sorted(found.union(self._stored_near(said.side.statement)))

    def _stored_near(self, statement: Statement) -> list[str]:
        if statement not in self._stored:
            where = sought(statement)
            rows = self._db.rows(
                "SELECT memory FROM memory_keys WHERE key IN (SELECT value FROM json_each(?)) UNION "
                "SELECT memory FROM memory_keys WHERE key IN (SELECT value FROM json_each(?)) "
                "GROUP BY memory HAVING COUNT(*) >= ?",
                (json.dumps(where.single), json.dumps(where.words), where.shared),
            )
            self._stored[statement] = [row[0] for row in rows]
        return self._stored[statement]

    def side(self, saying: Saying, scope: str, said_ms: int | None, speaker: str | None) -> Side:
        """A saying with what decides between it and others."""
        statement = saying.statement
        subject = gist(statement).subject
        words = saying.quotes[-1].text if saying.quotes else statement.text
        about_me = any(set(name.split()) <= set(subject.split()) for name in self._me)
        own = about_me if saying.trust == "self" else speaker is not None and subject_key(speaker) == subject
        return Side(statement, scope, saying.trust, said_ms, since_of(statement, said_ms, words), words, own, about_me)

    def _load(self, memory_id: str) -> Kept | None:
        row = self._db.one(f"SELECT {COLUMNS} FROM memories WHERE id = ?", (memory_id,))
        if row is None:
            return None
        memory = memory_of_row(row)
        closed_by = edited_by = None
        settled: list[tuple[str, str]] = []
        undone = self._db.undone()
        for op, author, run, body in self._db.rows(
            "SELECT op, author, run, body FROM changes "
            "WHERE target = ? AND op IN ('retire', 'revive', 'edit', 'settle') ORDER BY id",
            (memory_id,),
        ):
            if run in undone:
                continue
            after = json.loads(body)["after"]
            if op in ("retire", "revive"):
                closed_by = author
            elif op == "settle":
                settled.append((str(after.get("with")), author))
            elif after.keys() - {"scope", "since_ms"} and (edited_by is None or rank(author) >= rank(edited_by)):
                edited_by = author
        said = self._said(memory, edited_by)
        return Kept(memory, said, closed_by, edited_by, tuple(settled))

    def _said(self, memory: Memory, edited_by: str | None) -> tuple[Said, ...]:
        """The sayings of a stored memory; one whose words were changed says what it was changed to."""
        stated = projected.sayings(self._db, memory.id)
        entries = {quote.entry for saying in stated for quote in saying.quotes}
        told = {
            row[0]: (row[1], row[2])
            for row in self._db.rows(
                f"SELECT id, {_WALL_MS}, speaker FROM entries "
                "WHERE state = 0 AND id IN (SELECT value FROM json_each(?))",
                (json.dumps(sorted(entries)),),
            )
        }
        found = []
        for saying in stated:
            times = [told[quote.entry][0] for quote in saying.quotes if quote.entry in told]
            said_ms = max((ms for ms in times if ms is not None), default=None)
            speaker = next((told[quote.entry][1] for quote in reversed(saying.quotes) if quote.entry in told), None)
            if edited_by is not None:
                saying = replace(saying, statement=memory.statement)
            side = self.side(saying, memory.scope, said_ms, speaker)
            if edited_by is not None:
                side = replace(side, words=memory.statement.text, since_ms=memory.since_ms)
            found.append(Said(side, saying.quotes, memory.id, memory.standing in ACTIVE))
        return tuple(found)
