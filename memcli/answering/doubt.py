"""Does the evidence answer at all? A few facts about question and evidence, weighed (D10).

What is found for a question without an answer looks much like what is found
for one with an answer: the score of the best piece tells them apart no better
than chance. What does tell them apart: whether the one who is asked about
said it, or another one did, and how much of the question their words have.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from memcli.answering import wanted
from memcli.answering.form import concludes, is_english, several
from memcli.answering.passages import overlap
from memcli.answering.subject import concerns, subject_of
from memcli.lang.words import content_terms, stem, words
from memcli.recall.search import Evidence


@dataclass(frozen=True, slots=True)
class Doubts:
    """What each fact of `measure` weighs, and where saying nothing begins."""

    bias: float
    weights: Mapping[str, float]


DOUBTS = Doubts(
    -0.083,
    {
        "covers": -2.224,
        "together": -0.525,
        "near": -2.1,
        "ahead": 1.2,
        "others": 2.94,
        "one_person": 1.149,
        "length": -1.505,
        "asks_time": -1.046,
        "asks_name": 0.747,
        "asks_called": 0.986,
        "asks_several": -0.999,
        "concludes": -2.5,
    },
)
"""Fitted by `bench/fit.py`: as many answerable questions are refused as it was told to allow."""

USUAL, USUALLY_AHEAD = 0.5, 0.1
"""`near` and `ahead` where nothing has a vector; `ahead` also where nobody else said anything."""

_CALLED = re.compile(r"\b(?:name|named|called)\b", re.IGNORECASE)


def doubt(question: str, evidence: Sequence[Evidence], names: Sequence[str], doubts: Doubts = DOUBTS) -> float:
    """How much speaks for saying "I don't have that": above zero it is better to say so.

    Zero where nothing was learnt: for questions in other languages than English.
    """
    if not evidence or not is_english(question):
        return 0.0
    signals = measure(question, evidence, names)
    return doubts.bias + sum(weight * signals[name] for name, weight in doubts.weights.items())


def measure(question: str, evidence: Sequence[Evidence], names: Sequence[str]) -> dict[str, float]:
    """The facts, each about between 0 and 1. What is "theirs" was said by, or names, the one who is asked about.

    - covers, together: the share of the question's words that one piece of theirs has, and that all of theirs have;
    - near: the best cosine of theirs; ahead: how far it is ahead of that of the others;
    - others: the chance that what was asked for is a piece of the others, by the scores without who speaks.
    """
    subject = subject_of(question, names)
    terms = {stem(term) for term in content_terms(question, {part for name in names for part in words(name)})}
    kind = wanted.kind_of(question)
    theirs = [item for item in evidence if subject is None or concerns(item, subject)]
    others = [item for item in evidence if item not in theirs]
    had = [{term for term in terms if overlap(item.entry.text, (term,))} for item in theirs]
    near, beyond = USUAL, USUAL - USUALLY_AHEAD
    if any(item.cosine for item in evidence):
        near = max((item.cosine for item in theirs), default=0.0)
        beyond = max((item.cosine for item in others), default=near - USUALLY_AHEAD)
    return {
        "covers": max((_share(found, terms) for found in had), default=0.0),
        "together": _share(set[str]().union(*had), terms),
        "near": near,
        "ahead": near - beyond,
        "others": _chance(others, evidence),
        "one_person": float(subject is not None),
        "length": min(len(terms), 10) / 10,
        "asks_time": float(kind == "time"),
        "asks_name": float(kind == "name"),
        "asks_called": float(_CALLED.search(question) is not None),
        "asks_several": float(several(question)),
        "concludes": float(concludes(question)),
    }


def _share(found: Collection[str], terms: Collection[str]) -> float:
    return len(found) / len(terms) if terms else 1.0


def _chance(some: Sequence[Evidence], evidence: Sequence[Evidence]) -> float:
    """The share of the chances that some of the pieces have; scores are logarithms of odds."""
    best = max(item.score for item in evidence)

    def odds(items: Sequence[Evidence]) -> float:
        return math.fsum(math.exp(item.score - item.signals.get("speaker", 0.0) - best) for item in items)

    return odds(some) / odds(evidence)
