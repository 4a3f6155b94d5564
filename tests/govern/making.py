"""Stores of labelled sayings, read for memories as a tidy reads them, and what became of them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from store.making import QuickDisk, open_store

from memcli.extract.context import Found
from memcli.govern.ledger import Ledger
from memcli.govern.write import Writer, candidate
from memcli.log.record import Change
from memcli.memories import Memory, Quote, Statement
from memcli.projection.database import Database
from memcli.projection.memories import COLUMNS, memory_of_row
from memcli.store.store import Store
from memcli.tidy.derive import derive
from memcli.types import Entry, Moment

CASES = Path(__file__).parents[1] / "cases"


def cases(name: str) -> Any:
    """A file of labels."""
    return json.loads((CASES / f"{name}.json").read_text())


def wall(text: str | None) -> int | None:
    """The wall clock of a label in milliseconds."""
    return None if text is None else int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def entry(store: Store, said: Mapping[str, Any], ordinal: int = 0, me: Sequence[str] = ()) -> Entry:
    """A labelled saying as an entry of a run of its own."""
    entry_id = store.ids.new()
    ms = wall(said.get("said_at"))
    trust = said.get("trust") or ("self" if said.get("speaker") in (None, *me) or not me else "other")
    return Entry(
        id=entry_id,
        run=entry_id,
        session=said.get("session", f"one:{said.get('said_at')}"),
        ordinal=ordinal,
        source_key=entry_id,
        text=said["text"],
        imported_at=ms or 0,
        speaker=said.get("speaker"),
        role={"self": "user", "assistant": "assistant"}.get(trust, "other"),
        trust=trust,
        moment=None if ms is None else Moment(ms, "minute", 0),
        source="note" if said.get("speaker") is None else "chat",
    )


@contextmanager
def new_store() -> Iterator[Store]:
    """A store of its own for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="mem-govern-") as root:
        yield open_store(Path(root) / "home", QuickDisk())


def keep(store: Store, said: Sequence[Mapping[str, Any]], me: Sequence[str], *, batch: int = 1000) -> list[str]:
    """Add sayings in this order and read them for memories after each `batch`. The entries' ids."""
    ids = []
    for number, item in enumerate(said):
        made = entry(store, item, number, me)
        store.append_entries([made])
        ids.append(made.id)
        if (number + 1) % batch == 0:
            tidy(store, me)
    tidy(store, me)
    return ids


def tidy(store: Store, me: Sequence[str]) -> None:
    """The step of a tidy that makes memories."""
    with store.tidying(), store.writing() as db:
        derive(store, db, me, store.ids.new(), lambda: False)


def all_memories(store: Store) -> list[Memory]:
    """Every memory, by id."""
    return store.consult(lambda reading: memories_of(reading.db))


def memories_of(db: Database) -> list[Memory]:
    """Every memory of an index, by id."""
    return [memory_of_row(row) for row in db.rows(f"SELECT {COLUMNS} FROM memories ORDER BY id")]


def state(store: Store) -> list[tuple[Any, ...]]:
    """What is known, without what depends on when it came in: ids, runs, recording times."""
    found = {memory.id: memory for memory in all_memories(store)}
    texts = dict(store.consult(lambda reading: reading.db.rows("SELECT id, text FROM entries")))

    def name(memory_id: str | None) -> tuple[str, ...]:
        if memory_id is None:
            return ()
        memory = found[memory_id]
        return (memory.statement.text, *sorted(texts[quote.entry] for quote in memory.quotes))

    return sorted(
        (
            name(memory.id),
            memory.since_ms,
            memory.until_ms,
            memory.said_ms,
            memory.trust,
            memory.scope,
            name(memory.replaced_by),
            sorted(name(other) for other in memory.against),
        )
        for memory in found.values()
    )


def statement(
    text: str, subject: str, relation: str, value: str, *, kind: Any = "fact", cls: Any = "semantic", **more: Any
) -> Statement:
    """A statement as an extractor would read it."""
    return Statement(text, subject, relation, value, kind, cls, **more)


def decide(store: Store, told: Sequence[tuple[Statement, Entry]], me: Sequence[str] = ("Ann",)) -> list[Change]:
    """Let a writer consider statements, each with the entry that states it, in one tidy. What it wrote."""
    run = store.ids.new()
    made: list[Change] = []

    def choose(db: Database) -> Sequence[Change]:
        writer = Writer(Ledger(db, me), run, "extractor", store.ids.new)
        for stated, said in told:
            found = Found(stated, (Quote(said.id, said.text),))
            writer.consider(candidate(found, {said.id: said}))
        made.extend(writer.changes)
        return made

    with store.writing() as db:
        store.decide_within(db, choose)
    return made
