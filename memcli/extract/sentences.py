"""A text cut into sentences, with what is not the speaker's own word taken out: code, citations, quoted speech.

What is taken out is overwritten with blanks of the same length, so that every
place in the result is the same place in the entry and quotes stay verbatim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_CODE = re.compile(r"```[\s\S]*?(?:```|\Z)|^(?: {4,}|\t)\S.*$|^[ ]{0,3}(?:\$ |>).*$", re.MULTILINE)
_SPEECH = re.compile(r"“[^”\n]*”|\"[^\"\n]*\"|(?<![\w])'[^'\n]*'(?!\w)|‘[^’\n]*’|«[^»\n]*»")
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,!?()%&/+'’é")
_SHOWN = re.compile(
    r"\[(?:image|photo|picture|video|audio|voice|file|sticker|gif|attachment)\b[^\]\n]*\]", re.IGNORECASE
)
_LINK = re.compile(r"https?://\S+")
_PICTURE = re.compile("[\U0001f000-\U0001faff☀-➿⬀-⯿️‍←-⇿]+|[:;]-?[)(DP](?!\\w)|<3")
_MARKS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|^#{1,6}\s|^\s*(?:[-*•]|\d{1,2}[.)])\s", re.MULTILINE)
_END = re.compile(r"([.!?…]+)[\"')\]]*(?=\s|$)|\n+|;|\s(?:--|->|=>|[–—→-])\s")
_ABBREVIATED = re.compile(
    r"(?:\b(?:dr|mr|mrs|ms|prof|st|jr|sr|vs|etc|approx|e\.g|i\.e|a\.m|p\.m|(?-i:(?<![\w'’])[A-Z]))|(?<=\w )no)$",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\(([^()\n]{2,120})\)")
SPEECH = "\x01"
"""Stands for each character of somebody else's words."""
LONGEST = 20_000
"""Characters of an entry that are read: a longer one is a document in all but name."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A stretch of the entry: where it stands, and whether it ends as a question."""

    start: int
    end: int
    asks: bool


@dataclass(frozen=True, slots=True)
class Aside:
    """What stood in parentheses, and where they opened."""

    start: int
    end: int
    opened: int


def clean(text: str) -> tuple[str, list[Aside]]:
    """The text with blanks for what nobody states in it, and its asides, which are blanked too."""
    text = text[:LONGEST]
    if not _PLAIN.issuperset(text) or " '" in text or text[:1] == "'":  # most talk has none of it
        text = _CODE.sub(_blank, text)
        if "http" in text:
            text = _LINK.sub(_blank, text)
        text = _SHOWN.sub(_blank, text)
        text = _SPEECH.sub(_speech, text)
        text = _PICTURE.sub(lambda match: "\n" + " " * (len(match[0]) - 1), text)
        text = _MARKS.sub(_blank, text)
    asides = []
    if "(" in text:
        asides = [Aside(match.start(1), match.end(1), match.start()) for match in _ASIDE.finditer(text)]
        text = _ASIDE.sub(_blank, text)
    return text, asides


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _speech(match: re.Match[str]) -> str:
    """Somebody's words in quotation marks go; a title or a name in them stays."""
    said = match[0]
    named = len(said.split()) < 3 and not said[1:-1].rstrip().endswith((".", "!", "?", ","))
    return said if named else SPEECH * len(said)


def sentences(text: str) -> list[Sentence]:
    """The sentences of a cleaned text, in order, without blanks around them."""
    found: list[Sentence] = []
    start = 0
    for match in _END.finditer(text):
        if match[0][0] == "." and len(match[1] or "") == 1 and _abbreviated(text, start, match):
            continue
        _put(found, text, start, match.start(), "?" in match[0])
        start = match.end()
    _put(found, text, start, len(text), False)
    return found


def _abbreviated(text: str, start: int, match: re.Match[str]) -> bool:
    short = _ABBREVIATED.search(text, start, match.start())
    return short is not None and (short[0].lower() != "no" or text[match.end() : match.end() + 2].strip()[:1].isdigit())


def _put(found: list[Sentence], text: str, start: int, end: int, asks: bool) -> None:
    piece = text[start:end]
    stripped = piece.strip(" \t\r\n,")
    if stripped:
        begin = start + piece.index(stripped)
        found.append(Sentence(begin, begin + len(stripped), asks))
