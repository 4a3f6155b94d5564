"""Answers, with the code of `mem ask`: evidence, doubt, generator, what is shown. A line a question, resumable."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conversations import ANSWERABLE, CATEGORIES, UNANSWERABLE, Asked
from rankings import Product, turns
from scoring import bare, f1, mean
from weighing import Weighing

from memcli.answering import prompt
from memcli.answering.answer import answer
from memcli.answering.known import Known
from memcli.answering.switches import SWITCHES, Switches
from memcli.llm.client import Generation, Worker
from memcli.llm.prompt import Finish, Prompt, YesNo
from memcli.projection.database import Database
from memcli.recall.people import speakers
from memcli.recall.search import Evidence

DEADLINE_S = 900.0


@dataclass
class Listening:
    """A generator of a worker that notes what it was given and what it wrote. It is a `Generator`."""

    worker: Worker
    model: str
    prompts: list[Prompt] = field(default_factory=list)
    said: str = ""
    finish: Finish | None = None

    def stream(self, asked: Prompt) -> Heard:
        self.prompts.append(asked)
        self.said, self.finish = "", None
        return Heard(self, self.worker.generate(asked, DEADLINE_S))

    def yes_no(self, asked: Prompt) -> YesNo:
        self.prompts.append(asked)
        return self.worker.yes_no(asked, DEADLINE_S)

    def count(self, asked: Prompt) -> int:
        """The tokens of a prompt."""
        stream = self.worker.generate(asked, DEADLINE_S)
        for _ in stream:
            pass
        return stream.finish.prompt_tokens


@dataclass
class Heard:
    """One answer, passed on as it is written."""

    listening: Listening
    generation: Generation

    def __iter__(self) -> Iterator[str]:
        for piece in self.generation:
            self.listening.said += piece
            yield piece
        self.listening.finish = self.generation.finish

    @property
    def finish(self) -> Finish:
        return self.generation.finish

    def close(self) -> None:
        self.generation.close()


@dataclass(frozen=True)
class Replay:
    """A generator that says again what one has said. It is a `Generator`; a switch is measured with it."""

    said: str
    reason: str
    model: str = ""

    def stream(self, asked: Prompt) -> Replayed:
        return Replayed(self.said, Finish("stop" if self.reason != "length" else "length", 0, 0, 0, "kept"))

    def yes_no(self, asked: Prompt) -> YesNo:
        return YesNo(0.5, 0.5)


@dataclass(frozen=True)
class Replayed:
    """What was said, whole."""

    text: str
    finish: Finish

    def __iter__(self) -> Iterator[str]:
        yield self.text

    def close(self) -> None:
        pass


def ask(
    db: Database, asked: Asked, product: Product, generator: Listening | None, switches: Switches = SWITCHES
) -> dict[str, Any]:
    """One question as `mem ask` would answer it, and what it took."""
    begin = time.perf_counter()
    evidence, learnt = product.looked_up(db, asked)
    found = time.perf_counter() - begin
    if generator is not None:
        generator.said, generator.finish, before = "", None, len(generator.prompts)
    doubts = product.weighing.doubts_of(asked.sample)
    result = answer(asked.text, evidence, lambda: generator, speakers(db), learnt, doubts=doubts, switches=switches)
    line: dict[str, Any] = {
        "key": asked.key,
        "category": asked.category,
        "question": asked.text,
        "right": asked.right,
        "kind": result.kind,
        "shown": result.text,
        "abstained": result.abstained,
        "turns": turns(evidence),
        "evidence_seconds": round(found, 3),
        "seconds": round(time.perf_counter() - begin, 2),
    }
    if generator is not None and len(generator.prompts) > before:
        line |= {"said": generator.said, "prompt": generator.prompts[-1].material}
        if generator.finish is not None:
            line |= {"reason": generator.finish.reason, "prompt_tokens": generator.finish.prompt_tokens}
    return line | scores(asked, result.text, result.abstained, line.get("said"))


def scores(asked: Asked, shown: str, abstained: bool, said: str | None) -> dict[str, float]:
    """The F1 of what is shown, and of what the model said, where there is a right answer."""
    if not asked.right:
        return {}
    found = {"f1": 0.0 if abstained else round(f1(bare(shown), asked.category, asked.right), 4)}
    if said is not None:
        found["f1_said"] = round(f1(bare(said), asked.category, asked.right), 4)
    return found


def replayed(
    asked: Asked,
    evidence: Sequence[Evidence],
    learnt: Known,
    names: Sequence[str],
    line: Mapping[str, Any],
    weighing: Weighing,
    switches: Switches,
) -> dict[str, Any]:
    """The same question with a switch turned, from what the model said then.

    Where it was not asked then and would be now, what stands in for its answer
    is the quote: the figure is a lower bound.
    """
    said = line.get("said")
    generator = None if said is None else Replay(said, line.get("reason", "stop"))
    result = answer(
        asked.text,
        evidence,
        lambda: generator,
        names,
        learnt,
        doubts=weighing.doubts_of(asked.sample),
        switches=switches,
    )
    found = {
        "key": asked.key,
        "question": asked.text,
        "category": asked.category,
        "abstained": result.abstained,
        "kind": result.kind,
    }
    return found | scores(asked, result.text, result.abstained, None)


def past_questions(lines: Sequence[Mapping[str, Any]]) -> int:
    """How many captured prompts hold a question that was asked before them."""
    held = 0
    for number, line in enumerate(lines):
        held += any(earlier["question"] in line.get("prompt", "") for earlier in lines[:number])
    return held


def summary(lines: Sequence[Mapping[str, Any]], fixed_tokens: int = 0) -> dict[str, Any]:
    """F1 by category and macro, abstention, tokens, seconds. `fixed_tokens` of every prompt are no evidence."""

    def by_category(name: str) -> dict[str, float]:
        return {
            CATEGORIES[number]: mean(line[name] for line in lines if line["category"] == number and name in line)
            for number in ANSWERABLE
        }

    def refused(categories: Sequence[int]) -> float:
        return mean(float(line["abstained"]) for line in lines if line["category"] in categories)

    f1s, said = by_category("f1"), by_category("f1_said")
    tokens = [line["prompt_tokens"] - fixed_tokens for line in lines if "prompt_tokens" in line]
    asked = [line["seconds"] for line in lines if "said" in line]
    return {
        "questions": len(lines),
        "macro_f1": mean(f1s.values()),
        "f1": f1s,
        "macro_f1_of_what_was_said": mean(said.values()),
        "f1_of_what_was_said": said,
        "abstained": {
            "unanswerable": refused(UNANSWERABLE),
            "adversarial": refused((5,)),
            "ours": refused((6,)),
            "answerable": refused(ANSWERABLE),
        },
        "kinds": dict(sorted(Counter(line["kind"] for line in lines).items())),
        "turns": mean(len(line.get("turns", ())) for line in lines),
        "evidence_tokens": mean(tokens) if tokens else None,
        "seconds": {
            "a_question": mean(line.get("seconds", 0.0) for line in lines),
            "where_a_model_wrote": mean(asked) if asked else None,
            "evidence": mean(line.get("evidence_seconds", 0.0) for line in lines),
        },
        "prompts_with_a_past_question": past_questions(lines),
    }


def fixed_tokens(generator: Listening) -> int:
    """The tokens of a prompt without evidence, its question one word: the rest is evidence and question."""
    return generator.count(Prompt(prompt.SYSTEM, f"Question: ?\n{prompt.HINTS['short']}", max_tokens=1))


class Lines:
    """The JSON lines of a run, by question: what is there is not asked again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: dict[str, dict[str, Any]] = {}
        if path.exists():
            self.done = {line["key"]: line for line in map(json.loads, path.read_text("utf-8").splitlines())}

    def add(self, line: dict[str, Any]) -> None:
        self.done[line["key"]] = line
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def run(
    db: Database,
    asked: Sequence[Asked],
    lines: Lines,
    product: Product,
    generator: Listening | None,
) -> None:
    """Ask what was not asked yet."""
    for item in asked:
        if item.key not in lines.done:
            lines.add(ask(db, item, product, generator))
