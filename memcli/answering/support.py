"""Does the evidence that an answer cites say what the answer says? Decided by code, never by the model.

Every number and every name of the answer must stand in the cited evidence,
and nearly all of its other words too. An answer that says nothing beyond the
question is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from memcli.lang.words import STOP, stem, words

MIN_COVERED = 0.8
MOST_CITED = 4
_CITATION = re.compile(r"\s*\[(\d{1,2}(?:\s*,\s*\d{1,2})*)\]")
_COPIED_HEAD = re.compile(r"^(?:time unknown|\d{1,2} \w+ \d{4}) [^:]{1,40}: ")
_REFUSES = re.compile(
    r"I (?:don['’]t|do not) (?:have|know) that\b|(?:it is |that is )?not (?:mentioned|stated)\b", re.IGNORECASE
)
_LIST = re.compile(r"\s*(?:,|;|、|\n|\band\b)\s*")
_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w’'-]+")
_YES_NO = frozenset({"yes", "no"})
_COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split()


@dataclass(frozen=True, slots=True)
class Claim:
    """A generated answer taken apart: its words without citations, and the evidence numbers it cites."""

    text: str
    cited: tuple[int, ...]


def read_claim(generated: str) -> Claim:
    """Take citations such as `[1][2]` or `[1, 2]` out of a generated answer."""
    cited: list[int] = []
    for match in _CITATION.finditer(generated):
        cited += [int(number) for number in match[1].split(",")]
    text = re.sub(r"\s+([.,;])", r"\1", _CITATION.sub("", generated)).strip()
    text = _COPIED_HEAD.sub("", text)
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
    if not said:
        return False
    stems = [_stem(word) for word in said]
    new = [item for item in stems if item not in asked]
    if not new:
        return False
    if any(_NUMBER.search(item) and item not in there for item in stems):
        return False
    names = {stem(word.casefold()) for match in _NAME.finditer(claim.text) for word in words(match[0])}
    if any(name not in there and name not in asked for name in names):
        return False
    if set(said) & _YES_NO:
        return False
    covered = sum(1 for item in stems if item in there or item in asked)
    beyond = sum(1 for item in new if item in there)
    return covered / len(stems) >= MIN_COVERED and beyond / len(new) >= MIN_COVERED


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
    """The parts of a list that a piece has the whole of, each once, citing these pieces; the others are left out."""
    asked = _stems(question)
    parts = list(dict.fromkeys(part for part in _LIST.split(text.rstrip(".")) if part))
    kept: list[str] = []
    cited: set[int] = set()
    for part in parts if len(parts) > 1 else ():
        needed = {_stem(word) for word in words(part) if word not in STOP} - asked
        found = next((number for number, said in evidence.items() if needed <= _stems(said)), None)
        if needed and found is not None and len(cited | {found}) <= MOST_CITED:
            kept.append(part)
            cited.add(found)
    return Claim(", ".join(kept), tuple(sorted(cited))) if kept else None


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in words(text)}


def _stem(word: str) -> str:
    """Its stem; a number that is spelled out is its digits."""
    return str(_COUNTS.index(word)) if word in _COUNTS else stem(word)


def cite(claim: Claim) -> str:
    """The claim as it is shown: its words, then its citations."""
    return claim.text + " " + "".join(f"[{number}]" for number in claim.cited)
