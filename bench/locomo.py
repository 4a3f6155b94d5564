"""Retrieval on LoCoMo: every question through `recall()`, over stores that the product's own importer made.

    python bench/locomo.py --data FILE.json [--weights FILE] [--embedder PATH.gguf] [--cache DIR] [--together] [--later]
                           [--on SWITCH] [--off SWITCH] --out DIR

Each conversation is a store of its own, unless `--together`. A question counts if it has evidence;
its recall at k is the share of its gold turns among the first k. Prints a
table and, as the last line, one JSON object; DIR gets one line a question.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from memcli.clock import DAY_MS, Clock
from memcli.formats.base import ParseOptions
from memcli.formats.registry import by_name, parse
from memcli.formats.source import Source
from memcli.importing.importer import Tally, import_drafts
from memcli.importing.terms import Terms
from memcli.lang import taxonomy as taxonomies
from memcli.lang.words import content_terms
from memcli.llm.client import Worker, WorkerSpec
from memcli.projection import lexical, vectors
from memcli.projection.database import Database
from memcli.projection.vectors import Space
from memcli.recall.depth import MOST, depth
from memcli.recall.people import speakers
from memcli.recall.question import Query, as_said, read
from memcli.recall.search import recall
from memcli.recall.switches import SWITCHES, Switches
from memcli.recall.topics import Shelves, topic_of
from memcli.recall.weights import Weights, weights_for
from memcli.store.cache import VectorCache, text_key
from memcli.store.home import Home
from memcli.store.store import Store
from memcli.tidy.events import form
from memcli.tidy.index import index

KS = (3, 5, 8, 10, 20)
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
ADAPTIVE = "recall, as deep as seems worth reading"
_TURN = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True)
class Asked:
    """One question with the turns ("D1:3") that hold its answer."""

    sample: str
    number: int
    text: str
    category: int
    gold: frozenset[str]


class Embedding:
    """The product's embedder behind a cache in a folder: a text is embedded once, ever.

    It is an `Embedder`. Without a model file only what is cached can be had.
    """

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = path
        self.model = hashlib.sha256(path.read_bytes()).hexdigest()
        self.dim = 384
        self.spent = 0.0
        self._cache = VectorCache(folder, Space(self.model, self.dim))
        self._known = self._cache.load()

    def embed(self, texts: Iterable[str]) -> Iterator[list[float]]:
        wanted = list(texts)
        self._learn([text for text in dict.fromkeys(wanted) if text_key(text) not in self._known])
        for text in wanted:
            yield list(vectors.from_half(self._known[text_key(text)]))

    def _learn(self, texts: Sequence[str]) -> None:
        if not texts:
            return
        from memcli.disk import Disk

        begin = time.monotonic()
        with Worker.start(WorkerSpec(embedder=self.path)) as worker:
            fresh = [
                (text_key(text), vectors.to_half(vector))
                for text, vector in zip(texts, worker.embed(texts), strict=True)
            ]
        self.spent += time.monotonic() - begin
        self._cache.append(fresh, Disk())
        self._known.update(fresh)


# The data


def load(path: Path) -> list[dict[str, Any]]:
    samples = json.loads(path.read_text("utf-8"))
    assert isinstance(samples, list)
    return samples


def gold_of(evidence: Sequence[str], turns: frozenset[str]) -> frozenset[str]:
    """Evidence ids as the turns they mean: `D9:1 D4:4` is two, `D30:05` is D30:5, and `D` is none."""
    found = {f"D{int(session)}:{int(turn)}" for item in evidence for session, turn in _TURN.findall(item)}
    return frozenset(found & turns)


def questions(sample: Mapping[str, Any]) -> list[Asked]:
    """The questions of a conversation that have evidence in it."""
    name = sample["sample_id"]
    turns = frozenset(
        turn["dia_id"] for value in sample["conversation"].values() if isinstance(value, list) for turn in value
    )
    found = []
    for number, item in enumerate(sample["qa"]):
        gold = frozenset(f"{name} {turn}" for turn in gold_of(item["evidence"], turns))
        if gold:
            found.append(Asked(name, number, item["question"], item["category"], gold))
    return found


def turn_of(key: str) -> str:
    """The turn that a source key names: `locomo:conv-1/session_1:D1:3` → `conv-1 D1:3`."""
    _, place, turn = key.split(":", 2)
    return f"{place.rpartition('/')[0]} {turn}"


def shelves_of(embedder: Embedding) -> Shelves:
    """The shipped taxonomy with its vectors."""
    taxonomy = taxonomies.load(taxonomies.SHIPPED)
    return Shelves(taxonomy, tuple(embedder.embed([item.text for item in taxonomy.categories])))


def fill(store: Store, samples: Sequence[Mapping[str, Any]], embedder: Embedding, *, events: bool = False) -> None:
    """Import conversations and index them, as `mem import` and `mem tidy` do; with `events` form these too."""
    store.home.make(store.disk)
    source = Source.from_bytes("locomo.json", json.dumps(samples).encode())
    tally = Tally(store.ids.new())
    import_drafts(store, parse(source, by_name("locomo"), ParseOptions()), Terms(tally.run), tally, source.name)
    with store.tidying(), store.writing() as db:
        texts = [row[0] for row in db.rows("SELECT text FROM entries")]
        list(embedder.embed(texts))
        index(store, db, embedder, store.ids.new(), lambda: False)
        if events:
            form(store, db, store.ids.new(), shelves_of(embedder), lambda: False)


def stored(sample: Mapping[str, Any], embedder: Embedding, *, events: bool = False) -> AbstractContextManager[Database]:
    """The index over one conversation, in a home of its own."""
    return stored_together([sample], embedder, events=events)


@contextmanager
def stored_together(
    samples: Sequence[Mapping[str, Any]], embedder: Embedding, *, events: bool = False
) -> Iterator[Database]:
    """The index over several conversations."""
    with tempfile.TemporaryDirectory(prefix="mem-bench-") as folder:
        store = Store(Home(Path(folder) / "home"), Clock.system())
        fill(store, samples, embedder, events=events)
        with store.reading() as reading:
            yield reading.db


# What is compared

Method = Callable[[Database, Asked], list[str]]


def methods(
    embedder: Embedding, weights: Weights, switches: Switches = SWITCHES, *, later: bool = False
) -> dict[str, Method]:
    """Each method gives the turns it would hand on, best first. `later`: asked on the day after the last turn."""

    shelves = shelves_of(embedder) if switches.topic_route else None

    def query(db: Database, asked: Asked, k: int, said: Sequence[float] | None = None) -> Query:
        last = db.one("SELECT MAX(said_ms) FROM entries")[0]
        topic = topic_of(said, asked.text, shelves) if shelves and said else None
        return Query(asked.text, k=k, now_ms=last + DAY_MS if later else None, topic=topic)

    def vector(text: str) -> list[float]:
        return next(embedder.embed([text]))

    def words(db: Database, asked: Asked) -> list[str]:
        hits = lexical.search(db, content_terms(asked.text), 100)
        return _turns(db, [hit.seq for hit in hits])

    def meaning(db: Database, asked: Asked) -> list[str]:
        return _turns(db, [hit.seq for hit in vectors.search(db, vector(asked.text), 100)])

    def said(db: Database, asked: Asked) -> list[str]:
        return _turns(db, [hit.seq for hit in vectors.search(db, vector(as_said(asked.text, speakers(db))), 100)])

    def fused(db: Database, asked: Asked) -> list[str]:
        score: dict[str, float] = {}
        for ranking in (words(db, asked), meaning(db, asked)):
            for place, turn in enumerate(ranking):
                score[turn] = score.get(turn, 0.0) + 1 / (60 + place)
        return sorted(score, key=lambda turn: (-score[turn], turn))

    def full(db: Database, asked: Asked) -> list[str]:
        said = vector(as_said(asked.text, speakers(db)))
        found = recall(db, query(db, asked, max(KS), said), said, weights, switches)
        return [turn_of(item.entry.source_key) for item in found]

    def adaptive(db: Database, asked: Asked) -> list[str]:
        said = vector(as_said(asked.text, speakers(db)))
        found = recall(db, query(db, asked, MOST, said), said, weights, switches)
        complexity = read(asked.text, speakers(db)).complexity if switches.intent_depth else None
        return [turn_of(item.entry.source_key) for item in found[: depth(found, complexity=complexity)]]

    def wordy(db: Database, asked: Asked) -> list[str]:
        found = recall(db, query(db, asked, max(KS)), None, weights, switches)
        return [turn_of(item.entry.source_key) for item in found]

    return {
        "BM25 alone": words,
        "MiniLM alone": meaning,
        "MiniLM, question as its subject would say it": said,
        "reciprocal-rank fusion of the first two": fused,
        "recall without an embedder": wordy,
        "recall": full,
        ADAPTIVE: adaptive,
    }


def _turns(db: Database, seqs: Sequence[int]) -> list[str]:
    return [turn_of(db.one("SELECT key FROM entries WHERE seq = ?", (seq,))[0]) for seq in seqs]


# Measuring


def share(asked: Asked, ranked: Sequence[str], k: int) -> float:
    return len(asked.gold.intersection(ranked[:k])) / len(asked.gold)


def precision(asked: Asked, ranked: Sequence[str], k: int) -> float:
    return len(asked.gold.intersection(ranked[:k])) / max(1, len(ranked[:k]))


def mean(values: Iterable[float]) -> float:
    found = list(values)
    return round(statistics.fmean(found), 4) if found else 0.0


def summary(results: Sequence[tuple[Asked, Sequence[str]]]) -> dict[str, Any]:
    """Recall and precision at every k, and by category at 8."""
    return {
        "recall": {str(k): mean(share(asked, ranked, k) for asked, ranked in results) for k in KS},
        "precision": {str(k): mean(precision(asked, ranked, k) for asked, ranked in results) for k in KS},
        "by_category": {
            name: mean(share(asked, ranked, 8) for asked, ranked in results if asked.category == number)
            for number, name in CATEGORIES.items()
        },
    }


def depth_summary(results: Sequence[tuple[Asked, Sequence[str]]]) -> dict[str, float]:
    """Recall and precision where every question has a number of turns of its own."""
    found = {
        "turns": mean(len(ranked) for _, ranked in results),
        "recall": mean(share(asked, ranked, MOST) for asked, ranked in results),
        "precision": mean(precision(asked, ranked, MOST) for asked, ranked in results),
    }
    for number, name in CATEGORIES.items():
        found[name] = mean(share(asked, ranked, MOST) for asked, ranked in results if asked.category == number)
    return found


def print_table(rows: Mapping[str, Mapping[str, Any]]) -> None:
    print(f"{'':46}" + "".join(f"  R@{k:<4}" for k in KS) + "  by category at 8: " + ", ".join(CATEGORIES.values()))
    for name, row in rows.items():
        cells = "".join(f"  {row['recall'][str(k)]:.3f} " for k in KS)
        print(f"{name:46}{cells}  " + "  ".join(f"{value:.3f}" for value in row["by_category"].values()))


def weights_of(path: Path | None, switches: Switches = SWITCHES) -> Weights:
    return weights_for(switches) if path is None else Weights(**json.loads(path.read_text("utf-8")))


def arguments(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, required=True, help="LoCoMo's JSON")
    parser.add_argument("--embedder", type=Path, required=True, help="the embedding model, GGUF")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "mem-bench", help="for vectors")
    parser.add_argument("--out", type=Path, required=True, help="a folder for the results")
    return parser


def main() -> int:
    parser = arguments("Retrieval on LoCoMo, through the product.")
    parser.add_argument("--weights", type=Path, help="weights as JSON, instead of those in the product")
    parser.add_argument("--only", help="measure only the methods whose name contains this")
    names = [field.name for field in fields(Switches)]
    for option, what in (("--on", "turn on one of recall/switches.py"), ("--off", "turn one off")):
        parser.add_argument(option, action="append", default=[], choices=names, help=what)
    parser.add_argument("--later", action="store_true", help="ask on the day after the last turn, not without a clock")
    parser.add_argument("--together", action="store_true", help="all conversations in one store")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    embedder = Embedding(options.embedder, options.cache)
    switches = replace(SWITCHES, **(dict.fromkeys(options.on, True) | dict.fromkeys(options.off, False)))
    chosen = {
        name: method
        for name, method in methods(
            embedder, weights_of(options.weights, switches), switches, later=options.later
        ).items()
        if not options.only or options.only in name
    }
    results: dict[str, list[tuple[Asked, Sequence[str]]]] = {name: [] for name in chosen}
    seconds: list[float] = []
    turns = 0
    begin = time.monotonic()
    with (options.out / "questions.jsonl").open("w", encoding="utf-8") as lines:
        samples = load(options.data)
        for group in [samples] if options.together else [[sample] for sample in samples]:
            with stored_together(group, embedder, events=switches.reads_events) as db:
                turns += int(db.meta("visible"))
                asked_here = [asked for sample in group for asked in questions(sample)]
                list(embedder.embed([as_said(asked.text, speakers(db)) for asked in asked_here]))
                for asked in asked_here:
                    line: dict[str, Any] = {"sample": asked.sample, "number": asked.number, "category": asked.category}
                    line |= {"question": asked.text, "gold": sorted(asked.gold)}
                    for name, method in chosen.items():
                        started = time.perf_counter()
                        ranked = method(db, asked)
                        if name == "recall":
                            seconds.append(time.perf_counter() - started)
                        results[name].append((asked, ranked))
                        line[name] = ranked[: max(KS)]
                    lines.write(json.dumps(line, ensure_ascii=False) + "\n")
    rows = {name: summary(result) for name, result in results.items()}
    print_table(rows)
    if ADAPTIVE in results:
        print(f"{ADAPTIVE}: {depth_summary(results[ADAPTIVE])}")
    print(
        json.dumps(
            {
                "questions": len(next(iter(results.values()))),
                "turns": turns,
                "seconds": round(time.monotonic() - begin - embedder.spent, 1),
                "embedding_seconds": round(embedder.spent, 1),
                "recall_ms": {"median": _ms(seconds, 50), "p95": _ms(seconds, 95)},
                "adaptive": depth_summary(results[ADAPTIVE]) if ADAPTIVE in results else None,
                "methods": rows,
            }
        )
    )
    return 0


def _ms(seconds: Sequence[float], percent: int) -> float | None:
    if len(seconds) < 2:
        return None
    return round(1000 * statistics.quantiles(seconds, n=100)[percent - 1], 1)


if __name__ == "__main__":
    sys.exit(main())
