"""What the words of a saying tell about its weight: a correction, a passing state, or something not meant (C7).

Whoever extracts leaves out what is only supposed, joked or quoted. This is
the second look, before a statement may retire another: what is unsure stands
beside it instead.
"""

from __future__ import annotations

import re
from functools import lru_cache

_CORRECTS = re.compile(
    r"\b(?:correction|autocorrect|typo|misread|misheard|mistyped|i meant|my mistake|scratch that|after all|"
    r"fell through|turns out|strike that|swapped)\b|, not \w",
    re.IGNORECASE,
)
_CORRECTS_SOON = re.compile(r"\b(?:actually|sorry|i mean|wrong|wait)\b", re.IGNORECASE)
_PASSES = re.compile(
    r"\b(?:this (?:week|weekend|morning|afternoon|evening|month|summer|winter)|today|tonight|tomorrow|"
    r"for (?:now|the (?:day|night|week|weekend|moment|summer)|a (?:day|night|week|month|while|few \w+|couple \w+)|"
    r"(?:two|three|four|five|six|\d+) (?:days|nights|weeks|months))|at the moment|temporarily|visiting|"
    r"on (?:holiday|vacation)|"
    r"until (?:friday|saturday|sunday|monday|tuesday|wednesday|thursday|tomorrow|next \w+|the weekend))\b",
    re.IGNORECASE,
)
_BEGINS = re.compile(r"\b(?:from|since|starting|as of|effective) (?:today|tomorrow|this|monday|next)\b", re.IGNORECASE)
_INSTEAD = re.compile(r"\b(?:instead|rather than|not going|is off|change of plan)\b", re.IGNORECASE)
_NAMES_BEGIN = re.compile(r"\b(?:from|since|starting|as of|effective|ab|seit|desde)\b", re.IGNORECASE)
_UNSURE = re.compile(
    r"\b(?:if|imagine|suppose|supposing|would|wish|maybe|perhaps|might|used to|back when|thinking (?:of|about)|dreamt|"
    r"pretend|kidding|jk|as if|considering|hopefully|could be|joke|apparently|heard)\b|\?\s*$|/s\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^”]{6,}”|\"[^\"]{6,}\"|„[^“]{6,}“|«[^»]{6,}»")
_ENDED = re.compile(
    r"\b(?:no longer|any ?more|stopped|quit|sold|gave up|cancelled|canceled|switched|now|instead|day one|first day|"
    r"last day|started|new)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=16_384)
def corrects(said: str, *, soon: bool = True) -> bool:
    """Whether it takes back what was said before, as never having been so; `soon` where that was just before."""
    return _CORRECTS.search(said) is not None or (soon and _CORRECTS_SOON.search(said) is not None)


@lru_cache(maxsize=16_384)
def lasts(said: str) -> bool:
    """Whether a state goes beyond some days: "I'm in Rome this week" says nothing about a home."""
    return _PASSES.search(_BEGINS.sub(" ", said)) is None or _ENDED.search(said) is not None


@lru_cache(maxsize=16_384)
def unsure(said: str) -> bool:
    """Whether it may only be supposed, joked, quoted, remembered or asked."""
    return _UNSURE.search(said) is not None or _QUOTED.search(said) is not None


@lru_cache(maxsize=16_384)
def names_begin(said: str) -> bool:
    """Whether it says from when on something holds."""
    return _NAMES_BEGIN.search(said) is not None


@lru_cache(maxsize=16_384)
def plans_instead(said: str) -> bool:
    """Whether it says that it takes the place of something else."""
    return _INSTEAD.search(said) is not None
