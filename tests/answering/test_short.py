"""A model's words come down to what was asked for, and end where they begin to repeat themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llm.fakes import ScriptedGenerator

from memcli.answering.form import Form, form_of, polar, several
from memcli.answering.prompt import hint
from memcli.answering.shorten import parts, short
from memcli.answering.writing import write
from memcli.errors import ModelFailed
from memcli.llm.prompt import Prompt

ASKED = Prompt("s", "q", max_tokens=20)


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("What did Ann paint?", "short"),
        ("Did Ann paint the door?", "yes_no"),
        ("Is it blue or green?", "choice"),
        ("Was it good? Answer yes or no.", "yes_no"),
        ("Would Ann like tea?", "conclusion"),
        ("What might Ann's job be?", "conclusion"),
        ("What did Ann do in May?", "short"),
        ("How many hives are there?", "count"),
        ("Why did Ann leave?", "reason"),
        ("¿Qué pintó Ann?", "short"),
        ("Benは何を塗りましたか？", "short"),
    ],
)
def test_the_form_of_an_answer_is_read_off_the_question(question: str, form: Form) -> None:
    assert form_of(question) == form


def test_only_questions_in_english_get_a_hint_in_english() -> None:
    assert hint("What did Ann paint?") == "Short answer:"
    assert hint("Which books did Ann read?") == "List everything that fits:"
    assert hint("Would Ann like tea?") == "Answer likely yes or likely no:"
    assert hint("Was hat Ann gestrichen?") == ""
    assert several("What are her hobbies?") and not several("Which day is it?")
    assert polar("Would Ann go?") and not polar("What would Ann do?")


@pytest.mark.parametrize(
    ("question", "said", "shown"),
    [
        ("How does Ann rest?", "Ann rests by reading, running", "reading, running"),
        ("What might Ann's degree be in?", "Ann's degree might be in biology.", "biology"),
        ("What do they share?", "They both share a love of tea.", "love of tea"),
        ("Why did Ann leave?", "Because the roof leaked", "the roof leaked"),
        ("Did Ann go?", "Yes, Ann went.", "Yes"),
        ("Would Ann go?", "likely no, she is ill", "Likely no"),
        ("Would Ann go?", "likely", "Likely yes"),
        ("Would Ann go?", "Unlikely.", "Likely no"),
        ("Would Ann go?", "likely", "Likely yes"),
        ("Would Ann go?", "Unlikely.", "Likely no"),
        ("How many hives does Ann have?", "7 hives", "Seven"),
        ("How many hives does Ann have?", "31", "31"),
        ("How many times did Ann go?", "2", "Twice"),
        ("What does Ann own?", "bowl, ring, bowl, ring, bowl", "bowl, ring"),
        ("Who came?", "Ann, Ben", "Ann, Ben"),
        ("Who is Ann?", "Ann", "Ann"),
        ("What kind of chocolate dessert was it?", "Chocolate tart", "Chocolate tart"),
        ("What kind of painting is it?", "A painting of a horse", "A painting of a horse"),
    ],
)
def test_what_was_not_asked_for_goes(question: str, said: str, shown: str) -> None:
    assert short(said, question) == shown


@given(st.text(max_size=80), st.text(max_size=40))
def test_nothing_is_added(said: str, question: str) -> None:
    shown = short(said, "What is " + question)
    assert set(shown) <= set(said) | set(", ")


def test_a_list_comes_apart_at_commas_and_its_last_and() -> None:
    assert parts("tea, milk, and sugar") == ["tea", "milk", "sugar"]
    assert parts("tea and milk") == ["tea", "milk"]
    assert parts("tea") == ["tea"]
    assert parts("tea, Tea, milk") == ["tea", "milk"]


def test_an_answer_that_repeats_itself_is_stopped() -> None:
    said = "bowl, ring, cup, " + "ring, cup, " * 20
    assert write(ScriptedGenerator([said], reason="length"), ASKED) == "bowl, ring, cup"


def test_of_a_list_that_was_cut_the_whole_parts_are_kept() -> None:
    assert write(ScriptedGenerator(["bowl, ring, cup, sau"], reason="length"), ASKED) == "bowl, ring, cup"


def test_half_a_sentence_is_never_handed_on() -> None:
    with pytest.raises(ModelFailed):
        write(ScriptedGenerator(["She said that the"], reason="length"), ASKED)


def test_what_comes_after_the_first_paragraph_is_not_waited_for() -> None:
    assert write(ScriptedGenerator(["Blue [1]\n\nExplanation: because"]), ASKED) == "Blue [1]"
