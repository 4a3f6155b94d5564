"""Which windows of a talk are worth reading for memories (B1, SimpleMem equations 1 and 2).

    H(W) = α · |new entities| / |W| + (1 − α) · (1 − cos(E(W), E(H_prev)))

W is a window of turns of one session, E its mean embedding, H_prev the window
before it. A window below the threshold says little that is new: it is kept
like all others, and not read for memories. Without vectors, and at the start
of a session, everything is read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memcli.lang.words import words
from memcli.types import Entry

WINDOW = 4
ALPHA = 0.5
THRESHOLD = 0.12
"""The paper's 0.35 belongs to another embedding and would leave out two turns in three (`docs/architecture.md`)."""
_ENTITY = re.compile(r"(?<![.!?:\"“] )(?<!^)\b[A-Z][\w'’-]+|\d[\w.,:/-]*")


@dataclass(frozen=True, slots=True)
class Window:
    """Some turns of one session in a row, with their entropy; None where it cannot be told."""

    entries: tuple[str, ...]
    entropy: float | None

    @property
    def gated(self) -> bool:
        return self.entropy is not None and self.entropy < THRESHOLD


def windows(turns: Sequence[Entry], vectors: Mapping[str, Sequence[float]], known: set[str]) -> list[Window]:
    """The windows of one session's turns, in order. `known` are words of entities named before; new ones are added."""
    found: list[Window] = []
    before: list[float] | None = None
    for start in range(0, len(turns), WINDOW):
        part = turns[start : start + WINDOW]
        fresh = {word for turn in part for name in _ENTITY.findall(turn.text) for word in words(name)} - known
        known |= fresh
        here = _mean([vectors[turn.id] for turn in part if turn.id in vectors])
        entropy = None
        if here is not None and before is not None:
            entropy = ALPHA * len(fresh) / len(part) + (1 - ALPHA) * (1 - _cosine(here, before))
        found.append(Window(tuple(turn.id for turn in part), entropy))
        before = here
    return found


def _mean(rows: Sequence[Sequence[float]]) -> list[float] | None:
    if not rows:
        return None
    return [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    length = math.sqrt(math.fsum(x * x for x in a) * math.fsum(y * y for y in b))
    return math.fsum(x * y for x, y in zip(a, b, strict=True)) / length if length else 0.0
