"""Questions that lean on the one before them (D1): the labels, and what must hold for any dialogue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.recall.rewrite import LOOKED_BACK, Exchange, rewrite

FOLDER = Path(__file__).parents[1] / "cases"
CASES = [
    case for name in ("follow_ups", "follow_ups_more") for case in json.loads((FOLDER / f"{name}.json").read_text())
]
HARD_HELD = 6
"""Labels marked as hard that hold all the same: all of them."""


def asked_as(case: dict[str, Any]) -> str:
    dialogue = [Exchange(turn["question"], turn["answer"]) for turn in case["dialogue"]]
    return rewrite(case["question"], dialogue).text


def holds(case: dict[str, Any]) -> bool:
    text = asked_as(case).casefold()
    if case["leave_alone"]:
        return text == case["question"].casefold()
    there = all(words.casefold() in text for words in case["expect"])
    return there and not any(words.casefold() in text for words in case.get("absent", []))


@pytest.mark.parametrize("case", [case for case in CASES if not case.get("hard")], ids=lambda case: case["question"])
def test_it_is_understood_as_labelled(case: dict[str, Any]) -> None:
    assert holds(case), asked_as(case)


def test_as_many_hard_labels_hold_as_did() -> None:
    assert sum(holds(case) for case in CASES if case.get("hard")) >= HARD_HELD


# What it reads like: the whole text, for one case of each rule.
READS: dict[str, tuple[tuple[str, str], str, str]] = {
    "a person is put for a pronoun": (
        ("Who repaired the boiler?", "Tom Ellery, on 4 March."),
        "What is his phone number?",
        "What is Tom Ellery’s phone number?",
    ),
    "a place for there": (
        ("Where does Jonas live?", "In Bergen."),
        "How long has he lived there?",
        "How long has Jonas lived in Bergen?",
    ),
    "a thing for it, and what it was about behind": (
        ("Which cottage did we book for Penzance?", "3 Lantern Cottages, Harbour Terrace."),
        "How much was it?",
        "How much was 3 Lantern Cottages (cottage book Penzance)?",
    ),
    "another person": (("When is Ada's birthday?", "On 12 May."), "and Bo?", "When is Bo's birthday?"),
    "another time": (
        ("How much did I spend on books in March?", "84 pounds."),
        "And in April?",
        "How much did I spend on books in April?",
    ),
    "another place": (
        ("Which train are we taking to Leeds?", "The one at 17:15."),
        "And to Penzance?",
        "Which train are we taking to Penzance?",
    ),
    "a time where there was none stands behind the asking words": (
        ("Who feeds Biscuit?", "Alex."),
        "And in July?",
        "Who in July feeds Biscuit?",
    ),
    "the same, asked otherwise": (
        ("Where does Marit work?", "At the harbour office."),
        "Since when?",
        "Since when does Marit work (at the harbour office)?",
    ),
    "an item of a list": (
        ("Which paints did I order?", "1. Moss green\n2. Slate grey"),
        "Has the second one arrived?",
        "Has Slate grey arrived (paints order)?",
    ),
    "the end that was left out": (
        ("What did Kenji say about the deadline?", "It moves to March."),
        "What did Bo say?",
        "What did Bo say about the deadline?",
    ),
    "a thing of its own needs nothing behind it": (
        ("What is Priya allergic to?", "Walnuts."),
        "Does she have a cat?",
        "Does Priya have a cat?",
    ),
    "cited evidence is no thing": (
        ("What is Priya allergic to?", "Priya: I'm allergic to walnuts, really"),
        "Since when does she know it?",
        "Since when does Priya know it (allergic)?",
    ),
    "who belongs to somebody": (
        ("What did Priya's boss say?", "That it can wait."),
        "Is he coming on Friday?",
        "Is Priya's boss coming on Friday?",
    ),
    "they are whoever, where a question says all the rest": (
        ("What is Kenji allergic to?", "Penicillin."),
        "Why did they drop Postgres for Larder?",
        "Why did they drop Postgres for Larder?",
    ),
    "a list in a note that was cited": (
        ("Which flats did I look at?", "[1] Alex: 1. Mill Street 4\n2. Quay Road 11"),
        "How much was the first one?",
        "How much was Mill Street 4 (flats look)?",
    ),
    "quotation marks are closed": (
        ('When did Ada read "The Lean Startup"?', "In May."),
        "And Bo?",
        'When did Bo read "The Lean Startup"?',
    ),
}


@pytest.mark.parametrize("name", READS)
def test_it_reads(name: str) -> None:
    before, question, expected = READS[name]
    assert rewrite(question, [Exchange(*before)]).text == expected


# Nothing of these points back at an exchange about a cat.
ALONE = [
    "Is it going to rain on Friday?",
    "What was it like being at the waterfall?",
    "How many of Ada's books have made it to the big screen?",
    "When did Bo make soup and share it with Marit?",
    "What did Ada cook to please her?",
    "What does Ada's drawing symbolise for her?",
    "How is Bo's new puppy adjusting to its new home?",
    "What did Ada do that put a strain on her wallet?",
    "What dessert did Ada share a photo of that has an almond crust?",
    "Which number is Ada's?",
    "printer password",
    "Gibt es eine Bäckerei am Hafen?",
    "Wann hat das Haus ein neues Dach bekommen?",
    "¿Dónde está la llave que me dio Marta?",
    "x" * 500 + " it?",
]


@pytest.mark.parametrize("question", ALONE)
def test_what_points_nowhere_is_left_alone(question: str) -> None:
    assert rewrite(question, [Exchange("Who is looking after Biscuit?", "Mrs Okafor, the neighbour.")]).text == question


def test_names_of_the_store_are_known_in_small_letters() -> None:
    before = [Exchange("When is ada's birthday?", "On 12 May.")]
    assert rewrite("and bo?", before, ["Ada", "Bo"]).text == "When is bo's birthday?"


def test_each_question_of_the_dialogue_is_itself_understood_from_those_before_it() -> None:
    dialogue = [Exchange("When did Nora start at the bakery?"), Exchange("And Alex?"), Exchange("And Bo?")]
    assert rewrite("And Ines?", dialogue).text == "When did Ines start at the bakery?"


def test_only_the_newest_exchanges_count() -> None:
    dialogue = [
        Exchange("Who repaired the boiler?", "Tom Ellery."),
        *[Exchange("When is bin day?", "Tuesdays.")] * LOOKED_BACK,
    ]
    assert "Tom Ellery" in rewrite("What is his number?", dialogue[:LOOKED_BACK]).text
    assert rewrite("What is his number?", dialogue).text != rewrite("What is his number?", dialogue[:LOOKED_BACK]).text


def test_no_earlier_question_stands_whole_in_it() -> None:
    for before, question in (
        ("dentist appointment", "and where?"),
        ("会议记录", "为什么？"),
        ("rent deposit hall", "who paid?"),
    ):
        understood = rewrite(question, [Exchange(before, "")])
        assert understood.reason is not None
        assert before not in understood.text


WORDS = (
    "who what where when why how which and or but about is was did does has it that there she he his her they them "
    "Ada Bo Ada's second one last former in on to of the a my sister flat Leeds May 2026 13 number ? . , : “ ” ' ( "
    "und wer wo er sie das dafür zweite y qué dónde le su segundo 彼は 二番目 健太は 什么时候 第二个 她 呢 ？ \n 1. 99"
).split(" ")
texts = st.one_of(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.text(max_size=60))
dialogues = st.lists(st.tuples(texts, texts), max_size=4).map(lambda turns: [Exchange(*turn) for turn in turns])


@given(question=texts, dialogue=dialogues)
@settings(max_examples=200, deadline=None)
def test_any_question_after_any_dialogue(question: str, dialogue: list[Exchange]) -> None:
    understood = rewrite(question, dialogue, ["Ada", "Bo Wen"])
    assert understood == rewrite(question, dialogue, ["Ada", "Bo Wen"])
    assert (understood.text == question) == (understood.reason is None)
    assert len(understood.text) <= 2 * len(question) + 400
    assert rewrite(question, []).text == question
    for exchange in dialogue:
        bare = exchange.question.strip(" ?？。.!¿¡")
        if len(bare.split()) > 1 and bare.casefold() not in question.casefold():
            assert f"{bare}?".casefold() not in understood.text.casefold()
