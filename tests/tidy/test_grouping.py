"""Grouping: a cut where the talk turns to something else, and nowhere else."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.tidy import grouping
from memcli.tidy.grouping import LONGEST, Piece, Scale, cuts, group_of, in_context, merged, nearness, scale_of, unit

DIM = 8
FLAT = Scale()


def about(subject: int, shade: int = 0, **fields: object) -> Piece:
    """A piece about one of four subjects; pieces of one subject are alike (cosine about .75), others are not."""
    vector = [0.0] * DIM
    vector[subject] = 1.0
    vector[4 + shade % 4] = 0.6
    return Piece(unit(vector), {f"word{subject}": 2.0}, **fields)  # type: ignore[arg-type]


def talk(*subjects: int) -> list[Piece]:
    return [about(subject, place) for place, subject in enumerate(subjects)]


@pytest.mark.parametrize(
    ("subjects", "expected"),
    [
        ([], []),
        ([0], [0]),
        ([0, 0], [0]),
        ([0] * 6, [0]),
        ([0] * 5 + [1] * 5, [0, 5]),
        ([0] * 4 + [1] * 6 + [2] * 5, [0, 4, 10]),
        ([0] * 5 + [1] + [0] * 5, [0]),
    ],
)
def test_a_cut_is_where_the_subject_changes_for_good(subjects: list[int], expected: list[int]) -> None:
    assert cuts(talk(*subjects), FLAT) == expected


def test_a_question_keeps_its_answer() -> None:
    pieces = talk(0, 0, 0, 0, 1, 1, 1)
    assert cuts(pieces, FLAT) == [0, 4]
    pieces[4] = about(1, 4, price=10.0)
    assert cuts(pieces, FLAT) != [0, 4]


def test_a_silence_cuts_whatever_is_said() -> None:
    pieces = talk(0, 0, 0, 0, 0, 0)
    pieces[2] = about(0, 2, cut=True)
    assert cuts(pieces, FLAT) == [0, 2]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()), max_size=80))
@settings(max_examples=40, deadline=None)
def test_whatever_is_said_every_piece_is_in_one_stretch_and_none_is_too_long(said: list[tuple[int, int, bool]]) -> None:
    pieces = [about(subject, shade, cut=cut and place > 0) for place, (subject, shade, cut) in enumerate(said)]
    found = cuts(pieces, FLAT)
    assert found == sorted(set(found))
    assert found[:1] == ([0] if pieces else [])
    assert {place for place, piece in enumerate(pieces) if piece.cut} <= set(found)
    assert all(end - start <= LONGEST for start, end in pairwise([*found, len(pieces)]))
    assert cuts(pieces, FLAT) == found


def test_vectors_in_context_are_those_of_the_mixed_ones() -> None:
    vectors = [piece.vector for piece in talk(0, 1, 1, 2, 0)]
    mixed = []
    for place, vector in enumerate(vectors):
        beside = [vectors[near] for near in (place - 1, place + 1) if 0 <= near < len(vectors)]
        shares = [grouping.NEIGHBOUR * sum(values) for values in zip(*beside, strict=True)]
        mixed.append(unit([own + share for own, share in zip(vector, shares, strict=True)]))
    for place, row in enumerate(in_context(vectors, 3)):
        expected = [grouping.cosine(mixed[place], mixed[other]) for other in range(place + 1, min(5, place + 3))]
        assert row == pytest.approx(expected)


def test_a_store_of_another_embedder_is_brought_to_the_same_scale() -> None:
    alike = [unit([1.0, 0.5 * math.sin(place), 0.5 * math.cos(2 * place)]) for place in range(48)]
    scale = scale_of(alike)
    assert scale.mean > 0.4
    assert scale(scale.mean) == pytest.approx(grouping.MEAN)
    assert scale_of(alike[:2]) == Scale()


def test_groups_are_near_by_meaning_and_by_words() -> None:
    first, again, other = (group_of(talk(*[subject] * 3)) for subject in (0, 0, 1))
    assert nearness(first, again, FLAT) > 1 > 0.5 > nearness(first, other, FLAT)
    both = merged(first, other)
    assert (both.size, set(both.terms)) == (6, {"word0", "word1"})
    assert both.total == pytest.approx(group_of(talk(0, 0, 0) + talk(1, 1, 1)).total)
