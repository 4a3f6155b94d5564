"""Secrets and look-alikes from label files that were written before the rules."""

import json
from pathlib import Path
from typing import Any

import pytest

from memcli.lang.redact import redact

CASES = Path(__file__).parent.parent / "cases"
FILES = ("secrets.json", "secrets_more.json")


def labels(file: str) -> list[dict[str, Any]]:
    return json.loads((CASES / file).read_text(encoding="utf-8"))


def text_of(case: dict[str, Any]) -> str:
    return "".join(case["parts"])


def secret_of(case: dict[str, Any]) -> str:
    return "".join(case["secret_parts"])


POSITIVES = [case for file in FILES for case in labels(file) if case["kind"]]
BENIGN = [case for file in FILES for case in labels(file) if not case["kind"]]


@pytest.mark.parametrize("file", FILES)
def test_at_least_95_percent_of_the_secrets_are_hidden(file):
    cases = [case for case in labels(file) if case["kind"] and not case.get("hard")]
    missed = [case["kind"] for case in cases if secret_of(case) in redact(text_of(case)).text]
    assert len(missed) <= 0.05 * len(cases), missed


@pytest.mark.parametrize("file", FILES)
def test_at_most_2_percent_of_harmless_texts_are_flagged(file):
    cases = [case for case in labels(file) if not case["kind"]]
    flagged = [text_of(case) for case in cases if redact(text_of(case)).found]
    assert len(flagged) <= 0.02 * len(cases), flagged


def test_what_is_hidden_is_named_right():
    """The placeholder says which kind it was; a token of a service has the service's name."""
    wrong = []
    for case in POSITIVES:
        found = {one.rule for one in redact(text_of(case)).found}
        want = case["kind"].replace("-", " ")
        named = (
            want in found if want != "other token" else found and not found & {"api key", "password", "url password"}
        )
        if found and not named:
            wrong.append((want, found))
    assert len(wrong) <= 0.02 * len(POSITIVES), wrong


def test_no_more_than_two_characters_of_a_secret_are_left():
    for case in POSITIVES:
        text, secret = text_of(case), secret_of(case)
        result = redact(text)
        if secret in result.text:
            continue  # counted above
        at = text.index(secret)
        covered = sum(max(0, min(one.end, at + len(secret)) - max(one.start, at)) for one in result.found)
        assert covered >= len(secret) - 2, (case["kind"], result.text)


def test_the_spans_are_those_of_the_original_and_the_rest_survives():
    for case in POSITIVES:
        text = text_of(case)
        result = redact(text)
        pieces, at = [], 0
        for one in result.found:
            assert at <= one.start < one.end <= len(text)
            pieces += [text[at : one.start], f"[secret: {one.rule}]"]
            at = one.end
        assert "".join([*pieces, text[at:]]) == result.text


def test_hiding_twice_changes_nothing():
    for case in POSITIVES:
        once = redact(text_of(case)).text
        again = redact(once)
        assert again.text is once
        assert again.found == ()


def test_a_harmless_text_comes_back_as_the_same_object():
    for case in BENIGN:
        text = text_of(case)
        result = redact(text)
        if not result.found:
            assert result.text is text


def test_the_demo_chat_has_no_secret():
    chat = (CASES.parent.parent / "examples" / "demo-chat.txt").read_text(encoding="utf-8")
    assert redact(chat).text is chat
    assert not any(redact(line).found for line in chat.splitlines())
