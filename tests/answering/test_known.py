"""`mem ask` answers with what holds: before any tidy and after one, now and as of an instant (C7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cli.harness import Mem, script_models
from govern.making import cases, entry, tidy, wall

from memcli.answering.settle import asks_what_was

LATER = wall("2026-11-30T12:00") or 0
ANN = [
    {"text": "I live in Riga.", "said_at": "2026-01-05T09:00", "speaker": "Ann"},
    {"text": "I live in Tartu now, the river is near.", "said_at": "2026-03-16T21:10", "speaker": "Ann"},
]
QUESTION = "Where does Ann live?"


def kept(mem: Mem, said: list[dict[str, Any]], me: str, *, tidied: bool = False) -> Mem:
    store = mem.store
    for number, item in enumerate(said):
        store.append_entries([entry(store, item, number, [me])])
    Path(mem.home, "config.toml").write_text(f'me = ["{me}"]\n')
    if tidied:
        tidy(store, [me])
    return mem


def ask(mem: Mem, question: str, *options: str) -> Any:
    result = mem.run("ask", question, "--no-llm", "--no-record", "--json", *options, now=LATER)
    assert result.out, result
    return result.json


@pytest.mark.parametrize("tidied", [False, True])
@pytest.mark.parametrize("said", [ANN, ANN[::-1]])
def test_of_two_contradicting_adds_the_newer_answers(mem: Mem, said: list[dict[str, Any]], tidied: bool) -> None:
    kept(mem, said, "Ann", tidied=tidied)
    before = mem.digest()
    value = ask(mem, QUESTION)
    number = value["cited"][0]
    assert value["answer"] == f"“I live in Tartu now, the river is near” [{number}], since 16 March 2026"
    assert [words.split("”")[0] for words in value["before"]] == ["“I live in Riga"]
    new, old = (next(item for item in value["evidence"] if place in item["text"]) for place in ("Tartu", "Riga"))
    assert (new["superseded_by"], new["valid_until"]) == (None, None)
    assert (old["superseded_by"], old["valid_until"]) == (new["id"], "2026-03-16T21:10:00")
    assert mem.digest() == before, "nothing is written"


def test_on_a_screen_it_says_since_when_and_what_was_before(mem: Mem) -> None:
    kept(mem, ANN, "Ann")
    lines = " ".join(mem.ok("ask", QUESTION, "--no-llm", now=LATER, columns=300).out.split())
    assert ", since 16 March 2026 (before: “I live in Riga” [" in lines
    assert "I live in Riga. (until 16 March 2026)" in lines


@pytest.mark.parametrize("tidied", [False, True])
def test_what_nobody_can_settle_is_told_both_ways(mem: Mem, tidied: bool) -> None:
    kept(mem, [item | {"said_at": "2026-03-01T12:00"} for item in ANN], "Ann", tidied=tidied)
    value = ask(mem, QUESTION)
    assert value["open"]
    assert value["answer"].endswith(": not settled")
    assert "Riga" in value["answer"]
    assert "Tartu" in value["answer"]
    assert len(value["cited"]) == 2


@pytest.mark.parametrize(
    ("as_of", "expected"), [("2026-02-01", "Riga"), ("2026-03-20", "Tartu"), ("2025-12-01", None), (None, "Tartu")]
)
def test_as_of_an_instant(mem: Mem, as_of: str | None, expected: str | None) -> None:
    kept(mem, ANN, "Ann", tidied=True)
    value = ask(mem, QUESTION, *(["--as-of", as_of] if as_of else []))
    assert value["abstained"] == (expected is None)
    assert expected is None or expected in value["answer"]


def test_a_later_telling_counts_for_the_time_it_tells_of(mem: Mem) -> None:
    late = {"text": "I live in Tartu since 1 February 2026.", "said_at": "2026-05-16T21:10", "speaker": "Ann"}
    kept(mem, [ANN[0], late], "Ann", tidied=True)
    assert "Tartu" in ask(mem, QUESTION, "--as-of", "2026-03-01")["answer"]
    assert "Riga" in ask(mem, QUESTION, "--as-of", "2026-01-20")["answer"]


def test_what_replaced_it_is_evidence_even_where_no_word_of_the_question_stands_in_it(mem: Mem) -> None:
    kept(
        mem,
        [*ANN, *({"text": f"I live for note {n}", "said_at": ANN[0]["said_at"], "speaker": "Ann"} for n in range(12))],
        "Ann",
        tidied=True,
    )
    value = ask(mem, QUESTION, "-k", "3")
    assert "Tartu" in value["answer"]
    assert value["cited"][0] <= len(value["evidence"])


def test_another_scope_answers_nothing_here(mem: Mem) -> None:
    kept(mem, ANN, "Ann", tidied=True)
    value = mem.run("ask", QUESTION, "--no-llm", "--json", "--scope", "project:x", now=LATER).json
    assert value["abstained"]
    assert value["evidence"] == []


def test_a_question_for_what_was_is_not_answered_with_what_is(mem: Mem) -> None:
    assert asks_what_was("Where did Ann live before?")
    assert not asks_what_was(QUESTION)


def test_a_model_that_rests_on_what_is_over_is_not_believed(mem: Mem) -> None:
    from llm.fakes import ScriptedGenerator

    kept(mem, ANN, "Ann", tidied=True)
    mem.generator = ScriptedGenerator(["Riga [1]"])
    value = mem.run("ask", QUESTION, "--no-record", "--json", now=LATER).json
    stale = [item["n"] for item in value["evidence"] if item["superseded_by"]]
    assert value["kind"] == "quote"
    assert "Tartu" in value["answer"]
    assert not set(value["cited"]) & set(stale)


STORIES = cases("as_of")["stories"]


def test_labelled_stories_as_of_many_instants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By words alone, without a model: most of the probes hold."""
    right = 0
    for story in STORIES:
        mem = Mem(tmp_path / story["name"])
        script_models(mem, monkeypatch)
        kept(mem, story["entries"], story["me"], tidied=True)
        for probe in story["probes"]:
            said = ask(mem, probe["question"], *(["--as-of", probe["as_of"]] if probe["as_of"] else []))
            answer = said["answer"].casefold()
            has = all(any(need in answer for need in needs.split("|")) for needs in probe["answer_has"])
            right += has and not any(spoil in answer for spoil in probe["answer_not"])
    assert right >= 0.6 * sum(len(story["probes"]) for story in STORIES)
