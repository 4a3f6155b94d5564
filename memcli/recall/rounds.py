"""A question in parts, and a second look for what the first one did not find (D8).

What is asked about several people is also asked about each of them. Then the
evidence is looked at: where words of the question occur in none of it, they
are searched for once more, together with the names that the best evidence
brought up and the question did not have. Without a model; at most `ROUNDS`
looks. Off: on LoCoMo it gains nothing (`bench/README.md`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from memcli.lang.words import content_terms, has_cjk, shared, stem, words
from memcli.projection import lexical
from memcli.projection.database import Database
from memcli.recall.mentions import mentions
from memcli.recall.question import Plan
from memcli.types import Entry

ROUNDS = 2
ADEQUATE = 0.75
"""The share of the question, by rarity of its words, that the evidence must have between it."""
BRIDGES, FROM = 2, 2
"""How many names are taken along, from how many of the best pieces."""
BEHIND = 1.0
"""What the score of a later look is lowered by: it asks for something else than the question."""
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)(?<!\w)(?!I['’])[A-Z][\w-]+(?:\s+(?!I['’])[A-Z][\w-]+)*")
_AND = re.compile(r"\s*(?:,\s*(?:and\s+)?|&|\band\b|\bor\b)\s*", re.IGNORECASE)


def parts_of(text: str, speakers: Sequence[str]) -> list[str]:
    """The question about each of the people that it names side by side ("Ann and Ben"); none where it does not."""
    named = mentions(text, speakers)
    for first, second in pairwise(named):
        if _AND.fullmatch(text[first.owner_end : second.start]) and first.names != second.names:
            return [
                text[: first.start] + text[one.start : one.owner_end] + text[second.owner_end :]
                for one in (first, second)
            ]
    return []


def next_look(db: Database, plan: Plan, evidence: Sequence[Entry], speakers: Sequence[str], asked: str) -> str | None:
    """What to search for in the next round; None where the evidence is adequate, or there is nothing to go on."""
    missing = _missing(db, plan, evidence)
    if not missing or not evidence:
        return None
    bridges = _bridges(evidence[:FROM], speakers, asked)
    return " ".join([*missing, *bridges]) if bridges else None


def _missing(db: Database, plan: Plan, evidence: Sequence[Entry]) -> list[str]:
    """The words of the question that no piece has, where they are too much of it."""
    if not plan.terms or any(map(has_cjk, plan.terms)):
        return []
    entries = max(1, int(db.meta("visible")))
    rarity = {term: math.log(1 + entries / (1 + lexical.frequency(db, term))) for term in plan.terms}
    said = " ".join(entry.text for entry in evidence)
    missing = [term for term in plan.terms if not shared([stem(term)], said)]
    had = math.fsum(rarity.values()) - math.fsum(rarity[term] for term in missing)
    return missing if had < ADEQUATE * math.fsum(rarity.values()) else []


def _bridges(evidence: Sequence[Entry], speakers: Sequence[str], asked: str) -> list[str]:
    """Names that the evidence has and the question has not, and that nobody in the store bears."""
    known = {word for name in (*speakers, asked) for word in words(name)}
    found = [match[0] for entry in evidence for match in _NAME.finditer(entry.text)]
    names = [name for name in dict.fromkeys(found) if content_terms(name) and known.isdisjoint(words(name))]
    return names[:BRIDGES]
