"""Invariant 9: in whatever order and in however many tidies sayings come in, the same is known afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from govern.making import decide, entry, new_store, state, statement, wall
from memcli.memories import Statement

MAY = wall("2026-05-01T00:00")
KINDS: tuple[tuple[str, Statement], ...] = (
    ("I live in Oslo", statement("Ann lives in Oslo.", "Ann", "lives_in", "oslo")),
    ("oslo is where I live", statement("Ann lives in Oslo, she says.", "Ann", "lives_in", "oslo")),
    ("I live in Bergen now", statement("Ann lives in Bergen now.", "Ann", "lives_in", "bergen", change=True)),
    ("correction: I live in Moss", statement("Ann lives in Moss.", "Ann", "lives_in", "moss", change=True)),
    (
        "no, I never lived in Bergen after all",
        statement("Ann does not live in Bergen.", "Ann", "lives_in", "bergen", negated=True),
    ),
    (
        "on 1 may we move to Moss",
        statement(
            "Ann moves to Moss on 1 May 2026.",
            "Ann",
            "moves_to",
            "moss",
            kind="plan",
            begin_ms=MAY,
            end_ms=MAY + 86_400_000,
        ),
    ),
    ("I smoke ten a day", statement("Ann smokes ten a day.", "Ann", "habit:smoke ten a day", "ten a day")),
    ("stopped smoking", statement("Ann stopped smoking.", "Ann", "gave_up", "smoking", change=True)),
    ("I like tea and rain", statement("Ann likes tea and rain.", "Ann", "state:like", "tea and rain")),
    ("tea, rain: I like them", statement("Ann likes rain and tea.", "Ann", "state:like", "rain and tea")),
    (
        "I like tea and rain and snow",
        statement("Ann likes tea and rain and snow.", "Ann", "state:like", "tea and rain and snow"),
    ),
)
DAYS = [None, *(f"2026-0{month}-03T10:00" for month in (2, 3, 4, 6))]
SAYINGS = st.tuples(
    st.sampled_from(range(len(KINDS))),
    st.sampled_from(DAYS),
    st.sampled_from(["self", "self", "self", "other", "assistant"]),
)


def known(told: Sequence[tuple[int, str | None, str]], order: Sequence[int], cuts: Sequence[int]) -> list[Any]:
    """What is known after these sayings came in this order, a tidy after each of the cuts."""
    with new_store() as store:
        batch = []
        for place, number in enumerate(order):
            kind, said_at, trust = told[number]
            words, stated = KINDS[kind]
            said = {
                "text": f"{words} ({number})",
                "said_at": said_at,
                "trust": trust,
                "speaker": "Ann" if trust == "self" else "Ben",
            }
            made = entry(store, said)
            store.append_entries([made])
            batch.append((stated, made))
            if place in cuts:
                decide(store, batch)
                batch = []
        decide(store, batch)
        return state(store)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_order_in_any_batches_gives_the_same_memories(data: st.DataObject) -> None:
    told = data.draw(st.lists(SAYINGS, min_size=2, max_size=7))
    first = data.draw(st.permutations(range(len(told))))
    second = data.draw(st.permutations(range(len(told))))
    cuts = data.draw(st.sets(st.integers(0, len(told) - 1)))
    assert known(told, first, ()) == known(told, second, sorted(cuts))
