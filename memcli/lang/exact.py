"""Whether a text has all of some words, as they stand: no stems, no meaning, no guess."""

from __future__ import annotations

from unicodedata import normalize

from memcli.lang.words import has_cjk, words


class Exact:
    """All the words of a query, in any order. Case, width and accents composed otherwise make no difference."""

    def __init__(self, query: str) -> None:
        found = words(query)
        self._words = frozenset(word for word in found if not _is_one_sign(word))
        self._signs = frozenset(word for word in found if _is_one_sign(word))
        self._ascii = all(word.isascii() for word in found)

    def __bool__(self) -> bool:
        return bool(self._words or self._signs)

    def occurs_in(self, text: str) -> bool:
        """Whether every word is a word of the text; a single Chinese or Japanese sign may stand within one."""
        if not self:
            return False
        if text.isascii():
            lower = text.lower()
            if not self._ascii or not all(word in lower for word in self._words):
                return False
        if self._signs:
            plain = normalize("NFKC", text)
            if not all(sign in plain for sign in self._signs):
                return False
        return self._words <= set(words(text))


def _is_one_sign(word: str) -> bool:
    return len(word) == 1 and has_cjk(word)
