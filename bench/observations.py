"""How much of what annotators observed in LoCoMo the memories hold: no model, the extractor alone.

    python bench/observations.py --data FILE.json [--out DIR]

Every conversation goes through the product's importer and the step of tidy
that derives memories. An observation counts as covered when a memory cites
the turn that it names and shares at least half of its content words, after
stemming. Observations are partly opinions about how somebody feels, which
memories leave out on purpose: the figure is for comparing versions, not a
score out of one. Prints a table and, as the last line, one JSON object; DIR
gets one line an observation.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memcli.clock import Clock
from memcli.formats.base import ParseOptions
from memcli.formats.registry import by_name, parse
from memcli.formats.source import Source
from memcli.importing.importer import Tally, import_drafts
from memcli.importing.terms import Terms
from memcli.lang.words import content_terms, stem
from memcli.memories import Memory
from memcli.projection.database import COLUMNS as ENTRY
from memcli.projection.memories import COLUMNS, memory_of_row
from memcli.store.home import Home
from memcli.store.store import Store
from memcli.tidy.derive import Derived, derive

HALF = 0.5
_TURN = re.compile(r"D\d+:\d+")


@dataclass(frozen=True)
class Observation:
    """What an annotator wrote about a turn, and who it is about."""

    sample: str
    turn: str
    text: str


def observations(sample: Mapping[str, Any]) -> Iterator[Observation]:
    """The observations of a conversation, one for each turn that they name."""
    for by_speaker in sample.get("observation", {}).values():
        for listed in by_speaker.values():
            for text, turns in listed:
                for turn in _TURN.findall(json.dumps(turns)):
                    yield Observation(str(sample["sample_id"]), turn, text)


def memories_by_turn(samples: Sequence[Mapping[str, Any]]) -> tuple[dict[str, list[Memory]], Derived, float]:
    """The memories of conversations by the turn that they cite ("conv-1 D1:3"), what the step did, and its seconds."""
    found: dict[str, list[Memory]] = {}
    with tempfile.TemporaryDirectory(prefix="mem-bench-") as folder:
        store = Store(Home(Path(folder) / "home"), Clock.system())
        store.home.make(store.disk)
        source = Source.from_bytes("locomo.json", json.dumps(samples).encode())
        tally = Tally(store.ids.new())
        import_drafts(store, parse(source, by_name("locomo"), ParseOptions()), Terms(tally.run), tally, source.name)
        with store.writing() as db:
            begun = time.perf_counter()
            done = derive(store, db, (), store.ids.new(), lambda: False)
            spent = time.perf_counter() - begun
            entries = [db.entry(row) for row in db.rows(f"SELECT {ENTRY} FROM entries")]
            turns = {entry.id: turn_of(entry.source_key) for entry in entries}
            for row in db.rows(f"SELECT {COLUMNS} FROM memories ORDER BY id"):
                memory = memory_of_row(row)
                for entry in dict.fromkeys(quote.entry for quote in memory.quotes):
                    found.setdefault(turns[entry], []).append(memory)
    return found, done, spent


def turn_of(key: str) -> str:
    """The turn that a source key names: `locomo:conv-1/session_1:D1:3` → `conv-1 D1:3`."""
    _, place, turn = key.split(":", 2)
    return f"{place.rpartition('/')[0]} {turn}"


def covered(observation: str, memories: Sequence[Memory]) -> float:
    """The greatest share of an observation's content words that one of these memories holds."""
    wanted = _stems(observation)
    return (
        max((len(wanted & _stems(memory.statement.text)) / len(wanted) for memory in memories), default=0.0)
        if wanted
        else 0.0
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in content_terms(text))


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--data", type=Path, required=True, help="the file of LoCoMo, or a part of it")
    options.add_argument("--out", type=Path, help="a folder for one line an observation")
    given = options.parse_args(arguments)
    samples = json.loads(given.data.read_text(encoding="utf-8"))
    by_turn, done, spent = memories_by_turn(samples)
    memories = {memory.id: memory for cited in by_turn.values() for memory in cited}
    rows = []
    for sample in samples:
        for observed in observations(sample):
            cited = by_turn.get(f"{observed.sample} {observed.turn}", [])
            rows.append((observed, len(cited), covered(observed.text, cited)))
    result = {
        "turns": done.entries,
        "memories": len(memories),
        "memories per turn": round(len(memories) / max(1, done.entries), 3),
        "observations": len(rows),
        "turn has a memory": round(sum(count > 0 for _, count, _ in rows) / max(1, len(rows)), 3),
        "covered": round(sum(share >= HALF for _, _, share in rows) / max(1, len(rows)), 3),
        "refused": dict(done.refused),
        "entries a second": round(done.entries / spent) if spent else None,
    }
    for name, value in result.items():
        sys.stdout.write(f"{name:20} {value}\n")
    if given.out is not None:
        given.out.mkdir(parents=True, exist_ok=True)
        lines = [
            {"sample": o.sample, "turn": o.turn, "text": o.text, "cited": n, "share": round(share, 3)}
            for o, n, share in rows
        ]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (given.out / "observations.jsonl").write_text(text, encoding="utf-8")
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
