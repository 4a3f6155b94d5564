"""A generator's answers are shown only after it has shown that it answers, and that it does not where it cannot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from llm.fakes import ScriptedGenerator
from llm.ggufs import tiny_gguf

from memcli.answering import gate
from memcli.answering.cases import CASES, Case
from memcli.errors import ModelFailed
from memcli.llm.catalog import Catalog, Score


def first_note(case: Case) -> str:
    return case.notes[0].split(": ", 1)[1] + " [1]"


def test_a_model_that_is_right_and_knows_when_it_cannot_be_passes() -> None:
    said = [", ".join(need.split("|")[0] for need in case.needs) or "I don't have that." for case in CASES]
    score, right = gate.run(ScriptedGenerator(said))
    assert gate.passes(score)
    assert sum(right) == score.right


@pytest.mark.parametrize("said", ["I don't have that.", "", "Yes. [1]", "The answer is 42. [1]"])
def test_a_model_that_never_answers_fails(said: str) -> None:
    score, right = gate.run(ScriptedGenerator([said] * len(CASES)))
    assert not gate.passes(score)
    assert right == [not case.needs for case in CASES]


def test_a_model_that_only_copies_the_first_note_fails() -> None:
    score, _ = gate.run(ScriptedGenerator([first_note(case) for case in CASES]))
    assert not gate.passes(score)


def test_a_model_that_never_ends_has_its_cases_wrong_and_one_that_cannot_start_has_no_score() -> None:
    broken = ModelFailed("The model did not finish.")
    score, right = gate.run(ScriptedGenerator(["I don't have that.", *[broken] * (len(CASES) - 1)]))
    assert not gate.passes(score)
    assert right == [not case.needs for case in CASES]
    with pytest.raises(ModelFailed):
        gate.run(ScriptedGenerator([broken]))


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("Green", True),
        ("Dark green, since May", True),
        ("evergreens", False),
        ("yellow and green", False),
        (None, False),
    ],
)
def test_an_answer_is_right_with_what_it_needs_and_without_what_spoils_it(answer: str | None, right: bool) -> None:
    assert gate.judge(Case("What colour?", ("x",), ("green|verdant",), ("yellow",)), answer) is right


def test_where_the_notes_hold_no_answer_only_none_is_right() -> None:
    assert gate.judge(Case("What colour?", ("x",)), None)
    assert not gate.judge(Case("What colour?", ("x",)), "Green")


def test_every_case_can_be_read_and_enough_of_them_have_no_answer() -> None:
    assert len(CASES) >= 16
    assert sum(not case.needs for case in CASES) >= 5
    for case in CASES:
        assert len(gate.pieces(case)) == len(case.notes)


def test_a_score_of_another_edition_counts_for_nothing() -> None:
    best = Score(len(CASES), len(CASES), gate.edition())
    assert gate.passes(best)
    assert not gate.passes(replace(best, edition="old"))
    assert not gate.passes(None)


def test_a_score_stays_with_the_bytes_of_the_file(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path / "home")
    path = tiny_gguf(tmp_path / "g.gguf", embedder=False)
    model = catalog.register(path, "generator")
    score = Score(17, 20, gate.edition())
    assert catalog.score(model) is None
    catalog.keep_score(model, score)
    again = catalog.register(path, "generator", "another-name")
    assert catalog.score(again) == score
    other = catalog.register(tiny_gguf(path, embedder=False, fill=2), "generator")
    assert catalog.score(other) is None
