"""Labelled sayings from words to memories, extraction and all (C7)."""

from __future__ import annotations

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
    assert right >= 0.75 * len(pairs)


def test_labelled_near_misses_are_never_one_memory() -> None:
    for pair in cases("merging")["near_misses"]:
        with new_store() as store:
            keep(store, pair["entries"], [pair["entries"][0]["speaker"]])
            assert all(len({quote.entry for quote in memory.quotes}) == 1 for memory in all_memories(store))
