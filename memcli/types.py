"""The words of the design as types: one meaning each, used everywhere.

Nothing here reads a clock, a file or a database.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Precision = Literal["second", "minute", "day", "none"]
Role = Literal["user", "assistant", "system", "tool", "other", "unknown"]
Trust = Literal["self", "other", "assistant", "tool", "document", "web", "mail"]
Status = Literal["passed", "failed", "unknown"]

PRECISIONS: tuple[Precision, ...] = ("second", "minute", "day", "none")
ROLES: tuple[Role, ...] = ("user", "assistant", "system", "tool", "other", "unknown")
TRUSTS: tuple[Trust, ...] = ("self", "other", "assistant", "tool", "document", "web", "mail")
STATUSES: tuple[Status, ...] = ("passed", "failed", "unknown")

DEFAULT_SCOPE = "user"


@dataclass(frozen=True, slots=True)
class Moment:
    """When something was said, exactly as well as the source knows it.

    `ms` counts milliseconds since 1970-01-01T00:00. Where the source names an
    instant they are UTC. Where it gives a wall clock without a zone
    (`floating`), they are that wall clock read as if it were UTC: nothing is
    guessed. `offset` is the source's own UTC offset in minutes, None where it
    gave none. With precision "day" the time of day means nothing.
    """

    ms: int
    precision: Precision = "second"
    offset: int | None = None
    floating: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """What a parser yields: an entry before it has an id, a run and a scope.

    `conversation` and `message` are the source's own ids, None where the
    format has none. `ordinal` is the position in the conversation, from 0.
    `app` names the format ("chatgpt", "note", ...). `moment` is None where
    the time is unknown. `text` is plain text, never empty. `address` is the mail
    address of the speaker, where the source is mail.
    """

    app: str
    text: str
    ordinal: int
    speaker: str | None = None
    role: Role = "unknown"
    trust: Trust = "other"
    moment: Moment | None = None
    conversation: str | None = None
    title: str | None = None
    message: str | None = None
    status: Status | None = None
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """Something a parser saw and did not make an entry of, and why.

    `where` is a place a person can find ("line 12", "conversation 3").
    `reason` is a short phrase that groups ("system prompt", "empty message").
    `damaged` marks data that could not be read, as against data left out on
    purpose.
    """

    where: str
    reason: str
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One raw, immutable record: a chat turn, a note, a document chunk, a tool result (A1).

    `blob` is the SHA-256 of the document it was read from, where the original is kept (A6).
    """

    id: str
    run: str
    session: str
    ordinal: int
    source_key: str
    text: str
    imported_at: int
    speaker: str | None = None
    role: Role = "unknown"
    trust: Trust = "other"
    moment: Moment | None = None
    scope: str = DEFAULT_SCOPE
    source: str = "note"
    origin: str | None = None
    title: str | None = None
    status: Status | None = None
    pin: bool = False
    blob: str | None = None
