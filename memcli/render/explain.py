"""Scores in words: which signal gave what."""

from __future__ import annotations

from collections.abc import Mapping

from memcli.render.text import wrap

NAMES: Mapping[str, str] = {
    "words": "its words",
    "words_before": "words of the turn before",
    "words_two_before": "words two turns before",
    "words_sitting": "words of the talk",
    "meaning": "its meaning",
    "meaning_before": "meaning of the turn before",
    "meaning_after": "meaning of the turn after",
    "meaning_sitting": "meaning of the talk",
    "speaker": "who says it",
    "date": "when it was said",
    "date_told": "the time it names",
    "covered_three": "words covered nearby",
    "covered_five": "words covered around",
    "covered_before": "words covered up to here",
    "answers_words": "answers a question (words)",
    "answers_meaning": "answers a question (meaning)",
    "asks": "is itself a question",
    "opening": "opens the talk",
    "order": "first or last, as asked",
    "time": "names a time",
    "time_asked": "names a time, when asked",
}


def parts_line(score: float, parts: Mapping[str, float], columns: int, indent: str = "    ") -> str:
    """A score and what it is the sum of, the largest part first."""
    ranked = sorted(parts.items(), key=lambda item: (-abs(item[1]), item[0]))
    told = ", ".join(f"{NAMES.get(name, name.replace('_', ' '))} {value:+.2f}" for name, value in ranked)
    return wrap(f"{score:.2f} = {told}", columns, indent, indent)
