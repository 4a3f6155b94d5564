"""A question taken apart: what it begins with, what it asks with, whom and what it names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from memcli.recall.followup.manner import Gender, Manner
from memcli.recall.followup.said import Token, matches, tokens_of

_ANY_DAY = datetime(2001, 1, 3)
"""Only where a time stands is asked, not which it is."""
_NOUN_WORDS = 4


@dataclass(frozen=True, slots=True)
class Name:
    """A person or place as a text names it, with its tokens from `first` up to `last`.

    `owner`: something of theirs is meant ("Ada's"). `after` is the preposition before it.
    """

    text: str
    first: int
    last: int
    owner: bool = False
    after: str = ""
    gender: Gender = ""


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
        """The token behind its last word."""
        return self.words[-1] + 1 if self.words else len(self.tokens)


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


def is_auxiliary(tokens: Sequence[Token], at: int, manner: Manner) -> bool:
    """Whether an auxiliary stands there; "'s" is one after a word of grammar only."""
    token = tokens[at]
    if token.quoted or token.low not in manner.auxiliaries:
        return False
    if token.text[0] not in "'’":
        return True
    before = tokens[at - 1].low if at else ""
    return token.low != "'s" or before in manner.asking or before in manner.pronouns


def times_in(text: str, tokens: Sequence[Token], names: Sequence[Name] = ()) -> Iterator[tuple[int, int]]:
    """Where a text names times, as ranges of tokens; "October" and "2024" alone are times here too."""
    from memcli.lang.when import find_times

    named = {at for name in names for at in range(name.first, name.last)}
    spans = [time.span for time in find_times(text, _ANY_DAY, future=False)]
    inside = [
        at not in named
        and (is_time_word(token.low) or any(start < token.end and token.start < end for start, end in spans))
        for at, token in enumerate(tokens)
    ]
    first = None
    for at, timed in enumerate([*inside, False]):
        if timed and first is None:
            first = at
        if not timed and first is not None:
            yield first, at
            first = None


def is_time_word(low: str) -> bool:
    """Whether a word names a month, a weekday or a year, in any of the languages."""
    from memcli.lang.when.lexicon import lexicon

    if len(low) == _YEAR_DIGITS and low.isdecimal():
        return low[:2] in ("19", "20")
    return any(lexicon(language).get(low, ("",))[0] in _DATES for language in ("en", "de", "es"))


_YEAR_DIGITS = 4
_DATES = ("M", "W", "V")
"""Symbols of `lang/when` for months, weekdays, and weekdays that return."""


def names_in(tokens: Sequence[Token], manner: Manner, known: Collection[str] = ()) -> Iterator[Name]:
    """The persons and places that words name: capitals, titles, "my sister", and names that the store knows."""
    parts = {part.lower() for name in known for part in name.split() if len(part) > 1}
    at = 0
    while at < len(tokens):
        end, gender = _name_at(tokens, at, manner, parts)
        if end > at:
            first = at - 1 if tokens[at].low in manner.kin else at
            owner = end < len(tokens) and tokens[end].low == "'s"
            words = [token.text for token in tokens[first:end]]
            before = tokens[first - 1].low if first else ""
            yield Name(
                " ".join(words).replace(" .", "."),
                first,
                end,
                owner,
                before if before in manner.prepositions else "",
                gender,
            )
        at = max(end, at + 1)


def _name_at(tokens: Sequence[Token], at: int, manner: Manner, parts: Collection[str]) -> tuple[int, Gender]:
    """(the token behind the name that begins there, its gender); `at` itself where none begins."""
    token = tokens[at]
    if token.quoted or not token.is_word or token.text[0].isdigit():
        return at, ""
    if token.low in manner.kin and at and tokens[at - 1].low in manner.owners:
        return at + 1, manner.kin[token.low]
    gender: Gender = ""
    end = at
    if token.low in manner.titles and token.capital:
        gender, end = manner.titles[token.low], at + 1
        end += end < len(tokens) and tokens[end].text == "."
        if end == len(tokens) or not tokens[end].capital:
            return at, ""
    elif not _is_name(tokens, at, manner, parts):
        return at, ""
    end += 1
    while (
        end < len(tokens) and tokens[end].capital and not manner.nouns_capital and not _is_common(tokens[end], manner)
    ):
        end += 1
    return end, gender


def _is_name(tokens: Sequence[Token], at: int, manner: Manner, parts: Collection[str]) -> bool:
    token = tokens[at]
    if token.low in parts and not (manner.plain(token.low) and not token.capital):
        return True
    if not token.capital or _is_common(token, manner):
        return False
    if at == 0 or not tokens[at - 1].is_word:
        return _opens_with_name(tokens, at, manner)
    if not manner.nouns_capital:
        return True
    before = tokens[at - 1]
    if before.low in manner.determiners or before.text[0].isdigit():
        return False
    if before.capital and not manner.plain(before.low):
        return False
    if before.low in manner.auxiliaries or before.low in manner.prepositions:
        return True
    return before.low.endswith("te") or not before.low.endswith(_INFLECTED)


_INFLECTED = ("e", "en", "em", "er", "es")
"""Endings of German adjectives: a noun follows them, a name does not."""


def _is_common(token: Token, manner: Manner) -> bool:
    """Whether a word that is written with a capital is one all the same that names nobody."""
    from memcli.lang.when.lexicon import lexicon

    if manner.plain(token.low):
        return True
    return any(lexicon(language).get(token.low, ("",))[0] in _TIME_SYMBOLS for language in ("en", "de", "es"))


_TIME_SYMBOLS = frozenset("MWdgSPz")
"""Symbols of `lang/when` for months, weekdays, seasons and parts of the day."""


def _opens_with_name(tokens: Sequence[Token], at: int, manner: Manner) -> bool:
    """Whether the word a sentence begins with is a name: it stands alone, or something that follows names shows it."""
    if at + 1 == len(tokens):
        return True
    after = tokens[at + 1]
    if any(char.isupper() for char in tokens[at].text[1:]):
        return True
    return (
        not after.is_word
        or after.low in manner.joins
        or (after.capital and not manner.nouns_capital)
        or is_auxiliary(tokens, at + 1, manner)
    )
