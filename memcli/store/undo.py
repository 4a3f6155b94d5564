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

    `kind` is "add", "import" or "tidy"; `entries` how many entries it
    brought; `sample` the first of their texts; `origin` the file's name.
    """

    id: str
    kind: str
    at: str
    entries: int
    origin: str | None = None
    sample: str | None = None


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
        "SELECT COUNT(*), MIN(origin), MIN(key LIKE 'typed:%') FROM entries WHERE run = ? AND state = 0", (run,)
    )
    if not count:
        return Run(run, "tidy", _at(run), 0)
    sample = db.one("SELECT text FROM entries WHERE run = ? AND state = 0 ORDER BY id LIMIT 1", (run,))[0]
    kind = "add" if typed or origin is None else "import"
    return Run(run, kind, _at(run), count, origin, sample)


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

    def choose(db: Database) -> Change:
        run = _chosen(db, tail)
        taken.append(run)
        reason = f"mem undo of {run.kind} {run.id[-6:]}"
        return Change(op="undo", run=store.ids.new(), author="user", reason=reason, target=run.id)

    store.decide(choose)
    return taken[-1]


def _chosen(db: Database, tail: str | None) -> Run:
    if tail is not None:
        run = find(db, tail)
    elif newest := runs(db):
        run = newest[0]
    else:
        raise NothingFound("There is nothing to take back.")
    if run.kind == "tidy":
        later = db.rows(
            "SELECT DISTINCT run FROM changes WHERE op IN ('index', 'event') AND run > ? "
            "AND run NOT IN (SELECT run FROM undone)",
            (run.id,),
        )
        if later:
            names = ", ".join(row[0][-6:] for row in later)
            raise Refused(f"Later tidies build on {run.id[-6:]}: {names}.", "Take those back first.")
    return run
