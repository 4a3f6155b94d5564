"""The benchmark's own arithmetic; and, where the development half is at hand, words alone on one conversation."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from store.making import REPOSITORY

from memcli.clock import Clock
from memcli.recall.question import Query
from memcli.recall.search import recall
from memcli.recall.weights import NAMES, WEIGHTS
from memcli.store.home import Home
from memcli.store.store import Store

DATA = REPOSITORY.parent / "shared" / "locomo" / "dev5.json"


@pytest.fixture(scope="module")
def bench() -> Any:
    """The modules of the benchmark, which are scripts beside each other and no package."""
    folder = str(REPOSITORY / "bench")
    sys.path.insert(0, folder)
    try:
        import answers
        import conversations
        import crowd
        import homes
        import scoring
        import weighing
    finally:
        sys.path.remove(folder)
    return SimpleNamespace(
        answers=answers, conversations=conversations, crowd=crowd, homes=homes, scoring=scoring, weighing=weighing
    )


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="the LoCoMo development half is not in ../shared")
def test_words_alone_find_most_gold_turns_among_eight(bench: Any, tmp_path: Path) -> None:
    sample = bench.conversations.load(DATA)[0]
    file = tmp_path / "conversation.json"
    file.write_text(json.dumps([sample]), "utf-8")
    bench.homes.mem(tmp_path / "home", "import", "--as", "locomo", str(file))
    asked = bench.conversations.questions(sample)[::4]
    with Store(Home(tmp_path / "home"), Clock.system()).reading() as reading:
        shares = [
            bench.scoring.share(
                item,
                [bench.conversations.turn_of(e.entry.source_key) for e in recall(reading.db, Query(item.text), None)],
                8,
            )
            for item in asked
        ]
    assert len(shares) > 40
    assert sum(shares) / len(shares) > 0.65


def test_malformed_evidence_is_read_as_the_turns_it_means(bench: Any) -> None:
    turns = frozenset({"D9:1", "D4:4", "D30:5", "D11:26"})
    gold_of = bench.conversations.gold_of
    assert gold_of(["D9:1 D4:4"], turns) == {"D9:1", "D4:4"}
    assert gold_of(["D30:05", "D"], turns) == {"D30:5"}
    assert gold_of(["D:11:26", "D1:99"], turns) == {"D11:26"}


@pytest.mark.parametrize(
    ("said", "category", "right", "score"),
    [
        ("the blue doors", 4, "Blue door", 1.0),
        ("7 May 2023", 2, "7 May, 2023", 1.0),
        ("tea", 1, "tea, milk", 0.5),
        ("milk, tea, rum", 1, "tea, milk", 1.0),
        ("Yes", 3, "Yes; she likes tea", 1.0),
        ("Yes", 4, "No", 0.0),
        ("", 4, "No", 0.0),
    ],
)
def test_f1_is_that_of_the_benchmarks_own_scorer(
    bench: Any, said: str, category: int, right: str, score: float
) -> None:
    assert bench.scoring.f1(said, category, right) == pytest.approx(score)


def test_citations_and_quotation_marks_are_no_part_of_an_answer(bench: Any) -> None:
    assert bench.scoring.bare("“Blue, I think” [1][2]") == "Blue, I think"


def test_the_sample_is_fixed_stratified_and_grows(bench: Any) -> None:
    asked = [
        bench.conversations.Asked(f"conv-{sample}", number, f"q{number}", category, frozenset())
        for sample in range(5)
        for category in range(1, 7)
        for number in range(20)
    ]
    small, large = (bench.conversations.stratified(asked, size) for size in (60, 150))
    assert small == bench.conversations.stratified(list(reversed(asked)), 60)
    assert len(large) == 150 and {item.key for item in small} <= {item.key for item in large}
    for category, count in ((1, 30), (2, 30), (5, 20), (6, 20)):
        chosen = [item.sample for item in large if item.category == category]
        assert len(chosen) == count
        assert max(map(chosen.count, chosen)) - min(map(chosen.count, chosen)) <= 1
    assert len(bench.conversations.stratified(asked, 0)) == len(asked)


def test_a_prompt_that_holds_an_earlier_question_is_counted(bench: Any) -> None:
    lines = [{"question": "Who paints?", "prompt": "- Ann: I paint"}, {"question": "And?", "prompt": "Who paints? Ann"}]
    assert bench.answers.past_questions(lines) == 1
    assert bench.answers.past_questions(lines[::-1]) == 0


def test_other_talk_is_always_the_same_and_can_be_imported(bench: Any, tmp_path: Path) -> None:
    names = ["Ann", "Ben", "Cleo"]
    made = list(bench.crowd.crowd(names, 60))
    assert made == list(bench.crowd.crowd(names, 60))
    assert made != list(bench.crowd.crowd(names, 60, seed=8))
    turns = [
        turn for one in made for value in one["conversation"].values() if isinstance(value, list) for turn in value
    ]
    assert len(turns) == 60 and {turn["speaker"] for turn in turns} <= set(names)
    file = tmp_path / "crowd.json"
    file.write_text(json.dumps(made), "utf-8")
    said = json.loads(bench.homes.mem(tmp_path / "home", "import", "--json", str(file)))
    assert said["formats"] == {"locomo": 60}


def test_a_conversation_has_the_weights_that_never_saw_it(bench: Any, tmp_path: Path) -> None:
    weights = dict.fromkeys(NAMES, 1.0)
    file = tmp_path / "weights.json"
    doubt = {"bias": 1.5, "weights": {"covers": -1.0}}
    file.write_text(json.dumps({"conversations": {"conv-1": {"recall": weights, "doubt": doubt}}}), "utf-8")
    read = bench.weighing.read(file)
    assert read.left_out
    assert read.recall_of("conv-1").speaker == 1.0 and read.doubts_of("conv-1").bias == 1.5
    assert read.recall_of("conv-2") == WEIGHTS
    assert not bench.weighing.read(None).left_out
