"""Follow-up questions made of LoCoMo's questions (D1): what is found by the words as asked, as understood, by both.

    python bench/follow_ups.py --data FILE.json --embedder PATH.gguf [--cache DIR] --out DIR

Three kinds. *pronoun*: a question about a speaker, after another about the
same one, with "she" for the name. *and*: "And Ann?", after the same question
about the other speaker. *alone*: the question as it is, after one of another
conversation: it must not change. The rows give the share of gold turns among
the first k for the question in full, and for the follow-up as asked, as it is
understood, and by `recall_both`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from locomo import KS, Asked, Embedding, arguments, load, mean, questions, share, stored, turn_of

from memcli.projection.database import Database
from memcli.recall.people import speakers
from memcli.recall.question import Query, as_said
from memcli.recall.rewrite import Exchange, rewrite
from memcli.recall.search import recall, recall_both


@dataclass(frozen=True)
class Made:
    """A follow-up question: what it stands for, and the dialogue before it."""

    kind: str
    whole: Asked
    text: str
    dialogue: tuple[Exchange, ...]


def follow_ups(sample: dict[str, Any], other: dict[str, Any]) -> Iterator[Made]:
    """The follow-ups of one conversation; the irrelevant dialogue is from the other."""
    names = [sample["conversation"][f"speaker_{which}"] for which in "ab"]
    answers = {item["question"]: str(item.get("answer", "")) for item in sample["qa"]}
    before: dict[str, Exchange] = {}
    strange = Exchange(other["qa"][0]["question"], str(other["qa"][0].get("answer", "")))
    for asked in questions(sample):
        yield Made("alone", asked, asked.text, (strange,))
        about = [name for name in names if re.search(rf"\b{name}\b", asked.text)]
        if len(about) == 1:
            name = about[0]
            if name in before:
                yield Made("pronoun", asked, with_pronoun(asked.text, name), (before[name],))
            if len(re.findall(rf"\b{name}\b", asked.text)) == 1:
                swapped = re.sub(rf"\b{name}\b", next(one for one in names if one != name), asked.text)
                yield Made("and", asked, f"And {name}?", (Exchange(swapped, "Nothing is known about that."),))
            before[name] = Exchange(asked.text, answers[asked.text])


def with_pronoun(text: str, name: str) -> str:
    return re.sub(rf"\b{name}\b", "she", re.sub(rf"\b{name}['’]s\b", "her", text))


def measured(db: Database, embedder: Embedding, made: Made) -> dict[str, list[str]]:
    """What each way finds, best first."""

    def vector(text: str) -> list[float]:
        return next(embedder.embed([as_said(text, names)]))

    names = speakers(db)
    understood = rewrite(made.text, made.dialogue, names).text
    query, other = Query(made.text, k=max(KS)), Query(understood, k=max(KS))
    found = {
        "in full": recall(db, replace(query, text=made.whole.text), vector(made.whole.text)),
        "as asked": recall(db, query, vector(made.text)),
        "as understood": recall(db, other, vector(understood)),
        "both": recall_both(db, query, other, (vector(made.text), vector(understood))),
    }
    return {name: [turn_of(item.entry.source_key) for item in evidence] for name, evidence in found.items()}


def main() -> int:
    parser = arguments("Follow-up questions made of LoCoMo's, through the product.")
    parser.add_argument("--every", type=int, default=1, help="measure only each nth follow-up")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    embedder = Embedding(options.embedder, options.cache)
    samples = load(options.data)
    rows: dict[str, dict[str, list[tuple[Asked, Sequence[str]]]]] = {}
    changed: dict[str, list[bool]] = {}
    with (options.out / "follow_ups.jsonl").open("w", encoding="utf-8") as lines:
        for sample, other in zip(samples, samples[1:] + samples[:1], strict=True):
            made = list(follow_ups(sample, other))[:: options.every]
            with stored(sample, embedder) as db:
                names = speakers(db)
                texts = [text for one in made for text in (one.text, rewrite(one.text, one.dialogue, names).text)]
                list(embedder.embed([as_said(text, names) for text in texts]))
                for one in made:
                    understood = rewrite(one.text, one.dialogue, names)
                    changed.setdefault(one.kind, []).append(understood.text != one.text)
                    line = {"kind": one.kind, "before": one.dialogue[-1].question, "asked": one.text}
                    line |= {"understood": understood.text, "reason": understood.reason, "whole": one.whole.text}
                    lines.write(json.dumps(line, ensure_ascii=False) + "\n")
                    if one.kind == "alone":
                        continue
                    for name, ranked in measured(db, embedder, one).items():
                        rows.setdefault(one.kind, {}).setdefault(name, []).append((one.whole, ranked))
    for kind, values in changed.items():
        print(f"{kind}: {len(values)} questions, {sum(values)} rewritten")
    table = {
        kind: {
            name: {k: mean(share(asked, ranked, k) for asked, ranked in found) for k in KS}
            for name, found in ways.items()
        }
        for kind, ways in rows.items()
    }
    for kind, ways in table.items():
        for name, row in ways.items():
            print(f"{kind:8} {name:14}" + "".join(f"  R@{k} {value:.3f}" for k, value in row.items()))
    print(json.dumps(table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
