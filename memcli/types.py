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


Class = Literal["permanent", "semantic", "preference", "observation", "task_state"]
Kind = Literal["identity", "preference", "instruction", "plan", "decision", "event", "fact"]
Standing = Literal["memory", "rule", "held", "refused", "forgotten"]

CLASSES: tuple[Class, ...] = ("permanent", "semantic", "preference", "observation", "task_state")
KINDS: tuple[Kind, ...] = ("identity", "preference", "instruction", "plan", "decision", "event", "fact")
STANDINGS: tuple[Standing, ...] = ("memory", "rule", "held", "refused", "forgotten")


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of one entry, verbatim, that a memory rests on."""

    entry: str
    text: str


@dataclass(frozen=True, slots=True)
class Statement:
    """What a memory says, without its history: the part that an author proposes (B2).

    `text` is self-contained: it names its subject, has no pronoun whose
    person stands elsewhere and no time that is relative to when it was said.
    `subject`, `relation` and `value` are its logical form: the newer statement
    of the same subject and relation replaces the older. `negated` says that it
    is not so. `begin_ms` and `end_ms` bound, half-open, in milliseconds of the
    wall clock, when what is told happens or holds, where the words say so.
    `importance` is from 0 to 1. `durable` marks an explicit standing
    instruction ("from now on …"), `change` a word that says that something
    was otherwise before ("no longer", "actually", "now"). `named` are the
    people, places and other entities that it names.
    """

    text: str
    subject: str
    relation: str
    value: str
    kind: Kind
    cls: Class
    negated: bool = False
    begin_ms: int | None = None
    end_ms: int | None = None
    importance: float = 0.5
    durable: bool = False
    change: bool = False
    people: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """One derived statement with its evidence and its history (B2, C3, C7).

    `said_ms` is when its newest evidence was said (wall clock; None unknown),
    `since_ms` from when it is true in the world as far as is known, and
    `until_ms` from when it is no longer (None: still). `recorded_ms` and
    `expired_ms` are the same on the other axis: when this was known here.
    `replaced_by` is the memory that retired it; `against` are memories it
    contradicts where nobody could tell which of them holds. `reason` says why
    it has its standing.
    """

    id: str
    run: str
    author: str
    scope: str
    trust: Trust
    statement: Statement
    quotes: tuple[Quote, ...]
    standing: Standing = "memory"
    reason: str = ""
    pin: bool = False
    said_ms: int | None = None
    since_ms: int | None = None
    until_ms: int | None = None
    recorded_ms: int = 0
    expired_ms: int | None = None
    replaced_by: str | None = None
    against: tuple[str, ...] = ()
