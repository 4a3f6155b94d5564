"""A generated sentence is shown only where the evidence it cites carries it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.answering.passages import passage, sentences
from memcli.answering.support import cite, find_conclusion, find_count, find_support, read_claim, supported

EVIDENCE = {
    1: "2026-01-11 09:37 Priya: I'm allergic to walnuts, I carry an adrenaline pen",
    2: "2026-01-11 09:38 Kenji: I live at 14 Tanner's Row, the blue door",
    3: "2026-01-12 10:00 Alex: I eat fish but no meat",
}


@pytest.mark.parametrize(
    ("question", "said", "carried"),
    [
        ("What is Priya allergic to?", "Priya is allergic to walnuts [1]", True),
        ("What is Priya allergic to?", "Walnuts. [1]", True),
        ("What is Priya allergic to?", "Priya is allergic to walnuts [2]", False),
        ("What is Priya allergic to?", "Priya is allergic to walnuts and 7 cats [1]", False),
        ("What is Priya allergic to?", "Priya is allergic to cashews [1]", False),
        ("What is Priya allergic to?", "Priya is allergic [1]", False),
        ("What is Priya allergic to?", "Yes [1]", False),
        ("What is Priya allergic to?", "", False),
        ("What is Priya allergic to?", "[1]", False),
        ("What is Priya allergic to?", "Priya is allergic to walnuts [9]", False),
        ("What is Priya allergic to?", "Priya is allergic to walnuts [1][9]", False),
        ("Where does Kenji live?", "Kenji lives at 14 Tanner's Row [2]", True),
        ("Where does Kenji live?", "Kenji lives at 15 Tanner's Row [2]", False),
        ("Where does Kenji live?", "Kenji lives in Paris [2]", False),
    ],
)
def test_only_what_is_there_is_carried(question: str, said: str, carried: bool) -> None:
    assert supported(read_claim(said), question, EVIDENCE) is carried


def test_a_claim_without_a_citation_gets_the_piece_that_carries_it() -> None:
    found = find_support(read_claim("Kenji lives at 14 Tanner's Row"), "Where does Kenji live?", EVIDENCE)
    assert found is not None
    assert cite(found) == "Kenji lives at 14 Tanner's Row [2]"
    assert find_support(read_claim("Kenji lives in Paris"), "Where does Kenji live?", EVIDENCE) is None


@pytest.mark.parametrize(
    ("said", "text", "cited"),
    [
        ("Walnuts [1].", "Walnuts.", (1,)),
        ("Walnuts [1][2]", "Walnuts", (1, 2)),
        ("Walnuts [1, 2].", "Walnuts.", (1, 2)),
        ("Walnuts [2] and pens [2]", "Walnuts and pens", (2,)),
        ("Walnuts [x]", "Walnuts [x]", ()),
    ],
)
def test_citations_are_read_in_every_form(said: str, text: str, cited: tuple[int, ...]) -> None:
    claim = read_claim(said)
    assert (claim.text, claim.cited) == (text, cited)


@given(st.text(), st.integers(40, 400))
def test_a_passage_is_never_longer_than_its_limit_and_its_words_are_verbatim(text: str, limit: int) -> None:
    shown = passage(text, ["word"], limit)
    assert len(shown) <= limit
    flat = " ".join(text.split())
    assert shown.removeprefix("… ").removesuffix(" …").removesuffix("…").strip() in flat


def test_sentences_end_at_their_signs_and_at_lines() -> None:
    assert sentences("One. Two! “Three?”\nfour\n花生。次は？") == [
        "One.",
        "Two!",
        "“Three?”",
        "four",
        "花生。",
        "次は？",
    ]


def test_of_a_long_text_the_sentence_nearest_the_question_is_shown() -> None:
    text = (
        " ".join(f"Filler number {n} says nothing of use." for n in range(30))
        + " The key is in the shed. "
        + "More. " * 40
    )
    assert "The key is in the shed." in passage(text, ["key", "shed"], 120)


def test_a_wrong_citation_is_replaced_by_the_piece_that_carries_the_claim() -> None:
    found = find_support(read_claim("Walnuts [2]"), "What is Priya allergic to?", EVIDENCE)
    assert found is not None
    assert cite(found) == "Walnuts [1]"


def test_a_number_in_words_is_carried_by_its_digits() -> None:
    assert supported(read_claim("7 hives [1]"), "How many?", {1: "1 May 2026 Bo: I have seven hives"})
    assert supported(read_claim("Seven hives [1]"), "How many?", {1: "1 May 2026 Bo: I have 7 hives"})
    assert not supported(read_claim("8 hives [1]"), "How many?", {1: "1 May 2026 Bo: I have seven hives"})


def test_a_list_may_rest_on_several_pieces_each_part_whole_in_one() -> None:
    notes = {1: "1 May 2026 Bo: I play the cello", 2: "2 May 2026 Bo: and the alto flute", 3: "3 May 2026 Bo: hello"}
    question = "What does Bo play?"
    found = find_support(read_claim("cello, alto flute [1]"), question, notes)
    assert found is not None
    assert cite(found) == "cello, alto flute [1][2]"
    part = find_support(read_claim("cello, bass flute, cello, cello [1]"), question, notes)
    assert part is not None
    assert cite(part) == "cello [1]"
    assert find_support(read_claim("violin, bass flute [1]"), question, notes) is None


def test_the_copied_head_of_a_line_is_no_part_of_an_answer() -> None:
    assert read_claim("11 January 2026 Priya: walnuts [1]").text == "walnuts"


TOPIC = {"paint", "door"}
PAINTED = {
    1: "1 May 2026 Bo: I painted the door blue",
    2: "2 May 2026 Bo: I painted the other door as well",
    3: "3 May 2026 Bo: The bees are fine",
}


@pytest.mark.parametrize(
    ("question", "said", "shown"),
    [
        ("Did Bo paint the door?", "Yes", "Yes [1]"),
        ("Did Bo paint the door?", "No", None),
        ("Did Bo feed the bees?", "Blue", None),
        ("Is the door blue or green?", "Blue", "Blue [1]"),
        ("Is the door blue or green?", "Red", None),
        ("Would Bo paint a door again?", "Likely yes", "Likely yes [1]"),
        ("What job might Bo have?", "Handyman", "Handyman [1]"),
        ("What job might Bo have?", "works at Harrods", None),
        ("What job might Bo have?", "handyman for 12 years", None),
        ("What job does Bo have?", "handyman", None),
    ],
)
def test_yes_and_no_and_what_is_concluded_have_rules_of_their_own(question: str, said: str, shown: str | None) -> None:
    found = find_conclusion(read_claim(said), question, PAINTED, TOPIC)
    assert (None if found is None else cite(found)) == shown


def test_a_plain_no_needs_a_line_that_says_so() -> None:
    lines = {1: "1 May 2026 Bo: I did not paint the door"}
    assert find_conclusion(read_claim("No"), "Did Bo paint the door?", lines, TOPIC) is not None
    assert find_conclusion(read_claim("Yes"), "Did Bo paint the door?", lines, TOPIC) is None
    assert find_conclusion(read_claim("No"), "Did Bo paint the door?", {}, TOPIC) is None


@pytest.mark.parametrize(
    ("said", "shown"),
    [("Two", "Two [1][2]"), ("Three", None), ("One", None), ("many", None)],
)
def test_a_count_is_said_or_can_be_counted(said: str, shown: str | None) -> None:
    found = find_count(read_claim(said), "How many doors did Bo paint?", PAINTED, TOPIC)
    assert (None if found is None else cite(found)) == shown


def test_a_count_that_a_line_says_cites_that_line() -> None:
    lines = {1: "1 May 2026 Bo: I painted doors", 2: "2 May 2026 Bo: I painted 7 doors"}
    found = find_count(read_claim("Seven"), "How many doors did Bo paint?", lines, TOPIC)
    assert found is not None and found.cited == (2,)
