"""A question taken apart: what it begins with, what it asks with, whom and what it names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from memcli.recall.followup.manner import Manner
from memcli.recall.followup.naming import Name, is_auxiliary, names_in, times_in
from memcli.recall.followup.said import Token, matches, tokens_of

_NOUN_WORDS = 4


@dataclass(frozen=True)
class Frame:
    """A question and its parts, as ranges of tokens.

    `begin` is where it begins behind "and" or "what about" (`led` where there
    was one), `asking` up to where it asks ("from which station"), `noun` where
    the noun in that begins.
    """

    text: str
    tokens: Sequence[Token]
    manner: Manner
    known: Collection[str]
    begin: int
    led: bool
    noun: int
    asking: int

    @property
    def asks(self) -> bool:
        return self.asking > self.begin

    @property
    def asks_with(self) -> str:
        """The word it asks with, "" where it has none."""
        return next(
            (token.low for token in self.tokens[self.begin : self.asking] if token.low in self.manner.asking), ""
        )

    @cached_property
    def names(self) -> list[Name]:
        """Whom and which places it names, in order."""
        return list(names_in(self.tokens, self.manner, self.known))

    @cached_property
    def persons(self) -> list[Name]:
        """The names that may be persons: no part of what is asked for, not in a place; where some are known, those."""
        able = [name for name in self.names if name.first >= self.asking]
        parts = {part.lower() for one in self.known for part in one.split()}
        known = [name for name in able if name.text.split()[0].lower() in parts]
        return known or [name for name in able if name.after not in self.manner.near]

    @cached_property
    def times(self) -> list[tuple[int, int]]:
        """Where it names times, as ranges of tokens."""
        return list(times_in(self.text, self.tokens, self.names))

    @cached_property
    def words(self) -> list[int]:
        """The places of its words, behind what leads it."""
        return [at for at in range(self.begin, len(self.tokens)) if self.tokens[at].is_word]

    @cached_property
    def content(self) -> list[int]:
        """The places of its words that are no grammar."""
        named = {at for name in self.names for at in range(name.first, name.last)}
        return [at for at in self.words if at in named or not self.manner.plain(self.tokens[at].low)]

    def auxiliary(self, first: int = 0) -> int | None:
        """Where its first auxiliary from `first` on stands, None where it has none."""
        for at in range(max(first, self.begin), len(self.tokens)):
            if is_auxiliary(self.tokens, at, self.manner):
                return at
        return None

    def slice(self, first: int, last: int) -> str:
        """The text of a range of tokens."""
        return self.text[self.tokens[first].start : self.tokens[last - 1].end] if first < last else ""

    @property
    def end(self) -> int:
        """The token behind its last word and the quotation marks or brackets that close there."""
        end = self.words[-1] + 1 if self.words else len(self.tokens)
        while end < len(self.tokens) and self.tokens[end].text in _CLOSING:
            end += 1
        return end


_CLOSING = frozenset("\"”’»)]'")


def frame_of(text: str, manner: Manner, known: Collection[str] = ()) -> Frame:
    """Take a question apart."""
    tokens = tokens_of(text)
    begin = next((at for at, token in enumerate(tokens) if token.is_word), len(tokens))
    led = False
    for phrase in manner.leads:
        if matches(tokens, begin, phrase) and len(tokens) > begin + len(phrase):
            begin, led = begin + len(phrase), True
            break
    while begin < len(tokens) and not tokens[begin].is_word:
        begin += 1
    frame = Frame(text, tokens, manner, known, begin, led, begin, begin)
    at = begin
    while at < len(tokens) and tokens[at].low in manner.prepositions:
        at += 1
    if at == len(tokens) or tokens[at].low not in manner.asking or tokens[at].quoted:
        return frame
    end, counts = at + 1, tokens[at].low in manner.counting
    if tokens[at].low in _HOW and end < len(tokens) and tokens[end].is_word and not _is_verb(tokens, end, manner):
        counts = tokens[end].low in manner.counting
        end += 1
    noun = end
    return replace(frame, noun=noun, asking=_behind_noun(tokens, noun, manner) if counts else end)


_HOW = frozenset(("how", "wie"))


def _is_verb(tokens: Sequence[Token], at: int, manner: Manner) -> bool:
    return is_auxiliary(tokens, at, manner) or tokens[at].low in manner.pronouns or tokens[at].capital


def _behind_noun(tokens: Sequence[Token], first: int, manner: Manner) -> int:
    """Where the noun after "which" ends: before the auxiliary, else after one word, in German after the first noun."""
    for at in range(first, min(first + _NOUN_WORDS + 1, len(tokens))):
        if is_auxiliary(tokens, at, manner):
            return at
        if not tokens[at].is_word or tokens[at].low in manner.prepositions:
            return min(at, first + 1)
        if manner.nouns_capital and tokens[at].capital:
            return at + 1
    return min(first + 1, len(tokens))
