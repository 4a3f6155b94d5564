"""Abstention without a generator: LoCoMo's questions and our unanswerable ones, through `recall()` and `answer()`.

    python bench/abstain.py --data FILE.json --embedder PATH.gguf --cache DIR --out DIR [--fit] [--allow SHARE]

Prints how many unanswerable and answerable questions are refused, by
category; 6 is `unanswerable.json`. `--fit` fits the weights of
`memcli/answering/doubt.py` again: first leaving one conversation out, which
is what the numbers are worth, then on all of them, which is what goes into
the product. `--allow` is the share of answerable questions that may be
refused. The last line is one JSON object.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from locomo import Embedding, arguments, load, stored

from memcli.answering.answer import answer
from memcli.answering.doubt import measure
from memcli.recall.people import speakers
from memcli.recall.question import Query, as_said
from memcli.recall.search import recall

OURS = Path(__file__).with_name("unanswerable.json")
NO_ANSWER = (5, 6)


@dataclass(frozen=True)
class Row:
    """One question: what `measure` says of it, and whether the product refuses it now."""

    sample: str
    category: int
    question: str
    signals: dict[str, float]
    refused: bool

    @property
    def label(self) -> int:
        return int(self.category in NO_ANSWER)


def rows(data: Path, embedder: Embedding) -> Iterator[Row]:
    ours = json.loads(OURS.read_text("utf-8"))
    for sample in load(data):
        name = sample["sample_id"]
        asked = [(item["question"], item["category"]) for item in sample["qa"]]
        asked += [(item["question"], 6) for item in ours if item["sample_id"] == name]
        with stored(sample, embedder) as db:
            names = speakers(db)
            vectors = list(embedder.embed([as_said(text, names) for text, _ in asked]))
            for (text, category), vector in zip(asked, vectors, strict=True):
                evidence = recall(db, Query(text), vector)
                refused = answer(text, evidence, lambda: None, names).abstained
                yield Row(name, category, text, measure(text, evidence, names), refused)


# Logistic regression in plain Python: a dozen weights, Newton's method.


def fit(sample: Sequence[Row], names: Sequence[str], ridge: float = 1.0) -> tuple[float, list[float]]:
    """Bias and weights; both classes count the same however many rows they have."""
    share = sum(row.label for row in sample) / len(sample)
    data = [
        ([1.0, *(row.signals[name] for name in names)], row.label, 0.5 / (share if row.label else 1 - share))
        for row in sample
    ]
    size = len(names) + 1
    weights = [0.0] * size
    for _ in range(30):
        gradient = [0.0, *(ridge * weight for weight in weights[1:])]
        hessian = [[ridge * float(i == j and i > 0) for j in range(size)] for i in range(size)]
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
    return weights[0], weights[1:]


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


def score(row: Row, names: Sequence[str], weights: Sequence[float]) -> float:
    return sum(weight * row.signals[name] for name, weight in zip(names, weights, strict=True))


def threshold(sample: Sequence[Row], names: Sequence[str], weights: Sequence[float], allow: float) -> float:
    """Above which a share of `allow` of the answerable questions lies."""
    scores = sorted(score(row, names, weights) for row in sample if not row.label)
    return scores[min(len(scores) - 1, math.floor((1 - allow) * len(scores)))]


def summary(refused: Sequence[tuple[Row, bool]]) -> dict[str, Any]:
    def share(keep: Sequence[bool]) -> float:
        return round(sum(keep) / len(keep), 3) if keep else 0.0

    return {
        "unanswerable_refused": share([was for row, was in refused if row.label]),
        "answerable_refused": share([was for row, was in refused if not row.label]),
        "by_category": {
            str(number): share([was for row, was in refused if row.category == number]) for number in range(1, 7)
        },
    }


def main() -> int:
    parser = arguments("Abstention, through the product, without a generator.")
    parser.add_argument("--fit", action="store_true", help="fit the weights again")
    parser.add_argument("--allow", type=float, default=0.08, help="share of answerable questions that may be refused")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    found = list(rows(options.data, Embedding(options.embedder, options.cache)))
    with (options.out / "abstain.jsonl").open("w", encoding="utf-8") as lines:
        for row in found:
            shape = {"sample": row.sample, "category": row.category, "question": row.question, "refused": row.refused}
            lines.write(json.dumps({**shape, **row.signals}, ensure_ascii=False) + "\n")
    result: dict[str, Any] = {"questions": len(found), "product": summary([(row, row.refused) for row in found])}
    if options.fit:
        names = list(found[0].signals)
        unseen = []
        for sample in sorted({row.sample for row in found}):
            rest = [row for row in found if row.sample != sample]
            _, weights = fit(rest, names)
            limit = threshold(rest, names, weights, options.allow)
            unseen += [(row, score(row, names, weights) > limit) for row in found if row.sample == sample]
        result["unseen"] = summary(unseen)
        _, weights = fit(found, names)
        limit = threshold(found, names, weights, options.allow)
        result["bias"] = round(-limit, 3)
        result["weights"] = {name: round(weight, 3) for name, weight in zip(names, weights, strict=True)}
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
