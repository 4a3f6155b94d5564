"""What of recall is on. A benchmark turns one thing off at a time; a person never needs to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Switches:
    """One flag a mechanism, with what it does; what was measured and did not gain is off."""

    time_bounds: bool = True
    """Times of the question that are reckoned from now ("last week", "since March") rank up (D2, D6)."""
    order: bool = True
    """First, last, before and after: of the near-best the earliest or latest rank up (D6)."""
    intent_depth: bool = False
    """The kind of the question, too, says how much of the evidence is worth reading (D4): .858 against .861 without."""


SWITCHES = Switches()
