"""Taking back a run: an add, an import, a tidy, a forget, a restore. Appends the inverse; nothing is erased."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memcli.clock import iso
from memcli.errors import MemError, NothingFound, UsageError
from memcli.ids import milliseconds
from memcli.log.record import Change
from memcli.projection.database import Database
from memcli.store.forget import bring_vectors

if TYPE_CHECKING:
    from memcli.store.store import Store


@dataclass(frozen=True, slots=True)
class Run:
    """A set of changes that can be taken back together.

    `kind` is "add", "import", "tidy", "forget", "restore", "purge", or what
    else a person decided by hand: "edit", "pin", "settle", "review";
    `entries` how many entries it brought or was about, `memories` how many
    memories it forgot, restored or purged; `sample` the first of the texts that
    it brought, or of the memories it was about, never of what is forgotten;
    `origin` the file's name.
    """

    id: str
    kind: str
    at: str
    entries: int
    memories: int = 0
    origin: str | None = None
    sample: str | None = None


_BY_HAND = {"edit": "edit", "pin": "pin", "settle": "settle", "standing": "review", "retire": "settle"}
_FORGETS = {"forgotten": "forget", "restored": "restore"}


class Refused(MemError):
    """An older run whose fields were changed again later, or one that cannot be taken back at all."""

    exit_code = 2


_STANDING = (
    "SELECT run FROM entries WHERE state <> 1 UNION "
    "SELECT run FROM changes WHERE op <> 'undo' AND run NOT IN (SELECT run FROM undone)"
)
_OPS = '["forget", "restore", "purge"]'


def runs(db: Database, limit: int = 1) -> list[Run]:
    """The newest runs that stand, newest first; a purge stands for ever."""
    ids = db.rows(f"SELECT run FROM ({_STANDING}) ORDER BY run DESC LIMIT ?", (limit,))
    return [describe(db, row[0]) for row in ids]


def describe(db: Database, run: str) -> Run:
    """A run as a person recognises it."""
    about = db.one("SELECT op FROM changes WHERE run = ? AND op IN (SELECT value FROM json_each(?))", (run, _OPS))
    if about is not None:
        return _about(db, run, about[0])
    count, origin, typed = db.one(
        "SELECT COUNT(*), MIN(origin), MIN(key LIKE 'typed:%' OR key LIKE 'piped:%') FROM entries "
        "WHERE run = ? AND state <> 1",
        (run,),
    )
    if not count:
        return _decision(db, run)
    sample = db.one("SELECT text FROM entries WHERE run = ? AND state = 0 ORDER BY id LIMIT 1", (run,))
    kind = "add" if typed or origin is None else "import"
    return Run(run, kind, _at(run), count, origin=origin, sample=None if sample is None else sample[0])


def _about(db: Database, run: str, op: str) -> Run:
    """A run that forgot, restored or purged. What is forgotten shows no sample."""
    if op == "purge":
        sql = "SELECT COUNT(*) FROM changes c, json_each(c.body, ?) WHERE c.run = ? AND c.op = 'purge'"
        entries, memories = (db.one(sql, (f"$.after.{name}", run))[0] for name in ("entries", "memories"))
        return Run(run, op, _at(run), entries, memories)
    entries = db.one("SELECT COUNT(*) FROM forgettings WHERE run = ?", (run,))[0]
    memories = db.one("SELECT COUNT(DISTINCT target) FROM changes WHERE run = ? AND op = 'standing'", (run,))[0]
    sample = db.one(
        "SELECT e.text FROM forgettings f JOIN entries e ON e.id = f.entry WHERE f.run = ? AND e.state = 0 "
        "ORDER BY e.id LIMIT 1",
        (run,),
    ) or db.one(
        "SELECT json_extract(m.statement, '$.text') FROM changes c JOIN memories m ON m.id = c.target "
        "WHERE c.run = ? AND c.op = 'standing' AND m.standing <> 'forgotten' ORDER BY m.id LIMIT 1",
        (run,),
    )
    return Run(run, op, _at(run), entries, memories, sample=None if sample is None else sample[0])


def _decision(db: Database, run: str) -> Run:
    """A run without entries: what a tidy or a person decided."""
    rows = db.rows(
        "SELECT op, target, author, json_extract(body, '$.after.standing') FROM changes WHERE run = ? ORDER BY id",
        (run,),
    )
    by_hand = [(op, target, standing) for op, target, author, standing in rows if author == "user" and op in _BY_HAND]
    if not by_hand:
        return Run(run, "tidy", _at(run), 0)
    op, target, standing = by_hand[0]
    if op == "standing" and standing in _FORGETS:
        return _about(db, run, _FORGETS[standing])
    about = db.one(
        "SELECT json_extract(statement, '$.text') FROM memories WHERE id = ? AND standing <> 'forgotten'", (target,)
    )
    return Run(run, _BY_HAND[op], _at(run), 0, sample=None if about is None else about[0])


def _at(run: str) -> str:
    try:
        return iso(milliseconds(run))
    except (ValueError, OverflowError):
        return "time unknown"


def find(db: Database, tail: str) -> Run:
    """The run whose id ends with `tail`. Raises `NothingFound`, or `UsageError` where several do."""
    wanted = tail.strip().upper()
    found = db.rows(
        f"SELECT run FROM ({_STANDING}) WHERE upper(substr(run, -length(?))) = ? LIMIT 2",
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

    An older tidy is refused while a later one builds on it, a forget or a
    restore while a later one is about the same entries, and a purge always.
    Raises `Refused`, or `NothingFound` where nothing is left to take back.
    """
    taken: list[Run] = []

    def choose(db: Database) -> list[Change]:
        run = _chosen(db, tail)
        taken.append(run)
        reason = f"mem undo of {run.kind} {run.id[-6:]}"
        return [Change(op="undo", run=store.ids.new(), author="user", reason=reason, target=run.id)]

    store.decide(choose)
    if taken[-1].kind == "forget":
        bring_vectors(store)
    return taken[-1]


def _chosen(db: Database, tail: str | None) -> Run:
    if tail is not None:
        run = find(db, tail)
    elif newest := runs(db):
        run = newest[0]
    else:
        raise NothingFound("There is nothing to take back.")
    if run.kind == "purge":
        raise Refused("A purge cannot be taken back: what it took is gone.", _instead(db))
    later = db.rows(
        "SELECT DISTINCT run FROM changes WHERE run > ?1 AND run NOT IN (SELECT run FROM undone) AND ("
        "target IN (SELECT target FROM changes WHERE run = ?1) OR "
        "(op IN ('index', 'extract', 'event') AND EXISTS "
        "(SELECT 1 FROM changes WHERE run = ?1 AND op IN ('index', 'extract', 'event')))) "
        "UNION SELECT l.run FROM forgettings f JOIN forgettings l ON l.entry = f.entry "
        "WHERE f.run = ?1 AND l.run > ?1 AND l.run NOT IN (SELECT run FROM undone) "
        "ORDER BY run",
        (run.id,),
    )
    if later:
        names = ", ".join(row[0][-6:] for row in later)
        raise Refused(f"Later runs build on {run.id[-6:]}: {names}.", "Take those back first.")
    return run


def _instead(db: Database) -> str:
    """What to say instead of the undo of a purge: the newest run that can be taken back."""
    row = db.one(f"SELECT MAX(run) FROM ({_STANDING}) WHERE run NOT IN (SELECT run FROM changes WHERE op = 'purge')")
    return "`mem undo --list` shows the runs." if row[0] is None else f"The run before it: `mem undo {row[0][-6:]}`."
