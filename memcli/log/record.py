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
_INT64 = 1 << 63
_DAY_MINUTES = 24 * 60


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
    """One past `mem ask`, as asked, with the ids of what it returned and of what the answer cited.

    `terminal` stands for the terminal it was asked in, None where it was none (D1).
    """

    text: str
    evidence: tuple[str, ...]
    cited: tuple[str, ...]
    abstained: bool
    scope: str | None = None
    terminal: str | None = None


class BadLine(ValueError):
    """A line that is not a record: why, in a short phrase."""


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


_decode = json.JSONDecoder(parse_constant=_no_constant).decode


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
        value = _decode(body.decode("ascii") + "}")
        names = value["id"], value["device"], value["kind"], value["at"]
        rec, version = value["rec"], value["v"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadLine("not an envelope") from error
    if not all(isinstance(name, str) and name.isascii() for name in names):
        raise BadLine("an envelope with a field of the wrong type")
    if not isinstance(rec, dict) or type(version) is not int:
        raise BadLine("an envelope with a field of the wrong type")
    return Envelope(*names, rec, version)


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
    for name in ("origin", "title", "status", "blob"):
        value = getattr(entry, name)
        if value is not None:
            rec[name] = value
    if entry.pin:
        rec["pin"] = entry.pin
    return rec


def kept(entry: Entry) -> tuple[Entry, dict[str, Any]]:
    """The entry as it will be read back, and its record. Raises `BadLine` where no reader could apply it.

    They differ where text holds lone surrogates, which neither UTF-8 nor
    SQLite can hold.
    """
    try:
        record = entry_record(entry)
        if _is_sound(entry):
            return entry, record
        read_back = entry_of(Envelope(entry.id, "", "entry", "", record))
    except (OverflowError, TypeError, AttributeError) as error:
        raise BadLine("an entry with a field that no record can hold") from error
    return (entry, record) if read_back == entry else (read_back, entry_record(read_back))


def _is_sound(entry: Entry) -> bool:
    """Whether it is plain that the entry is read back as it is; what is left open is for `entry_of` to decide."""
    texts = [entry.run, entry.session, entry.source_key, entry.text, entry.scope, entry.source]
    texts += [text for text in (entry.speaker, entry.origin, entry.title, entry.blob) if text is not None]
    moment = entry.moment
    return (
        entry.text != ""
        and all(type(text) is str and (text.isascii() or sound(text) is text) for text in texts)
        and type(entry.ordinal) is int
        and -_INT64 <= entry.ordinal < _INT64
        and type(entry.imported_at) is int
        and entry.role in ROLES
        and entry.trust in TRUSTS
        and (entry.status is None or entry.status in STATUSES)
        and type(entry.pin) is bool
        and (moment is None or _is_sound_moment(moment))
    )


def _is_sound_moment(moment: Moment) -> bool:
    offset = moment.offset
    return (
        type(moment.ms) is int
        and moment.precision in PRECISIONS
        and (offset is None or (type(offset) is int and -_DAY_MINUTES < offset < _DAY_MINUTES))
    )


def entry_of(envelope: Envelope) -> Entry:
    """The entry of an envelope of kind "entry". Raises `BadLine` where a field is missing or of another type."""
    rec = envelope.rec
    try:
        return Entry(
            id=envelope.id,
            run=_text(rec["run"]),
            session=_text(rec["session"]),
            ordinal=_number(rec["ordinal"]),
            source_key=_text(rec["key"]),
            text=_words(rec["text"]),
            imported_at=from_iso(rec["imported_at"])[0],
            speaker=_text_or_none(rec.get("speaker")),
            role=cast(Role, _one_of(rec["role"], ROLES)),
            trust=cast(Trust, _one_of(rec["trust"], TRUSTS)),
            moment=_moment(rec),
            scope=_text(rec.get("scope", DEFAULT_SCOPE)),
            source=_text(rec["source"]),
            origin=_text_or_none(rec.get("origin")),
            title=_text_or_none(rec.get("title")),
            status=None if rec.get("status") is None else cast(Status, _one_of(rec["status"], STATUSES)),
            pin=_flag(rec.get("pin", False)),
            blob=_text_or_none(rec.get("blob")),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, BadLine):
            raise
        raise BadLine("an entry with a field missing or unreadable") from error


def _moment(rec: Mapping[str, Any]) -> Moment | None:
    if "said_at" not in rec:
        return None
    ms, floating = from_iso(rec["said_at"])
    offset = rec.get("offset")
    if offset is not None and abs(_number(offset)) >= _DAY_MINUTES:
        raise BadLine("an entry with an impossible offset")
    return Moment(ms, cast(Precision, _one_of(rec["precision"], PRECISIONS)), offset, floating)


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
            op=_text(rec["op"]),
            run=_text(rec["run"]),
            author=_text(rec["author"]),
            reason=_text(rec["reason"]),
            target=_text_or_none(rec.get("target")),
            evidence=_texts(rec.get("evidence", [])),
            before=_mapping(rec.get("before", {})),
            after=_mapping(rec.get("after", {})),
        )
    except KeyError as error:
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
    if question.terminal is not None:
        rec["terminal"] = question.terminal
    return rec


def question_of(envelope: Envelope) -> Question:
    """The question of an envelope of kind "question". Raises `BadLine`."""
    rec = envelope.rec
    try:
        return Question(
            _text(rec["question"]),
            _texts(rec["evidence"]),
            _texts(rec["cited"]),
            _flag(rec["abstained"]),
            _text_or_none(rec.get("scope")),
            _text_or_none(rec.get("terminal")),
        )
    except KeyError as error:
        raise BadLine("a question with a field missing") from error


def sound(text: str) -> str:
    """The text as it can be stored: halves of surrogate pairs are joined, lone ones become U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise BadLine("a text field of the wrong type")
    return value if value.isascii() else sound(value)


def _text_or_none(value: object) -> str | None:
    return None if value is None else _text(value)


def _words(value: object) -> str:
    text = _text(value)
    if not text:
        raise BadLine("an entry without words")
    return text


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise BadLine("a list of the wrong type")
    return tuple(_text(item) for item in value)


def _number(value: object) -> int:
    if type(value) is not int or not -_INT64 <= value < _INT64:
        raise BadLine("a number of the wrong type")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise BadLine("a flag of the wrong type")
    return value


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise BadLine("a mapping of the wrong type")
    return value


def _one_of(value: object, allowed: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise BadLine(f"unknown value {value!r}")
    return value
