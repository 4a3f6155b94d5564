"""What was said before: one exchange, its words as tokens, and what an answer gives to refer to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

LOOKED_BACK = 5
"""Exchanges that a question may lean on."""
GIST_WORDS = 6
"""An answer of more words is no name of a thing any more."""
_ITEM_WORDS = 8
_TOKEN = re.compile(r"['’](?:s|re|ve|ll|d|m)\b|\w+n['’]t\b|\w+(?:-\w+)*|[^\w\s]", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"]+\"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」|『[^』]+』|(?<!\w)['‘][^'’]+['’](?!\w)")
_CITED = re.compile(r"^(?:\[\d+\]\s*)?(?:\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d)?\s+)?")
_SPEAKER = re.compile(r"^([^\W\d_][\w.'’ -]{0,40}):\s+")
_NUMBERED = re.compile(
    r"^\s*(?:\[\d+\]\s*(?:[^\W\d_][^\n:]{0,40}:\s+)?)?(?:\d+[.)、:]|[-*•–])\s*(\S.*?)[ ,;.]*$", re.MULTILINE
)
_EVIDENCE = re.compile(r"\[\d+\]\s")
_AND = r"(?:and|or|und|oder|y|e|o|和|或|と|や)"
_SPLIT = re.compile(rf"\s*(?:;|,(?:\s*\b{_AND}\b)?|、|\s\b{_AND}\b)\s*|(?<=\w)[和或](?=\w)", re.IGNORECASE)
_JOINED = re.compile(rf";|、|\s\b{_AND}\b\s|\w[和或]\w", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<!\d)[.!?…](?=\s|$)|[。！？\n]")


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question asked before, and what came back; `answer` is empty where nothing did."""

    question: str
    answer: str = ""


class Token(NamedTuple):
    """A word or a sign of a text and its place; `quoted` where it stands in quotation marks."""

    text: str
    low: str
    start: int
    end: int
    quoted: bool

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum()

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()


def tokens_of(text: str) -> list[Token]:
    """The words and signs of a text in order; an English "'s" is a token of its own."""
    spans = [match.span() for match in _QUOTED.finditer(text)]
    return [
        Token(
            match[0],
            match[0].lower().replace("’", "'"),
            match.start(),
            match.end(),
            any(start <= match.start() < end for start, end in spans),
        )
        for match in _TOKEN.finditer(text)
    ]


def spoken(answer: str) -> list[tuple[str | None, str]]:
    """The lines of an answer as (speaker, words): the marks of cited evidence are taken off."""
    found = []
    for line in answer.split("\n"):
        bare = _CITED.sub("", line.strip())
        label = _SPEAKER.match(bare)
        if bare:
            found.append((label[1] if label else None, bare[label.end() :] if label else bare))
    return found


def is_evidence(answer: str) -> bool:
    """Whether an answer is what somebody once said, cited, and no answer in words of its own."""
    return _EVIDENCE.match(answer) is not None or any(who is not None for who, _ in spoken(answer))


def items(answer: str) -> list[str]:
    """The items of a list in an answer, as they stand: numbered or marked lines, else "A, B and C"; [] where none."""
    listed = [match[1].strip() for match in _NUMBERED.finditer(answer)]
    if len(listed) > 1:
        return listed
    for _, line in spoken(answer):
        first = _SENTENCE_END.split(line.strip(), maxsplit=1)[0]
        if _JOINED.search(first):
            parts = [part.strip() for part in _SPLIT.split(first) if part.strip()]
            if len(parts) > 1 and all(len(part.split()) <= _ITEM_WORDS for part in parts):
                return parts
    return []


def segments(answer: str) -> Iterator[str]:
    """The parts of the answer between commas and ends of sentences, in order."""
    for _, line in spoken(answer):
        for sentence in _SENTENCE_END.split(line):
            yield from filter(None, (part.strip(" \t–-") for part in re.split(r"[,;:，；：]\s*", sentence)))


def matches(tokens: Sequence[Token], at: int, phrase: Sequence[str]) -> bool:
    """Whether these words stand at that place, outside quotation marks."""
    there = tokens[at : at + len(phrase)]
    return [token.low for token in there] == list(phrase) and not any(token.quoted for token in there)
