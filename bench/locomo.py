"""LoCoMo, through the product: what is found, what is answered, what each mechanism gains.

    python bench/locomo.py --data FILE.json --out DIR [--weights FILE] [--qa N --model GGUF] [--ablate] [--crowd N]
                           [--on SWITCH] [--off SWITCH] [--report FILE.md] [--embedder PATH.gguf] [--cache DIR]

Each conversation is a memory of its own, made by `mem import` and `mem tidy`,
and every question goes the way of `mem ask`. Every raw turn whose text is
handed on counts. `--weights` takes what `fit.py` wrote: then no weight has
seen the conversation that it is measured on. `--qa N` answers a fixed
stratified sample of about N questions, 0 all of them; without `--model`
every answer is a date or a quote. Answers are kept in DIR and not asked for
again. `--crowd N` measures one memory with all conversations and N entries of
other people's talk. `--report` writes the README from the last results.

Prints tables; the last line is one JSON object. DIR gets `questions.jsonl`
and `qa.jsonl`, a line a question, and `result.json`.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import ablation
import answers
import conversations
import report
import weighing
from arguments import arguments
from conversations import Asked, Sample
from crowding import crowded
from homes import Embedding, stored
from rankings import HANDED_ON, RECALL, Product, Ranking, baselines, fixed, learn_questions, precision_at, turns
from scoring import KS, as_handed_on, at_depths

from memcli.llm.client import Worker, WorkerSpec
from memcli.recall.search import Evidence
from memcli.recall.switches import SWITCHES, Switches

LEAST_RECALL = 0.72


def measure_recall(
    samples: Sequence[Sample], embedder: Embedding, weights: weighing.Weighing, switches: Switches, out: Path
) -> dict[str, Any]:
    """The product and the baselines on every question that has evidence."""
    compared = baselines(embedder)
    product = Product(embedder, weights, switches)
    ranked: dict[str, list[tuple[Asked, Sequence[str]]]] = {name: [] for name in (*compared, HANDED_ON)}
    best: list[tuple[Asked, Sequence[Evidence]]] = []
    count = 0
    with (out / "questions.jsonl").open("w", encoding="utf-8") as lines:
        for sample in samples:
            with stored([sample], embedder) as db:
                count += int(db.meta("visible"))
                asked = conversations.questions(sample)
                learn_questions(db, asked, embedder)
                for item in asked:
                    line = _rank(db, item, compared, product, ranked, best)
                    lines.write(json.dumps(line, ensure_ascii=False) + "\n")
    return {
        "questions": len(best),
        "turns_stored": count,
        "methods": {
            **{name: at_depths(ranked[name]) for name in compared},
            RECALL: at_depths(fixed(best, max(KS))),
        },
        "handed_on": as_handed_on(ranked[HANDED_ON]),
        "precision_at_recall": {"least_recall": LEAST_RECALL, **precision_at(best, LEAST_RECALL)},
        "evidence_ms": _spread(product.seconds),
    }


def _rank(
    db: Any,
    item: Asked,
    compared: Mapping[str, Ranking],
    product: Product,
    ranked: Mapping[str, list[tuple[Asked, Sequence[str]]]],
    best: list[tuple[Asked, Sequence[Evidence]]],
) -> dict[str, Any]:
    line: dict[str, Any] = {"key": item.key, "question": item.text, "gold": sorted(item.gold)}
    for name, ranking in compared.items():
        found = ranking(db, item)[: max(KS)]
        ranked[name].append((item, found))
        line[name] = found
    evidence = product.best(db, item)
    best.append((item, evidence))
    handed_on = turns(product.handed_on(db, item))
    ranked[HANDED_ON].append((item, handed_on))
    return line | {RECALL: turns(evidence), HANDED_ON: handed_on}


def _spread(seconds: Sequence[float]) -> dict[str, float]:
    cuts = statistics.quantiles(seconds, n=100)
    return {"median": round(1000 * cuts[49], 1), "p95": round(1000 * cuts[94], 1)}


def measure_answers(
    samples: Sequence[Sample],
    asked: Sequence[Asked],
    lines: answers.Lines,
    embedder: Embedding,
    weights: weighing.Weighing,
    switches: Switches,
    model: Path | None,
) -> dict[str, Any]:
    """Ask what was not asked yet, then sum up the whole sample."""
    fixed_tokens = 0
    worker = Worker.start(WorkerSpec(generator=model)) if model else None
    try:
        generator = answers.Listening(worker, str(model)) if worker else None
        missing = {item.key for item in asked} - lines.done.keys()
        if generator is not None:
            fixed_tokens = answers.fixed_tokens(generator)
        for sample in samples:
            here = [item for item in asked if item.sample == sample["sample_id"] and item.key in missing]
            if here:
                with stored([sample], embedder) as db:
                    learn_questions(db, here, embedder)
                    answers.run(db, here, lines, Product(embedder, weights, switches), generator)
    finally:
        if worker is not None:
            worker.close()
    return answers.summary([lines.done[item.key] for item in asked], fixed_tokens)


def main() -> int:
    parser = arguments("LoCoMo, through the product.")
    parser.add_argument("--weights", type=Path, help="what fit.py wrote, instead of the product's own")
    parser.add_argument("--qa", type=int, help="answer about so many questions, 0 for all")
    parser.add_argument("--model", type=Path, help="a generator, GGUF; without one nothing is written")
    flags = [flag.name for flag in fields(Switches)]
    parser.add_argument("--on", action="append", default=[], choices=flags, help="turn a mechanism of recall on")
    parser.add_argument("--off", action="append", default=[], choices=flags, help="turn one off")
    parser.add_argument("--ablate", action="store_true", help="turn one mechanism at a time")
    parser.add_argument("--crowd", type=int, metavar="N", help="one memory, with N entries of other talk")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the README from all results so far")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    weights = weighing.read(options.weights)
    switches = replace(SWITCHES, **dict.fromkeys(options.on, True), **dict.fromkeys(options.off, False))
    embedder = Embedding(options.embedder, options.cache)
    samples = conversations.load(options.data)
    path = options.out / "result.json"
    begin = time.monotonic()
    result: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    turned = {"on": options.on, "off": options.off}
    result |= {
        "left_out": weights.left_out,
        "turned": turned,
        "recall": measure_recall(samples, embedder, weights, switches, options.out),
    }
    every = [asked for sample in samples for asked in conversations.every(sample)]
    if options.qa is not None:
        asked = conversations.stratified(every, options.qa)
        lines = answers.Lines(options.out / "qa.jsonl")
        result["qa"] = measure_answers(samples, asked, lines, embedder, weights, switches, options.model)
        if options.ablate:
            result["ablation_of_answering"] = ablation.answering(samples, asked, lines.done, embedder, weights)
    if options.ablate:
        result["ablation_of_recall"] = ablation.recall(samples, embedder)
    if options.crowd:
        result["crowd"] = crowded(samples, embedder, weights, options.crowd)
    result["seconds"] = round(time.monotonic() - begin - embedder.spent, 1)
    path.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    print(report.tables(result))
    if options.report:
        options.report.write_text(report.readme(result), "utf-8")
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
