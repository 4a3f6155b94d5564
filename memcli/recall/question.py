"""A question, and what can be read off it before anything is searched (D1, D2)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memcli.clock import wall_ms
from memcli.lang.tongue import STOP as STOP_OF
from memcli.lang.tongue import tongue
from memcli.lang.words import STOP, content_terms, has_cjk, words
from memcli.recall.asking import NAME, THEN, asking_of
from memcli.recall.bounds import Bound, bounds
from memcli.recall.dates import NamedDate, named_dates, nearness
from memcli.recall.intent import COMPLEXITY, Kind, intent_of
from memcli.recall.mentions import Mention, mentions, subjects
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
_OTHER_YEAR = 0.5
"""How much it tells to be of that date in another year than the one that is meant."""
_SOME_DAY_MS = 946_857_600_000
"""A Monday: what "last week" means does not matter for the kind of a question, only that it is a time."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, and of what.

    `since_ms` and `until_ms` are a half-open range of wall-clock
    milliseconds: a filter. `k` pieces of evidence at most. `scope` is one scope
    exactly, `within` any of several (B8); both empty mean every scope.
    `topic` is where the question is filed (`topics.topic_of`), which only the
    topic route reads. `as_of_ms` is the instant of the wall clock at which the answer has to be
    true, whenever it was told; None: now. `now_ms` is the wall clock when it is
    asked, which "last week" is reckoned from; where it is None only dates of
    the calendar count.
    """

    text: str
    scope: str | None = None
    since_ms: int | None = None
    until_ms: int | None = None
    k: int = 8
    include_tools: bool = False
    as_of_ms: int | None = None
    within: tuple[str, ...] = ()
    now_ms: int | None = None
    topic: str | None = None

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
    """What a question looks for: its words, whom it is about, what bounds it in time, and what kind it is.

    `persons` are all speakers whom it names, `subjects` those it is about,
    `of_me` whether that is the person who asks: "What did Ann give to Ben?" is
    about Ann, a comparison about all. `bounds` are its times reckoned from now; `dates` the dates of
    the calendar that are no bound, of any year where they name none, and
    `other_years` the dates of bounds in the years that are not meant.
    `when` says whether a time is asked for, `multi` whether one piece of
    evidence cannot be enough. `event` are the terms of the event before or
    after which something is asked for.
    """

    terms: tuple[str, ...]
    persons: frozenset[str]
    subjects: frozenset[str]
    of_me: bool
    dates: tuple[NamedDate, ...]
    other_years: tuple[NamedDate, ...]
    bounds: tuple[Bound, ...]
    now_ms: int | None
    kind: Kind
    multi: bool
    event: frozenset[str]
    when: bool

    @property
    def complexity(self) -> float:
        """From 0 to 1: how much evidence the kind of the question needs (D4)."""
        return COMPLEXITY[self.kind]

    def comes(self, bound: Bound) -> bool:
        """Whether what a bound asks for is not over when the question is asked: nobody can have told of it after."""
        if self.now_ms is None or bound.axis == "said" or bound.start_ms is None:
            return False
        return (bound.start_ms if bound.end_ms is None else bound.end_ms - 1) > self.now_ms

    def nearness(self, wall_ms: int | None, *, names_it: bool = False) -> float:
        """How near to the times of the question something was said, from 0 to 1; 0 where its time is unknown.

        What is to come is near where it is named (`names_it`), whenever that
        was said.
        """
        found = [0.0]
        if self.dates:
            found.append(nearness(self.dates, wall_ms))
        if self.other_years:
            found.append(_OTHER_YEAR * nearness(self.other_years, wall_ms))
        for bound in self.bounds:
            if wall_ms is not None:
                found.append(bound.nearness(wall_ms))
            if names_it and self.comes(bound):
                found.append(bound.share)
        return max(found)


def read(text: str, speakers: Sequence[str], now_ms: int | None = None) -> Plan:
    """The plan of a question, given who speaks in the store and when it is asked."""
    named = mentions(text, speakers)
    names = {name for mention in named for name in mention.names}
    times = bounds(text, _SOME_DAY_MS if now_ms is None else now_ms, names)
    intent = intent_of(
        _masked(text, named, times),
        asking_of(text),
        several_days=any(bound.several_days for bound in times),
        bounded=bool(times),
        people=len(named),
    )
    about = named if intent.kind == "compare" else subjects(text, named)
    known = () if now_ms is None else times
    return Plan(
        terms=_terms(text, named, known, {part for name in names for part in words(name)}),
        persons=frozenset(names),
        subjects=frozenset(name for mention in about for name in mention.names),
        of_me=not about and not _ME.isdisjoint(words(text)),
        dates=named_dates(_without(text, [bound.span for bound in known]), names),
        other_years=tuple(
            date for bound in known if not bound.open for date in named_dates(f"in {bound.words}") if date.year is None
        ),
        bounds=known,
        now_ms=now_ms,
        kind=intent.kind,
        multi=intent.multi,
        event=frozenset(content_terms(intent.event)) if intent.event else frozenset(),
        when=_WHEN.search(text) is not None,
    )


def _masked(text: str, named: Sequence[Mention], times: Sequence[Bound]) -> str:
    """The question with a word for every time and one for every name: they are no words of its own."""
    places = [(*bound.named, THEN) for bound in times]
    taken = [bound.span for bound in times]
    places += [
        (mention.start, mention.end, NAME)
        for mention in named
        if all(mention.end <= start or end <= mention.start for start, end in taken)
    ]
    for start, end, word in sorted(places, reverse=True):
        text = text[:start] + word + text[end:]
    return text


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with a space for every one of the spans, which may overlap."""
    parts, done = list[str](), 0
    for start, end in sorted(spans):
        parts.append(text[done : max(start, done)])
        done = max(end, done)
    return " ".join([*parts, text[done:]])


def _terms(text: str, named: Sequence[Mention], times: Sequence[Bound], names: Collection[str]) -> tuple[str, ...]:
    """The words to search for: no names, no politeness, and no "last week", which means another week elsewhere.

    None where nothing but such a time is asked for.
    """
    spans = [(mention.start, mention.owner_end) for mention in named]
    relative = [bound.span for bound in times if not bound.calendar]
    polite = re.match(asking_of(text).lead_in, text, re.IGNORECASE)
    if polite is not None and all(polite.end() <= start for start, _ in spans + relative):
        spans.append(polite.span())
    terms = tuple(content_terms(_ASKING.sub(" ", _without(text, spans + relative)), names))
    return () if relative and STOP.union(STOP_OF.get(tongue(text), ())).issuperset(terms) else terms


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
