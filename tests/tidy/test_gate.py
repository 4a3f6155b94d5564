"""B1: windows that say nothing new are kept and not read for memories."""

from __future__ import annotations

from memcli.tidy.gate import ALPHA, WINDOW, windows
from memcli.types import Entry


def turn(number: int, text: str) -> Entry:
    return Entry(f"E{number}", "R", "talk", number, f"k{number}", text, 0)


SAME = [turn(n, "ha, yes indeed") for n in range(3 * WINDOW)]


def test_the_entropy_is_that_of_the_equations() -> None:
    turns = [*SAME[:WINDOW], *[turn(9 + n, "we met Ann and Ben" if n == 0 else "ok") for n in range(WINDOW)]]
    half = {entry.id: (1.0, 0.0) if number < WINDOW else (0.6, 0.8) for number, entry in enumerate(turns)}
    first, second = windows(turns, half, set())
    assert first.entropy is None
    assert second.entropy is not None
    assert abs(second.entropy - (ALPHA * 2 / WINDOW + (1 - ALPHA) * 0.4)) < 1e-9


def test_a_repetition_is_gated_and_the_start_of_a_talk_never_is() -> None:
    found = windows(SAME, {entry.id: (0.6, 0.8) for entry in SAME}, set())
    assert [window.gated for window in found] == [False, True, True]
    assert found[1].entries == tuple(entry.id for entry in SAME[WINDOW : 2 * WINDOW])


def test_a_name_is_new_once() -> None:
    known = {"ann"}
    turns = [*SAME[:WINDOW], *[turn(20 + n, "so Ann said") for n in range(WINDOW)]]
    assert windows(turns, {entry.id: (1.0, 0.0) for entry in turns}, known)[1].gated


def test_without_vectors_everything_is_read() -> None:
    assert not any(window.gated for window in windows(SAME, {}, set()))
