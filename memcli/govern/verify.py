"""Code disposes: whether a proposed statement is carried by what it cites (section 4 of the design)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memcli.extract.context import Found
from memcli.extract.dates import computed
from memcli.lang.words import STOP, stem, words
from memcli.memories import Statement
from memcli.types import Entry

_FIRST_PERSON = re.compile(r"\b(?:I|I['’](?:m|ve|d|ll)|me|my|mine|myself|we|us|our|ours|ourselves)\b")
_RELATIVE = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|(?:last|next|this) (?:week|month|year|weekend|night|morning|evening|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|fall|winter)|"
    r"\w+ (?:days?|weeks?|months?|years?) ago)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|‘[^’]*’|`[^`]*`")
_NAME = re.compile(r"(?<![.!?:“\"] )(?<!^)\b[A-Z][\w'’-]+")
_MONTH = frozenset(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter".split()
)


def refusal(found: Found, entries: Mapping[str, Entry], names: str = "") -> str | None:
    """Why a proposal is not kept, in a phrase that groups; None where it may be.

    `entries` are those it may cite; `names` are those that code resolved from
    pronouns. The dates that code worked out are worked out here once more,
    from each quoted entry and its own time.
    """
    statement = found.statement
    if not statement.text.strip() or not statement.subject.strip():
        return "empty"
    if not found.quotes:
        return "no evidence"
    said = []
    for quote in found.quotes:
        entry = entries.get(quote.entry)
        if entry is None:
            return "cites what it was not given"
        if not quote.text.strip() or quote.text not in entry.text:
            return "a quote that is not verbatim"
        said.append(f"{entry.speaker or ''} {entry.text}")
    told = _QUOTED.sub(" ", statement.text)
    if _FIRST_PERSON.search(told):
        return "a pronoun is left"
    if _RELATIVE.search(told):
        return "a relative time is left"
    known = set(words(" ".join([*said, names, statement.subject])))
    figures = {word for word in words(statement.text) if any(sign.isdigit() for sign in word)} - known
    if figures:
        cited = [entries[quote.entry] for quote in found.quotes]
        if not figures <= {word for entry in cited for word in words(computed(entry.text, entry.moment))}:
            return "a number from nowhere"
    if any(not _known(name, known) for name in _NAME.findall(told)):
        return "a name from nowhere"
    if statement.durable and not _given(statement, found):
        return "an instruction that its quotes do not give"
    return None


def _given(statement: Statement, found: Found) -> bool:
    """Whether every word of an instruction is in its quotes or its subject: nobody obeys what nobody said."""
    there = {
        stem(word) for text in (statement.subject, *(quote.text for quote in found.quotes)) for word in words(text)
    }
    return all(stem(word) in there for word in words(statement.text) if word not in STOP and word not in _TELLING)


_TELLING = frozenset(
    "want wants ask asks asked prefer prefers instruct instructs tell tells told require requires".split()
)
"""How somebody else's wish is put."""


def _known(name: str, known: set[str]) -> bool:
    parts = set(words(name))
    return parts <= known or not parts.isdisjoint(_MONTH)
