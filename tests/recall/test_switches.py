"""Every mechanism of recall can be turned off, and off means that it does nothing."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from memcli.recall.depth import LEAST, MOST
from memcli.recall.finding import FIXED, Found, find
from memcli.recall.question import Query
from memcli.recall.switches import SWITCHES, Switches
from memcli.recall.weights import NAMES, SIGNALS, WEIGHTS, audible, silenced
from memcli.store.store import Store
from recall.making import EMBEDDER, embed_all, talk

OF_EVENTS = {"words_event", "covered_event", "meaning_event", "topic"}
"""What is not measured at all where it is off."""
QUESTION = "When did Ann paint the boat?"


def ask(store: Store, switches: Switches = SWITCHES, **options: bool) -> Found:
    return store.consult(lambda reading: find(reading.db, Query(QUESTION), EMBEDDER, switches=switches, **options))


@pytest.fixture
def full(empty: Store) -> Store:
    lines = [("Ben", "What about the boat?"), ("Ann", "I painted the boat last week, it is blue")]
    lines += [("Ann" if number % 2 else "Ben", f"The boat of harbour {number} is old") for number in range(40)]
    talk(empty, "S1", lines)
    embed_all(empty)
    return empty


def test_every_signal_but_the_words_themselves_can_be_silenced() -> None:
    assert {signal for signals in SIGNALS.values() for signal in signals} == set(NAMES) - {"words"} - OF_EVENTS
    assert set(SIGNALS) <= {flag.name for flag in fields(Switches)}


def test_nothing_is_silenced_by_itself() -> None:
    assert silenced(SWITCHES) == frozenset()
    assert audible(WEIGHTS, SWITCHES) is WEIGHTS


@pytest.mark.parametrize("flag", list(SIGNALS))
def test_a_silenced_signal_adds_nothing_to_any_score(full: Store, flag: str) -> None:
    for item in ask(full, replace(SWITCHES, **{flag: False})).evidence:
        assert all(item.signals.get(signal, 0.0) == 0.0 for signal in SIGNALS[flag])


def test_without_meaning_the_embedder_is_not_asked(full: Store) -> None:
    assert all(item.cosine == 0.0 for item in ask(full, replace(SWITCHES, meaning=False)).evidence)
    assert any(item.cosine > 0.0 for item in ask(full).evidence)


def test_as_many_pieces_as_seem_worth_reading_or_as_many_as_were_said(full: Store) -> None:
    assert LEAST <= len(ask(full).evidence) <= MOST
    assert len(ask(full, replace(SWITCHES, depth=False)).evidence) == FIXED
    for k in (1, 4, 30):
        found = full.consult(lambda reading, k=k: find(reading.db, Query(QUESTION, k=k), EMBEDDER, adaptive=False))
        assert len(found.evidence) == k


def test_an_embedder_of_another_model_is_named_and_not_used(full: Store) -> None:
    class Other:
        model = "0" * 64
        dim = 64

        def embed(self, texts: object) -> object:
            raise AssertionError("must not be asked")

    found = full.consult(lambda reading: find(reading.db, Query(QUESTION), Other()))  # type: ignore[arg-type]
    assert found.notice is not None and "mem tidy" in found.notice
    assert found.evidence and found.names == ["Ann", "Ben"]
