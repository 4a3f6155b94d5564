"""What is counted: shares of gold turns, and the token F1 of LoCoMo's own scorer.

F1: words without case, punctuation and articles, stemmed, counted; for
category 1 the mean, over the parts of the right answer that commas separate,
of the best part of what was said; for category 3 only what stands before a
semicolon counts as the right answer.
"""

from __future__ import annotations

import re
import statistics
import string
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import snowballstemmer
from conversations import CATEGORIES, Asked

KS = (3, 5, 8, 10, 20)
_CITATION = re.compile(r"\s*\[\d+(?:,\s*\d+)*\]")
_STEMMER = snowballstemmer.stemmer("porter")

Ranked = Sequence[tuple[Asked, Sequence[str]]]


def share(asked: Asked, ranked: Sequence[str], k: int | None = None) -> float:
    """The share of the gold turns among the first `k`, or among all."""
    return len(asked.gold.intersection(ranked[:k])) / len(asked.gold)


def precision(asked: Asked, ranked: Sequence[str], k: int | None = None) -> float:
    """The share of gold turns in the first `k`, or in all."""
    return len(asked.gold.intersection(ranked[:k])) / max(1, len(ranked[:k]))


def mean(values: Iterable[float]) -> float:
    found = list(values)
    return round(statistics.fmean(found), 4) if found else 0.0


def by_category(results: Ranked, k: int | None = None) -> dict[str, float]:
    """Recall of each category that recall is measured by."""
    return {
        CATEGORIES[number]: mean(share(asked, ranked, k) for asked, ranked in results if asked.category == number)
        for number in (1, 2, 3, 4, 5)
    }


def at_depths(results: Ranked) -> dict[str, Any]:
    """Recall and precision at every k, and by category at 8."""
    return {
        "recall": {str(k): mean(share(asked, ranked, k) for asked, ranked in results) for k in KS},
        "precision": {str(k): mean(precision(asked, ranked, k) for asked, ranked in results) for k in KS},
        "by_category_at_8": by_category(results, 8),
    }


def as_handed_on(results: Ranked) -> dict[str, Any]:
    """Turns, recall and precision where every question has a number of turns of its own."""
    return {
        "turns": mean(len(ranked) for _, ranked in results),
        "recall": mean(share(asked, ranked) for asked, ranked in results),
        "precision": mean(precision(asked, ranked) for asked, ranked in results),
        "by_category": by_category(results),
    }


def tokens(text: str) -> list[str]:
    plain = "".join(character for character in text.lower() if character not in string.punctuation)
    return [_STEMMER.stemWord(word) for word in re.sub(r"\b(?:a|an|the|and)\b", " ", plain).split()]


def overlap(said: str, right: str) -> float:
    one, other = tokens(said), tokens(right)
    same = sum((Counter(one) & Counter(other)).values())
    return 2 * same / (len(one) + len(other)) if same else 0.0


def f1(said: str, category: int, right: str) -> float:
    if category == 1:
        parts = [part.strip() for part in said.split(",")]
        return statistics.fmean(max(overlap(part, wanted) for part in parts) for wanted in right.split(","))
    return overlap(said, right.split(";")[0] if category == 3 else right)


def bare(text: str) -> str:
    """An answer without citations and quotation marks."""
    return _CITATION.sub("", text).strip().strip("“”")
