"""The benchmark's data: conversations, questions, and which turns hold their answers. Nothing of it is kept here."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OURS = Path(__file__).with_name("unanswerable.json")
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial", 6: "ours"}
ANSWERABLE, UNANSWERABLE = (1, 2, 3, 4), (5, 6)
_TURN = re.compile(r"D:?(\d+):(\d+)")

Sample = Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """One question: its right answer ("" where there is none) and the turns ("conv-1 D1:3") that hold it.

    Category 6 is our own `unanswerable.json`. `number` counts within the
    conversation, or within our file.
    """

    sample: str
    number: int
    text: str
    category: int
    gold: frozenset[str]
    right: str = ""

    @property
    def key(self) -> str:
        return f"{self.sample}/{self.category}/{self.number}"

    @property
    def order(self) -> str:
        """A place in a fixed shuffle."""
        return hashlib.sha256(self.key.encode()).hexdigest()


def load(path: Path) -> list[dict[str, Any]]:
    samples = json.loads(path.read_text("utf-8"))
    assert isinstance(samples, list)
    return samples


def gold_of(evidence: Sequence[str], turns: frozenset[str]) -> frozenset[str]:
    """Evidence ids as the turns they mean: `D9:1 D4:4` is two, `D30:05` is D30:5, and `D` is none."""
    found = {f"D{int(session)}:{int(turn)}" for item in evidence for session, turn in _TURN.findall(item)}
    return frozenset(found & turns)


def every(sample: Sample) -> Iterator[Asked]:
    """Every question of a conversation, those of the benchmark and ours."""
    name = sample["sample_id"]
    turns = frozenset(
        turn["dia_id"] for value in sample["conversation"].values() if isinstance(value, list) for turn in value
    )
    for number, item in enumerate(sample["qa"]):
        gold = frozenset(f"{name} {turn}" for turn in gold_of(item["evidence"], turns))
        right = "" if item["category"] == 5 else str(item["answer"])
        yield Asked(name, number, item["question"], item["category"], gold, right)
    for number, item in enumerate(json.loads(OURS.read_text("utf-8"))):
        if item["sample_id"] == name:
            yield Asked(name, number, item["question"], 6, frozenset())


def questions(sample: Sample) -> list[Asked]:
    """The questions of a conversation that have evidence in it: those that recall is measured by."""
    return [asked for asked in every(sample) if asked.gold]


def turn_of(key: str) -> str:
    """The turn that a source key names: `locomo:conv-1/session_1:D1:3` → `conv-1 D1:3`."""
    _, place, turn = key.split(":", 2)
    return f"{place.rpartition('/')[0]} {turn}"


SHARES = {1: 0.2, 2: 0.2, 3: 0.13, 4: 0.2, 5: 0.13, 6: 0.13}
"""The share of each category in a sample of questions to be answered."""


def stratified(asked: Sequence[Asked], size: int) -> list[Asked]:
    """A fixed sample, about `size` questions; all of them where it is none.

    Of every category its share, of every conversation in turn, in the order of
    a hash: always the same, and a smaller one mostly part of a larger one. The
    categories are spread evenly over it, so that the first half says as much.
    """
    if size <= 0:
        return sorted(asked, key=lambda item: item.order)
    placed = []
    for category, share in SHARES.items():
        turns = _in_turn([item for item in asked if item.category == category])
        count = min(len(turns), round(size * share))
        placed += [((place + 0.5) / count, category, item) for place, item in enumerate(turns[:count])]
    return [item for _, _, item in sorted(placed, key=lambda entry: entry[:2])]


def _in_turn(asked: Sequence[Asked]) -> list[Asked]:
    """One question of each conversation, then the next of each."""
    by_sample: dict[str, list[Asked]] = {}
    for item in sorted(asked, key=lambda item: item.order):
        by_sample.setdefault(item.sample, []).append(item)
    ranked = [(place, name, item) for name, items in by_sample.items() for place, item in enumerate(items)]
    return [item for _, _, item in sorted(ranked, key=lambda entry: entry[:2])]
