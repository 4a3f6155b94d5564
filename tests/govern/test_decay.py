"""C4: strength is a formula of class, days and use; nothing is iterated, nothing is lost."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.clock import DAY_MS
from memcli.govern.decay import FLOOR, HALF_LIVES, strength
from memcli.memories import CLASSES, Class, Memory, Quote, Standing, Statement

START = 1_700_000_000_000


def memory(cls: Class, importance: float = 0.5, *, pin: bool = False, standing: Standing = "memory") -> Memory:
    statement = Statement("Ann has a key.", "Ann", "has", "a key", "fact", cls, importance=importance)
    quotes = (Quote("E", "a key"),)
    return Memory("M", "R", "extractor", "user", "self", statement, quotes, standing, pin=pin, recorded_ms=START)


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("days", [0, 1, 7, 21, 30, 180, 365, 1460, 1825, 3650])
def test_the_table_of_days_and_classes_is_the_formula(cls: Class, days: int) -> None:
    now = strength(memory(cls), [], START + days * DAY_MS).now
    assert now == pytest.approx(0.75 * 0.5 ** (days / HALF_LIVES[cls]))


def test_half_is_left_after_a_half_life_and_other_half_lives_can_be_said() -> None:
    day = START + 10 * DAY_MS
    assert strength(memory("task_state"), [], day, {**HALF_LIVES, "task_state": 10}).now == pytest.approx(0.375)


@pytest.mark.parametrize(("pin", "standing"), [(True, "memory"), (False, "rule")])
def test_what_is_pinned_or_a_rule_does_not_fade(pin: bool, standing: Standing) -> None:
    found = strength(memory("task_state", pin=pin, standing=standing), [], START + 9999 * DAY_MS)
    assert (found.now, found.archived_ms) == (0.75, None)


def test_a_use_raises_what_is_left_and_the_clock_starts_again() -> None:
    used = START + 21 * DAY_MS
    left = 0.375 + (1 - 0.375) * 0.3
    assert strength(memory("task_state"), [used], used).now == pytest.approx(left)
    assert strength(memory("task_state"), [used], used + 21 * DAY_MS).now == pytest.approx(left / 2)
    assert strength(memory("task_state"), [used], used - 1).now > 0.375


@given(
    st.sampled_from([cls for cls in CLASSES if cls != "permanent"]),
    st.lists(st.integers(0, 2000), max_size=5),
    st.integers(0, 60_000),
)
def test_it_is_archived_exactly_when_it_falls_below_the_floor(cls: Class, uses: list[int], days: int) -> None:
    now = START + days * DAY_MS
    found = strength(memory(cls), [START + use * DAY_MS for use in uses], now)
    assert found.archived(now) == (found.now < FLOOR) or math.isclose(found.now, FLOOR, rel_tol=1e-6)


@given(st.lists(st.integers(0, 400), min_size=1, max_size=30))
def test_looking_often_changes_nothing_that_looking_once_would_not(looks: list[int]) -> None:
    end = START + 400 * DAY_MS
    for look in looks:
        strength(memory("observation"), [], START + look * DAY_MS)
    assert strength(memory("observation"), [], end) == strength(memory("observation"), [], end)
