"""One line of the log or the journal: the envelope, its check sum, and the records inside.

`docs/records.md` is the contract; this module is its only reader and writer.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from memcli.clock import from_iso, iso, to_iso
from memcli.types import (
    DEFAULT_SCOPE,
    PRECISIONS,
    ROLES,
    STATUSES,
    TRUSTS,
    Entry,
    Moment,
    Precision,
    Role,
    Status,
    Trust,
)

VERSION = 1
_CRC_KEY = b',"crc":"'
_CRC_TAIL = len(_CRC_KEY) + 8 + 2
_encode = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"), check_circular=False).encode


@dataclass(frozen=True, slots=True)
class Envelope:
    """What every line has: version, id, device, kind, time of writing (ISO, UTC), and the record itself."""

    id: str
    device: str
    kind: str
    at: str
    rec: Mapping[str, Any]
    v: int = VERSION


@dataclass(frozen=True, slots=True)
class Change:
    """One governance decision, one line of the journal.

    `op` says what is done, `target` to what (an id), `before`/`after` the
    values it replaces, `evidence` the entry ids that it rests on.
    """

    op: str
    run: str
    author: str
    reason: str
    target: str | None = None
    evidence: tuple[str, ...] = ()
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """One past `mem ask`, as asked, with the ids of what it returned and of what the answer cited."""

    text: str
    evidence: tuple[str, ...]
    cited: tuple[str, ...]
    abstained: bool
    scope: str | None = None


class BadLine(ValueError):
    """A line that is not a record: why, in a short phrase."""


def pack(envelope: Envelope) -> bytes:
    """The line of an envelope, its newline included. The check sum covers every byte before it."""
    body = _encode(
        {
            "v": envelope.v,
            "id": envelope.id,
            "device": envelope.device,
            "kind": envelope.kind,
            "at": envelope.at,
            "rec": envelope.rec,
        }
    ).encode("ascii")[:-1]
    return b'%b,"crc":"%08x"}\n' % (body, zlib.crc32(body))


def unpack(line: bytes) -> Envelope:
    """The envelope of a line (without its newline). Raises `BadLine` where a single bit is off."""
    raw = line.rstrip(b" ")
    body, tail = raw[:-_CRC_TAIL], raw[-_CRC_TAIL:]
    if not tail.startswith(_CRC_KEY) or not tail.endswith(b'"}'):
        raise BadLine("not a record")
    if tail[len(_CRC_KEY) : -2] != b"%08x" % zlib.crc32(body):
        raise BadLine("check sum differs")
    try:
        value = json.loads(body + b"}")
        return Envelope(value["id"], value["device"], value["kind"], value["at"], value["rec"], value["v"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadLine("not an envelope") from error


def entry_record(entry: Entry) -> dict[str, Any]:
    """The record of an entry; what is at its default is left out."""
    rec: dict[str, Any] = {
        "run": entry.run,
        "session": entry.session,
        "ordinal": entry.ordinal,
        "key": entry.source_key,
        "role": entry.role,
        "trust": entry.trust,
        "scope": entry.scope,
        "source": entry.source,
        "imported_at": iso(entry.imported_at),
        "text": entry.text,
    }
    if entry.speaker is not None:
        rec["speaker"] = entry.speaker
    if entry.moment is not None:
        rec["said_at"] = to_iso(entry.moment)
        rec["precision"] = entry.moment.precision
        if entry.moment.offset is not None:
            rec["offset"] = entry.moment.offset
    for name in ("origin", "title", "status"):
        value = getattr(entry, name)
        if value is not None:
            rec[name] = value
    if entry.pin:
        rec["pin"] = True
    return rec


def entry_of(envelope: Envelope) -> Entry:
    """The entry of an envelope of kind "entry". Raises `BadLine` where a field is missing or of another type."""
    rec = envelope.rec
    try:
        moment = None
        if "said_at" in rec:
            ms, floating = from_iso(rec["said_at"])
            moment = Moment(ms, cast(Precision, _one_of(rec["precision"], PRECISIONS)), rec.get("offset"), floating)
        status = rec.get("status")
        entry = Entry(
            id=envelope.id,
            run=rec["run"],
            session=rec["session"],
            ordinal=rec["ordinal"],
            source_key=rec["key"],
            text=rec["text"],
            imported_at=from_iso(rec["imported_at"])[0],
            speaker=rec.get("speaker"),
            role=cast(Role, _one_of(rec["role"], ROLES)),
            trust=cast(Trust, _one_of(rec["trust"], TRUSTS)),
            moment=moment,
            scope=rec.get("scope", DEFAULT_SCOPE),
            source=rec["source"],
            origin=rec.get("origin"),
            title=rec.get("title"),
            status=None if status is None else cast(Status, _one_of(status, STATUSES)),
            pin=rec.get("pin", False),
        )
        if not isinstance(entry.text, str) or not isinstance(entry.ordinal, int):
            raise BadLine("an entry with a field of the wrong type")
        return entry
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise (
            error if isinstance(error, BadLine) else BadLine("an entry with a field missing or unreadable")
        ) from error


def change_record(change: Change) -> dict[str, Any]:
    """The record of a change; empty fields are left out."""
    rec: dict[str, Any] = {
        "op": change.op,
        "run": change.run,
        "author": change.author,
        "reason": change.reason,
    }
    if change.target is not None:
        rec["target"] = change.target
    if change.evidence:
        rec["evidence"] = list(change.evidence)
    if change.before:
        rec["before"] = dict(change.before)
    if change.after:
        rec["after"] = dict(change.after)
    return rec


def change_of(envelope: Envelope) -> Change:
    """The change of an envelope of kind "change". Raises `BadLine`."""
    rec = envelope.rec
    try:
        return Change(
            op=rec["op"],
            run=rec["run"],
            author=rec["author"],
            reason=rec["reason"],
            target=rec.get("target"),
            evidence=tuple(rec.get("evidence", ())),
            before=rec.get("before", {}),
            after=rec.get("after", {}),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise BadLine("a change with a field missing") from error


def question_record(question: Question) -> dict[str, Any]:
    """The record of a question."""
    rec: dict[str, Any] = {
        "question": question.text,
        "evidence": list(question.evidence),
        "cited": list(question.cited),
        "abstained": question.abstained,
    }
    if question.scope is not None:
        rec["scope"] = question.scope
    return rec


def question_of(envelope: Envelope) -> Question:
    """The question of an envelope of kind "question". Raises `BadLine`."""
    rec = envelope.rec
    try:
        return Question(
            rec["question"], tuple(rec["evidence"]), tuple(rec["cited"]), rec["abstained"], rec.get("scope")
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise BadLine("a question with a field missing") from error


def _one_of(value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise BadLine(f"unknown value {value!r}")
    return value
