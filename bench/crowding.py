"""One memory with all conversations and much other talk: is as much found, and how long does evidence take?"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import conversations
from conversations import Asked, Sample
from crowd import crowd
from homes import Embedding, make
from rankings import Product, learn_questions, turns
from scoring import as_handed_on, at_depths
from speed import MEM, environment, in_turn, run
from weighing import Weighing

from memcli.clock import Clock
from memcli.projection.database import Database
from memcli.store.home import Home
from memcli.store.store import Store

ROUNDS = 5


def crowded(samples: Sequence[Sample], embedder: Embedding, weights: Weighing, entries: int) -> dict[str, Any]:
    """Recall over everything together, and the time of a whole `mem ask` process without a generator."""
    names = sorted({sample["conversation"][who] for sample in samples for who in ("speaker_a", "speaker_b")})
    with tempfile.TemporaryDirectory(prefix="mem-bench-") as folder:
        home = Path(folder) / "home"
        make(home, [*samples, *crowd(names, entries)], embedder)
        asked = [item for sample in samples for item in conversations.questions(sample)]
        with Store(Home(home), Clock.system()).reading() as reading:
            found = _recall(reading.db, asked, embedder, weights)
        return {"entries": entries, **found, "process": _process(home, asked)}


def _recall(db: Database, asked: Sequence[Asked], embedder: Embedding, weights: Weighing) -> dict[str, Any]:
    learn_questions(db, asked, embedder)
    product = Product(embedder, weights)
    best = [(item, turns(product.best(db, item))) for item in asked]
    handed_on = [(item, turns(product.handed_on(db, item))) for item in asked]
    return {"stored": int(db.meta("visible")), **at_depths(best), "handed_on": as_handed_on(handed_on)}


def _process(home: Path, asked: Sequence[Asked]) -> dict[str, float]:
    """Seconds from the start of `mem ask --no-llm` to its end."""
    env = environment(home)
    some = asked[:: max(1, len(asked) // ROUNDS)][:ROUNDS]
    commands = {
        item.key: lambda text=item.text: run([MEM, "ask", "--no-llm", "--no-record", text], env) for item in some
    }
    series = in_turn(commands, 2)
    return {
        "median_s": round(sorted(one.seconds for one in series.values())[len(series) // 2], 3),
        "cpu_s": round(sorted(one.cpu for one in series.values())[len(series) // 2], 3),
        "peak_mb": round(max(one.peak for one in series.values()) / 1e6, 1),
    }
