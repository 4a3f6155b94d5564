"""The memories that a decision looks at: what is stored, and what the same batch has decided so far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from memcli.projection.database import Database
from memcli.projection.memories import COLUMNS, memory_of_row
from memcli.types import Memory


class Ledger:
    """Memories by subject, loaded when they are first asked for, kept in step with the decisions of one batch."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._by_subject: dict[str, dict[str, Memory]] = {}

    def about(self, subject: str) -> Iterator[Memory]:
        """What is kept about a subject, forgotten and refused ones included, oldest first."""
        return iter(list(self._load(subject).values()))

    def put(self, memory: Memory) -> None:
        """A memory was made or changed by this batch."""
        self._load(memory.statement.subject)[memory.id] = memory

    def alter(self, memory: Memory, **fields: object) -> Memory:
        """The same memory with other fields."""
        altered = replace(memory, **fields)  # type: ignore[arg-type]
        self.put(altered)
        return altered

    def by_id(self, memory_id: str) -> Memory | None:
        """A memory that was looked at or made."""
        return next((known[memory_id] for known in self._by_subject.values() if memory_id in known), None)

    def _load(self, subject: str) -> dict[str, Memory]:
        key = subject.casefold()
        if key not in self._by_subject:
            rows = self._db.rows(f"SELECT {COLUMNS} FROM memories WHERE subject = ? ORDER BY id", (key,))
            self._by_subject[key] = {row[0]: memory_of_row(row) for row in rows}
        return self._by_subject[key]
