"""Does the evidence that an answer cites say what the answer says? Decided by code, never by the model.

Every number and every name of the answer must stand in the cited evidence,
and most of its other words too. An answer that says nothing beyond the
question is no answer. Yes and no, numbers that were counted and conclusions
stand in no line: for each there is a rule of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from memcli.answering import shorten
from memcli.answering.form import concludes, form_of, polar
from memcli.answering.passages import share
from memcli.lang.words import STOP, stem, words

MIN_COVERED = 0.7
MIN_PART = 0.6
MOST_CITED = 8
ABOUT = 0.5
"""The share of the question's words that a line must have to carry a yes, or to be one of those that were counted."""
_CITATION = re.compile(r"\s*\[(\d{1,2}(?:\s*,\s*\d{1,2})*)\]|\s*\((\d{1,2})\)$")
_COPIED_HEAD = re.compile(r"^(?:- )?(?:time unknown|\d{1,2} \w+ \d{4}) [^:]{1,40}: ")
_REFUSES = re.compile(
    r"I (?:don['’]t|do not) (?:have|know) that\b|(?:it is |that is )?not (?:mentioned|stated)\b", re.IGNORECASE
)
_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w’'-]+")
_YES_NO = frozenset({"yes", "no"})
_NOT = frozenset("not no never none nobody nothing isn't don't doesn't didn't wasn't can't won't without".split())


@dataclass(frozen=True, slots=True)
class Claim:
    """A generated answer taken apart: its words without citations, and the evidence numbers it cites."""

    text: str
    cited: tuple[int, ...]


def read_claim(generated: str) -> Claim:
    """Take citations such as `[1][2]` or `[1, 2]` out of a generated answer."""
    cited: list[int] = []
    for match in _CITATION.finditer(generated):
        cited += [int(number) for number in (match[1] or match[2]).split(",")]
    text = re.sub(r"\s+([.,;])", r"\1", _CITATION.sub("", generated)).strip()
    text = _COPIED_HEAD.sub("", text).strip(" ,")
    return Claim(" ".join(text.split()), tuple(dict.fromkeys(cited)))


def refuses(generated: str) -> bool:
    """Whether the model itself says that the notes do not answer."""
    return _REFUSES.match(generated.strip()) is not None


def supported(claim: Claim, question: str, evidence: Mapping[int, str]) -> bool:
    """Whether the cited evidence carries the claim. `evidence` maps each cited number to speaker, date and text."""
    if not claim.cited or any(number not in evidence for number in claim.cited):
        return False
    there = _stems(" ".join(evidence[number] for number in claim.cited))
    asked = _stems(question)
    said = [word for word in words(claim.text) if word not in STOP or word in _YES_NO]
    if not said or set(said) & _YES_NO:
        return False
    stems = [_stem(word) for word in said]
    new = [item for item in stems if item not in asked]
    if not new or not _names_and_numbers(claim.text, there, asked):
        return False
    covered = sum(1 for item in stems if item in there or item in asked)
    beyond = sum(1 for item in new if item in there)
    return covered / len(stems) >= MIN_COVERED and beyond / len(new) >= MIN_COVERED


def _names_and_numbers(text: str, there: Collection[str], asked: Collection[str]) -> bool:
    """Whether every number stands in the evidence, and every name there or in the question."""
    stems = [_stem(word) for word in words(text)]
    names = {stem(word.casefold()) for match in _NAME.finditer(text) for word in words(match[0])}
    return all(item in there for item in stems if _NUMBER.search(item)) and all(
        name in there or name in asked for name in names
    )


def find_support(claim: Claim, question: str, evidence: Mapping[int, str]) -> Claim | None:
    """The claim with citations that carry it: its own, else the first piece that does; of a list what several carry.

    None where none do. Small models often say what is right and give the wrong number.
    """
    if supported(claim, question, evidence):
        return claim
    for number in evidence:
        single = Claim(claim.text, (number,))
        if supported(single, question, evidence):
            return single
    several = _carried(claim.text, question, evidence)
    return several if several and supported(several, question, evidence) else None


def _carried(text: str, question: str, evidence: Mapping[int, str]) -> Claim | None:
    """The parts of a list that a piece has most of, each once, citing these pieces; the others are left out."""
    asked = _stems(question)
    listed = shorten.parts(text.rstrip("."))
    kept: list[str] = []
    cited: set[int] = set()
    for part in listed if len(listed) > 1 else ():
        number = _carrier(part, asked, evidence, cited)
        if number is not None and len(cited | {number}) <= MOST_CITED:
            kept.append(part)
            cited.add(number)
    return Claim(", ".join(kept), tuple(sorted(cited))) if kept else None


def _carrier(part: str, asked: Collection[str], evidence: Mapping[int, str], cited: Collection[int]) -> int | None:
    """The piece that has most of a part, one that is cited already before another."""
    needed = {_stem(word) for word in words(part) if word not in STOP} - set(asked)
    if not needed:
        return None
    for number in sorted(evidence, key=lambda number: (number not in cited, number)):
        there = _stems(evidence[number])
        if len(needed & there) / len(needed) >= MIN_PART and _names_and_numbers(part, there, asked):
            return number
    return None


def find_count(claim: Claim, question: str, evidence: Mapping[int, str], topic: Collection[str]) -> Claim | None:
    """A number that a piece says itself, or that so many pieces about the same thing make up."""
    number = shorten.count(claim.text)
    if number is None:
        return None
    for cited in dict.fromkeys((*claim.cited, *evidence)):
        words_of_it = _COPIED_HEAD.sub("", evidence.get(cited, ""))
        if str(number) in _stems(words_of_it) and _about(words_of_it, topic):
            return Claim(claim.text, (cited,))
    counted = [cited for cited, line in evidence.items() if _about(line, topic)]
    return Claim(claim.text, tuple(counted[:number])) if 2 <= number <= min(len(counted), MOST_CITED) else None


def find_conclusion(claim: Claim, question: str, evidence: Mapping[int, str], topic: Collection[str]) -> Claim | None:
    """A yes, a no, a choice, or what the question asks to conclude, with the piece that it is drawn from.

    A plain yes needs a piece that has most of the question, a plain no one
    that says no besides, which a yes must not. A choice is one of the things that were named. Any
    other conclusion may have words of its own, but no name and no number.
    """
    ranked = sorted(evidence, key=lambda number: (number not in claim.cited, -share(evidence[number], topic), number))
    if not ranked or not claim.text:
        return None
    whole = _stems(" ".join(evidence.values()))
    asked = _stems(question)
    said = {_stem(word) for word in words(claim.text) if word not in STOP or word in _YES_NO}
    form = form_of(question)
    if polar(question):
        if not said & _YES_NO:
            return None
        if not concludes(question):
            ranked = [number for number in ranked if _about(evidence[number], topic)]
            denies = "no" in said
            ranked = [number for number in ranked if _NOT.isdisjoint(evidence[number].lower().split()) is not denies]
    elif form == "choice":
        if not said or not said <= asked:
            return None
    elif form != "conclusion" or not said - asked or not _names_and_numbers(claim.text, whole, asked):
        return None
    return Claim(claim.text, (ranked[0],)) if ranked else None


def _about(line: str, topic: Collection[str]) -> bool:
    return share(line, topic) >= ABOUT


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in words(text)}


def _stem(word: str) -> str:
    """Its stem; a number that is spelled out is its digits."""
    return str(shorten.SMALL.index(word)) if word in shorten.SMALL else stem(word)


def cite(claim: Claim) -> str:
    """The claim as it is shown: its words, then its citations."""
    return claim.text + " " + "".join(f"[{number}]" for number in claim.cited)
