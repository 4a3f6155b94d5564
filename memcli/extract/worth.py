"""Whether a statement says enough to be kept: names, numbers, times and words that mean something (B3)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memcli.extract.english import words as w
from memcli.lang.words import STOP

_WORD = re.compile(r"[^\W_][\w'’.-]*")
_NUMBER = re.compile(r"\d")
_ONE_TO_TWELVE = frozenset("one two three four five six seven eight nine ten eleven twelve dozen hundred thousand".split())
EMPTY = frozenset(
    "think guess hope wish bet mean suppose wonder imagine agree understand thank appreciate sound seem doubt "
    "pray assume reckon swear apologise apologize admire congratulate".split()
)
"""Verbs that only say what somebody thinks of something."""
LIGHT = frozenset(
    "be have get do make see feel look know go come want need keep try let give take say tell hear find use help put "
    "show remember believe like love enjoy miss forget happen turn talk hold mind stay bring share learn understand "
    "continue start begin lead work become realize realise check add mention encourage inspire motivate".split()
)
"""Verbs that mean little without what follows them."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What a stretch of text holds: words that mean something, names, and figures."""

    content: int
    names: int
    figures: int

    @property
    def score(self) -> float:
        """Names and figures say more than other words."""
        return self.content + 1.5 * self.names + 1.5 * self.figures


def weigh(text: str, leave_out: frozenset[str]) -> Weight:
    """What a text holds besides these words (lower case): mostly the names of who speaks."""
    content = names = figures = 0
    for match in _WORD.finditer(text):
        word = match[0].rstrip(".-")
        low = word.lower().removesuffix("'s").removesuffix("’s")
        if low in leave_out:
            continue
        if word[0].isdigit():
            figures += 1
        elif low in _ONE_TO_TWELVE and low != "one":
            figures += 0.5  # type: ignore[assignment]
        elif low in STOP or low in w.VAGUE or low in w.PRAISE or low in w.ADVERB or low in w.PREPOSITION:
            continue
        elif word[0].isupper() and low not in w.CALENDAR:
            names += 1
        elif len(low) > 2:
            content += 1
    return Weight(content, names, int(figures + 0.5))
