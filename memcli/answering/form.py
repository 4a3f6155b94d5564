"""In what form a question wants its answer. English alone: elsewhere "short" is all that is known."""

from __future__ import annotations

import re
from typing import Literal

from memcli.lang.tongue import tongue
from memcli.lang.words import has_cjk, words

Form = Literal["choice", "conclusion", "yes_no", "count", "reason", "short"]

_ENGLISH = frozenset(
    "what when where who whose whom which why how did does do were is are has have had can could will would should "
    "might".split()
)
_PRONOUNS = frozenset("it that this there the he she they i you we a an my your his her their our".split())
_VERB = re.compile(
    r"(?:is|are|am|do|does|did|was|were|has|have|had|can|could|will|would|should|might)\b", re.IGNORECASE
)
_OR = re.compile(r"\bor\b(?! not\b)", re.IGNORECASE)
_ASKS_YES = re.compile(r"\byes or no\b", re.IGNORECASE)
_CONCLUSION = re.compile(r"\b(?:[Ww]ould|[Mm]ight|[Cc]ould|[Ll]ikely|may)\b")
_COUNT = re.compile(r"\bhow (?:many|often)\b", re.IGNORECASE)
_REASON = re.compile(r"\bwhy\b|\breasons?\b", re.IGNORECASE)
_SEVERAL = re.compile(
    r"\b(?:what|which) (?:\w+ )?(?:are|(?!is\b|was\b|does\b|has\b|this\b|its\b)\w+s)\b",
    re.IGNORECASE,
)


def is_english(question: str) -> bool:
    """Whether the question is asked with words of English. German asks "Was" too."""
    asked = words(question)
    if has_cjk(question) or tongue(question):
        return False
    return not _ENGLISH.isdisjoint(asked) or (asked[:1] == ["was"] and not _PRONOUNS.isdisjoint(asked[1:3]))


def form_of(question: str) -> Form:
    """What the answer is to look like: one of two things, yes or no, a number, a reason, or a few words.

    A "conclusion" is what the notes do not say but let one guess: "What might
    Ann like?", "Would Ann like it?".
    """
    if not is_english(question):
        return "short"
    asks = _VERB.match(question) is not None
    if asks and _OR.search(question) and not _ASKS_YES.search(question):
        return "choice"
    if concludes(question):
        return "conclusion"
    if asks:
        return "yes_no"
    if _COUNT.search(question):
        return "count"
    return "reason" if _REASON.search(question) else "short"


def concludes(question: str) -> bool:
    """Whether more is asked for than was said."""
    return _CONCLUSION.search(question) is not None


def polar(question: str) -> bool:
    """Whether it is answered by yes or no."""
    return _VERB.match(question) is not None and form_of(question) in ("yes_no", "conclusion")


def several(question: str) -> bool:
    """Whether things are asked for in the plural."""
    return _SEVERAL.search(question) is not None
