"""Whom a question is about, and what concerns them: what they said, and what others told of them by name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memcli.lang.words import has_cjk, words
from memcli.recall.search import Evidence

_GREETING = r"(?:^|[,!.?…]\s*|\b(?:hey|hi|hello|thanks|thank you|wow|yeah|yes|oh|sure|absolutely|congrats)\b[,!]?\s*)"


def subject_of(question: str, names: Sequence[str]) -> str | None:
    """The one person of the store that the question names; None where it names none or several."""
    asked = [name for name in names if _mentions(question, name)]
    return asked[0] if len(asked) == 1 else None


def concerns(item: Evidence, name: str) -> bool:
    """Whether they said it or it tells of them; "Thanks, Ann!" tells nothing of Ann."""
    entry = item.entry
    if (entry.speaker or "").casefold() == name.casefold():
        return True
    first = name.split()[0]
    if has_cjk(first):
        return first in entry.text
    address = rf"{_GREETING}{re.escape(first)}\s*(?:[,!.?…]|$)"
    return _mentions(re.sub(address, " ", entry.text, flags=re.IGNORECASE), name)


def _mentions(text: str, name: str) -> bool:
    first = name.split()[0]
    return first in text if has_cjk(first) else any(word == first.casefold() for word in words(text))
