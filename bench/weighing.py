"""Weights from a file: those of the product, one set for all, or a set for each conversation that never saw it.

`bench/fit.py` writes `{"conversations": {"conv-1": {"recall": {...}, "doubt": {...}}}, "all": {...}}`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memcli.answering.doubt import DOUBTS, Doubts
from memcli.recall.weights import WEIGHTS, Weights


@dataclass(frozen=True)
class Weighing:
    """What a conversation's questions are measured with; the product's own where nothing else is known."""

    recall: dict[str, Weights] = field(default_factory=dict)
    doubts: dict[str, Doubts] = field(default_factory=dict)
    all_recall: Weights = WEIGHTS
    all_doubts: Doubts = DOUBTS

    def recall_of(self, sample: str) -> Weights:
        return self.recall.get(sample, self.all_recall)

    def doubts_of(self, sample: str) -> Doubts:
        return self.doubts.get(sample, self.all_doubts)

    @property
    def left_out(self) -> bool:
        """Whether each conversation has weights of its own."""
        return bool(self.recall)


def read(path: Path | None) -> Weighing:
    if path is None:
        return Weighing()
    values = json.loads(path.read_text("utf-8"))
    if "conversations" not in values:
        return Weighing(all_recall=Weights(**values))
    sets = values["conversations"]
    return Weighing(
        {name: Weights(**one["recall"]) for name, one in sets.items()},
        {name: _doubts(one["doubt"]) for name, one in sets.items() if "doubt" in one},
    )


def _doubts(values: dict[str, Any]) -> Doubts:
    return Doubts(values["bias"], values["weights"])
