"""What each mechanism gains: one flag turned at a time, everything else as it is.

For recall the weights are fitted again without it, one conversation left out
at a time: what a mechanism gains is what the others cannot make up for. For
answering the answers of a run are judged again, from what the model said then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import fit
from answers import replayed, summary
from conversations import Asked, Sample
from homes import Embedding, stored
from rankings import Product, learn_questions
from scoring import at_depths, by_category, mean, precision, share
from weighing import Weighing

from memcli.answering.switches import SWITCHES as ANSWERING
from memcli.recall.depth import CHANCE, LEAST, MOST
from memcli.recall.finding import FIXED
from memcli.recall.people import speakers
from memcli.recall.switches import SWITCHES as RECALL
from memcli.recall.weights import SIGNALS

PENALTY = 0.001
_OTHER_CANDIDATES = ("meaning", "as_said")
"""The flags with which other candidates are found, so that every question has to be asked again."""


def recall(samples: Sequence[Sample], embedder: Embedding) -> dict[str, dict[str, float]]:
    """For every flag of recall what eight turns hold with it turned, and the same with nothing turned ("")."""
    whole = fit.cases(samples, embedder)
    table = {"": _measured(whole, ())}
    for flag in fields(RECALL):
        on = getattr(RECALL, flag.name)
        if flag.name == "depth":
            continue
        turned = replace(RECALL, **{flag.name: not on})
        if flag.name in _OTHER_CANDIDATES or flag.name not in SIGNALS or not on:
            table[flag.name] = _measured(fit.cases(samples, embedder, turned), SIGNALS.get(flag.name, ()))
        else:
            table[flag.name] = _measured(whole, SIGNALS[flag.name])
    return table


def _measured(found: Sequence[fit.Case], silent: Sequence[str]) -> dict[str, float]:
    weights = fit.left_out(found, PENALTY, silent)
    results = [(item.asked, fit.ranked(item, weights[item.asked.sample])) for item in found]
    worth = [(item.asked, _worth(item, weights[item.asked.sample])) for item in found]
    depths = at_depths(results)
    return {
        "at_5": depths["recall"]["5"],
        "at_8": depths["recall"]["8"],
        **by_category(results, FIXED),
        "turns": mean(len(turns) for _, turns in worth),
        "recall": mean(share(asked, turns) for asked, turns in worth),
        "precision": mean(precision(asked, turns) for asked, turns in worth),
    }


def _worth(item: fit.Case, weights: Any) -> list[str]:
    """As many turns as `recall/depth.py` hands on."""
    import numpy as np

    scores = np.sort(item.signals @ weights)[::-1][:MOST]
    odds = np.exp(scores - scores[0])
    return fit.ranked(item, weights, max(LEAST, int((odds >= CHANCE * odds.sum()).sum())))


def answering(
    samples: Sequence[Sample],
    asked: Sequence[Asked],
    lines: Mapping[str, Mapping[str, Any]],
    embedder: Embedding,
    weighing: Weighing,
) -> dict[str, Any]:
    """For every flag of answering what is shown with it turned, and the same with nothing turned ("")."""
    ways = {"": ANSWERING}
    for flag in fields(ANSWERING):
        ways[flag.name] = replace(ANSWERING, **{flag.name: not getattr(ANSWERING, flag.name)})
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in ways}
    product = Product(embedder, weighing)
    for sample in samples:
        here = [item for item in asked if item.sample == sample["sample_id"] and item.key in lines]
        if not here:
            continue
        with stored([sample], embedder) as db:
            learn_questions(db, here, embedder)
            names = speakers(db)
            for item in here:
                evidence, learnt = product.looked_up(db, item)
                for name, switches in ways.items():
                    found[name].append(replayed(item, evidence, learnt, names, lines[item.key], weighing, switches))
    rows = {name: summary(shown) for name, shown in found.items()}
    return {
        name: {
            "macro_f1": row["macro_f1"],
            "unanswerable": row["abstained"]["unanswerable"],
            "answerable": row["abstained"]["answerable"],
        }
        for name, row in rows.items()
    }
