"""What choosing a document's chunks by past questions does (D7), on a manual of 40 chunks and persons with a history.

    python bench/past_questions.py --embedder PATH.gguf [--cache DIR]

`tests/cases/manual.json` has five past questions of each of four persons, and
three kinds of questions: *leans* can be answered only by who knows what the
person has, *near* are about what they asked before, *plain* about another
part of the manual. The rows give how often the chunk that answers is among
the first k: as found, as chosen by past questions, and for a sum of both.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Sequence
from operator import mul
from pathlib import Path
from typing import Any

from locomo import Embedding

from memcli.clock import Clock
from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.recall.history import choose_chunks, nearest, same_topic
from memcli.recall.people import speakers
from memcli.recall.question import Query, as_said
from memcli.recall.search import recall
from memcli.store.home import Home
from memcli.store.store import Store
from memcli.tidy.index import index
from memcli.types import Entry

CASES = Path(__file__).parent.parent / "tests" / "cases" / "manual.json"
KS = (1, 3, 5)
SHARES = (0.0, 1.0, 2.0, 4.0, 8.0)


def keep(store: Store, cases: dict[str, Any], embedder: Embedding) -> None:
    """The manual as an import of an HTML page would keep it."""
    chunks = [f"{part['heading']}. {chunk}" for part in cases["sections"] for chunk in part["chunks"]]
    store.append_entries(
        [
            Entry(
                f"01CHUNK{number:019}",
                "R",
                "html:manual",
                number,
                f"k{number}",
                text,
                0,
                trust="document",
                source="html",
            )
            for number, text in enumerate(chunks)
        ]
    )
    with store.writing() as db:
        index(store, db, embedder, store.ids.new(), lambda: False)


def ranks(db: Database, case: dict[str, Any], history: Sequence[str], embedder: Embedding) -> dict[str, int]:
    """At which place each way puts the chunk that answers, 0 where it does not."""
    names = speakers(db)
    question, *past = embedder.embed([as_said(text, names) for text in (case["question"], *history)])
    query = Query(case["question"], k=max(KS))
    found = recall(db, query, question)
    chosen = choose_chunks(db, query, found, question, past)
    every = recall(db, Query(case["question"], k=100), question)
    judges = nearest(question, same_topic(question, past))
    ways = {"as found": found, "by past questions": chosen}
    for share in SHARES[1:]:
        scored = []
        for item in every:
            ((_, half),) = db.rows(
                "SELECT seq, half FROM vectors JOIN entries USING (seq) WHERE id = ?", (item.entry.id,)
            )
            near = math.fsum(math.fsum(map(mul, one, vectors.from_half(half))) for one in judges) / max(1, len(judges))
            scored.append((item.score + share * near, item))
        ways[f"sum, {share:g} of past"] = [item for _, item in sorted(scored, key=lambda pair: -pair[0])]
    return {
        name: next((n for n, item in enumerate(way, 1) if item.entry.text.endswith(case["gold"])), 0)
        for name, way in ways.items()
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Choosing chunks by past questions.")
    parser.add_argument("--embedder", type=Path, required=True, help="the embedding model, GGUF")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "mem-bench", help="for vectors")
    options = parser.parse_args()
    embedder = Embedding(options.embedder, options.cache)
    cases = json.loads(CASES.read_text("utf-8"))
    table: dict[str, dict[str, list[int]]] = {}
    with tempfile.TemporaryDirectory(prefix="mem-bench-") as folder:
        store = Store(Home(Path(folder) / "home"), Clock.system())
        store.home.make(store.disk)
        keep(store, cases, embedder)
        with store.reading() as reading:
            for case in cases["questions"]:
                for name, place in ranks(reading.db, case, cases["histories"][case["history"]], embedder).items():
                    for kind in (case["kind"], "all"):
                        table.setdefault(kind, {}).setdefault(name, []).append(place)
    shares = {
        kind: {
            name: {k: round(sum(1 <= n <= k for n in places) / len(places), 3) for k in KS}
            for name, places in ways.items()
        }
        for kind, ways in table.items()
    }
    for kind, ways in shares.items():
        for name, row in ways.items():
            print(
                f"{kind:6} {len(table[kind][name]):3} {name:20}"
                + "".join(f"  H@{k} {value:.3f}" for k, value in row.items())
            )
    print(json.dumps(shares))
    return 0


if __name__ == "__main__":
    sys.exit(main())
