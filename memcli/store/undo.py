"""Taking back a run: an add, an import, a tidy. Appends the inverse; nothing is erased."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memcli.clock import iso
from memcli.errors import MemError, NothingFound, UsageError
from memcli.ids import milliseconds
from memcli.log.record import Change
from memcli.projection.database import Database

if TYPE_CHECKING:
    from memcli.store.store import Store


@dataclass(frozen=True, slots=True)
class Run:
    """A set of changes that can be taken back together.

    `kind` is "add", "import", "tidy", or what a person decided by hand:
    "edit", "pin", "settle", "review"; `entries` how many entries it
    brought; `sample` the first of their texts, or of the memories it was
    about; `origin` the file's name.
    """

    id: str
    kind: str
    at: str
    entries: int
    origin: str | None = None
    sample: str | None = None


_BY_HAND = {"edit": "edit", "pin": "pin", "settle": "settle", "standing": "review", "retire": "settle"}


class Refused(MemError):
    """An older run whose fields were changed again later."""

    exit_code = 2


def runs(db: Database, limit: int = 1) -> list[Run]:
    """The newest runs that stand, newest first."""
    ids = db.rows(
        "SELECT run FROM (SELECT run FROM entries WHERE state = 0 UNION "
        "SELECT run FROM changes WHERE op <> 'undo' AND run NOT IN (SELECT run FROM undone)) ORDER BY run DESC LIMIT ?",
        (limit,),
    )
    return [describe(db, row[0]) for row in ids]


def describe(db: Database, run: str) -> Run:
    """A run as a person recognises it."""
    count, origin, typed = db.one(
        "SELECT COUNT(*), MIN(origin), MIN(key LIKE 'typed:%' OR key LIKE 'piped:%') FROM entries "
        "WHERE run = ? AND state = 0",
        (run,),
    )
    if not count:
        return _decision(db, run)
    sample = db.one("SELECT text FROM entries WHERE run = ? AND state = 0 ORDER BY id LIMIT 1", (run,))[0]
    kind = "add" if typed or origin is None else "import"
    return Run(run, kind, _at(run), count, origin, sample)


def _decision(db: Database, run: str) -> Run:
    """A run without entries: what a tidy or a person decided."""
    rows = db.rows("SELECT op, target, author FROM changes WHERE run = ? ORDER BY id", (run,))
    by_hand = [(op, target) for op, target, author in rows if author == "user" and op in _BY_HAND]
    if not by_hand:
        return Run(run, "tidy", _at(run), 0)
    op, target = by_hand[0]
    about = db.one("SELECT json_extract(statement, '$.text') FROM memories WHERE id = ?", (target,))
    return Run(run, _BY_HAND[op], _at(run), 0, None, None if about is None else about[0])


def _at(run: str) -> str:
    try:
        return iso(milliseconds(run))
    except (ValueError, OverflowError):
        return "time unknown"


def find(db: Database, tail: str) -> Run:
    """The run whose id ends with `tail`. Raises `NothingFound`, or `UsageError` where several do."""
    wanted = tail.strip().upper()
    found = db.rows(
        "SELECT run FROM (SELECT run FROM entries WHERE state = 0 UNION "
        "SELECT run FROM changes WHERE op <> 'undo' AND run NOT IN (SELECT run FROM undone)) "
        "WHERE upper(substr(run, -length(?))) = ? LIMIT 2",
        (wanted, wanted),
    )
    if not wanted or not found:
        raise NothingFound(
            f"No run ends with {tail}, or it was taken back already.", "`mem undo --list` shows the runs."
        )
    if len(found) > 1:
        raise UsageError(f"Several runs end with {tail}.", "Give more of its characters.")
    return describe(db, found[0][0])


def undo(store: Store, tail: str | None = None) -> Run:
    """Take back the newest run, or the one named. Returns what it was.

    An older tidy is refused while a later one builds on it. Raises
    `NothingFound` where nothing is left to take back.
    """
    taken: list[Run] = []

    def choose(db: Database) -> list[Change]:
        run = _chosen(db, tail)
        taken.append(run)
        reason = f"mem undo of {run.kind} {run.id[-6:]}"
        return [Change(op="undo", run=store.ids.new(), author="user", reason=reason, target=run.id)]

    store.decide(choose)
    return taken[-1]


def _chosen(db: Database, tail: str | None) -> Run:
    if tail is not None:
        run = find(db, tail)
    elif newest := runs(db):
        run = newest[0]
    else:
        raise NothingFound("There is nothing to take back.")
    later = db.rows(
        "SELECT DISTINCT run FROM changes WHERE run > ? AND run NOT IN (SELECT run FROM undone) AND ("
        "target IN (SELECT target FROM changes WHERE run = ?) OR "
        "(op IN ('index', 'extract', 'event') AND EXISTS "
        "(SELECT 1 FROM changes WHERE run = ? AND op IN ('index', 'extract', 'event')))) "
        "ORDER BY run",
        (run.id, run.id, run.id),
    )
    if later:
        names = ", ".join(row[0][-6:] for row in later)
        raise Refused(f"Later runs build on {run.id[-6:]}: {names}.", "Take those back first.")
    return run
