"""What of answering is on. A benchmark turns one thing off at a time; a person never needs to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Switches:
    """One flag a mechanism, with what it does; what was measured and did not gain is off."""

    abstain: bool = True
    """Nothing is said where the evidence does not seem to answer (D10)."""
    dates: bool = True
    """When something happened is read by code where it can be (D6)."""
    shorten: bool = True
    """An answer is cut down to what was asked for."""
    conclude: bool = True
    """Yes, no, a choice and a conclusion are shown though they stand in no line."""


SWITCHES = Switches()
