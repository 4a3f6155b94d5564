"""A question, and what can be read off it before anything is searched (D1, D2)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memcli.clock import wall_ms
from memcli.lang.words import STOP, content_terms, has_cjk, words
from memcli.recall.dates import NamedDate, named_dates
from memcli.types import Entry

_WHEN = re.compile(
    r"\bwhen\b|\bhow long\b|\b(?:what|which) (?:date|day|month|year|time|week|season)\b|\bsince\b"
    "|什么时候|何时|哪天|哪年|哪个月|几号|いつ|何年|何月|何日|언제",
    re.IGNORECASE,
)
_ME = frozenset(("i", "me", "my", "mine", "myself", "我", "私", "僕", "俺"))
_ASKING = re.compile(
    "什么时候|什麼時候|为什么|為什麼|什么|什麼|哪里|哪裡|哪儿|怎么|怎麼|多少|いつ|どこ|だれ|なぜ|どう|언제|어디|누구|무엇"
)
_CAPITAL = re.compile(
    r".\b(?!I\b|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[A-Z]", re.DOTALL
)
_NUMBER = re.compile(r"\s+\d")
_OWNER = re.compile(r"['’](?:s\b)?")
_AND = re.compile(r"\s*(?:,|&|/|、|,?\s*(?:and|or|und|et|y)\b|和|与|と)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Query:
    """`since_ms` and `until_ms` are a half-open range of wall-clock milliseconds; `k` pieces of evidence at most.

    `scope` is one scope exactly, `within` any of several (B8); both empty mean every scope.
    `as_of_ms` is the instant of the wall clock at which the answer has to be
    true, whenever it was told; None: now.
    """

    text: str
    scope: str | None = None
    since_ms: int | None = None
    until_ms: int | None = None
    k: int = 8
    include_tools: bool = False
    as_of_ms: int | None = None
    within: tuple[str, ...] = ()

    def allows(self, entry: Entry) -> bool:
        """Whether an entry is in the range of the question: what `filters.condition` asks of a row."""
        if not self.include_tools and entry.role in ("tool", "system"):
            return False
        if self.scope is not None and entry.scope != self.scope:
            return False
        if self.within and entry.scope not in self.within:
            return False
        if self.since_ms is None and self.until_ms is None:
            return True
        if entry.moment is None or entry.moment.precision == "none":
            return False
        at = wall_ms(entry.moment)
        return (self.since_ms is None or at >= self.since_ms) and (self.until_ms is None or at < self.until_ms)


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
    mentions = _mentions(text, speakers)
    names = {name for mention in mentions for name in mention.names}
    subjects = _subjects(text, mentions)
    return Plan(
        terms=_terms(text, mentions, {part for name in names for part in words(name)}),
        subjects=frozenset(name for mention in subjects for name in mention.names),
        of_me=not subjects and not _ME.isdisjoint(words(text)),
        dates=named_dates(text, names),
        when=_WHEN.search(text) is not None,
    )


def _terms(text: str, mentions: Sequence[_Mention], names: Collection[str]) -> tuple[str, ...]:
    for mention in reversed(mentions):
        text = f"{text[: mention.start]} {text[mention.end :]}"
    return tuple(content_terms(_ASKING.sub(" ", text), names))


def as_said(text: str, speakers: Sequence[str]) -> str:
    """The question in the words of the one it asks about: this, not the question itself, is to be embedded (D1).

    "When did Ann give Ben the key?" becomes "When did I give you the key?":
    turns are said in the first person, and a name draws an embedding to every
    turn that greets its bearer. A question that names no speaker stays as it is.
    """
    mentions = [place for place in _mentions(text, speakers) if not has_cjk(text[place.start : place.end])]
    subjects = _subjects(text, mentions)
    if len(subjects) > 1:
        whole = _Mention(subjects[0].start, subjects[-1].end, ())
        places = [(whole, "our", "we")]
    else:
        places = [(mention, "my", "I") for mention in subjects]
    parts, end = [], 0
    for mention, whose, who in places + [(mention, "your", "you") for mention in mentions[len(subjects) :]]:
        owner = _OWNER.match(text, mention.end)
        parts += [text[end : mention.start], whose if owner else who]
        end = owner.end() if owner else mention.end
    return "".join(parts) + text[end:]


@dataclass(frozen=True, slots=True)
class _Mention:
    """A place in a question where a name stands, and the speakers whose name it may be."""

    start: int
    end: int
    names: tuple[str, ...]


def _mentions(text: str, speakers: Sequence[str]) -> list[_Mention]:
    asked = frozenset(words(text))
    folded = text.casefold()
    by_part: dict[str, list[str]] = {}
    for name in speakers:
        parts = {part for part in words(name) if part in asked and len(part) > 1 and part not in STOP}
        if has_cjk(name):
            parts = set()
        if name.casefold() in folded:
            parts.add(name.casefold())
        for part in parts:
            by_part.setdefault(part, []).append(name)
    if not by_part:
        return []
    one = "|".join(sorted((_pattern(part) for part in by_part), key=lambda pattern: (-len(pattern), pattern)))
    careful = _CAPITAL.search(text) is not None
    found = []
    for match in re.finditer(rf"(?:{one})(?:\s+(?:{one}))*", text, re.IGNORECASE):
        said = match[0].casefold()
        if (careful and match[0][0].islower()) or _NUMBER.match(text, match.end()):
            continue
        if said in STOP and (match.start() == 0 or match[0][0].islower()):
            continue
        parts = {said} if said in by_part else {part for part in said.split() if part in by_part}
        meant = [frozenset(by_part[part]) for part in parts]
        if meant:
            whole = frozenset.intersection(*meant) or frozenset.union(*meant)
            found.append(_Mention(match.start(), match.end(), tuple(sorted(whole))))
    return found


def _pattern(part: str) -> str:
    return re.escape(part) if has_cjk(part) else rf"(?<!\w){re.escape(part)}(?!\w)"


def _subjects(text: str, mentions: Sequence[_Mention]) -> list[_Mention]:
    """The first who is named, and those joined to them by "and"."""
    found = list(mentions[:1])
    for before, mention in pairwise(mentions):
        if before is not found[-1] or not _AND.fullmatch(text, before.end, mention.start):
            break
        found.append(mention)
    return found
