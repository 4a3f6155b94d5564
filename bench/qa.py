"""Answers on LoCoMo: the code of `mem ask` from the question to what is shown, with a generator or without.

    python bench/qa.py --data FILE.json --embedder PATH.gguf --cache DIR --out DIR [--model PATH.gguf] [--qa 150]

A fixed sample: of every category the first questions by a hash, so that a
smaller one is part of a larger one. Categories 1 to 4 have an answer, 5 has
none, 6 is our own `unanswerable.json`. Without --model every answer is a
quote. DIR gets one line a question; what is there already is not asked again.
The last line is one JSON object.

F1 is that of LoCoMo's scorer: words without case, punctuation and articles,
stemmed, counted; for category 1 the mean, over the parts of the right answer
that commas separate, of the best part of what was said; for category 3 only
what stands before a semicolon counts as the answer.
"""

from __future__ import annotations

import hashlib
import json
import re
import statistics
import string
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import snowballstemmer
from locomo import Embedding, arguments, load, stored

from memcli.answering import prompt
from memcli.answering.answer import answer
from memcli.llm.client import Generation, Worker, WorkerSpec
from memcli.llm.prompt import Prompt, YesNo
from memcli.recall.people import speakers
from memcli.recall.question import Query, as_said
from memcli.recall.search import Evidence, recall

OURS = Path(__file__).with_name("unanswerable.json")
SHARES = {1: 0.2, 2: 0.2, 3: 0.13, 4: 0.21, 5: 0.13, 6: 0.13}
_CITATION = re.compile(r"\s*\[\d+(?:,\s*\d+)*\]")
_STEMMER = snowballstemmer.stemmer("porter")


@dataclass(frozen=True)
class Item:
    """One question and its right answer, empty where there is none."""

    sample: str
    number: int
    category: int
    text: str
    right: str

    @property
    def key(self) -> str:
        return f"{self.sample}/{self.category}/{self.number}"

    @property
    def order(self) -> str:
        return hashlib.sha256(self.key.encode()).hexdigest()


@dataclass
class Watched:
    """A generator of a worker that notes what it wrote and how many tokens it read."""

    worker: Worker
    model: str
    streams: list[Generation] = field(default_factory=list)
    said: str = ""

    def stream(self, asked: Prompt) -> Any:
        stream = self.worker.generate(asked, 600.0)
        self.streams.append(stream)
        watched = self

        class Tee:
            def __iter__(self) -> Any:
                for piece in stream:
                    watched.said += piece
                    yield piece

            @property
            def finish(self) -> Any:
                return stream.finish

            def close(self) -> None:
                stream.close()

        return Tee()

    def yes_no(self, asked: Prompt) -> YesNo:
        return self.worker.yes_no(asked, 600.0)

    def tokens(self) -> int:
        """Tokens of all prompts since the last call."""
        total = sum(stream.finish.prompt_tokens for stream in self.streams)
        self.streams.clear()
        return total


# The sample


def items(samples: Sequence[dict[str, Any]]) -> list[Item]:
    found = []
    for sample in samples:
        for number, item in enumerate(sample["qa"]):
            right = "" if item["category"] == 5 else str(item["answer"])
            found.append(Item(sample["sample_id"], number, item["category"], item["question"], right))
    known = {sample["sample_id"] for sample in samples}
    for number, item in enumerate(json.loads(OURS.read_text("utf-8"))):
        if item["sample_id"] in known:
            found.append(Item(item["sample_id"], number, 6, item["question"], ""))
    return found


def chosen(every: Sequence[Item], size: int) -> list[Item]:
    """The sample, its categories spread evenly over it."""
    placed = []
    for category, part in SHARES.items():
        of_it = sorted((item for item in every if item.category == category), key=lambda item: item.order)
        count = min(len(of_it), round(size * part))
        placed += [((place + 0.5) / count, category, item) for place, item in enumerate(of_it[:count])]
    return [item for _, _, item in sorted(placed, key=lambda entry: entry[:2])]


# The score


def tokens(text: str) -> list[str]:
    plain = "".join(character for character in text.lower() if character not in string.punctuation)
    return [_STEMMER.stemWord(word) for word in re.sub(r"\b(?:a|an|the|and)\b", " ", plain).split()]


def overlap(said: str, right: str) -> float:
    one, other = tokens(said), tokens(right)
    same = sum((Counter(one) & Counter(other)).values())
    return 2 * same / (len(one) + len(other)) if same else 0.0


def f1(said: str, item: Item) -> float:
    if item.category == 1:
        parts = [part.strip() for part in said.split(",")]
        return statistics.fmean(max(overlap(part, wanted) for part in parts) for wanted in item.right.split(","))
    return overlap(said, item.right.split(";")[0] if item.category == 3 else item.right)


def bare(text: str) -> str:
    """An answer without citations and quotation marks."""
    return _CITATION.sub("", text).strip().strip("“”")


# Asking


def gather(
    samples: Sequence[dict[str, Any]], asked: Sequence[Item], embedder: Embedding
) -> dict[str, tuple[list[Evidence], list[str], float]]:
    """The evidence for each question, the speakers, and the seconds it took."""
    found = {}
    for sample in samples:
        here = [item for item in asked if item.sample == sample["sample_id"]]
        if not here:
            continue
        with stored(sample, embedder) as db:
            names = speakers(db)
            vectors = list(embedder.embed([as_said(item.text, names) for item in here]))
            for item, vector in zip(here, vectors, strict=True):
                begin = time.perf_counter()
                found[item.key] = (recall(db, Query(item.text), vector), names, time.perf_counter() - begin)
    return found


def ask(item: Item, evidence: Sequence[Evidence], names: Sequence[str], watched: Watched | None) -> dict[str, Any]:
    begin = time.perf_counter()
    if watched is not None:
        watched.said = ""
    result = answer(item.text, evidence, lambda: watched, names)
    seconds = time.perf_counter() - begin
    line: dict[str, Any] = {"key": item.key, "category": item.category, "question": item.text, "right": item.right}
    line |= {"shown": result.text, "kind": result.kind, "abstained": result.abstained, "seconds": round(seconds, 2)}
    if watched is not None:
        line |= {"said": watched.said.strip(), "tokens": watched.tokens()}
    if item.right:
        line["f1"] = round(0.0 if result.abstained else f1(bare(result.text), item), 4)
        if line.get("said"):
            line["f1_said"] = round(f1(bare(line["said"]), item), 4)
    return line


def mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return round(statistics.fmean(found), 4) if found else None


def summary(lines: Sequence[dict[str, Any]], system_tokens: int) -> dict[str, Any]:
    def by(name: str) -> dict[str, float | None]:
        return {
            str(category): mean(line[name] for line in lines if line["category"] == category and name in line)
            for category in (1, 2, 3, 4)
        }

    def refused(categories: Sequence[int]) -> float | None:
        return mean(float(line["abstained"]) for line in lines if line["category"] in categories)

    shown, said = by("f1"), by("f1_said")
    asked = [line for line in lines if line.get("tokens")]
    return {
        "questions": len(lines),
        "f1": shown,
        "macro_f1": mean(value for value in shown.values() if value is not None),
        "f1_of_what_the_model_said": said,
        "refused": {"answerable": refused((1, 2, 3, 4)), "5": refused((5,)), "ours": refused((6,))},
        "kinds": dict(Counter(line["kind"] for line in lines)),
        "evidence_tokens": mean(line["tokens"] - system_tokens for line in asked),
        "seconds": mean(line["seconds"] for line in lines),
    }


def main() -> int:
    parser = arguments("Answers on LoCoMo, through the product.")
    parser.add_argument("--model", type=Path, help="a generator, GGUF; without one every answer is a quote")
    parser.add_argument("--qa", type=int, default=150, help="how many questions, about")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    samples = load(options.data)
    wanted = chosen(items(samples), options.qa)
    path = options.out / "qa.jsonl"
    done: dict[str, dict[str, Any]] = {}
    if path.exists():
        done = {line["key"]: line for line in map(json.loads, path.read_text("utf-8").splitlines())}
    missing = [item for item in wanted if item.key not in done]
    found = gather(samples, missing, Embedding(options.embedder, options.cache))
    worker = Worker.start(WorkerSpec(generator=options.model)) if options.model else None
    system_tokens = 0
    try:
        watched = Watched(worker, str(options.model)) if worker else None
        if watched is not None:
            # A question of one word: what is left of other prompts without this is evidence and question.
            list(watched.stream(Prompt(prompt.SYSTEM, "?", max_tokens=1)))
            system_tokens = watched.tokens()
        with path.open("a", encoding="utf-8") as lines:
            for item in missing:
                evidence, names, seconds = found[item.key]
                line = ask(item, evidence, names, watched)
                line["recall_seconds"] = round(seconds, 3)
                done[item.key] = line
                lines.write(json.dumps(line, ensure_ascii=False) + "\n")
                lines.flush()
    finally:
        if worker is not None:
            worker.close()
    print(json.dumps(summary([done[item.key] for item in wanted], system_tokens)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
