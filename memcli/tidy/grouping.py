"""Which pieces that follow each other are about one thing: cuts where the talk turns to another (B4).

Pure: vectors and words in, cuts out. A stretch is worth as much as its pieces
are more alike than pieces usually are, less a price for every stretch; the
best cuts are found by dynamic programming. One event a turn costs its price
too often, one giant event is alike in nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

LONGEST = 24
"""Pieces in one stretch at most."""
PRICE = 0.8
"""What every stretch has to be worth more than."""
SHORT, SHORT_PRICE = 3, 0.3
"""A stretch of fewer pieces than this costs more."""
ANSWER_PRICE = 0.3
"""What a cut between a question and what follows costs."""
LIGHT_PRICE = 0.3
"""What a cut before a piece costs that says nothing by itself ("Thanks!")."""
NEIGHBOUR = 0.25
"""How much of a piece's neighbours goes into its vector: it is read in their light."""
LEXICAL = 0.5
"""What shared words weigh against nearness in meaning."""
USUAL = 0.41
"""How alike the pieces of one conversation usually are."""
MEAN, DEVIATION, SAMPLES = 0.2055, 0.119, 40
"""The cosine of two turns that have nothing to do with each other (MiniLM, LoCoMo's development half), and what that
knowledge counts for, in sampled entries, against what is found in the store."""
_MEAN_STEP, _DEVIATION_STEP = 0.1, 0.04

Vector = Sequence[float]


@dataclass(frozen=True, slots=True)
class Piece:
    """One entry as grouping sees it.

    `terms` are the weights of its telling stems. `price` is what a cut before
    it costs besides; a cut that must be made has no price (`cut`).
    """

    vector: Vector
    terms: Mapping[str, float] = field(default_factory=dict)
    price: float = 0.0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Scale:
    """The usual cosine of two entries of the store, and its deviation: embedders differ."""

    mean: float = MEAN
    deviation: float = DEVIATION

    def __call__(self, cosine: float) -> float:
        """The cosine as the embedder would give it that all prices were measured with."""
        return MEAN + DEVIATION * (cosine - self.mean) / self.deviation


def scale_of(sample: Sequence[Vector]) -> Scale:
    """The scale of a store, from a sample of its vectors; what is known of few of them counts for little.

    In steps, so that which entries happen to be sampled makes no difference.
    """
    values = [cosine(sample[i], sample[j]) for i in range(len(sample)) for j in range(i)]
    if len(values) < 3:
        return Scale()
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
    share = len(sample) / (len(sample) + SAMPLES)
    steps = round(share * (mean - MEAN) / _MEAN_STEP), round(share * (deviation - DEVIATION) / _DEVIATION_STEP)
    return Scale(MEAN + steps[0] * _MEAN_STEP, max(DEVIATION + steps[1] * _DEVIATION_STEP, _DEVIATION_STEP))


def cosine(left: Vector, right: Vector) -> float:
    """The cosine of two vectors of length 1, by way of their distance: four times as fast as the sum of products."""
    return 1.0 - math.dist(left, right) ** 2 / 2


def unit(vector: Vector) -> tuple[float, ...]:
    """The vector at length 1; one without a length stays."""
    norm = math.hypot(*vector) or 1.0
    return tuple([value / norm for value in vector])


def overlap(left: Mapping[str, float], right: Mapping[str, float]) -> float:
    """From 0 to 1: the cosine of two weighed sets of words."""
    if len(left) > len(right):
        left, right = right, left
    shared = math.fsum(weight * right[term] for term, weight in left.items() if term in right)
    return shared / (_length(left) * _length(right)) if shared else 0.0


def _length(terms: Mapping[str, float]) -> float:
    return math.sqrt(math.fsum(weight * weight for weight in terms.values()))


def cuts(pieces: Sequence[Piece], scale: Scale) -> list[int]:
    """Where the stretches begin, the first at 0; none is longer than `LONGEST`."""
    found: list[int] = []
    start = 0
    for end in [place for place in range(1, len(pieces)) if pieces[place].cut] + [len(pieces)]:
        found += [start + place for place in _best_cuts(pieces[start:end], scale)]
        start = end
    return found


def _best_cuts(pieces: Sequence[Piece], scale: Scale) -> list[int]:
    """The cuts where none is forced. The work is the length times `LONGEST`."""
    count = len(pieces)
    alike = _likeness(pieces, scale)
    pairs = sum(map(len, alike))
    own = math.fsum(map(math.fsum, alike)) / pairs if pairs else USUAL
    base = (own + USUAL) / 2
    worth, came = [0.0] * (count + 1), [0] * (count + 1)
    ahead = [_running(row, base) for row in alike]
    for end in range(1, count + 1):
        worth[end] = -math.inf
        total = 0.0
        for start in range(end - 1, max(0, end - LONGEST) - 1, -1):
            size = end - start
            total += ahead[start][size - 1]
            value = worth[start] + 2 * total / size - PRICE
            if size < SHORT:
                value -= SHORT_PRICE
            if start:
                value -= pieces[start].price
            if value > worth[end]:
                worth[end], came[end] = value, start
    found = []
    while count > 0:
        count = came[count]
        found.append(count)
    return found[::-1]


def _running(row: Sequence[float], base: float) -> list[float]:
    """By how much a piece is more like the next 0, 1, 2 … pieces than usual, summed up."""
    sums = [0.0]
    for value in row:
        sums.append(sums[-1] + value - base)
    return sums


def _likeness(pieces: Sequence[Piece], scale: Scale) -> list[list[float]]:
    """For every piece how like it is to each of the next `LONGEST` - 1."""
    alike = in_context([piece.vector for piece in pieces], LONGEST)
    lengths = [_length(piece.terms) or 1.0 for piece in pieces]
    rows: list[list[float]] = []
    for place, piece in enumerate(pieces):
        row = []
        for other, cosine in enumerate(alike[place], place + 1):
            value = scale(cosine)
            shared = piece.terms.keys() & pieces[other].terms.keys()
            if shared:
                common = math.fsum([piece.terms[term] * pieces[other].terms[term] for term in shared])
                value += LEXICAL * common / (lengths[place] * lengths[other])
            row.append(value)
        rows.append(row)
    return rows


def in_context(vectors: Sequence[Vector], far: int) -> list[list[float]]:
    """For every vector its cosine to each of those less than `far` ahead, all read in the light of their neighbours.

    A vector in context is itself and a share of those beside it; the products
    of such sums are sums of products, so that none has to be made.
    """
    count = len(vectors)
    rows = [[cosine(vectors[i], vectors[j]) for j in range(i, min(count, i + far + 2))] for i in range(count)]

    def product(left: int, right: int) -> float:
        return rows[left][right - left] if left <= right else rows[right][left - right]

    beside = [[near for near in (place - 1, place + 1) if 0 <= near < count] for place in range(count)]

    def mixed(left: int, right: int) -> float:
        once = sum([product(left, near) for near in beside[right]]) + sum(
            [product(near, right) for near in beside[left]]
        )
        twice = sum([product(mine, other) for mine in beside[left] for other in beside[right]])
        return product(left, right) + NEIGHBOUR * once + NEIGHBOUR * NEIGHBOUR * twice

    lengths = [math.sqrt(max(mixed(place, place), 0.0)) or 1.0 for place in range(count)]
    return [[mixed(i, j) / (lengths[i] * lengths[j]) for j in range(i + 1, min(count, i + far))] for i in range(count)]


@dataclass(frozen=True, slots=True)
class Group:
    """What is known of an event that a stretch may join: the sum of its vectors, its words, its size."""

    total: Vector
    terms: Mapping[str, float]
    size: int


def group_of(pieces: Sequence[Piece]) -> Group:
    """The pieces as one. There is at least one."""
    total = list(map(sum, zip(*[piece.vector for piece in pieces], strict=True)))
    terms: dict[str, float] = {}
    for piece in pieces:
        for term, weight in piece.terms.items():
            terms[term] = terms.get(term, 0.0) + weight
    return Group(total, terms, len(pieces))


def merged(left: Group, right: Group) -> Group:
    """Both as one. One whose entries have no vectors just now adds nothing."""
    if not left.size or not right.size:
        return left if left.size else right
    terms = dict(left.terms)
    for term, weight in right.terms.items():
        terms[term] = terms.get(term, 0.0) + weight
    total = [mine + other for mine, other in zip(left.total, right.total, strict=True)]
    return Group(total, terms, left.size + right.size)


def nearness(left: Group, right: Group, scale: Scale) -> float:
    """How near two groups are: their centroids in meaning, and the words that they share; -1 where one is empty."""
    if not left.size or not right.size:
        return -1.0
    return scale(cosine(unit(left.total), unit(right.total))) + LEXICAL * overlap(left.terms, right.terms)
