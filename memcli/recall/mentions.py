"""Where a question names people of the store, and whom it is about (D1, D2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from memcli.lang.tongue import tongue
from memcli.lang.words import STOP, has_cjk, words

_CAPITAL = re.compile(
    r".\b(?!I\b|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[A-Z]", re.DOTALL
)
_NUMBER = re.compile(r"\s+\d")
_OWNER = re.compile(r"['’](?:s\b)?")
_AND = re.compile(r"\s*(?:,|&|/|、|,?\s*(?:and|or|und|et|y)\b|和|与|と)\s*", re.IGNORECASE)
_NOUN = re.compile(r"\b(?:a|an|the|this|that|which|my|your|our|his|her|their)\s+$", re.IGNORECASE)
_DATED = re.compile(r"\b(?:in|last|next|since|until|till|during|early|mid|late)\s+$", re.IGNORECASE)
_MONTHS = frozenset("april may june august".split())
"""Months that people are called after."""
_ARABIC = re.compile("[\u0620-\u064a]")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a question where a name stands, and the speakers whose name it may be.

    `end` is behind the name, `owner_end` behind what makes an owner of it
    ("Ann's", "Annas"), the same where nothing does.
    """

    start: int
    end: int
    names: tuple[str, ...]
    owner_end: int

    @property
    def owner(self) -> bool:
        return self.owner_end > self.end


def mentions(text: str, speakers: Sequence[str]) -> list[Mention]:
    """The names in a question, in its order. Accents do not matter, and "Mueller" is Müller."""
    plain = _bare(text)
    german = tongue(text) == "de"
    by_part = _parts(plain, speakers, german=german)
    if not by_part:
        return []
    one = "|".join(sorted((_pattern(part, german) for part in by_part), key=lambda pattern: (-len(pattern), pattern)))
    careful = _CAPITAL.search(text) is not None
    found = []
    for match in re.finditer(rf"(?:{one})(?:\s+(?:{one}))*", plain, re.IGNORECASE):
        start, end = _trimmed(text, match.start(), match.end(), by_part)
        said, genitive = plain[start:end].casefold(), False
        if german and said.endswith("s") and said.split()[-1] not in by_part:
            said, end, genitive = said[:-1], end - 1, True
        owner = _OWNER.match(text, end)
        if _is_word(text, start, end, careful=careful and owner is None) or _NUMBER.match(text, end):
            continue
        parts = {said} if said in by_part else {part for part in said.split() if part in by_part}
        meant = [frozenset(by_part[part]) for part in parts] or [frozenset(by_part.get(said[1:], ()))]
        if whole := frozenset.intersection(*meant) or frozenset.union(*meant):
            owner_end = owner.end() if owner else end + genitive
            found.append(Mention(start, end, tuple(sorted(whole)), owner_end))
    return found


def subjects(text: str, found: Sequence[Mention]) -> list[Mention]:
    """The first who is named, and those joined to them by "and"."""
    about = list(found[:1])
    for before, mention in pairwise(found):
        if before is not about[-1] or not _AND.fullmatch(text, before.end, mention.start):
            break
        about.append(mention)
    return about


def _parts(plain: str, speakers: Sequence[str], *, german: bool) -> dict[str, list[str]]:
    """What may stand for a name in this text, without accents and in lower case, and the speakers it may mean."""
    folded = plain.casefold()
    asked = set(words(plain))
    if german:
        asked |= {word[:-1] for word in asked if word.endswith("s")}
    by_part: dict[str, list[str]] = {}
    for name in speakers:
        parts: set[str] = set()
        for spelt in {_bare(name), _bare(name.translate(_UMLAUTS))}:
            if not has_cjk(spelt):
                parts |= {part for part in words(spelt) if part in asked and len(part) > 1 and part not in STOP}
            if spelt.casefold() in folded:
                parts.add(spelt.casefold())
        for part in parts:
            by_part.setdefault(part, []).append(name)
    return by_part


def _pattern(part: str, german: bool) -> str:
    if has_cjk(part):
        return re.escape(part)
    if _ARABIC.search(part):
        return rf"(?<!\w)[وفبلك]?{re.escape(part)}(?!\w)"  # what is said of a name hangs on it
    return rf"(?<!\w){re.escape(part)}{'s?' if german else ''}(?!\w)"


def _trimmed(text: str, start: int, end: int, by_part: dict[str, list[str]]) -> tuple[int, int]:
    """Without a first "will" before another name: in "Will Mark come?" and "When will Will …?" it is a verb."""
    first, gap, rest = text[start:end].partition(" ")
    verb = first.casefold() in STOP and (start == 0 or first.islower())
    if gap and verb and f"{first} {rest}".casefold() not in by_part:
        return end - len(rest.lstrip()), end
    return start, end


def _is_word(text: str, start: int, end: int, *, careful: bool) -> bool:
    """Whether it is a word here and no name. `careful`: names in this text seem to be written with a capital."""
    said = text[start:end]
    before = text[:start]
    if said[0].islower() and (careful or _NOUN.search(before)):
        return True
    if said.casefold() in STOP and (start == 0 or said[0].islower()):
        return True
    return said.casefold() in _MONTHS and _DATED.search(before) is not None


def _bare(text: str) -> str:
    """The text without accents, character for character."""
    if text.isascii():
        return text
    return "".join(unicodedata.normalize("NFD", sign)[0] if not has_cjk(sign) else sign for sign in text)
