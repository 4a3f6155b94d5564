"""What a question points back with, and an item of a list chosen: "the second one", "number 3" (D1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memcli.lang.words import stem
from memcli.recall.followup.frame import Frame
from memcli.recall.followup.persons import Past
from memcli.recall.followup.said import matches

_STEM_CHARS = 4
_OF_DETERMINERS = frozenset(("del", "al", "zum", "zur", "im", "am", "beim", "vom"))


@dataclass
class Found:
    """What a question points back with: the replacements of its text, and what is to be said behind it.

    `edits` are (first token, token behind, text). `leans` is whether it
    points back at all, `hangs` whether something is left that no word of it
    names. `listed`: an item of a list was chosen, the others must stay out.
    """

    edits: list[tuple[int, int, str]] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    leans: bool = False
    hangs: bool = False
    listed: bool = False

    def replace(self, frame: Frame, first: int, last: int, text: str) -> None:
        self.edits.append((first, last, text))
        self.notes.append(f"“{frame.slice(first, last)}” is {text}")
        self.leans = True


def choose_items(frame: Frame, past: Sequence[Past], found: Found) -> None:
    """ "The second one", "number 3", "the latter": the item of the newest list."""
    for first, last, index in _ordinals(frame, past):
        for exchange in past:
            items = exchange.items
            place = len(items) // 2 if index is None else index
            if items and -len(items) <= place < len(items):
                found.replace(frame, first, last, items[place])
                found.listed = True
                break
        else:
            found.leans = found.hangs = True


def _ordinals(frame: Frame, past: Sequence[Past]) -> Iterator[tuple[int, int, int | None]]:
    """(first token, token behind, index): None as index is the middle."""
    tokens, manner = frame.tokens, frame.manner
    for at, token in enumerate(tokens):
        if token.quoted:
            continue
        if (
            token.low in manner.numbers
            and at + 1 < len(tokens)
            and tokens[at + 1].text.isdecimal()
            and int(tokens[at + 1].text)
        ):
            yield at, at + 2, int(tokens[at + 1].text) - 1
        middle = next((phrase for phrase in manner.middles if matches(tokens, at, phrase)), ())
        if middle:
            yield at, at + len(middle), None
        if token.low not in manner.ordinals or not at:
            continue
        before = tokens[at - 1].low
        if before not in manner.determiners and before not in _OF_DETERMINERS:
            continue
        last = at + 1 if token.low in manner.alone else _stands_alone(frame, at + 1, past)
        if last is not None:
            yield at - (before in manner.determiners), last, manner.ordinals[token.low]


def _stands_alone(frame: Frame, at: int, past: Sequence[Past]) -> int | None:
    """The token behind an ordinal that has no noun of its own, or that of the list; None where it has another."""
    tokens, manner = frame.tokens, frame.manner
    if at == len(tokens) or not tokens[at].is_word:
        return at
    low = tokens[at].low
    if low in manner.one_words:
        return at + 1
    if low in manner.auxiliaries or low in manner.prepositions or low in manner.breaks:
        return at
    for exchange in past:
        if exchange.items and is_noun_of(low, exchange):
            return at + 1
    return None


def is_noun_of(word: str, exchange: Past) -> bool:
    return any(_alike(word, exchange.frame.tokens[at].low) for at in exchange.frame.content)


def _alike(one: str, other: str) -> bool:
    """Whether two words are forms of one: the same stem, or the same beginning."""
    return stem(one) == stem(other) or (len(one) >= _STEM_CHARS and one[:_STEM_CHARS] == other[:_STEM_CHARS])
