"""Words as the index sees them: stemmed by FTS5, CJK runs cut into bigrams, stop words known."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import cast

_CJK = "぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿가-힯ｦ-ﾝ\U00020000-\U0002fa1f"
_STOP_TEXT = """
    a about after again all also am an and any are as at be because been before being between both but by can could
    did do does doing done down during each ever few for from further get gets getting give go goes going gone got
    had has have having he her here hers him his how i if in into is it its itself just like made make many may me
    might mine more most much must my no nor not now of off on once one only or other our out over own please same
    say says said shall she should so some still such tell than that the their them then there these they thing
    things this those through to too under until up us very was we were what when where which while who whom whose
    why will with would yes yet you your yours
"""
STOP = frozenset(_STOP_TEXT.split())


@lru_cache(maxsize=8)
def _pattern(source: str) -> re.Pattern[str]:
    """A pattern, compiled when it is first needed: `mem add` of plain words needs none."""
    return re.compile(source, re.IGNORECASE)


_RUN = f"[{_CJK}]+"
_ONE = f"[{_CJK}]"
# Combining marks and vowel signs: inside words, but no letters for `re`. FTS5 treats them alike on both sides.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0970-\u0dff"
    "\u0e31-\u0e4e\u0eb1-\u0ecd\u0f18-\u0fbc\u102b-\u109d\u17b4-\u17d3\u1dc0-\u1dff\ufe20-\ufe2f"
)
_WORD = rf"[{_CJK}]+|[^\W_{_CJK}](?:[^\W_{_CJK}]|[{_MARKS}])*"
_APOSTROPHE = r"(?<=\w)['’](?:s|re|ve|ll|d|m|t)\b"
_UNSEARCHABLE = "[\x00\ud800-\udfff]"
_HIRAGANA_ONLY = "[぀-ゟ]+"


def indexed_form(text: str) -> str:
    """The text as the word index stores it: folded as a query is, CJK runs as bigrams (single characters stay)."""
    if text.isascii():
        return text
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _pattern(_RUN).sub(lambda match: f" {' '.join(_bigrams(match[0]))} ", folded)


def _bigrams(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


def words(text: str) -> list[str]:
    """The words of a text in order, lower case, possessives cut; a CJK run gives its bigrams."""
    plain = _pattern(_APOSTROPHE).sub("", unicodedata.normalize("NFKC", text)).casefold()
    found: list[str] = []
    for match in _pattern(_WORD).finditer(plain):
        word = match[0]
        if _pattern(_ONE).match(word):
            found.extend(_bigrams(word))
        else:
            found.append(word)
    return found


def content_terms(text: str, leave_out: Collection[str] = ()) -> list[str]:
    """The words of a query worth searching: no stop words, none of `leave_out`, each once, in order.

    Bigrams of hiragana alone (particles and endings) are left out while
    anything else is there. Falls back to all words where nothing is left.
    """
    every = list(dict.fromkeys(words(text)))
    terms = [word for word in every if word not in STOP and word not in leave_out and (len(word) > 1 or word.isdigit())]
    firm = [word for word in terms if not _pattern(_HIRAGANA_ONLY).fullmatch(word)]
    return firm or terms or [word for word in every if word not in leave_out]


def match_expression(terms: Collection[str]) -> str:
    """An FTS5 MATCH expression for any of the terms. Every term is quoted: raw user text raises in MATCH."""
    plain = [_pattern(_UNSEARCHABLE).sub("", term) for term in terms]
    quoted = ['"' + term.replace('"', '""') + '"' for term in plain if term.strip()]
    return " OR ".join(quoted)


def has_cjk(text: str) -> bool:
    """Whether Chinese, Japanese or Korean characters occur."""
    return bool(_pattern(_ONE).search(text))


@lru_cache(maxsize=1)
def _stemmer() -> Callable[[str], str]:
    import snowballstemmer

    return cast(Callable[[str], str], snowballstemmer.stemmer("english").stemWord)


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """The stem of an English word; other words and bigrams come back as they are."""
    return _stemmer()(word) if word.isascii() else word


def stems(text: str) -> list[str]:
    """The stems of all words of a text, in order, stop words included."""
    return [stem(word) for word in words(text)]
