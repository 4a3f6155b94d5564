"""How much of the evidence is handed on."""

from __future__ import annotations

import math

import pytest

from memcli.recall.depth import LEAST, MOST, depth
from memcli.recall.search import Evidence
from memcli.types import Entry


def evidence(scores: list[float]) -> list[Evidence]:
    entry = Entry("I", "R", "S", 0, "K", "text", 0)
    return [Evidence(entry, score, {}) for score in scores]


@pytest.mark.parametrize(
    ("scores", "count"),
    [
        ([], 0),
        ([1.0], 1),
        ([1.0, 0.0], 2),
        ([9.0] + [0.0] * 19, LEAST),
        ([1.0] * 30, MOST),
        ([5.0] * 6 + [0.0] * 14, 6),
        ([-1000.0] * 5 + [-2000.0] * 15, 5),
    ],
)
def test_few_where_one_stands_out_and_many_where_all_are_alike(scores: list[float], count: int) -> None:
    assert depth(evidence(scores)) == count


def test_a_lower_chance_goes_deeper() -> None:
    found = evidence([-place / 3 for place in range(MOST)])
    counts = [depth(found, chance) for chance in (0.1, 0.03, 0.01, 0.001)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]
    assert math.isfinite(found[0].score)


def test_a_list_is_read_deeper_than_a_date_where_the_kind_is_told() -> None:
    found = evidence([-place / 3 for place in range(MOST)])
    counts = [depth(found, complexity=complexity) for complexity in (0.0, 0.5, 1.0)]
    assert counts == sorted(counts) and counts[0] < counts[-1]
    assert counts[0] >= LEAST and counts[-1] <= MOST
