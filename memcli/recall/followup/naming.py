"""What words name: persons and places, times; and where an auxiliary stands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from memcli.recall.followup.manner import Gender, Manner
from memcli.recall.followup.said import Token

_ANY_DAY = datetime(2001, 1, 3)
"""Only where a time stands is asked, not which it is."""


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


_TIME_SYMBOLS = frozenset("MWVdgSPz")
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
