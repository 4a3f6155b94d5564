"""Memories as a forget, a restore or a purge means them: by id, and what became of one that is not there (C11)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

from memcli.errors import NothingFound, UsageError
from memcli.ids import TAIL, ending
from memcli.memories import Memory
from memcli.projection.database import Database
from memcli.projection.memories import COLUMNS, memory_of_row
from memcli.projection.visibility import FORGOTTEN, TAKEN_BACK, VISIBLE


def by_tails(db: Database, tails: Collection[str], states: Collection[int]) -> dict[str, str]:
    """Tail → id of the memory that ends so and has one of these states, as entries have them.

    Forgotten is one by its standing; one that is not there, with its
    evidence or its run, counts as taken back. Raises `UsageError` where
    several end so, and `NothingFound` where one does that has another state.
    """
    found = {}
    for tail in tails:
        rows = db.rows(
            "SELECT DISTINCT c.target, m.standing FROM changes c LEFT JOIN memories m ON m.id = c.target "
            "WHERE c.op = 'memory' AND c.target LIKE ? LIMIT 2",
            (f"%{ending(tail)}",),
        )
        if len(rows) > 1:
            raise UsageError(f"Several ids end with {tail}.", "Give more of its characters.")
        if rows and _state(rows[0][1]) in states:
            found[tail] = rows[0][0]
        elif rows and rows[0][1] is not None:
            raise _elsewhere(tail, rows[0][1])
    return found


def _state(standing: str | None) -> int:
    return TAKEN_BACK if standing is None else FORGOTTEN if standing == "forgotten" else VISIBLE


def _elsewhere(tail: str, standing: str) -> NothingFound:
    if standing == "forgotten":
        step = f"`mem restore {tail}` brings it back, `mem forget {tail} --purge` erases it."
        return NothingFound(f"The memory {tail} is forgotten already.", step)
    return NothingFound(f"The memory {tail} is not forgotten.", f"`mem why {tail}` shows it.")


def unknown(db: Database, tail: str) -> NothingFound | None:
    """What became of the memory, or of anything, whose id ends so and that is not there; None where nothing is known.

    None of its words is told.
    """
    end = f"%{ending(tail)}"
    row = db.one(
        "SELECT c.target, m.standing FROM changes c LEFT JOIN memories m ON m.id = c.target "
        "WHERE c.op = 'memory' AND c.target LIKE ? LIMIT 1",
        (end,),
    )
    if row is not None:
        return _forgotten(db, *row) if row[1] in (None, "forgotten") else None
    return gone(db, tail)


def gone(db: Database, tail: str) -> NothingFound | None:
    """That what has an id that ends so was purged, and when; None where it was not."""
    row = db.one("SELECT id FROM purged WHERE id LIKE ? LIMIT 1", (f"%{ending(tail)}",))
    return None if row is None else _purged(db, row[0], tail)


def _forgotten(db: Database, memory: str, standing: str | None) -> NothingFound:
    tail = memory[-TAIL:]
    if standing is not None:
        at, run = db.one(
            "SELECT at, run FROM changes WHERE target = ? AND op = 'standing' "
            "AND json_extract(body, '$.after.standing') = 'forgotten' AND run NOT IN (SELECT run FROM undone) "
            "ORDER BY id DESC LIMIT 1",
            (memory,),
        ) or ("", "")
        when = f" on {at[:10]}, by run {run[-TAIL:]}" if run else ""
        return NothingFound(f"The memory {tail} was forgotten{when}.", f"`mem restore {tail}` brings it back.")
    hidden = db.rows(
        "SELECT e.id, (SELECT f.run FROM forgettings f WHERE f.entry = e.id AND f.forgets "
        "AND f.run NOT IN (SELECT run FROM undone) ORDER BY f.run DESC LIMIT 1) "
        "FROM cites JOIN entries e ON e.id = entry WHERE memory = ? AND e.state = ? ORDER BY e.id",
        (memory, FORGOTTEN),
    )
    if hidden:
        entries = " ".join(row[0][-TAIL:] for row in hidden)
        run = hidden[-1][1]
        at = db.one("SELECT at FROM changes WHERE run = ? AND op = 'forget'", (run,))
        when = "" if at is None else f" on {at[0][:10]}, by run {run[-TAIL:]}"
        what = "entries" if len(hidden) > 1 else "entry"
        return NothingFound(
            f"The memory {tail} was forgotten{when}, with the {what} that it rests on.",
            f"`mem restore {entries}` brings it back.",
        )
    merged = db.one(
        "SELECT json_extract(body, '$.after.into') FROM changes WHERE target = ? AND op = 'merge' "
        "AND run NOT IN (SELECT run FROM undone) ORDER BY id DESC LIMIT 1",
        (memory,),
    )
    if merged is not None:
        into = merged[0][-TAIL:]
        return NothingFound(f"The memory {tail} was merged into {into}.", f"`mem why {into}` shows that one.")
    return NothingFound(f"The memory {tail} was taken back by `mem undo`.")


def _purged(db: Database, purged_id: str, tail: str) -> NothingFound:
    row = db.one(
        "SELECT c.at, c.run, j.key = 'memories' FROM changes c, json_each(c.body, '$.after') j WHERE c.op = 'purge' "
        "AND EXISTS (SELECT 1 FROM json_each(j.value) WHERE key = ? OR value = ?) ORDER BY c.id LIMIT 1",
        (purged_id, purged_id),
    )
    when = "" if row is None else f" on {row[0][:10]}, by run {row[1][-TAIL:]}"
    what = "The memory" if row is not None and row[2] else "The entry"
    return NothingFound(f"{what} {tail} was purged{when}; nothing is left of it.")


def all_in(db: Database, states: Collection[int]) -> Iterator[Memory]:
    """The memories that are there and have one of these states, oldest first."""
    for row in db.rows(f"SELECT {COLUMNS} FROM memories ORDER BY id"):
        memory = memory_of_row(row)
        if _state(memory.standing) in states:
            yield memory


def seen(db: Database, ids: Collection[str], limit: int) -> list[Memory]:
    """The first of these memories that are there and not forgotten."""
    rows = db.rows(
        f"SELECT {COLUMNS} FROM memories WHERE standing <> 'forgotten' "
        "AND id IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?",
        (json.dumps(sorted(ids)), limit),
    )
    return [memory_of_row(row) for row in rows]


def evidence_of(db: Database, ids: Collection[str]) -> set[str]:
    """The entries that are there on which these memories rest, visible or not."""
    rows = db.rows(
        "SELECT entry FROM cites JOIN entries ON id = entry WHERE memory IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(ids)),),
    )
    return {row[0] for row in rows}


def resting_only_on(db: Database, entries: Collection[str]) -> list[str]:
    """The memories that are there and rest on no other visible entry."""
    rows = db.rows(
        "WITH going AS MATERIALIZED (SELECT value FROM json_each(?)) "
        "SELECT DISTINCT c.memory FROM cites c JOIN memories m ON m.id = c.memory WHERE c.entry IN going "
        "AND NOT EXISTS (SELECT 1 FROM cites o JOIN entries e ON e.id = o.entry "
        "WHERE o.memory = c.memory AND e.state = 0 AND e.id NOT IN going) ORDER BY c.memory",
        (json.dumps(sorted(entries)),),
    )
    return [row[0] for row in rows]
