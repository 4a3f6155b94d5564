"""How much of the evidence is worth reading (D4).

The weights are fitted as a conditional logit, so that e to the power of the
score is proportional to the chance that a turn is the one that was asked for.
A question whose first turn stands out needs few; one whose turns are all
alike, a list or a vague question, needs many.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from memcli.recall.search import Evidence

LEAST, MOST = 3, 20
CHANCE = 0.015
"""A turn is read while its share of the chances of all is this much: about eight turns a question."""
_SIMPLE, _FALL = 2.0, 1.5
"""Of the chance, for the simplest question; and how fast it falls with complexity."""


def depth(evidence: Sequence[Evidence], chance: float = CHANCE, complexity: float | None = None) -> int:
    """How many of the pieces, best first, to hand on: from `LEAST` to `MOST`, where there are so many.

    `complexity`, from 0 to 1, is the plan's: a list is read deeper than a
    date. Without it the shares alone tell, which was measured to be as good:
    the evidence of a list is more alike than that of a date anyway.

    To be asked of what `recall` gave for `k=MOST`: the shares depend on how
    many pieces there are.
    """
    if not evidence:
        return 0
    best = evidence[0].score
    odds = [math.exp(item.score - best) for item in evidence[:MOST]]
    if complexity is not None:
        chance *= _SIMPLE * math.exp(-_FALL * complexity)
    floor = chance * math.fsum(odds)
    worth = sum(1 for value in odds if value >= floor)
    return min(len(evidence), max(LEAST, worth))
