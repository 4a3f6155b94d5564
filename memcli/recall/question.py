"""A question, and what can be read off it before anything is searched (D1, D2)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from memcli.lang.words import STOP, content_terms, has_cjk, words

_WHEN = re.compile(
    r"\bwhen\b|\bhow long\b|\b(?:what|which) (?:date|day|month|year|time|week|season)\b|\bsince\b"
    "|什么时候|何时|哪天|哪年|哪个月|几号|いつ|何年|何月|何日|언제",
    re.IGNORECASE,
)
_ME = frozenset(("i", "me", "my", "mine", "myself"))


@dataclass(frozen=True, slots=True)
class Query:
    """`since_ms` and `until_ms` are a half-open range of wall-clock milliseconds; `k` pieces of evidence at most."""

    text: str
    scope: str | None = None
    since_ms: int | None = None
    until_ms: int | None = None
    k: int = 8
    include_tools: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """What a question looks for: its words, the speakers it names, whether it speaks of me, whether it asks when."""

    terms: tuple[str, ...]
    named: frozenset[str]
    of_me: bool
    when: bool


def read(text: str, speakers: Iterable[str]) -> Plan:
    """The plan of a question, given who speaks in the store."""
    asked = frozenset(words(text))
    named = frozenset(name for name in speakers if _names(text, asked, name))
    of_them = {part for name in named for part in name_words(name)}
    return Plan(tuple(content_terms(text, of_them)), named, bool(asked & _ME), bool(_WHEN.search(text)))


def as_said(text: str, speakers: Iterable[str]) -> str:
    """The question in the words of the one it asks about: this, not the question itself, is to be embedded (D1).

    "When did Ann paint the door?" becomes "When did I paint the door?": turns
    are said in the first person, and a name draws an embedding to every turn
    that greets its bearer. A question that names no speaker stays as it is.
    """
    asked = frozenset(words(text))
    parts = {part for name in speakers if not has_cjk(name) and _names(text, asked, name) for part in name_words(name)}
    if not parts:
        return text
    name = "|".join(sorted(map(re.escape, parts), key=len, reverse=True))
    run = re.compile(rf"\b(?:{name})(?:\s+(?:{name}))*\b(['’]s?(?!\w))?", re.IGNORECASE)
    return run.sub(lambda match: "my" if match[1] else "I", text)


def name_words(name: str) -> Collection[str]:
    """The words of a speaker's name that can stand for the whole; none that are ordinary words."""
    return [part for part in words(name) if part not in STOP and (len(part) > 1 or has_cjk(part))]


def _names(text: str, asked: frozenset[str], name: str) -> bool:
    if has_cjk(name):
        return name in text
    return not asked.isdisjoint(name_words(name))
