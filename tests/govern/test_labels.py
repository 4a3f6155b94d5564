"""Labelled sayings from words to memories, extraction and all (C7)."""

from __future__ import annotations

import pytest

from govern.making import all_memories, cases, keep, new_store, wall

LATER = wall("2026-11-30T12:00") or 0


def test_labelled_contradictions_from_words_to_memories() -> None:
    """Extraction and all: none is wrongly retired, and most are right."""
    right = wrong = 0
    pairs = cases("contradictions")["pairs"]
    for pair in pairs:
        with new_store() as store:
            place = {name: number for number, name in enumerate(keep(store, pair["entries"], [pair["me"]]))}
            memories = all_memories(store)
        closed = {
            place[quote.entry]
            for memory in memories
            if memory.replaced_by is not None and (memory.until_ms is None or memory.until_ms <= LATER)
            for quote in memory.quotes
        }
        asks = any(memory.against for memory in memories)
        expected = {pair["expect"], *pair.get("expect_also", [])}
        wrong += not closed <= set(pair["retired"])
        right += closed == set(pair["retired"]) and (
            "ask" in expected if asks else bool(expected & {"both", "superseded"})
        )
    assert wrong == 0
    assert right >= 0.9 * len(pairs)


def test_labelled_near_misses_are_never_one_memory() -> None:
    for pair in cases("merging")["near_misses"]:
        with new_store() as store:
            keep(store, pair["entries"], [pair["entries"][0]["speaker"]])
            assert all(len({quote.entry for quote in memory.quotes}) == 1 for memory in all_memories(store))


@pytest.mark.parametrize(("place", "at_least"), [(0, 6), (1, 4), (2, 4)])
def test_close_rewordings_from_words_to_one_memory(place: int, at_least: int) -> None:
    """Six of each ten are close rewordings; the distant ones stand beside them as memories of their own."""
    fact = cases("merging")["paraphrases"][place]
    with new_store() as store:
        keep(store, fact["entries"], [fact["entries"][0]["speaker"]])
        assert max(len({quote.entry for quote in memory.quotes}) for memory in all_memories(store)) >= at_least


def test_an_allergy_needs_something_that_one_can_be_allergic_to() -> None:
    said = ["Priya is allergic to the joke", "I'm allergic to Mondays lol", "Priya is allergic to walnuts"]
    with new_store() as store:
        keep(store, [{"text": text, "speaker": None, "said_at": "2026-03-01T10:00"} for text in said], ["Ann"])
        assert [memory.statement.text for memory in all_memories(store)] == ["Priya is allergic to walnuts."]
