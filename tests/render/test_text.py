"""Stored text on its way to a terminal: harmless, measured, wrapped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.render.text import clip, harmless, one_line, width, wrap

ANY = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\n\ttext", "plain\n\ttext"),
        ("a\r\nb", "a\nb"),
        ("a\rb", "a\\x0db"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x9b31m", "\\x9b31m"),
        ("\u202egpj", "\\u202egpj"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("👩‍👩‍👧 می‌خواهم", "👩‍👩‍👧 می‌خواهم"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_instead(text: str, shown: str) -> None:
    assert harmless(text) == shown


@given(ANY)
def test_nothing_but_text_is_left_and_twice_is_once(text: str) -> None:
    shown = harmless(text)
    assert not any((ord(char) < 0x20 and char not in "\n\t") or 0x7F <= ord(char) < 0xA0 for char in shown)
    assert harmless(shown) == shown
    assert "\n" not in one_line(text)


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("花生", 4), ("e\u0301", 1), ("コーヒーab", 10), ("", 0)])
def test_width_in_columns(text: str, columns: int) -> None:
    assert width(text) == columns


@given(ANY.map(one_line), st.integers(2, 100))
def test_a_clipped_text_fits(text: str, columns: int) -> None:
    short = clip(text, columns)
    assert width(short) <= columns
    assert short == text or short.endswith("…")


@given(ANY.map(one_line), st.integers(20, 100))
def test_wrapping_loses_no_character_and_fits(text: str, columns: int) -> None:
    lines = wrap(text, columns, "    ").split("\n")
    assert "".join("".join(line.split()) for line in lines) == "".join(text.split())
    assert all(width(line) <= columns for line in lines)


def test_a_run_without_spaces_breaks_inside() -> None:
    assert wrap("x" * 50, 20).split("\n") == ["x" * 20, "x" * 20, "x" * 10]
    assert all(width(line) <= 20 for line in wrap("花" * 30, 20, "    ").split("\n"))
