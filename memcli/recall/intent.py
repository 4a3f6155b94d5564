"""What kind of question it is, and whether one piece of evidence can answer it (D4, D6).

The first kind that fits counts, in the order of `KINDS`. What English tells by
its grammar (a plural behind "which", a verb in front) is asked here; the words
of every language stand in `asking`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from memcli.recall.asking import ENGLISH, Asking

Kind = Literal[
    "compare",
    "first",
    "last",
    "before",
    "after",
    "how_long",
    "count",
    "why",
    "when",
    "yes_no",
    "list",
    "general",
    "fact",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
_SEVERAL: frozenset[Kind] = frozenset(("compare", "count", "list", "general"))

COMPLEXITY: Mapping[Kind, float] = {
    "compare": 1.0,
    "count": 0.8,
    "list": 0.7,
    "general": 0.7,
    "yes_no": 0.6,
    "fact": 0.4,
    "before": 0.3,
    "after": 0.3,
    "how_long": 0.3,
    "why": 0.2,
    "when": 0.1,
    "first": 0.1,
    "last": 0.1,
}
"""From 0 to 1: how likely it is that several pieces of evidence are needed; by kind, as LoCoMo's questions have it."""


@dataclass(frozen=True, slots=True)
class Intent:
    """The kind of a question; `multi`: it needs more than one piece of evidence.

    `event` is the clause behind "before" or "after", "" where there is none.
    """

    kind: Kind
    multi: bool
    event: str = ""


def intent_of(text: str, asking: Asking, *, several_days: bool, bounded: bool, people: int = 0) -> Intent:
    """The intent of a question whose times and names are replaced by `asking.THEN` and `asking.NAME`.

    `bounded`: it names a time that bounds what it asks for; `several_days`:
    one that is longer than a day. `people`: how many it names.
    """
    asked = _find(asking.lead_in, text)
    if asked is not None:
        whether = asked[0].casefold().split()[-1] in ("if", "whether")
        text = ("is it so that " if whether else "") + text[asked.end() :]
    kind = _kind(text, asking, several_days=several_days, people=people)
    return Intent(kind, _multi(text, kind, asking, bounded=bounded), _event(text, kind, asking))


def _event(text: str, kind: Kind, asking: Asking) -> str:
    """The words of the event before or after which something is asked for."""
    if kind not in ("before", "after"):
        return ""
    match = _find(asking.before if kind == "before" else asking.after, text)
    if match is None:
        return ""
    if asking.postposed:
        return re.split("[、，,]", text[: match.end()])[-1]
    return re.split("[,?;，]", text[match.start() :])[0]


def _kind(text: str, asking: Asking, *, several_days: bool, people: int) -> Kind:
    def has(source: str) -> bool:
        return _find(source, text) is not None

    how_long = has(asking.how_long)
    if has(asking.compare) or (people > 1 and has(asking.either)):
        return "compare"
    if has(asking.first):
        return "first"
    if has(asking.last_of if how_long else asking.last):  # "How long did it last?"
        return "last"
    if not (how_long or has(asking.count) or has(asking.why) or has(asking.when) or _polar(text, asking)):
        if has(asking.before):
            return "before"
        if has(asking.after):
            return "after"
    if how_long:
        return "how_long"
    if has(asking.count):
        return "count"
    if has(asking.why):
        return "why"
    if has(asking.when):
        return "when"
    if has(asking.general):
        return "general"
    if has(asking.list) or (asking is ENGLISH and _asks_for_several(text)):
        return "list"
    if _polar(text, asking):
        return "yes_no"
    if several_days and has(asking.what) and not has(asking.single):
        return "list"
    return "fact"


def _multi(text: str, kind: Kind, asking: Asking, *, bounded: bool) -> bool:
    if kind in ("before", "after"):  # what happened in between has to be found first, unless a date stands there
        return not bounded or (asking is ENGLISH and _asks_for_several(text))
    if kind == "how_long":
        return _find(asking.two_ends, text) is not None
    return kind in _SEVERAL or _find(asking.chain, text) is not None


def _polar(text: str, asking: Asking) -> bool:
    """Whether it is to be answered by yes or no: a verb in front, a particle, or no question word at all."""
    if _find(asking.yes_no, text) is not None:
        return True
    return asking.silent and text.rstrip().endswith(("?", "？", "؟")) and _find(asking.question_word, text) is None


_NOUNS = re.compile(
    r"\b(?:which|what)\s+(?!of\b)((?:[\w'’-]+\s+){0,4}?[\w'’-]+)\s+(?:of\b|" + ENGLISH.verb + ")", re.IGNORECASE
)
_SUBJECT = re.compile(
    r"\b(?:which|what)\s+(?:(?:new|old|other|big|good|best|more|kinds of)\s+)?([\w-]+)", re.IGNORECASE
)
_SINGULAR = re.compile(
    r"(?:ss|us|is|ics|news|series|species|means)$|^(?:is|was|does|has|its|this|as|makes|happens|goes|lens|gas)$",
    re.IGNORECASE,
)
_IRREGULAR = frozenset("people children men women feet teeth mice media data".split())


def _asks_for_several(text: str) -> bool:
    """Whether English asks for things in the plural: "Which books did Ann lend me?", "What are my plans?"."""
    if re.search(r"\b(?:what|which|who) (?:are|were)\b(?! (?:you|we|they)\b)", text, re.IGNORECASE):
        return True
    match = _NOUNS.search(text) or _SUBJECT.search(text)
    return match is not None and _plural(match[1].split()[-1])


def _plural(noun: str) -> bool:
    low = noun.casefold()
    return low in _IRREGULAR or (len(low) > 3 and low.endswith("s") and _SINGULAR.search(low) is None)


def _find(source: str, text: str) -> re.Match[str] | None:
    return _compiled(source).search(text) if source else None


@lru_cache(maxsize=128)
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)
