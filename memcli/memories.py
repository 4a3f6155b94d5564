"""What is derived, as types: statements, their evidence and their history.

Apart from `types`, so that `mem add`, which makes no memory, does not pay for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memcli.types import Trust

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

    @property
    def ended(self) -> bool:
        """Whether it was replaced, or it is known from when it is no longer true."""
        return self.until_ms is not None or self.replaced_by is not None
