"""A question in parts, and a second look (D8)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memcli.projection.database import Database
from memcli.recall.finding import find
from memcli.recall.question import Query, read
from memcli.recall.rounds import next_look, parts_of
from memcli.recall.switches import SWITCHES
from memcli.store.store import Reading, Store
from recall.making import EMBEDDER, embed_all, talk

NAMES = ["Ann", "Ben", "Cleo"]
ON = replace(SWITCHES, rounds=True)
QUESTION = "Where does the violin teacher of Ann live?"


@pytest.fixture
def store(empty: Store) -> Store:
    talk(empty, "S1", [("Ann", "My violin teacher is called Orla Byrne, she is strict"), ("Ben", "Good for you")])
    talk(empty, "S2", [("Ben", "My sister met Orla Byrne in Galway, she has a flat at the quay"), ("Cleo", "Nice")])
    filler = [("Ann" if number % 2 else "Ben", f"Lesson {number} went well") for number in range(60)]
    talk(empty, "S3", filler)
    embed_all(empty)
    return empty


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What do Ann and Ben both like?", ["What do Ann both like?", "What do Ben both like?"]),
        ("Where did Ann, Ben meet?", ["Where did Ann meet?", "Where did Ben meet?"]),
        ("What did Ann give to Ben?", []),
        ("What does Ann like?", []),
        ("Do Ann and Ann’s brother sing?", []),
        ("Who is older?", []),
    ],
)
def test_a_question_about_two_is_also_asked_about_each(question: str, parts: list[str]) -> None:
    assert parts_of(question, NAMES) == parts


def look(db: Database, said: int) -> str | None:
    found = find(db, Query(QUESTION, k=said), EMBEDDER, adaptive=False)
    return next_look(db, read(QUESTION, NAMES), [item.entry for item in found.evidence], NAMES, QUESTION)


def test_what_is_missing_is_looked_for_with_the_name_that_was_found(store: Store) -> None:
    assert store.consult(lambda reading: look(reading.db, 1)) == "live Orla Byrne"


def test_the_second_look_finds_what_shares_no_word_with_the_question(store: Store) -> None:
    def places(reading: Reading) -> tuple[list[str], list[str]]:
        query = Query(QUESTION, k=3)
        ways = [find(reading.db, query, EMBEDDER, adaptive=False, switches=one) for one in (SWITCHES, ON)]
        return tuple([item.entry.text for item in way.evidence] for way in ways)  # type: ignore[return-value]

    without, with_it = store.consult(places)
    assert not any("Galway" in text for text in without)
    assert any("Galway" in text for text in with_it)
    assert with_it[0] == without[0], "what the question finds by itself stays first"


def test_where_the_evidence_has_the_question_nothing_more_is_looked_for(store: Store) -> None:
    def asked(reading: Reading) -> str | None:
        text = "Who is the strict violin teacher of Ann?"
        found = find(reading.db, Query(text, k=3), EMBEDDER, adaptive=False)
        return next_look(reading.db, read(text, NAMES), [item.entry for item in found.evidence], NAMES, text)

    assert store.consult(asked) is None
    assert store.consult(lambda reading: next_look(reading.db, read(QUESTION, NAMES), [], NAMES, QUESTION)) is None
