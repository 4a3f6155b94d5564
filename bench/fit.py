"""Fits the weights of `memcli/recall/weights.py`: conditional logit over all candidates of a question.

    python bench/fit.py --data FILE.json --embedder PATH.gguf [--cache DIR] --out DIR [--penalty 0.001]

Leaves one conversation out at a time and measures on that one; every figure
about fitted weights comes from there. The weights to ship are fitted on all:
`weights.json` in DIR, and printed. The last line is one JSON object.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import locomo
import numpy as np
from locomo import KS, Asked
from scipy.optimize import minimize

from memcli.projection.database import Database
from memcli.recall.candidates import gather
from memcli.recall.depth import CHANCE, LEAST, MOST
from memcli.recall.people import speakers
from memcli.recall.question import Query, as_said, read
from memcli.recall.signals import measure
from memcli.recall.switches import SWITCHES, Switches
from memcli.recall.topics import Shelves, topic_of
from memcli.recall.weights import NAMES, WEIGHTS


@dataclass(frozen=True)
class Case:
    """One question: its candidates' turns, their signals (a row each), and which of them are gold."""

    asked: Asked
    turns: Sequence[str]
    signals: Any
    gold: Any


def case(
    db: Database,
    asked: Asked,
    embedder: locomo.Embedding,
    switches: Switches = SWITCHES,
    shelves: Shelves | None = None,
) -> Case:
    names = speakers(db)
    plan = read(asked.text, names)
    vector = next(embedder.embed([as_said(asked.text, names)]))
    topic = topic_of(vector, asked.text, shelves) if shelves else None
    field = gather(db, Query(asked.text, topic=topic), plan, vector, WEIGHTS, switches)
    found = list(measure(field, plan))
    keys = dict(db.rows("SELECT seq, key FROM entries"))
    turns = [locomo.turn_of(keys[turn.seq]) for turn, _ in found]
    signals = np.array([[values.get(name, 0.0) for name in NAMES] for _, values in found])
    return Case(asked, turns, signals, np.array([turn in asked.gold for turn in turns]))


def fit(cases: Sequence[Case], used: Sequence[int], penalty: float) -> Any:
    """The weights that make the gold turns likeliest among the candidates."""
    usable = [(item.signals[:, used], item.gold) for item in cases if item.gold.any()]
    whole = np.concatenate([signals for signals, _ in usable])
    lengths = np.array([len(signals) for signals, _ in usable])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    target = np.concatenate([gold / gold.sum() for _, gold in usable])

    def loss(weights: Any) -> tuple[float, Any]:
        scores = whole @ weights
        scores -= np.repeat(np.maximum.reduceat(scores, starts), lengths)
        odds = np.exp(scores)
        sums = np.add.reduceat(odds, starts)
        share = odds / np.repeat(sums, lengths)
        value = -(target @ scores - np.log(sums).sum()) / len(usable) + penalty * weights @ weights
        return value, whole.T @ (share - target) / len(usable) + 2 * penalty * weights

    result = minimize(loss, np.zeros(len(used)), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    weights = np.zeros(len(NAMES))
    weights[list(used)] = result.x
    return weights


def ranked(item: Case, weights: Any) -> list[str]:
    scores = item.signals @ weights
    return [item.turns[place] for place in np.argsort(-scores, kind="stable")[: max(KS)]]


def left_out(cases: Sequence[Case], used: Sequence[int], penalty: float) -> list[tuple[Asked, list[str]]]:
    """Every question ranked with weights that never saw its conversation."""
    results = []
    for sample in dict.fromkeys(item.asked.sample for item in cases):
        weights = fit([item for item in cases if item.asked.sample != sample], used, penalty)
        results += [(item.asked, ranked(item, weights)) for item in cases if item.asked.sample == sample]
    return results


def adaptive_depth(cases: Sequence[Case], used: Sequence[int], penalty: float) -> dict[str, dict[str, float]]:
    """The same with as many turns a question as seem worth reading, for several thresholds of `recall/depth.py`."""
    samples = list(dict.fromkeys(item.asked.sample for item in cases))
    fitted = {sample: fit([item for item in cases if item.asked.sample != sample], used, penalty) for sample in samples}
    found = {}
    for chance in (0.05, 0.03, 0.02, CHANCE, 0.01):
        results = []
        for item in cases:
            scores = item.signals @ fitted[item.asked.sample]
            order = np.argsort(-scores, kind="stable")[:MOST]
            odds = np.exp(scores[order] - scores[order[0]])
            count = max(LEAST, int((odds >= chance * odds.sum()).sum()))
            results.append((item.asked, [item.turns[place] for place in order[:count]]))
        found[str(chance)] = locomo.depth_summary(results)
    return found


def main() -> int:
    parser = locomo.arguments("Fit the weights of recall, leaving one conversation out at a time.")
    parser.add_argument("--penalty", type=float, default=0.001, help="on the square of the weights")
    parser.add_argument("--ablate", action="store_true", help="also leave out one signal at a time")
    parser.add_argument(
        "--on", action="append", default=[], choices=[item.name for item in fields(Switches)], help="a switch to set"
    )
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    embedder = locomo.Embedding(options.embedder, options.cache)
    switches = replace(SWITCHES, **dict.fromkeys(options.on, True))
    shelves = locomo.shelves_of(embedder) if switches.topic_route else None
    cases: list[Case] = []
    for sample in locomo.load(options.data):
        with locomo.stored(sample, embedder, events=switches.reads_events) as db:
            asked = locomo.questions(sample)
            list(embedder.embed([as_said(item.text, speakers(db)) for item in asked]))
            cases += [case(db, item, embedder, switches, shelves) for item in asked]
    every = range(len(NAMES))
    left = locomo.summary(left_out(cases, every, options.penalty))
    adaptive = adaptive_depth(cases, every, options.penalty)
    rows = {"left out": left}
    if options.ablate:
        for number, name in enumerate(NAMES):
            used = [other for other in every if other != number]
            rows[f"without {name}"] = locomo.summary(left_out(cases, used, options.penalty))
    found = fit(cases, every, options.penalty)
    rows["fitted on all, measured on all (not a result)"] = locomo.summary([(i.asked, ranked(i, found)) for i in cases])
    weights = {name: round(float(value), 3) for name, value in zip(NAMES, found, strict=True)}
    (options.out / "weights.json").write_text(json.dumps(weights, indent=2) + "\n", "utf-8")
    locomo.print_table(rows)
    for chance, row in adaptive.items():
        print(f"chance {chance}: {row}")
    for name, value in weights.items():
        print(f"    {name}: float = {value}")
    print(json.dumps({"questions": len(cases), "penalty": options.penalty, "left_out": left, "depth": adaptive}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
