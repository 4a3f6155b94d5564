"""Which mechanisms take part in finding evidence: each can be switched off, and what gained nothing is off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from memcli.errors import UsageError


@dataclass(frozen=True, slots=True)
class Switches:
    """One switch a mechanism, at its default; the text under each says what measurement that rests on."""

    follow_ups: bool = True
    """A question that leans on the one before it is completed (D1): `bench/follow_ups.py`."""
    past_questions: bool = False
    """Chunks of a document are chosen by what was asked before (D7): `bench/past_questions.py`."""


def switches(chosen: Mapping[str, bool]) -> Switches:
    """The switches with those that the person's settings set. Raises `UsageError` where there is no such switch."""
    names = [field.name for field in fields(Switches)]
    for name in chosen:
        if name not in names:
            raise UsageError(f"There is no switch “{name}” in [recall].", f"Switches: {', '.join(names)}.")
    return Switches(**chosen)
