"""The part of an entry worth showing: whole where it is short, else the sentences nearest the question."""

from __future__ import annotations

import re
from collections.abc import Collection

from memcli.lang.words import shared

_SENTENCE = re.compile(r"[^\n]+?(?:[.!?…]+[\"'”’)\]]*(?=\s|$)|[。！？]+[」』）]*|(?=\n)|$)")
SHORT = 320


def sentences(text: str) -> list[str]:
    """The sentences of a text, trimmed, in order; lines end sentences too."""
    return [found for match in _SENTENCE.finditer(text) if (found := match[0].strip())]


def sentence_at(text: str, place: int) -> str:
    """The sentence in which a place of the text lies; all of the text where it lies in none."""
    found = (match[0] for match in _SENTENCE.finditer(text) if match.start() <= place < match.end())
    return next(found, text)


def overlap(text: str, terms: Collection[str]) -> int:
    """How many of these stems occur in the text."""
    return shared(terms, text)


def share(text: str, terms: Collection[str]) -> float:
    """The share of these stems that occur in the text; 0 where there are none."""
    return overlap(text, terms) / len(terms) if terms else 0.0


def passage(text: str, terms: Collection[str], limit: int = SHORT) -> str:
    """At most `limit` characters of `text`, chosen around the sentence that shares most stems with the question.

    Whole sentences; "…" marks where something was left out.
    """
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    parts = [" ".join(part.split()) for part in sentences(text)]
    if not parts:
        return flat[: limit - 1] + "…"
    best = max(range(len(parts)), key=lambda index: (overlap(parts[index], terms), -index))
    first = last = best
    size = len(parts[best])
    while True:
        after = len(parts[last + 1]) + 1 if last + 1 < len(parts) else limit
        before = len(parts[first - 1]) + 1 if first > 0 else limit
        if size + min(after, before) > limit - 4:
            break
        if after <= before:
            last, size = last + 1, size + after
        else:
            first, size = first - 1, size + before
    chosen = " ".join(parts[first : last + 1])
    if len(chosen) > limit - 4:
        chosen = chosen[: limit - 4].rstrip()
        last = -1
    return ("… " if first > 0 else "") + chosen + (" …" if last + 1 < len(parts) else "")
