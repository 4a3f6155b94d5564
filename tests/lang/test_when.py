"""The labels: phrases in sentences, written before the rules by people who had not read them."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from memcli.lang.when import Interval, find_times

CASES = Path(__file__).parent.parent / "cases"
MISSES = {
    # "spring" is a coil here; only the sofa tells.
    "This spring is broken, the sofa squeaks.",
}


def labels() -> list[Any]:
    found = []
    for name in ("time_phrases.json", "time_phrases_more.json"):
        for case in json.loads((CASES / name).read_text(encoding="utf-8")):
            sentence = f"{case['lang']}: {case['text']} ({case['said_at']})"
            marks = [pytest.mark.xfail(strict=True)] if case["text"] in MISSES else []
            found.append(pytest.param(case, id=sentence, marks=marks))
    return found


def shown(value: datetime, grain: str) -> str:
    return f"{value:%Y-%m-%dT%H:%M}" if grain in ("minute", "hour", "part") else f"{value:%Y-%m-%d}"


def read(case: dict[str, Any]) -> list[Interval]:
    said = datetime.fromisoformat(case["said_at"])
    return find_times(case["text"], said, ZoneInfo(case["zone"]), names=case.get("names", ()))


@pytest.mark.parametrize("case", labels())
def test_a_sentence_gives_the_labelled_times(case: dict[str, Any]) -> None:
    found = read(case)
    got = [(shown(one.start, one.grain), shown(one.end, one.grain), one.grain, one.approximate) for one in found]
    assert got == [(one["start"], one["end"], one["grain"], one["approximate"]) for one in case["expect"]]
    for one, label in zip(found, case["expect"], strict=True):
        start = case["text"].index(label["phrase"])
        assert one.span[0] < start + len(label["phrase"]) and start < one.span[1]
        assert case["text"][slice(*one.span)] == one.phrase
