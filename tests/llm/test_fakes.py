"""The fakes keep the promises of the Protocols they stand in for."""

from __future__ import annotations

import math

import pytest

from memcli.errors import ModelFailed
from memcli.llm.embed import Embedder
from memcli.llm.generate import Generator, complete
from memcli.llm.prompt import Prompt

from .fakes import HashingEmbedder, ScriptedGenerator

PROMPT = Prompt("Be brief.", "Why?", max_tokens=7)


def dot(a: list[float], b: list[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def test_hashed_vectors_have_length_one_and_are_near_when_words_are_shared() -> None:
    embedder: Embedder = HashingEmbedder(dim=64)
    one, same, near, far = embedder.embed(["red apple pie", "red apple pie", "red apple cake", "old stone bridge"])
    assert math.fsum(x * x for x in one) == pytest.approx(1.0)
    assert one == same
    assert dot(one, near) > dot(one, far)


def test_a_complete_answer_is_handed_on() -> None:
    generator: Generator = ScriptedGenerator(["because of the rain"])
    assert complete(generator, PROMPT) == "because of the rain"


def test_an_answer_that_was_cut_is_a_failure_and_never_handed_on() -> None:
    with pytest.raises(ModelFailed, match="7 tokens"):
        complete(ScriptedGenerator(['{"half": '], reason="length"), PROMPT)


def test_a_scripted_failure_is_raised() -> None:
    with pytest.raises(ModelFailed):
        complete(ScriptedGenerator([ModelFailed("no luck")]), PROMPT)
