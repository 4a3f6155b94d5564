"""What is asked for must be there, and must concern the one who is asked about; else mem does not have it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest
from llm.fakes import ScriptedGenerator

from memcli.answering import wanted
from memcli.answering.answer import answer
from memcli.answering.cases import Case
from memcli.answering.doubt import doubt
from memcli.answering.gate import pieces
from memcli.answering.subject import concerns, subject_of
from memcli.recall.search import Evidence

NAMES = ("Ann Berg", "Ben", "Cleo")


def evidence(*notes: str) -> Sequence[Evidence]:
    return pieces(Case("", tuple(f"2026-01-0{number} 10:00 {note}" for number, note in enumerate(notes, 1))))


def refused(question: str, *notes: str) -> bool:
    return answer(question, evidence(*notes), lambda: None, NAMES).abstained


@pytest.mark.parametrize(
    ("question", "notes"),
    [
        ("What did Ben paint?", ("Ben: I painted the garden door blue", "Ann Berg: Nice colour")),
        ("Where does Ann keep the spare key?", ("Ann Berg: The spare key is in the flower pot", "Ben: Good to know")),
        ("What is Cleo allergic to?", ("Ben: Cleo is allergic to hazelnuts, mind the cake", "Cleo: That was close")),
        ("When is the boiler due?", ("Ann Berg: The boiler service is due every October",)),
        ("How many hives does Ben keep?", ("Ben: I keep four hives on the roof", "Ann Berg: And the honey?")),
    ],
)
def test_what_is_there_is_answered(question: str, notes: tuple[str, ...]) -> None:
    assert not refused(question, *notes)


@pytest.mark.parametrize(
    ("question", "notes"),
    [
        ("What did Ben paint?", ("Ann Berg: I painted the garden door blue", "Ben: Nice colour, well done")),
        ("What is the name of Ben's teacher?", ("Ann Berg: My piano teacher Mr Olsen moved away", "Ben: What a pity")),
        ("How much rent does Ben pay a month?", ("Ann Berg: My rent went up this month", "Ben: Mine is fine")),
        ("What is the phone number of the vet?", ("Ben: I called the vet, the cat needs 2 pills a day",)),
        ("獣医の電話番号は何ですか？", ("Ben: 獣医に電話した。薬は一日2回",)),
    ],
)
def test_what_is_not_there_is_not_made_up(question: str, notes: tuple[str, ...]) -> None:
    assert refused(question, *notes)


def test_a_phone_number_that_is_there_is_given() -> None:
    assert not refused("What is the phone number of the vet?", "Ben: The phone number of the vet is 01632 960 983")


@pytest.mark.parametrize("question", ["Was hat Ben gestrichen?", "Benは何を塗りましたか？", "¿Qué pintó Ben?"])
def test_nothing_is_claimed_about_questions_in_other_languages(question: str) -> None:
    assert doubt(question, evidence("Ann Berg: I painted the door"), NAMES) == 0


def test_without_evidence_there_is_nothing_to_doubt() -> None:
    assert doubt("What did Ben paint?", (), NAMES) == 0
    assert refused("What did Ben paint?")


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many hives are there?", "number"),
        ("What is the price of the boat?", "number"),
        ("When did it start?", "time"),
        ("Which month was it?", "time"),
        ("Who repaired it?", "name"),
        ("What is the cat called?", "name"),
        ("Where is it?", "place"),
        ("Why did she leave?", "reason"),
        ("What is Ann's phone number?", "phone"),
        ("What did she paint?", "any"),
    ],
)
def test_the_kind_of_thing_that_is_asked_for_is_known(question: str, kind: str) -> None:
    assert wanted.kind_of(question) == kind


@pytest.mark.parametrize(
    ("text", "kind", "there"),
    [
        ("I have two of them", "number", True),
        ("I have 12", "number", True),
        ("I have some", "number", False),
        ("It was last Friday", "time", True),
        ("It was nice", "time", False),
        ("I met Olga there", "name", True),
        ("I met Ben there", "name", False),
        ("It is called “the den”", "name", True),
        ("We met someone", "name", False),
        ("I left because of the noise", "reason", True),
        ("ring 01632 960983", "phone", True),
        ("ring me at 9", "phone", False),
        ("anything", "any", True),
    ],
)
def test_words_have_a_thing_of_a_kind_or_not(text: str, kind: wanted.Kind, there: bool) -> None:
    assert wanted.has(text, kind, {"ben"}) is there


@pytest.mark.parametrize(
    ("note", "person", "about"),
    [
        ("Ben: I like tea", "Ben", True),
        ("Ben: Ann likes tea", "Ann Berg", True),
        ("Ben: Thanks, Ann! I like tea", "Ann Berg", False),
        ("Ben: Hey Ann, I like tea", "Ann Berg", False),
        ("Ben: I like tea", "Ann Berg", False),
        ("Ben: 花子はお茶が好き", "花子", True),
    ],
)
def test_greeting_somebody_tells_nothing_of_them(note: str, person: str, about: bool) -> None:
    assert concerns(evidence(note)[0], person) is about


def test_a_question_has_a_subject_when_it_names_one_person() -> None:
    assert subject_of("What did Ann say?", NAMES) == "Ann Berg"
    assert subject_of("What did Ann say to Ben?", NAMES) is None
    assert subject_of("What was said?", NAMES) is None


def test_of_two_pieces_the_newer_is_quoted_only_where_it_says_that_something_changed() -> None:
    old, new = "Ben: The choir starts at seven", "Ben: The choir starts with tea"
    question = "When does the choir start?"
    assert "seven" in answer(question, evidence(old, new), lambda: None, NAMES).text
    changed = "Ben: Correction, the choir starts at eight now"
    assert "eight" in answer(question, evidence(old, changed), lambda: None, NAMES).text


def test_a_model_that_says_it_does_not_have_it_is_believed() -> None:
    notes = evidence("Ben: I painted the garden door blue")
    for said in ("I don't have that.", "I do not have that. [1]", "Not mentioned."):
        assert answer("What did Ben paint?", notes, partial(ScriptedGenerator, [said]), NAMES).abstained


def test_when_something_happened_is_not_when_it_was_told() -> None:
    notes = evidence("Ben: I painted the door yesterday", "Ben: The door is dry")
    question = "When did Ben paint the door?"
    for said in ("1 January 2026 [1]", "31 December 2025 [1]"):
        shown = answer(question, notes, partial(ScriptedGenerator, [said]), NAMES)
        assert (shown.text, shown.kind) == ("31 December 2025 [1]", "dated")


def test_the_day_of_a_wish_is_not_the_day_on_which_it_came_true() -> None:
    notes = evidence("Ben: I would love to paint the door one day", "Ben: It is oak")
    shown = answer("When did Ben paint the door?", notes, partial(ScriptedGenerator, ["1 January 2026"]), NAMES)
    assert shown.kind == "quote"
