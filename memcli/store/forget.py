"""Forgetting that can be taken back: a decision in the journal, and its opposite (C11)."""

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


def forget(store: Store, ids: Collection[str], how: str) -> Decided:
    """Let these entries not be found any more. Raises `NothingFound` where none of them can be.

    `how` says in the journal which way they were chosen: not with what words,
    for those would stay there after a purge.
    """
    return _decide(store, ids, "forget", VISIBLE, f"mem forget {how}", "There is nothing of this to forget any more.")


def restore(store: Store, ids: Collection[str]) -> Decided:
    """Bring forgotten entries back, by meaning too where the cache has their vectors. Raises `NothingFound`."""
    done = _decide(store, ids, "restore", FORGOTTEN, "mem restore", "There is nothing of this to restore any more.")
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


def _decide(store: Store, ids: Collection[str], op: str, state: int, reason: str, nothing: str) -> Decided:
    made: list[Decided] = []

    def choose(db: Database) -> list[Change]:
        wanted = sorted(set(ids))
        there = {
            entry_id
            for entry_id in wanted
            if db.one("SELECT 1 FROM entries WHERE id = ? AND state = ?", (entry_id, state)) is not None
        }
        if not there:
            raise NothingFound(nothing)
        made.append(Decided(store.ids.new(), tuple(sorted(there))))
        return [Change(op=op, run=made[-1].run, author="user", reason=reason, after={"entries": sorted(there)})]

    store.decide(choose)
    return made[-1]
