"""What of recall is on. A benchmark turns one thing off at a time; what gained nothing is off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from memcli.errors import UsageError


@dataclass(frozen=True, slots=True)
class Switches:
    """One flag a mechanism, with what it does and what measurement its default rests on."""

    time_bounds: bool = True
    """Times of the question that are reckoned from now ("last week", "since March") rank up (D2, D6)."""
    order: bool = True
    """First, last, before and after: of the near-best the earliest or latest rank up (D6)."""
    intent_depth: bool = False
    """The kind of the question, too, says how much of the evidence is worth reading (D4): .858 against .861 without."""
    follow_ups: bool = True
    """A question that leans on the one before it is completed (D1): `bench/follow_ups.py`."""
    past_questions: bool = False
    """Chunks of a document are chosen by what was asked before (D7): `bench/past_questions.py`."""
    event_signal: bool = False
    """A turn is lent the three best turns of its event (D5): .847 at 8 against .845 without, no difference."""
    event_route: bool = False
    """The turns of the best events are candidates, however far from a hit they stand (D5): .847 against .845."""
    topic_route: bool = False
    """A question is filed first; events under its category come before others (B6): .844 against .845."""

    @property
    def reads_events(self) -> bool:
        """Whether a mechanism is on that needs events to be formed."""
        return self.event_signal or self.event_route or self.topic_route


SWITCHES = Switches()


def switches(chosen: Mapping[str, bool]) -> Switches:
    """The switches with those that the person's settings set. Raises `UsageError` where there is no such switch."""
    names = [field.name for field in fields(Switches)]
    for name in chosen:
        if name not in names:
            raise UsageError(f"There is no switch “{name}” in [recall].", f"Switches: {', '.join(names)}.")
    return Switches(**chosen)
