"""What a new statement is to one that is kept: the same, its successor, its predecessor, against it, or apart (C7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memcli.lang.words import content_terms, stem
from memcli.types import Statement, Trust

Tie = Literal["same", "replaces", "replaced", "against", "apart"]


@dataclass(frozen=True, slots=True)
class Side:
    """One of two statements, with what decides between them: scope, trust, and when it was said (wall clock, ms)."""

    statement: Statement
    scope: str
    trust: Trust
    said_ms: int | None


def tie(new: Side, old: Side) -> Tie:
    """How two statements stand to each other. In doubt they are apart: nothing is retired that might still be true."""
    a, b = new.statement, old.statement
    if new.scope != old.scope or a.subject.casefold() != b.subject.casefold():
        return "apart"
    if _terms(a.text) == _terms(b.text) and a.negated == b.negated and (a.begin_ms, a.end_ms) == (b.begin_ms, b.end_ms):
        return "same"
    return "apart"


def _terms(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in content_terms(text))
