"""Filing under a topic: events when they are formed, questions when they are asked, by one function (B6, B7).

Nearness of the vector to what a category is about, and the words that they
share. What is near to nothing, or to two domains alike, is unsorted: a wrong
shelf is worse than none.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from memcli.lang.phrases import telling
from memcli.lang.taxonomy import Category, Taxonomy
from memcli.projection.events import UNSORTED
from memcli.projection.vectors import Space, from_half
from memcli.store.cache import VectorCache, text_key
from memcli.store.home import Home

SEED = 0.06
"""What a word of the category weighs against cosine, …"""
MOST_SEEDS = 4
"""… and how many of them count."""
LEAST = 0.28
"""Below this nothing is filed."""
MARGIN = 0.03
"""By how much the best category has to be ahead of the best of another domain."""


@dataclass(frozen=True, slots=True)
class Shelves:
    """A taxonomy with the vector of each category, of the same model as the vectors that are filed."""

    taxonomy: Taxonomy
    vectors: tuple[Sequence[float], ...]


def shelf_cache(home: Home, space: Space) -> VectorCache:
    """Where the vectors of categories are kept; a tidy puts them there."""
    return VectorCache(home.cache / "topics", space)


def shelved(taxonomy: Taxonomy, halves: Mapping[bytes, bytes]) -> Shelves:
    """The taxonomy with its vectors, all of which are among these halves by the keys of their texts."""
    return Shelves(taxonomy, tuple(from_half(halves[text_key(item.text)]) for item in taxonomy.categories))


def known_shelves(home: Home, taxonomy: Taxonomy, space: Space) -> Shelves | None:
    """The taxonomy with the vectors that a tidy has left; None where it has not come to all of them yet."""
    halves = shelf_cache(home, space).load()
    if any(text_key(item.text) not in halves for item in taxonomy.categories):
        return None
    return shelved(taxonomy, halves)


def topic_of(vector: Sequence[float], text: str, shelves: Shelves) -> str:
    """Where a text with this unit vector is filed: "domain/category", or "unsorted". Deterministic."""
    return filed(vector, telling(text), shelves)


def filed(vector: Sequence[float], stems: Collection[str], shelves: Shelves) -> str:
    """The same for telling words that are known already, by their stems."""
    scored = sorted(scores(vector, stems, shelves), key=lambda item: (-item[0], item[1].path))
    best, category = scored[0]
    rival = next((score for score, other in scored if other.domain != category.domain), 0.0)
    return category.path if best >= LEAST and best - rival >= MARGIN else UNSORTED


def scores(vector: Sequence[float], stems: Collection[str], shelves: Shelves) -> list[tuple[float, Category]]:
    """How well each category fits: cosine (of vectors of length 1, by their distance) and shared words."""
    said = frozenset(stems)
    return [
        (1.0 - math.dist(vector, near) ** 2 / 2 + SEED * min(MOST_SEEDS, len(category.seeds & said)), category)
        for category, near in zip(shelves.taxonomy.categories, shelves.vectors, strict=True)
    ]
