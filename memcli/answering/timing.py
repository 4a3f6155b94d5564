"""When something happened, by code: the time that the piece nearest the question tells of (D6).

A model that is asked "when" mostly gives the day on which it was told. The
times that a piece names are known; which of them is meant is a matter of a
few facts. Where no piece is clearly the one, nothing is claimed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memcli.answering.passages import sentence_at, share
from memcli.answering.shorten import SMALL
from memcli.answering.subject import concerns, subject_of
from memcli.lang.when import Interval
from memcli.lang.words import content_terms, stem
from memcli.projection.times import named_times
from memcli.recall.dates import NamedDate, named_dates
from memcli.recall.dating import day_of, said_at, written
from memcli.recall.search import Evidence

NEAR_COSINE, COVERED = 0.45, 0.34
"""A piece this near in meaning, or with this share of the words, is about what was asked."""
THEIRS, TOLD, SENTENCE, NAMED, SIDE = 1.0, 0.5, 0.5, 1.0, 0.25
"""What it adds to a piece's score: it is about the right person; it names a time; the words of the question stand in
the same sentence; the time is one that the question names; it lies on the side, past or coming, that was asked for."""
_UNITS = frozenset("date day week weekend month season year".split())
_WHEN = re.compile(
    r"\W*(?:(?:in|on|during|around|since|by) )?(?:when|(?:what|which) (?:day|date|month|year|week|weekend|season))\b",
    re.I,
)
_COMING = re.compile(
    r"\b(?:will|going to|plan|plans|planning|planned|next)\b"
    r"|\b(?:is|are)\b.*\b(?!during\b|thing|morning|evening)\w+ing\b",
    re.IGNORECASE,
)
_HAPPENED = re.compile(r"\b(?:did|was|were|had|has|have)\b|\b\w+ed\b", re.IGNORECASE)
_NOW = re.compile(r"\b(?:just|today|right now)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:what|which) year\b", re.IGNORECASE)
_MONTH = re.compile(r"\b(?:what|which) month\b", re.IGNORECASE)
_BEGUN = re.compile(r"\b(?:start|begin|began|begun|since when)", re.IGNORECASE)
_LASTING = re.compile(
    rf"\b(?:for|been)\b[^.!?]{{0,40}}?\b({'|'.join(SMALL[1:])}|\d{{1,2}}) (month|year)s?\b"
    rf"|\b({'|'.join(SMALL[1:])}|\d{{1,2}}) (month|year)s? now\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Dated:
    """A time as it is shown, and the number of the piece that tells it (from 1)."""

    text: str
    number: int


@dataclass(frozen=True, slots=True)
class _Time:
    """One time that a piece tells of; `score` says how well it fits the question."""

    text: str
    start: datetime
    number: int
    score: float
    fits: bool


def happened(question: str, evidence: Sequence[Evidence], names: Sequence[str]) -> Dated | None:
    """The time that a question asks for, None where it asks for none or no piece tells it."""
    if not _WHEN.match(question):
        return None
    if not (_COMING.search(question) or _HAPPENED.search(question)):
        return None  # "When does the choir begin?" asks for a habit
    found = max(_times(question, evidence, names), key=lambda time: time.score, default=None)
    if found is None or not found.fits:
        return None
    if _YEAR.search(question):
        return Dated(str(found.start.year), found.number)
    if _MONTH.search(question):
        return Dated(f"{found.start:%B} {found.start.year}", found.number)
    return Dated(found.text, found.number)


def _times(question: str, evidence: Sequence[Evidence], names: Sequence[str]) -> Iterator[_Time]:
    subject = subject_of(question, names)
    terms = {stem(word) for word in content_terms(question, {name.casefold() for name in names} | _UNITS)}
    asked = named_dates(question, names)
    coming = _COMING.search(question) is not None
    for number, item in enumerate(evidence, 1):
        said = said_at(item.entry)
        if said is None:
            continue
        theirs = subject is None or concerns(item, subject)
        about = theirs and (item.cosine >= NEAR_COSINE or share(item.entry.text, terms) >= COVERED)
        for found in _told(item, question):
            words, future = sentence_at(item.entry.text, found.span[0]), found.start > said
            score = item.score + THEIRS * theirs + SENTENCE * share(words, terms) + _named(asked, found.start)
            score += TOLD * (found.rule != "said") + SIDE * (future is coming)
            fits = about and (found.rule != "said" or _NOW.search(words) is not None) and future <= coming
            text = day_of(item.entry) if found.rule == "said" else written(found, item.entry)
            yield _Time(text, found.start, number, score, fits)


def _told(item: Evidence, question: str) -> list[Interval]:
    """The times that a piece names; else the one at which it was said, by the rule "said"."""
    text, said = item.entry.text, said_at(item.entry)
    assert said is not None
    found = [time for time in named_times(item.entry) if time.grain not in ("hour", "minute")]
    if _BEGUN.search(question) and (begun := _begun(text, said)) is not None:
        found.append(begun)
    return found or [Interval(said, said, "day", "", (0, 0), False, "said")]


def _begun(text: str, said: datetime) -> Interval | None:
    """When something began that has lasted for four months, or seven years, when it is told of."""
    match = _LASTING.search(text)
    if match is None:
        return None
    amount, unit = match[1] or match[3], (match[2] or match[4]).lower()
    count = int(amount) if amount.isdigit() else SMALL.index(amount.lower())
    if unit == "year":
        start, end = datetime(said.year - count, 1, 1), datetime(said.year - count + 1, 1, 1)
        return Interval(start, end, "year", match[0], match.span(), False, "lasting")
    month = said.year * 12 + said.month - 1 - count
    start = datetime(month // 12, month % 12 + 1, 1)
    end = (start + timedelta(days=31)).replace(day=1)
    return Interval(start, end, "month", match[0], match.span(), False, "lasting")


def _named(asked: Sequence[NamedDate], start: datetime) -> float:
    """For or against a time, where the question names one itself: "in July"."""
    if not asked:
        return 0.0
    return NAMED if any(date.nearness(start) > 0.5 for date in asked) else -NAMED
