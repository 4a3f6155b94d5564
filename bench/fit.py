"""Fits what the product weighs: `memcli/recall/weights.py` and `memcli/answering/doubt.py`.

    python bench/fit.py --data FILE.json --out DIR [--embedder PATH.gguf] [--cache DIR] [--penalty N] [--allow SHARE]

Leaves one conversation out at a time: DIR/weights.json has a set for each,
which never saw a question of it, for `locomo.py --weights`; every figure about
what was fitted is measured so. The set to ship is fitted on all, and printed.
The last line is one JSON object.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import abstain
import conversations
import numpy as np
from arguments import arguments
from conversations import Asked, Sample
from homes import Embedding, shelves_of, stored
from rankings import learn_questions
from scoring import KS, at_depths

from memcli.projection.database import Database
from memcli.recall.candidates import gather
from memcli.recall.people import speakers
from memcli.recall.question import Query, as_said, read
from memcli.recall.signals import measure
from memcli.recall.switches import SWITCHES, Switches
from memcli.recall.topics import Shelves, topic_of
from memcli.recall.weights import NAMES, WEIGHTS, Weights


@dataclass(frozen=True)
class Case:
    """One question: its candidates' turns, their signals (a row each), and which of them are gold."""

    asked: Asked
    turns: Sequence[str]
    signals: Any
    gold: Any


def cases(samples: Sequence[Sample], embedder: Embedding, switches: Switches = SWITCHES) -> list[Case]:
    """Every question that has evidence, with its candidates as the product measures them."""
    found = []
    shelves = shelves_of(embedder) if switches.topic_route else None
    for sample in samples:
        with stored([sample], embedder) as db:
            asked = conversations.questions(sample)
            learn_questions(db, asked, embedder)
            found += [case(db, item, embedder, switches, shelves) for item in asked]
    return found


def case(
    db: Database, asked: Asked, embedder: Embedding, switches: Switches = SWITCHES, shelves: Shelves | None = None
) -> Case:
    names = speakers(db)
    plan = read(asked.text, names)
    text = as_said(asked.text, names) if switches.as_said else asked.text
    vector = next(embedder.embed([text])) if switches.meaning else None
    topic = topic_of(vector, asked.text, shelves) if shelves and vector else None
    field = gather(db, Query(asked.text, topic=topic), plan, vector, WEIGHTS, switches)
    found = list(measure(field, plan))
    keys = dict(db.rows("SELECT seq, key FROM entries"))
    turns = [conversations.turn_of(keys[turn.seq]) for turn, _ in found]
    signals = np.array([[values.get(name, 0.0) for name in NAMES] for _, values in found])
    return Case(asked, turns, signals, np.array([turn in asked.gold for turn in turns]))


def fit(found: Sequence[Case], used: Sequence[int], penalty: float) -> Any:
    """The weights that make the gold turns likeliest among the candidates: convex, so Newton's method finds them."""
    usable = [(item.signals[:, used], item.gold) for item in found if item.gold.any()]
    whole = np.concatenate([signals for signals, _ in usable])
    lengths = np.array([len(signals) for signals, _ in usable])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    target = np.concatenate([gold / gold.sum() for _, gold in usable])

    def chances(weights: Any) -> tuple[float, Any]:
        """The loss, and each candidate's chance."""
        scores = whole @ weights
        scores -= np.repeat(np.maximum.reduceat(scores, starts), lengths)
        odds = np.exp(scores)
        sums = np.add.reduceat(odds, starts)
        loss = (np.log(sums).sum() - target @ scores) / len(usable) + penalty * weights @ weights
        return float(loss), odds / np.repeat(sums, lengths)

    weights = np.zeros(len(used))
    loss, chance = chances(weights)
    for _ in range(50):
        gradient = whole.T @ (chance - target) / len(usable) + 2 * penalty * weights
        means = np.add.reduceat(whole * chance[:, None], starts)
        curve = ((whole * chance[:, None]).T @ whole - means.T @ means) / len(usable)
        step = np.linalg.solve(curve + 2 * penalty * np.eye(len(used)), gradient)
        while (tried := chances(weights - step))[0] > loss:
            step /= 2
            if np.abs(step).max() < 1e-9:
                break
        if tried[0] >= loss - 1e-12:
            break
        weights, (loss, chance) = weights - step, tried
    every = np.zeros(len(NAMES))
    every[list(used)] = weights
    return every


def left_out(found: Sequence[Case], penalty: float, silent: Collection[str] = ()) -> dict[str, Any]:
    """Weights for each conversation that never saw it; those of silent signals are zero."""
    used = [place for place, name in enumerate(NAMES) if name not in silent]
    names = dict.fromkeys(item.asked.sample for item in found)
    return {name: fit([item for item in found if item.asked.sample != name], used, penalty) for name in names}


def ranked(item: Case, weights: Any, k: int = max(KS)) -> list[str]:
    scores = item.signals @ weights
    return [item.turns[place] for place in np.argsort(-scores, kind="stable")[:k]]


def as_weights(values: Any) -> Weights:
    return Weights(**{name: round(float(value), 3) for name, value in zip(NAMES, values, strict=True)})


def as_numbers(weights: Weights) -> dict[str, float]:
    return {name: getattr(weights, name) for name in NAMES}


def main() -> int:
    parser = arguments("Fit the weights of recall and of doubt, leaving one conversation out at a time.")
    parser.add_argument("--penalty", type=float, default=0.001, help="on the square of the weights")
    parser.add_argument("--allow", type=float, default=0.03, help="share of answerable questions that may be refused")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    embedder = Embedding(options.embedder, options.cache)
    samples = conversations.load(options.data)
    found = cases(samples, embedder)
    unseen = left_out(found, options.penalty)
    shipped = as_weights(fit(found, range(len(NAMES)), options.penalty))
    sets: dict[str, Any] = {}
    refused: list[tuple[abstain.Row, bool]] = []
    for name, values in unseen.items():
        weights = as_weights(values)
        rows = abstain.rows(samples, embedder, weights)
        doubts = abstain.fitted([row for row in rows if row.sample != name], options.allow)
        refused += [(row, row.refuses(doubts)) for row in rows if row.sample == name]
        sets[name] = {"recall": as_numbers(weights), "doubt": abstain.as_numbers(doubts)}
    doubts = abstain.fitted(abstain.rows(samples, embedder, shipped), options.allow)
    whole = {"recall": as_numbers(shipped), "doubt": abstain.as_numbers(doubts)}
    path = options.out / "weights.json"
    path.write_text(json.dumps({"conversations": sets, "all": whole}, indent=2) + "\n", "utf-8")
    print(json.dumps(whole, indent=4))
    recall = at_depths([(item.asked, ranked(item, unseen[item.asked.sample])) for item in found])
    print(json.dumps({"questions": len(found), "left_out": recall, "abstained": abstain.summary(refused)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
