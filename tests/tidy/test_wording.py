"""Titles and fact sheets of an event's own words: verbatim, readable, the same every time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from memcli.lang.phrases import names_of, telling
from memcli.tidy import wording
from memcli.tidy.wording import FACT_CHARS, TITLE_CHARS, Said, facts, heading, leaf, title, weights

NAMES = names_of(["Ann", "Ben"])
POTTERY = [
    ("Ann", "Hey Ben! I just signed up for a pottery class."),
    ("Ben", "Wow, a pottery class, that's great! What do you make there?"),
    ("Ann", "Mostly bowls so far. The clay is cold and heavy, but the kiln makes it all worth it."),
    ("Ben", "Can you bring one of the bowls on Sunday?"),
    ("Ann", "Sure! The blue bowl is for you, the pottery class ends in March."),
]
SMALL_TALK = [("Ann", "Thanks so much!"), ("Ben", "No worries. Take care!")]


def said(lines: Sequence[tuple[str, str]]) -> list[Said]:
    return [Said(f"E{place}", text, speaker) for place, (speaker, text) in enumerate(lines)]


def rarity(stem: str) -> float:
    return 3.0


def worded(lines: Sequence[tuple[str, str]], own: str | None = None) -> str:
    turns = said(lines)
    return title(turns, weights(turns, rarity, NAMES), NAMES, own)


def told(lines: Sequence[tuple[str, str]]) -> list[str]:
    turns = said(lines)
    found = facts(turns, weights(turns, rarity, NAMES), NAMES)
    texts = {turn.id: turn.text for turn in turns}
    return [texts[entry][begin:end] for entry, begin, end in found]


def test_a_title_is_what_is_said_most_and_by_both() -> None:
    assert worded(POTTERY) == "Pottery class"


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ("Sourdough  starter", "Sourdough starter"),
        ("New chat", "Pottery class"),
        ("untitled 3", "Pottery class"),
        ("(no subject)", "Pottery class"),
        ("word " * 40, "word word word word word word word word word word word word…"),
    ],
)
def test_what_the_source_calls_it_is_its_title_unless_that_says_nothing(own: str, expected: str) -> None:
    assert worded(POTTERY, own) == expected


@pytest.mark.parametrize(
    "lines",
    [
        SMALL_TALK,
        [("Ann", "ok")],
        [("Ann", "?!")],
        [("Ann", "x" * 300)],
        [("健二", "花生を食べると息が苦しくなるので、いつも薬を持ち歩いています。")],
        [("Ann", "Die Rechnung der Werkstatt liegt auf dem Schreibtisch.")],
        POTTERY,
    ],
)
def test_a_title_is_never_empty_and_never_too_long(lines: list[tuple[str, str]]) -> None:
    found = worded(lines)
    assert 0 < len(found) <= TITLE_CHARS + 1
    assert found == worded(lines)


def test_facts_are_the_central_sentences_verbatim_in_order_and_no_questions() -> None:
    assert told(POTTERY) == [
        "I just signed up for a pottery class.",
        "The clay is cold and heavy, but the kiln makes it all worth it.",
        "The blue bowl is for you, the pottery class ends in March.",
    ]


def test_where_there_are_only_questions_they_are_told() -> None:
    assert told([("Ann", "Where did the plumber leave the boiler key?")]) == [
        "Where did the plumber leave the boiler key?"
    ]


def test_a_long_sentence_is_cut_at_a_word() -> None:
    (fact,) = told([("Ann", "the boiler and the plumber met " * 40)])
    assert len(fact) <= FACT_CHARS
    assert fact.split()[-1] in "the boiler and the plumber met".split()


def test_nothing_but_small_talk_has_no_facts() -> None:
    assert told(SMALL_TALK) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Paint plan\nUse the stain", (1, "Paint plan")),
        ("### Deep ##\n", (3, "Deep")),
        ("no heading\n# later", None),
        ("#tag", None),
        ("", None),
    ],
)
def test_a_section_begins_with_its_heading(text: str, expected: tuple[int, str] | None) -> None:
    assert heading(text) == expected


def test_a_topic_grows_of_the_events_own_words_or_joins_one_that_is_there() -> None:
    turns = said(POTTERY)
    worth = weights(turns, rarity, NAMES)
    assert leaf(turns, worth, NAMES, rarity, ()) in {"pottery", "class", "bowls"}
    assert leaf(turns, worth, NAMES, rarity, ("bowls", "cats")) == "bowls"
    small = said(SMALL_TALK)
    assert leaf(small, weights(small, rarity, NAMES), NAMES, rarity, ()) is None


def test_rare_words_said_by_two_weigh_more() -> None:
    turns = said(POTTERY)

    def known(stem: str) -> float:
        return 0.5 if stem in telling("pottery class") else 3.0

    worth = weights(turns, known, NAMES)
    assert worth["bowl"] > worth["potteri"]
    assert worth["bowl"] > worth["kiln"] == pytest.approx(0.6 * 3.0)
    assert math.isfinite(sum(worth.values()))
    assert wording.facts([], {}, NAMES) == []
