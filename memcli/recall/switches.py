"""Which mechanisms of recall are on. What gains nothing by measurement is off (`bench/README.md`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Switches:
    """One bool a mechanism."""

    event_signal: bool = False
    """A turn is lent the three best turns of its event (D5)."""
    event_route: bool = False
    """The turns of the best events are candidates, however far from a hit they stand (D5)."""
    topic_route: bool = False
    """A question is filed first; events under its category come before others (B6)."""


SWITCHES = Switches()
