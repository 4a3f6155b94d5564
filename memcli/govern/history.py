"""What was decided, when, by whom and why: of one memory, or of all as an activity feed (C3, G2)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memcli.clock import iso
from memcli.ids import milliseconds
from memcli.projection.database import Database
from memcli.projection.sqlite import Row
from memcli.projection.visibility import FORGOTTEN

_WHAT = {
    "memory": "learnt",
    "support": "said again",
    "retire": "replaced",
    "revive": "revived",
    "conflict": "in conflict",
    "settle": "settled",
    "edit": "corrected",
    "pin": "pinned",
    "undo": "taken back",
    "merge": "merged",
    "forget": "forgotten",
    "restore": "restored",
    "purge": "purged",
    "index": "indexed",
    "extract": "read",
    "event": "grouped",
}
_STANDING = {
    "rule": "promoted",
    "held": "held",
    "refused": "refused",
    "forgotten": "forgotten",
    "restored": "restored",
    "memory": "demoted",
}


@dataclass(frozen=True, slots=True)
class Decision:
    """One change of the journal, and whether its run still stands; `what` is its operation in a word."""

    id: str
    at: str
    op: str
    run: str
    author: str
    reason: str
    target: str | None
    evidence: tuple[str, ...]
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    stands: bool = True

    @property
    def what(self) -> str:
        if self.op == "standing":
            return _STANDING.get(str(self.after.get("standing")), self.op)
        if self.op == "pin" and self.after.get("pin") is False:
            return "unpinned"
        return _WHAT.get(self.op, self.op)


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the feed: `what` is added, imported, asked, or the word of a decision; `text` what it was about."""

    at: str
    what: str
    text: str
    id: str
    author: str
    count: int = 1
    stands: bool = True


_WORDLESS = frozenset({"standing", "scope", "trust", "since_ms", "until_ms", "by", "with", "into", "pin", "purged"})
"""Fields of a decision in which no words stand."""
FORGOTTEN_TEXT = "(forgotten)"
_COLUMNS = "id, at, op, run, author, reason, target, body, run IN (SELECT run FROM undone)"


def of(db: Database, target: str) -> list[Decision]:
    """Every decision about one memory that stands, in order, without the words of entries that are forgotten."""
    rows = db.rows(f"SELECT {_COLUMNS} FROM changes WHERE target = ? ORDER BY id", (target,))
    hidden = _forgotten(db, target)
    decisions = [decision for decision in map(_decision, rows) if decision.stands]
    return [_without(decision, hidden) for decision in decisions] if hidden else decisions


def _forgotten(db: Database, target: str) -> frozenset[str]:
    """The forgotten entries that a memory rests on."""
    sql = "SELECT id FROM cites JOIN entries ON id = entry WHERE memory = ? AND state = ?"
    return frozenset(row[0] for row in db.rows(sql, (target, FORGOTTEN)))


def _without(decision: Decision, hidden: frozenset[str]) -> Decision:
    """A decision without what was read in these entries, nor what it changed, which may have been read there."""
    quotes = decision.after.get("quotes", ())
    left = [pair for pair in quotes if pair[0] not in hidden]
    after = dict(decision.after)
    if quotes:
        after["quotes"] = left
    cited = {pair[0] for pair in quotes} or set(decision.evidence)
    if cited and cited <= hidden:
        after = {name: value for name, value in after.items() if name in _WORDLESS}
    before = {name: value for name, value in decision.before.items() if name in _WORDLESS}
    return replace(decision, before=before, after=after)


def feed(db: Database, limit: int, what: Sequence[str] = ()) -> list[Event]:
    """The newest things that happened, newest first: what was added, asked and decided.

    The entries of one run are one event. `what` keeps only these words.
    """
    wanted = frozenset(what)
    found = [*_entries(db, limit), *_questions(db, limit)]
    rows = db.rows(
        f"SELECT {_COLUMNS} FROM changes WHERE op NOT IN ('index', 'extract') ORDER BY id DESC LIMIT ?",
        (limit if not wanted else -1,),
    )
    found += [_event(db, decision) for decision in map(_decision, rows) if not wanted or decision.what in wanted]
    kept = [event for event in found if not wanted or event.what in wanted]
    return sorted(kept, key=lambda event: (event.at, event.id), reverse=True)[:limit]


def _decision(row: Row) -> Decision:
    body = json.loads(row[7])
    change_id, at, op, run, author, reason, target = row[:7]
    evidence = tuple(body["evidence"])
    return Decision(change_id, at, op, run, author, reason, target, evidence, body["before"], body["after"], not row[8])


def _event(db: Database, decision: Decision) -> Event:
    text = decision.reason
    if decision.op == "event":
        ids = decision.run, decision.author, len(decision.evidence)
        return Event(decision.at, decision.what, _titles(db, decision), *ids, stands=decision.stands)
    if decision.target is not None and decision.op != "undo":
        text = _about(db, decision)
    count = len(decision.after.get("entries", ())) or 1
    return Event(
        decision.at,
        decision.what,
        text,
        decision.target or decision.run,
        decision.author,
        count,
        stands=decision.stands,
    )


def _titles(db: Database, decision: Decision) -> str:
    """What events were called, those apart of which an entry is forgotten: a title is made of all their words."""
    rows = db.rows(
        "SELECT id FROM entries WHERE state = ? AND id IN (SELECT value FROM json_each(?))",
        (FORGOTTEN, json.dumps(decision.evidence)),
    )
    hidden = {decision.evidence.index(row[0]) for row in rows}
    told = decision.after["events"]
    return "; ".join(str(one["title"]) if hidden.isdisjoint(one["entries"]) else FORGOTTEN_TEXT for one in told)


def _about(db: Database, decision: Decision) -> str:
    """What the memory says that a decision was about, or said then; nothing of what is forgotten."""
    target = str(decision.target)
    row = db.one("SELECT json_extract(statement, '$.text'), standing FROM memories WHERE id = ?", (target,))
    if row is not None:
        return FORGOTTEN_TEXT if row[1] == "forgotten" else str(row[0])
    into = db.one(
        "SELECT m.standing FROM changes c JOIN memories m ON m.id = json_extract(c.body, '$.after.into') "
        "WHERE c.target = ? AND c.op = 'merge' ORDER BY c.id DESC LIMIT 1",
        (target,),
    )
    if _forgotten(db, target) or (into is not None and into[0] == "forgotten"):
        return FORGOTTEN_TEXT
    return str(decision.after.get("text", decision.reason))


def _entries(db: Database, limit: int) -> list[Event]:
    rows = db.rows(
        "SELECT run, COUNT(*), MIN(origin), MIN(CASE WHEN state <> 2 THEN text END), MAX(state = 1), "
        "MIN(key LIKE 'typed:%') FROM entries GROUP BY run ORDER BY run DESC LIMIT ?",
        (limit,),
    )
    return [
        Event(
            _at(run),
            "added" if typed or origin is None else "imported",
            FORGOTTEN_TEXT if text is None else origin or text,
            run,
            "user",
            count,
            not back,
        )
        for run, count, origin, text, back, typed in rows
    ]


def _questions(db: Database, limit: int) -> list[Event]:
    rows = db.rows("SELECT at, text, id, abstained FROM questions ORDER BY id DESC LIMIT ?", (limit,))
    return [
        Event(at, "not answered" if abstained else "asked", text, question_id, "user")
        for at, text, question_id, abstained in rows
    ]


def _at(run: str) -> str:
    try:
        return iso(milliseconds(run))
    except (ValueError, OverflowError):
        return ""
