"""Forgetting that can be taken back: a decision in the journal, and its opposite (C11).

An entry that is forgotten takes along the memories that rest on nothing else.
A memory that is forgotten leaves its evidence: the entries are raw (A1).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memcli.errors import MemError, NothingFound
from memcli.log.record import Change
from memcli.projection.database import Database
from memcli.projection.sqlite import Damaged
from memcli.projection.visibility import FORGOTTEN, VISIBLE

if TYPE_CHECKING:
    from memcli.store.store import Store


@dataclass(frozen=True, slots=True)
class Decided:
    """What a run forgot or restored."""

    run: str
    entries: tuple[str, ...]
    memories: tuple[str, ...] = ()


def forget(store: Store, ids: Collection[str], how: str, memories: Collection[str] = ()) -> Decided:
    """Let these entries and memories not be found any more. Raises `NothingFound` where none of them can be.

    `how` says in the journal which way they were chosen: not with what words,
    for those would stay there after a purge.
    """
    return _decide(
        store, ids, memories, "forget", VISIBLE, f"mem forget {how}", "There is nothing of this to forget any more."
    )


def restore(store: Store, ids: Collection[str], memories: Collection[str] = ()) -> Decided:
    """Bring back what was forgotten, by meaning too where the cache has the vectors. Raises `NothingFound`."""
    nothing = "There is nothing of this to restore any more."
    done = _decide(store, ids, memories, "restore", FORGOTTEN, "mem restore", nothing)
    if done.entries:
        bring_vectors(store)
    return done


def bring_vectors(store: Store) -> None:
    """Give entries that came back the vectors they had. Where a tidy runs, that one does."""
    from memcli.store.rebuild import restore_vectors

    try:
        with store.tidying(), store.writing() as db:
            restore_vectors(store, db)
    except (MemError, Damaged):
        return


def _decide(
    store: Store, ids: Collection[str], memories: Collection[str], op: str, state: int, reason: str, nothing: str
) -> Decided:
    made: list[Decided] = []

    def choose(db: Database) -> list[Change]:
        there = [
            entry_id
            for entry_id in sorted(set(ids))
            if db.one("SELECT 1 FROM entries WHERE id = ? AND state = ?", (entry_id, state)) is not None
        ]
        standing = _standings(db, memories, forgotten=state == FORGOTTEN)
        if not there and not standing:
            raise NothingFound(nothing)
        run = store.ids.new()
        made.append(Decided(run, tuple(there), tuple(standing)))
        decided = [Change(op, run, "user", reason, after={"entries": there})] if there else []
        after = {"standing": "restored" if state == FORGOTTEN else "forgotten"}
        return decided + [
            Change("standing", run, "user", reason, memory, before={"standing": before}, after=after)
            for memory, before in standing.items()
        ]

    store.decide(choose)
    return made[-1]


def _standings(db: Database, ids: Collection[str], *, forgotten: bool) -> dict[str, str]:
    """Those of these memories that are there and are forgotten, or are not, with the standing of each."""
    found = {}
    for memory in sorted(set(ids)):
        row = db.one("SELECT standing FROM memories WHERE id = ?", (memory,))
        if row is not None and (row[0] == "forgotten") == forgotten:
            found[memory] = str(row[0])
    return found
