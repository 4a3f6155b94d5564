"""Which of several statements answers a question: the one that holds at the time that is asked for (C7).

Not by words that sound like a change, but by what is known of each piece of
evidence: what replaced it, since when, and what nobody could settle.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from memcli.answering.known import Known
from memcli.answering.passages import passage
from memcli.answering.subject import concerns
from memcli.clock import EPOCH, wall_ms
from memcli.govern.doubtful import lasts, unsure
from memcli.memories import Memory
from memcli.recall.search import Evidence
from memcli.types import Entry

QUOTE_CHARS = 280
AMONG = 5
_WHAT_WAS = re.compile(
    r"\b(?:did|was|were|had|used to|before|previous|previously|former|formerly|earlier|originally|at first|first|"
    r"history|when|since when|how long|how often|changed?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Settled:
    """What answers: the text with its citations, the numbers that it cites, and what was so before it.

    `open` says that two contradict and nobody could tell which holds; `empty`
    that nothing is known to hold at that time; `sure` that it is the very
    thing that is asked for.
    """

    text: str
    cited: tuple[int, ...]
    before: tuple[str, ...] = ()
    open: bool = False
    empty: bool = False
    sure: bool = False


def asks_what_was(question: str) -> bool:
    """Whether a question is about what was, or about a change, so that what is over may answer it."""
    return _WHAT_WAS.search(question) is not None


def settle(
    question: str,
    ranked: Sequence[int],
    evidence: Sequence[Evidence],
    subject: str | None,
    asked: Collection[str],
    terms: Collection[str],
    known: Known,
) -> Settled | None:
    """The answer that what is known gives; None where it tells nothing, so that the words have to.

    `ranked` are the numbers of the evidence that tells something, best first.
    """
    if not known.past and asks_what_was(question):
        return None
    for number in ranked:
        for memory in known.sure(evidence[number - 1].entry.id, asked, terms):
            found = _of(memory, evidence, subject, terms, known)
            if found is not None:
                return replace(found, sure=True)
    told = False
    for number in ranked[:AMONG]:
        entry = evidence[number - 1].entry
        nearest = known.relevant(entry.id, terms)
        if nearest is None:
            if not known.past and (unsure(entry.text) or not lasts(entry.text)):
                continue
            if not known.past:
                return None
            if _said_by(entry, known.at_ms):
                return Settled(_quoted(entry, terms, number), (number,))
            continue
        told = True
        found = _of(nearest, evidence, subject, terms, known)
        if found is not None:
            return found
    return Settled("", (), empty=True) if known.past and (told or ranked) else None


def _of(
    memory: Memory, evidence: Sequence[Evidence], subject: str | None, terms: Collection[str], known: Known
) -> Settled | None:
    """What holds of what a memory tells of; None where nothing is known to, or it is not among the evidence."""
    now = known.now(memory)
    if now is None:
        return None
    rivals = [other for other in known.against(now) if _there(other, evidence, subject)]
    if rivals:
        return _open(now, rivals, evidence, terms)
    place = _number(now, evidence)
    return None if place is None else _answered(now, place, evidence, terms, known)


def _answered(now: Memory, place: int, evidence: Sequence[Evidence], terms: Collection[str], known: Known) -> Settled:
    was = [
        other for other in known.before(now) if not any(q.entry == evidence[place - 1].entry.id for q in other.quotes)
    ]
    text = _words(now, place, evidence, terms)
    true_before = [other for other in was if other.until_ms is None or other.until_ms != other.since_ms]
    if true_before and now.since_ms is not None:
        text += f", since {day(now.since_ms)}"
    before = []
    for other in was:
        number = _number(other, evidence)
        if number is not None:
            before.append(_words(other, number, evidence, terms))
    return Settled(text, (place,), tuple(before))


def _open(now: Memory, rivals: Sequence[Memory], evidence: Sequence[Evidence], terms: Collection[str]) -> Settled:
    places = sorted({(place, one.id) for one in (now, *rivals) if (place := _number(one, evidence)) is not None})
    by_id = {one.id: one for one in (now, *rivals)}
    told = [_words(by_id[name], number, evidence, terms) for number, name in places]
    numbers = tuple(number for number, _ in places)
    return Settled(f"{' or '.join(told)}: not settled", numbers, open=len(told) > 1)


def _words(memory: Memory, number: int, evidence: Sequence[Evidence], terms: Collection[str]) -> str:
    """The words of a piece of evidence that a memory rests on, with its number."""
    entry = evidence[number - 1].entry
    own = [quote.text for quote in memory.quotes if quote.entry == entry.id]
    return f"“{passage(' '.join(dict.fromkeys(own)) or entry.text, terms, QUOTE_CHARS)}” [{number}]"


def _number(memory: Memory, evidence: Sequence[Evidence]) -> int | None:
    """The piece of evidence that says it, the newest where several do."""
    entries = {quote.entry for quote in memory.quotes}
    places = [number for number, item in enumerate(evidence, 1) if item.entry.id in entries]
    return max(places, key=lambda number: (_said(evidence[number - 1].entry), -number), default=None)


def _there(memory: Memory, evidence: Sequence[Evidence], subject: str | None) -> bool:
    number = _number(memory, evidence)
    return number is not None and (subject is None or concerns(evidence[number - 1], subject))


def _said(entry: Entry) -> int:
    return -1 if entry.moment is None else wall_ms(entry.moment)


def _said_by(entry: Entry, at_ms: int) -> bool:
    return entry.moment is not None and entry.moment.precision != "none" and _said(entry) <= at_ms


def _quoted(entry: Entry, terms: Collection[str], number: int) -> str:
    return f"“{passage(entry.text, terms, QUOTE_CHARS)}” [{number}]"


def day(ms: int) -> str:
    """A day of the wall clock in words."""
    moment = EPOCH + timedelta(milliseconds=ms)
    return f"{moment.day} {moment:%B %Y}"
