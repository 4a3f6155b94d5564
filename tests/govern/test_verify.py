"""What code lets pass of what an extractor proposes, and what it refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memcli.extract.context import Found
from memcli.govern.verify import refusal
from memcli.memories import Quote, Statement
from tests.extract.making import entry

SAID = entry("I'm flying to Cork next Friday at 9:30 with Bo, for 3 days", "Nora", number=1)
ENTRIES = {"1": SAID}


def _found(text: str, quote: str = SAID.text, subject: str = "Nora") -> Found:
    statement = Statement(text, subject, "plan:fly", "cork", "plan", "task_state")
    return Found(statement, (Quote("1", quote),))


@pytest.mark.parametrize(
    "text",
    [
        "Nora is flying to Cork on Friday 13 March 2026 at 09:30 with Bo.",
        "Nora is flying to Cork for 3 days.",
        "Nora said “I'm flying to Cork”.",
    ],
)
def test_what_the_evidence_or_the_calendar_says_passes(text: str) -> None:
    assert refusal(_found(text), ENTRIES) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("I am flying to Cork.", "a pronoun is left"),
        ("Nora is flying to Cork next Friday.", "a relative time is left"),
        ("Nora is flying to Cork for 4 days.", "a number from nowhere"),
        ("Nora is flying to Cork on 14 March 2026.", "a number from nowhere"),
        ("Nora is flying to Cork in 2025.", "a number from nowhere"),
        ("Nora is flying to Galway.", "a name from nowhere"),
        ("", "empty"),
    ],
)
def test_what_nobody_said_is_refused(text: str, why: str) -> None:
    assert refusal(_found(text), ENTRIES) == why


def test_a_date_is_worked_out_from_the_entry_that_is_cited_and_no_other() -> None:
    other = entry("see you tomorrow", "Bo", number=2)
    assert (
        refusal(_found("Nora is away on Thursday 12 March 2026.", "flying to Cork"), ENTRIES | {"2": other}) is not None
    )


def test_without_a_known_time_no_date_can_be_worked_out() -> None:
    undated = replace(SAID, moment=None)
    assert refusal(_found("Nora is flying to Cork on Friday 13 March 2026."), {"1": undated}) == "a number from nowhere"


def test_names_that_code_resolved_pass() -> None:
    assert refusal(_found("Nora is flying to Cork with Priya."), ENTRIES) == "a name from nowhere"
    assert refusal(_found("Nora is flying to Cork with Priya."), ENTRIES, "Nora Priya") is None


def test_a_quote_must_be_verbatim_and_of_an_entry_that_was_given() -> None:
    assert refusal(_found("Nora is flying.", "flying to cork"), ENTRIES) == "a quote that is not verbatim"
    assert refusal(_found("Nora is flying."), {}) == "cites what it was not given"
    assert refusal(replace(_found("Nora is flying."), quotes=()), ENTRIES) == "no evidence"
