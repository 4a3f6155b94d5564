"""Does the evidence answer at all? A few facts about question and evidence, weighed (D10).

What is found for a question without an answer looks much like what is found
for one with an answer: the score of the best piece tells them apart no better
than chance. What does tell them apart: whether the one who is asked about
said it, or another one did; how much of the question one piece of theirs has;
and whether that piece has what is asked for, a number, a time, a name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from memcli.answering import wanted
from memcli.answering.passages import overlap, sentences
from memcli.answering.subject import concerns, subject_of
from memcli.lang.words import content_terms, has_cjk, stem, stems, words
from memcli.recall.search import Evidence

LOOKED_AT = 8

BIAS = 2.591
WEIGHTS: Mapping[str, float] = {
    "covers": -1.316,
    "sentence": -1.025,
    "of_kind": -1.325,
    "first": -2.269,
    "ahead": 0.743,
    "one_person": 1.631,
    "length": -2.115,
    "asks_number": 0.529,
    "asks_time": -0.744,
    "asks_name": 0.951,
}
"""Fitted by `bench/abstain.py`: as many answerable questions are refused as it was told to allow."""

_ENGLISH = frozenset("what when where who whose whom which why how did does were".split())


@dataclass(frozen=True, slots=True)
class Piece:
    """What one piece of evidence has of the question: stems of it, in the whole and in its best sentence."""

    theirs: bool
    covers: float
    sentence: float
    cosine: float
    has_kind: bool


def doubt(question: str, evidence: Sequence[Evidence], names: Sequence[str]) -> float:
    """How much speaks for saying "I don't have that": above zero it is better to say so.

    Zero where nothing was learnt: for questions in other languages than English.
    """
    if has_cjk(question) or _ENGLISH.isdisjoint(words(question)) or not evidence:
        return 0.0
    signals = measure(question, evidence, names)
    return BIAS + sum(weight * signals[name] for name, weight in WEIGHTS.items())


def measure(question: str, evidence: Sequence[Evidence], names: Sequence[str]) -> dict[str, float]:
    """The facts, each about between 0 and 1."""
    subject = subject_of(question, names)
    low = {part for name in names for part in words(name)}
    terms = {stem(term) for term in content_terms(question, low)}
    kind = wanted.kind_of(question)
    asked = set(stems(question))
    pieces = [
        Piece(
            subject is None or concerns(item, subject),
            _covered(terms, item.entry.text),
            max((_covered(terms, part) for part in sentences(item.entry.text)), default=0.0),
            item.cosine,
            wanted.has(item.entry.text, kind, asked),
        )
        for item in evidence[:LOOKED_AT]
    ]
    theirs = [piece for piece in pieces if piece.theirs]
    others = [piece for piece in pieces if not piece.theirs]
    near = max((piece.cosine for piece in theirs), default=0.0)
    return {
        "covers": max((piece.covers for piece in theirs), default=0.0),
        "sentence": max((piece.sentence for piece in theirs), default=0.0),
        "of_kind": max((piece.covers + 0.2 for piece in theirs if piece.has_kind), default=0.0),
        "first": float(pieces[0].theirs),
        "ahead": near - max(piece.cosine for piece in others) if others else 0.1,
        "one_person": float(subject is not None),
        "length": min(len(terms), 10) / 10,
        "asks_number": float(kind in ("number", "phone")),
        "asks_time": float(kind == "time"),
        "asks_name": float(kind == "name"),
    }


def _covered(terms: Collection[str], text: str) -> float:
    return overlap(text, terms) / len(terms) if terms else 1.0
