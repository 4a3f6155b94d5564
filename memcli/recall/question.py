"""A question, and what can be read off it before anything is searched (D1, D2)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memcli.lang.words import content_terms, has_cjk, words
from memcli.recall.dates import NamedDate, named_dates
from memcli.recall.mentions import Mention, mentions, subjects

_WHEN = re.compile(
    r"\bwhen\b|\bhow long\b|\b(?:what|which) (?:date|day|month|year|time|week|season)\b|\bsince\b"
    "|什么时候|何时|哪天|哪年|哪个月|几号|いつ|何年|何月|何日|언제",
    re.IGNORECASE,
)
_ME = frozenset(("i", "me", "my", "mine", "myself", "我", "私", "僕", "俺"))
_ASKING = re.compile(
    "什么时候|什麼時候|为什么|為什麼|什么|什麼|哪里|哪裡|哪儿|怎么|怎麼|多少|いつ|どこ|だれ|なぜ|どう|언제|어디|누구|무엇"
)
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
    """What a question looks for: its words, whom it is about, the dates it names, whether it asks when.

    `subjects` are the speakers it is about, `of_me` whether that is the
    person who asks. "What did Ann give to Ben?" is about Ann.
    """

    terms: tuple[str, ...]
    subjects: frozenset[str]
    of_me: bool
    dates: tuple[NamedDate, ...]
    when: bool


def read(text: str, speakers: Sequence[str]) -> Plan:
    """The plan of a question, given who speaks in the store."""
    named = mentions(text, speakers)
    names = {name for mention in named for name in mention.names}
    about = subjects(text, named)
    return Plan(
        terms=_terms(text, named, {part for name in names for part in words(name)}),
        subjects=frozenset(name for mention in about for name in mention.names),
        of_me=not about and not _ME.isdisjoint(words(text)),
        dates=named_dates(text, names),
        when=_WHEN.search(text) is not None,
    )


def _terms(text: str, named: Sequence[Mention], names: Collection[str]) -> tuple[str, ...]:
    for mention in reversed(named):
        text = f"{text[: mention.start]} {text[mention.owner_end :]}"
    return tuple(content_terms(_ASKING.sub(" ", text), names))


def as_said(text: str, speakers: Sequence[str]) -> str:
    """The question in the words of the one it asks about: this, not the question itself, is to be embedded (D1).

    "When did Ann give Ben the key?" becomes "When did I give you the key?":
    turns are said in the first person, and a name draws an embedding to every
    turn that greets its bearer. A question that names no speaker stays as it is.
    """
    named = [place for place in mentions(text, speakers) if not has_cjk(text[place.start : place.end])]
    about = subjects(text, named)
    if len(about) > 1:
        places = [(about[0].start, about[-1], "our", "we")]
    else:
        places = [(mention.start, mention, "my", "I") for mention in about]
    places += [(mention.start, mention, "your", "you") for mention in named[len(about) :]]
    parts, end = [], 0
    for start, mention, whose, who in places:
        parts += [text[end:start], whose if mention.owner else who]
        end = mention.owner_end
    return "".join(parts) + text[end:]
