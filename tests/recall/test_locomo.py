"""A smoke test on the benchmark's development half, where it is at hand: by words alone, one conversation."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
from store.making import REPOSITORY

from memcli.formats.base import ParseOptions
from memcli.formats.registry import by_name, parse
from memcli.formats.source import Source
from memcli.importing.importer import Tally, import_drafts
from memcli.importing.terms import Terms
from memcli.recall.question import Query
from memcli.recall.search import recall
from memcli.store.store import Store

DATA = REPOSITORY.parent / "shared" / "locomo" / "dev5.json"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    path = REPOSITORY / "bench" / "locomo.py"
    spec = importlib.util.spec_from_file_location("locomo_bench", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="the LoCoMo development half is not in ../shared")
def test_words_alone_find_most_gold_turns_among_eight(empty: Store, bench: ModuleType) -> None:
    sample = bench.load(DATA)[0]
    source = Source.from_bytes("sample.json", json.dumps([sample]).encode())
    tally = Tally(empty.ids.new())
    empty.home.make(empty.disk)
    import_drafts(empty, parse(source, by_name("locomo"), ParseOptions()), Terms(tally.run), tally, source.name)
    asked = bench.questions(sample)[::4]
    with empty.reading() as reading:
        shares = [
            bench.share(
                item, [bench.turn_of(e.entry.source_key) for e in recall(reading.db, Query(item.text), None)], 8
            )
            for item in asked
        ]
    assert len(shares) > 40
    assert sum(shares) / len(shares) > 0.65


def test_malformed_evidence_is_read_as_the_turns_it_means(bench: ModuleType, tmp_path: Path) -> None:
    turns = frozenset({"D9:1", "D4:4", "D30:5", "D11:26"})
    assert bench.gold_of(["D9:1 D4:4"], turns) == {"D9:1", "D4:4"}
    assert bench.gold_of(["D30:05", "D"], turns) == {"D30:5"}
    assert bench.gold_of(["D:11:26", "D1:99"], turns) == {"D11:26"}
