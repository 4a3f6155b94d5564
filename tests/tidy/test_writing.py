"""A model's titles: taken where every name and number stands in the entries, else the event keeps its own words."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from cli.harness import Mem
from llm.fakes import HashingEmbedder, ScriptedGenerator

from memcli.errors import ModelFailed
from memcli.projection.events import Claim
from memcli.tidy.writing import borne_out, reworded

LINES = [
    ("E0", "Ann: I signed up for a pottery class in Ghent, it costs 90 euros."),
    ("E1", "Ben: Bring me a blue bowl from the class."),
    ("E2", "Ann: The kiln is at 1200 degrees."),
]
CLAIM = Claim("V1", "Pottery class", ("E0", "E1", "E2"), (("E0", 5, 20),), "arts/painting", "ed")


def proposal(title: str, *facts: tuple[int, str]) -> str:
    return json.dumps({"title": title, "facts": [{"line": number, "text": text} for number, text in facts]})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pottery class in Ghent", True),
        ("Ann's pottery class", True),
        ("Ben and Ann's pottery class", True),
        ("Ben and Clara's pottery class", False),
        ("A blue bowl for Ben", True),
        ("The class costs 90 euros", True),
        ("The class costs 80 euros", False),
        ("Pottery class in Bruges", False),
        ("Clara and her bowl", False),
        ("A wonderful trip to the sea", False),
        ("the of and", False),
        ("", False),
    ],
)
def test_what_the_entries_bear_out(text: str, expected: bool) -> None:
    assert borne_out(text, " ".join(line for _, line in LINES)) is expected


def test_a_good_title_and_facts_with_their_lines_are_taken() -> None:
    proposed = proposal(
        "pottery class in Ghent", (1, "The pottery class costs 90 euros."), (3, "The kiln is at 1200 degrees.")
    )
    assert reworded(CLAIM, proposed, LINES) == replace(
        CLAIM,
        title="Pottery class in Ghent",
        facts=(("E0", "The pottery class costs 90 euros."), ("E2", "The kiln is at 1200 degrees.")),
    )


@pytest.mark.parametrize(
    "fact",
    [(2, "The pottery class costs 90 euros."), (9, "The kiln is at 1200 degrees."), (1, "She signed up.")],
)
def test_a_fact_that_its_line_does_not_bear_out_is_left_out(fact: tuple[int, str]) -> None:
    found = reworded(CLAIM, proposal("Pottery class", fact), LINES)
    assert found is not None
    assert found.facts == CLAIM.facts


@pytest.mark.parametrize(
    "proposed",
    ["", "no json", "[]", "{}", '{"title": 5, "facts": 5}', proposal("Trip to Paris"), proposal(' "." ')],
)
def test_what_is_no_proposal_or_a_bad_one_changes_nothing(proposed: str) -> None:
    assert reworded(CLAIM, proposed, LINES) is None


NOTES = ("The boiler is loud again", "The boiler needs a new valve", "The boiler valve is ordered for 40 euros")


@pytest.fixture
def kept(mem: Mem) -> Mem:
    for text in NOTES:
        mem.ok("add", text, "--session", "boiler")
    mem.embedder = HashingEmbedder()
    return mem


def titles(mem: Mem) -> list[str]:
    return [event["title"] for event in mem.ok("events", "--json").json["events"]]


def test_a_model_that_has_passed_words_the_events_and_a_second_tidy_asks_it_nothing(kept: Mem) -> None:
    answers = ["[]", proposal("A valve for the boiler", (3, "The boiler valve is ordered."))]
    kept.reader = ScriptedGenerator(answers)
    value = kept.ok("tidy", "--json").json
    assert (value["events"], value["worded"]) == (1, 1)
    assert titles(kept) == ["A valve for the boiler"]
    _, prompt = kept.reader.prompts
    assert NOTES[2] in prompt.material
    assert prompt.grammar is not None
    with kept.unchanged():
        kept.ok("tidy")
    assert kept.ok("undo").out
    kept.reader = None
    kept.ok("tidy")
    assert titles(kept) != ["A valve for the boiler"]


@pytest.mark.parametrize(
    "answer", ["nonsense", proposal("Zorblax in Paris"), ModelFailed("It failed.", "Run `mem doctor`.")]
)
def test_a_model_that_writes_nonsense_or_fails_leaves_the_events_own_words(kept: Mem, answer: str | Exception) -> None:
    kept.reader = ScriptedGenerator(["[]", answer])
    result = kept.run("tidy", tty=True)
    assert result.code == 0
    assert ("own words: It failed." in result.err) == isinstance(answer, ModelFailed)
    (found,) = titles(kept)
    assert "oiler" in found
    assert kept.ok("verify", "--json").json["healthy"]
