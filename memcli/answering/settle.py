"""Which of several statements answers a question: the one that holds at the time that is asked for (C7).

Not by words that sound like a change, but by what is known of each piece of
evidence: what replaced it, since when, and what nobody could settle.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from memcli.answering.known import Known
from memcli.answering.passages import passage
from memcli.answering.subject import concerns
from memcli.clock import EPOCH
from memcli.recall.search import Evidence
from memcli.types import Entry, Memory

QUOTE_CHARS = 280
AMONG = 5
_WHAT_WAS = re.compile(
    r"\b(?:did|was|were|had|used to|before|previous|previously|former|formerly|earlier|originally|at first|first|history|"
    r"when|since when|how long|how often|changed?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Settled:
    """What answers: the text with its citations, the numbers that it cites, and what was so before it.

    `open` says that two contradict and nobody could tell which holds; `empty`
    that nothing is known to hold at that time.
    """

    text: str
    cited: tuple[int, ...]
    before: tuple[str, ...] = ()
    open: bool = False
    empty: bool = False


def asks_what_was(question: str) -> bool:
    """Whether a question is about what was, or about a change, so that what is over may answer it."""
    return _WHAT_WAS.search(question) is not None


def settle(
    question: str,
    ranked: Sequence[int],
    evidence: Sequence[Evidence],
    subject: str | None,
    terms: Collection[str],
    known: Known,
) -> Settled | None:
    """The answer that what is known gives; None where it tells nothing, so that the words have to.

    `ranked` are the numbers of the evidence that tells something, best first.
    """
    if not known.past and asks_what_was(question):
        return None
    told = False
    for number in ranked[:AMONG]:
        entry = evidence[number - 1].entry
        memory = known.relevant(entry.id, terms)
        if memory is None:
            if not known.past:
                return None
            if _said_by(entry, known.at_ms):
                return Settled(_quoted(entry, terms, number), (number,))
            continue
        told = True
        now = known.now(memory)
        if now is None:
            continue
        rivals = [other for other in known.against(now) if _there(other, evidence, subject)]
        if rivals:
            return _open(now, rivals, evidence, terms)
        place = _number(now, evidence)
        if place is None:
            continue
        return _answered(now, place, evidence, terms, known)
    return Settled("", (), empty=True) if known.past and (told or ranked) else None


def _answered(now: Memory, place: int, evidence: Sequence[Evidence], terms: Collection[str], known: Known) -> Settled:
    was = [
        other for other in known.before(now) if not any(q.entry == evidence[place - 1].entry.id for q in other.quotes)
    ]
    text = _quoted(evidence[place - 1].entry, terms, place)
    true_before = [other for other in was if other.until_ms is None or other.until_ms != other.since_ms]
    if true_before and now.since_ms is not None:
        text += f", since {day(now.since_ms)}"
    before = []
    for other in was:
        number = _number(other, evidence)
        if number is not None:
            before.append(_quoted(evidence[number - 1].entry, terms, number))
    return Settled(text, (place,), tuple(before))


def _open(now: Memory, rivals: Sequence[Memory], evidence: Sequence[Evidence], terms: Collection[str]) -> Settled:
    numbers = sorted({place for one in (now, *rivals) if (place := _number(one, evidence)) is not None})
    told = [_quoted(evidence[number - 1].entry, terms, number) for number in numbers]
    return Settled(f"{' or '.join(told)}: not settled", tuple(numbers), open=len(told) > 1)


def _number(memory: Memory, evidence: Sequence[Evidence]) -> int | None:
    """The piece of evidence that says it, the newest where several do."""
    entries = {quote.entry for quote in memory.quotes}
    places = [number for number, item in enumerate(evidence, 1) if item.entry.id in entries]
    return max(places, key=lambda number: (_said(evidence[number - 1].entry), -number), default=None)


def _there(memory: Memory, evidence: Sequence[Evidence], subject: str | None) -> bool:
    number = _number(memory, evidence)
    return number is not None and (subject is None or concerns(evidence[number - 1], subject))


def _said(entry: Entry) -> int:
    return -1 if entry.moment is None else entry.moment.ms + (entry.moment.offset or 0) * 60_000


def _said_by(entry: Entry, at_ms: int) -> bool:
    return entry.moment is not None and entry.moment.precision != "none" and _said(entry) <= at_ms


def _quoted(entry: Entry, terms: Collection[str], number: int) -> str:
    return f"“{passage(entry.text, terms, QUOTE_CHARS)}” [{number}]"


def day(ms: int) -> str:
    """A day of the wall clock in words."""
    moment = EPOCH + timedelta(milliseconds=ms)
    return f"{moment.day} {moment:%B %Y}"
