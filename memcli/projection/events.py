"""Events: what a tidy decided, settled into one state whatever order the records came in (B4, B6).

A claim is what one change says of one event: its entries, title, fact sheet
and topic. Of the claims of an event that stand the newest counts, whole. An
entry that several events claim belongs to the one claimed last; one that is
not visible belongs to none, and an event without entries is not there.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, cast

from memcli.log.record import BadLine, Change, sound
from memcli.projection.database import Database
from memcli.projection.digest import MARK_BYTES
from memcli.projection.sqlite import Damaged, Row

UNSORTED = "unsorted"
"""The topic of an event that fits none."""
COLUMNS = "id, title, facts, topic, edition, scope, first_ms, last_ms, size, stale, seen_ms, mark"
_LISTED = "SELECT value FROM json_each(?)"
_WALL = "e.said_ms + COALESCE(e.offset, 0) * 60000"


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a fact sheet, and the entry that it rests on."""

    entry: str
    text: str


@dataclass(frozen=True, slots=True)
class Event:
    """A topic-sized group of entries (B4).

    `title` is None where an entry that it was made of has left: the next tidy
    makes another. `first_ms` and `last_ms` are on the wall clock where it was
    said, None where no entry has a time. `stale` is whether its entries are
    others than those that its claim names; `edition` the taxonomy by which it
    was filed.
    """

    id: str
    title: str | None
    facts: tuple[Fact, ...]
    topic: str
    edition: str
    scope: str
    first_ms: int | None
    last_ms: int | None
    size: int
    stale: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """What one change says of one event. A fact is (entry, begin, end) of its words there, or (entry, text)."""

    event: str
    title: str
    entries: tuple[str, ...]
    facts: tuple[tuple[str, int, int] | tuple[str, str], ...] = ()
    topic: str = UNSORTED
    edition: str = ""


def change_of(run: str, claims: Sequence[Claim], author: str, reason: str) -> Change:
    """The one change that makes the claims. Entries stand once, as its evidence; claims name them by their place."""
    evidence = list(dict.fromkeys(entry for claim in claims for entry in claim.entries))
    place = {entry: number for number, entry in enumerate(evidence)}
    return Change(
        op="event",
        run=run,
        author=author,
        reason=reason,
        evidence=tuple(evidence),
        after={"through": max(evidence), "events": [_record(claim, place) for claim in claims]},
    )


def _record(claim: Claim, place: Mapping[str, int]) -> dict[str, Any]:
    facts = [[place[fact[0]], *fact[1:]] for fact in claim.facts]
    return {
        "id": claim.event,
        "title": claim.title,
        "entries": [place[entry] for entry in claim.entries],
        "facts": facts,
        "topic": claim.topic,
        "edition": claim.edition,
    }


def claims_of(change: Change) -> list[Claim]:
    """The claims of a change of op "event". Raises `BadLine`."""
    events = change.after.get("events")
    if not isinstance(change.after.get("through"), str) or not isinstance(events, list) or not events:
        raise BadLine("an event change without events")
    claims = [_claim(item, change.evidence) for item in events]
    named = [entry for claim in claims for entry in claim.entries]
    if len({claim.event for claim in claims}) < len(claims) or len(set(named)) < len(named):
        raise BadLine("an event change that claims something twice")
    return claims


def _claim(item: object, evidence: Sequence[str]) -> Claim:
    if not isinstance(item, dict):
        raise BadLine("an event that is no object")
    texts = [item.get(name) for name in ("id", "title", "topic", "edition")]
    entries, facts = item.get("entries"), item.get("facts")
    if not all(isinstance(text, str) for text in texts) or not isinstance(entries, list) or not isinstance(facts, list):
        raise BadLine("an event with a field missing or of another type")
    event, title, topic, edition = (sound(str(text)) for text in texts)
    return Claim(
        event,
        title,
        tuple(_named(place, evidence) for place in entries),
        tuple(_fact(fact, evidence) for fact in facts),
        topic,
        edition,
    )


def _named(place: object, evidence: Sequence[str]) -> str:
    if type(place) is not int or not 0 <= place < len(evidence):
        raise BadLine("an event with an entry that is not in its evidence")
    return evidence[place]


def _fact(fact: object, evidence: Sequence[str]) -> tuple[str, int, int] | tuple[str, str]:
    match fact:
        case [place, str(text)]:
            return _named(place, evidence), sound(text)
        case [place, int(begin), int(end)] if 0 <= begin < end:
            return _named(place, evidence), begin, end
    raise BadLine("an event with an unreadable fact")


def apply(db: Database, change: Change, change_id: str) -> None:
    """Keep the claims of a change of op "event" and settle its events; the caller holds the transaction."""
    claims = claims_of(change)
    for claim in claims:
        body = json.dumps([claim.title, claim.entries, claim.facts, claim.topic, claim.edition])
        db.execute("INSERT INTO event_claims VALUES (?, ?, ?, ?)", (claim.event, change_id, change.run, body))
    settle(db, [claim.event for claim in claims])


def of_run(db: Database, run: str) -> list[str]:
    """The events of which a run claims something."""
    return [event for (event,) in db.rows("SELECT DISTINCT event FROM event_claims WHERE run = ?", (run,))]


def settle(db: Database, events: Iterable[str], entries: Iterable[str] = ()) -> None:
    """Bring the events up to date that these claims, or entries that came or went, are about.

    To be called by whatever makes claims stand or fall, or entries visible
    or not; the caller holds the transaction.
    """
    touched = set(events)
    moved = set(entries)
    for event in sorted(touched):
        moved |= _link(db, event)
    touched |= _place(db, moved)
    for event in sorted(touched):
        _write(db, event)


def _standing(db: Database, event: str) -> tuple[str, str] | None:
    """(change, body) of the claim that counts."""
    rows = db.rows("SELECT change, run, body FROM event_claims WHERE event = ? ORDER BY change DESC", (event,))
    undone = db.undone()
    return next(((change, body) for change, run, body in rows if run not in undone), None)


def _link(db: Database, event: str) -> set[str]:
    """Let the event claim what its standing claim says; the entries that were or are claimed."""
    standing = _standing(db, event)
    old = db.rows("SELECT entry, change FROM event_links WHERE event = ?", (event,))
    if standing is not None and old and old[0][1] == standing[0]:
        return {entry for entry, _ in old}
    db.execute("DELETE FROM event_links WHERE event = ?", (event,))
    new = [] if standing is None else _body(standing[1])[1]
    for entry in new:
        db.execute(
            "INSERT OR IGNORE INTO event_links VALUES (?, ?, ?)", (entry, event, standing[0] if standing else "")
        )
    return {entry for entry, _ in old}.union(new)


def _place(db: Database, entries: Collection[str]) -> set[str]:
    """Put each entry into the event that it belongs to now; the events that have, or had, one of them."""
    if not entries:
        return set()
    listed = json.dumps(sorted(entries))
    claimed = f"SELECT entry, event FROM event_links WHERE entry IN ({_LISTED}) ORDER BY change, event"
    wanted: dict[str, str] = dict(db.rows(claimed, (listed,)))
    rows = db.rows(
        "SELECT e.id, e.seq, e.state, x.event FROM entries e LEFT JOIN event_entries x USING (seq) "
        f"WHERE e.id IN ({_LISTED})",
        (listed,),
    )
    touched = set(wanted.values())
    for entry_id, seq, state, event in rows:
        new = wanted.get(entry_id) if state == 0 else None
        touched |= {event} - {None}
        if new == event:
            continue
        if event is not None:
            db.execute("DELETE FROM event_entries WHERE seq = ?", (seq,))
        if new is not None:
            db.execute("INSERT INTO event_entries VALUES (?, ?)", (seq, new))
    return touched


def _write(db: Database, event: str) -> None:
    """Write the row of an event anew, or take it away, and keep the digest in step."""
    old = db.one("SELECT mark FROM events WHERE id = ?", (event,))
    if old is not None:
        db.shift_digest(old[0], -1)
        db.execute("DELETE FROM events WHERE id = ?", (event,))
    members = db.rows(
        f"SELECT e.id, e.scope, CASE WHEN e.precision <> 'none' THEN {_WALL} END, e.imported_at, e.text "
        "FROM event_entries x JOIN entries e USING (seq) WHERE x.event = ? ORDER BY e.id",
        (event,),
    )
    standing = _standing(db, event)
    if not members or standing is None:
        return
    title, claimed, facts, topic, edition = _body(standing[1])
    texts = {row[0]: row[4] for row in members}
    sheet = [[fact[0], _words(fact, texts[fact[0]])] for fact in facts if fact[0] in texts]
    sheet = [fact for fact in sheet if fact[1]]
    stale = set(claimed) != texts.keys()
    times = [row[2] for row in members if row[2] is not None]
    values = (
        event,
        None if stale else title,
        json.dumps(sheet),
        topic,
        edition,
        members[0][1],
        min(times, default=None),
        max(times, default=None),
        len(members),
        int(stale),
        max(row[3] if row[2] is None else row[2] for row in members),
    )
    mark = mark_of(values, list(texts))
    db.execute(f"INSERT INTO events ({COLUMNS}) VALUES ({', '.join('?' * 12)})", (*values, mark))
    db.shift_digest(mark, 1)


def _body(body: object) -> tuple[str, list[str], list[list[Any]], str, str]:
    """What `apply` stored of a claim. Raises `Damaged` where that is unreadable."""
    try:
        title, claimed, facts, topic, edition = json.loads(cast(str, body))
        return str(title), [*claimed], [[*fact] for fact in facts], str(topic), str(edition)
    except (TypeError, ValueError) as error:
        raise Damaged("a claim of an event is unreadable") from error


def _words(fact: Sequence[Any], text: str) -> str:
    return text[fact[1] : fact[2]] if len(fact) == 3 else str(fact[1])


def mark_of(values: Sequence[object], entries: Sequence[str]) -> bytes:
    """The hash of an event: its row without the mark, and its entries in the order of their ids."""
    return blake2b(ascii((tuple(values[:11]), tuple(entries))).encode("ascii"), digest_size=MARK_BYTES).digest()


# Reading


def under(topic: str) -> tuple[str, tuple[str, str, str]]:
    """An SQL condition on a column `topic`, and its values: this path or below."""
    path = topic.strip().strip("/").casefold()
    return "(topic = ? OR (topic > ? AND topic < ?))", (path, path + "/", path + "0")  # "0" comes after "/"


def standing(db: Database, event: str) -> Claim | None:
    """The claim of the event that counts, with the entries that are in it now."""
    found = _standing(db, event)
    if found is None:
        return None
    title, _, facts, topic, edition = _body(found[1])
    entries = tuple(entries_of(db, event))
    kept = [tuple(fact) for fact in facts if fact[0] in entries]
    return Claim(event, title, entries, cast(Any, tuple(kept)), topic, edition)


def event_of(row: Row) -> Event:
    """A row of `COLUMNS` as an event. Raises `Damaged`."""
    try:
        facts = tuple(Fact(str(entry), str(text)) for entry, text in json.loads(row[2]))
    except (TypeError, ValueError) as error:
        raise Damaged(f"the row of event {row[0]} has changed by itself") from error
    return Event(row[0], row[1], facts, row[3], row[4], row[5], row[6], row[7], row[8], bool(row[9]))


def formed_through(db: Database) -> str | None:
    """The id of the newest entry that a standing tidy had come to when it formed events."""
    row = db.one(
        "SELECT MAX(json_extract(body, '$.after.through')) FROM changes "
        "WHERE op = 'event' AND run NOT IN (SELECT run FROM undone)"
    )
    return None if row[0] is None else str(row[0])


def entries_of(db: Database, event: str) -> list[str]:
    """The ids of an event's entries, as they were said."""
    rows = db.rows(
        "SELECT e.id FROM event_entries x JOIN entries e USING (seq) WHERE x.event = ? "
        "ORDER BY COALESCE(e.said_ms, e.imported_at), e.session, e.ordinal, e.id",
        (event,),
    )
    return [row[0] for row in rows]
