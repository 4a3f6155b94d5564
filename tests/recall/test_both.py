"""Searching with a question as it was asked and as it is understood (D1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memcli.recall.question import Query
from memcli.recall.search import Evidence, recall, recall_both
from memcli.store.store import Store
from recall.making import talk, vector


def both(store: Store, asked: str, understood: str, k: int = 8) -> list[Evidence]:
    query = Query(asked, k=k)

    def use(reading) -> list[Evidence]:  # type: ignore[no-untyped-def]
        vectors = vector(reading.db, asked), vector(reading.db, understood)
        return recall_both(reading.db, query, replace(query, text=understood), vectors)

    return store.consult(use)


def alone(store: Store, text: str, k: int = 8) -> list[Evidence]:
    return store.consult(lambda reading: recall(reading.db, Query(text, k=k), vector(reading.db, text)))


@pytest.mark.parametrize("text", ["What did Ben see?", "Does copper tape work?", "Which colour has the shed?"])
def test_a_question_that_needs_nothing_is_searched_as_ever(store: Store, text: str) -> None:
    assert both(store, text, text) == alone(store, text)


@pytest.mark.parametrize(
    "understood", ["What does the cello sound like?", "zorblax", "What did Ben see near the lighthouse?"]
)
def test_what_its_own_words_find_is_found_whatever_it_was_understood_as(store: Store, understood: str) -> None:
    asked = "Does copper tape work against snails?"
    found = {item.entry.id for item in both(store, asked, understood, k=20)}
    assert found >= {item.entry.id for item in alone(store, asked, k=20)}
    assert found >= {item.entry.id for item in alone(store, understood, k=20)}


def test_each_turn_has_the_better_of_its_scores_and_stands_once(store: Store) -> None:
    asked, understood = "What did she bring?", "What did Ben bring home, mussels?"
    found = both(store, asked, understood, k=20)
    assert len({item.entry.id for item in found}) == len(found)
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)
    by_understanding = {item.entry.id: item.score for item in alone(store, understood, k=20)}
    assert all(item.score >= by_understanding.get(item.entry.id, item.score) - 1e-9 for item in found)
    assert found[0].entry.text == "Only a handful of blue mussels."


def test_a_question_of_few_words_does_not_drown_the_one_it_is_understood_as(store: Store) -> None:
    talk(store, "talk:and", [("Ann", f"and and and, story {number} goes on") for number in range(12)])
    assert both(store, "And Ben?", "What did Ben see near the lighthouse?", k=1)[0].entry.text == (
        "Cold. I saw three seals near the lighthouse."
    )


def test_the_cosine_is_that_with_the_question_as_it_is_understood(store: Store) -> None:
    understood = "What did Ben see near the lighthouse?"
    expected = {item.entry.id: item.cosine for item in alone(store, understood, k=20)}
    for item in both(store, "And Ben?", understood, k=20):
        assert item.cosine == pytest.approx(expected.get(item.entry.id, item.cosine))
