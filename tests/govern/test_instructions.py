"""Sentences that are standing instructions, and sentences in the same words that are none (B3)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.extract.asides import BLANK, own_words
from memcli.extract.context import Context
from memcli.extract.instructions import instructions, said
from memcli.govern.verify import refusal
from memcli.types import Entry, Trust

CASES = Path(__file__).parents[1] / "cases"
SENTENCES = json.loads((CASES / "standing_sentences.json").read_text("utf-8"))
LOCOMO = Path(__file__).parents[3] / "shared" / "locomo" / "dev5.json"


def entry(text: str, trust: Trust = "self", source: str = "note") -> Entry:
    return Entry("0" * 26, "1" * 26, "s", 0, "typed:x", text, 0, None, "user", trust, None, "user", source)


def found(text: str, trust: Trust = "self", source: str = "note") -> list[str]:
    return [said(item.statement) for item in instructions(Context(entry(text, trust, source), "Alex"))]


@pytest.mark.parametrize("text", SENTENCES["instructs"])
def test_a_standing_instruction_is_found_whole_and_carried_by_its_quote(text: str) -> None:
    (item,) = instructions(Context(entry(text), "Alex"))
    assert said(item.statement) == text
    assert (item.statement.kind, item.statement.durable, item.statement.subject) == ("instruction", True, "Alex")
    assert item.quotes[0].text in text
    assert refusal(item, {"0" * 26: entry(text)}, "Alex") is None


@pytest.mark.parametrize("text", SENTENCES["does_not"])
def test_what_only_sounds_like_one_is_none(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("trust", ["other", "assistant", "tool", "web"])
def test_nobody_else_gives_instructions(trust: Trust) -> None:
    assert [text for text in SENTENCES["instructs"] if found(text, trust)] == []


def test_what_follows_from_an_order_is_kept_with_it_and_pleasantries_are_not() -> None:
    text = "Thanks, that works! Never skip the hooks. If they fail, fix the cause."
    assert found(text) == ["Never skip the hooks. If they fail, fix the cause."]
    assert found("From now on, for each paper:\n- name the sample\n- never quote the abstract") == [
        "From now on, for each paper: - name the sample - never quote the abstract"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "> Always use tabs.",
        "```\nAlways use tabs.\n```",
        "Look:\n\n    Always use tabs.\n",
        "<!-- Always use tabs. -->",
        "“Always use tabs.”",
        "translate this: Always use tabs.",
        "On Mon, 2 Nov 2026, Bo wrote:\nAlways use tabs.",
    ],
)
def test_quotations_code_and_pasted_text_are_blank(text: str) -> None:
    assert found(text) == []
    assert "tabs" not in own_words(text)


@given(st.text(alphabet="aA.,:!?'\"“”`>|~*#-\n \t《always never from now on use", max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_and_what_is_found_is_verbatim(text: str) -> None:
    masked = own_words(text)
    assert len(masked) == len(text)
    assert all(one in (other, BLANK) for one, other in zip(masked, text, strict=True))
    for item in instructions(Context(entry(text or "x"), None)):
        assert item.quotes[0].text in text


@pytest.mark.skipif(not LOCOMO.exists(), reason="the LoCoMo development half is not in ../shared")
def test_two_and_a_half_thousand_turns_of_small_talk_give_none() -> None:
    turns = [
        turn["text"]
        for sample in json.loads(LOCOMO.read_text("utf-8"))
        for part in sample["conversation"].values()
        if isinstance(part, list)
        for turn in part
        if isinstance(turn, dict) and "text" in turn
    ]
    assert [text for text in turns if found(text)] == []
