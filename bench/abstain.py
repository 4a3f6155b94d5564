"""Abstention without a generator: every question, those without an answer too, through the code of `mem ask`.

    python bench/abstain.py --data FILE.json --out DIR [--embedder PATH.gguf] [--cache DIR] [--weights FILE]

Prints how many unanswerable and answerable questions are refused, by
category. `fit.py` fits the weights of `memcli/answering/doubt.py`. The last
line is one JSON object.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import conversations
import weighing
from arguments import arguments
from conversations import CATEGORIES, UNANSWERABLE, Sample
from homes import Embedding, stored
from rankings import learn_questions

from memcli.answering.answer import answerable
from memcli.answering.doubt import Doubts, measure
from memcli.recall.finding import find
from memcli.recall.question import Query
from memcli.recall.weights import Weights

RIDGE = 1.0


@dataclass(frozen=True)
class Row:
    """One question: what `measure` says of it, and whether plain rules refuse it already."""

    sample: str
    category: int
    question: str
    signals: dict[str, float]
    ruled_out: bool

    @property
    def label(self) -> int:
        return int(self.category in UNANSWERABLE)

    def refuses(self, doubts: Doubts) -> bool:
        return self.ruled_out or score(self, doubts.weights) + doubts.bias > 0


def rows(samples: Sequence[Sample], embedder: Embedding, weights: Weights) -> list[Row]:
    """Every question, with the evidence that `mem ask` would hand on."""
    found = []
    for sample in samples:
        asked = list(conversations.every(sample))
        with stored([sample], embedder) as db:
            learn_questions(db, asked, embedder)
            for item in asked:
                got = find(db, Query(item.text), embedder, weights=weights)
                signals = measure(item.text, got.evidence, got.names) if got.evidence else {}
                ruled_out = not answerable(item.text, got.evidence, got.names)
                found.append(Row(item.sample, item.category, item.text, signals, ruled_out))
    return found


def fitted(found: Sequence[Row], allow: float) -> Doubts:
    """Doubts that refuse a share of `allow` of the answerable questions that no plain rule refuses."""
    usable = [row for row in found if row.signals]
    names = list(usable[0].signals)
    weights = {name: round(value, 3) for name, value in zip(names, fit(usable, names), strict=True)}
    scores = sorted(score(row, weights) for row in usable if not row.label and not row.ruled_out)
    return Doubts(round(-scores[min(len(scores) - 1, math.floor((1 - allow) * len(scores)))], 3), weights)


def as_numbers(doubts: Doubts) -> dict[str, Any]:
    return {"bias": doubts.bias, "weights": dict(doubts.weights)}


# Logistic regression in plain Python: a dozen weights, Newton's method.


def fit(sample: Sequence[Row], names: Sequence[str]) -> list[float]:
    """The weights; both classes count the same however many rows they have."""
    share = sum(row.label for row in sample) / len(sample)
    data = [
        ([1.0, *(row.signals[name] for name in names)], row.label, 0.5 / (share if row.label else 1 - share))
        for row in sample
    ]
    size = len(names) + 1
    weights = [0.0] * size
    for _ in range(30):
        gradient = [0.0, *(RIDGE * weight for weight in weights[1:])]
        hessian = [[RIDGE * float(i == j and i > 0) for j in range(size)] for i in range(size)]
        for values, label, count in data:
            chance = 1 / (1 + math.exp(-sum(w * x for w, x in zip(weights, values, strict=True))))
            curve = count * chance * (1 - chance)
            for i, x in enumerate(values):
                gradient[i] += count * (chance - label) * x
                if x:
                    row = hessian[i]
                    for j, y in enumerate(values):
                        row[j] += curve * x * y
        step = solve(hessian, gradient)
        weights = [weight - change for weight, change in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 1e-6:
            break
    return weights[1:]


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    size = len(right)
    table = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(table[k][i]))
        table[i], table[pivot] = table[pivot], table[i]
        for k in range(size):
            if k != i:
                factor = table[k][i] / table[i][i]
                table[k] = [a - factor * b for a, b in zip(table[k], table[i], strict=True)]
    return [table[i][size] / table[i][i] for i in range(size)]


def score(row: Row, weights: Any) -> float:
    return sum(weight * row.signals.get(name, 0.0) for name, weight in weights.items())


def summary(refused: Sequence[tuple[Row, bool]]) -> dict[str, Any]:
    """The shares of questions that are refused."""

    def share(keep: Sequence[bool]) -> float:
        return round(sum(keep) / len(keep), 4) if keep else 0.0

    return {
        "unanswerable": share([was for row, was in refused if row.label]),
        "answerable": share([was for row, was in refused if not row.label]),
        "by_category": {
            name: share([was for row, was in refused if row.category == number]) for number, name in CATEGORIES.items()
        },
    }


def main() -> int:
    parser = arguments("Abstention, through the product, without a generator.")
    parser.add_argument("--weights", type=Path, help="what fit.py wrote, instead of the product's own")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    weights = weighing.read(options.weights)
    embedder = Embedding(options.embedder, options.cache)
    refused = []
    with (options.out / "abstain.jsonl").open("w", encoding="utf-8") as lines:
        for sample in conversations.load(options.data):
            name = sample["sample_id"]
            for row in rows([sample], embedder, weights.recall_of(name)):
                was = row.refuses(weights.doubts_of(name))
                refused.append((row, was))
                shape = {"sample": row.sample, "category": row.category, "question": row.question, "refused": was}
                lines.write(json.dumps({**shape, **row.signals}, ensure_ascii=False) + "\n")
    print(json.dumps({"questions": len(refused), "left_out": weights.left_out, "abstained": summary(refused)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
