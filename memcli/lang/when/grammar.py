"""What a rule is, and what rules ask of the text around them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from functools import lru_cache

from memcli.lang.when.almanac import Found
from memcli.lang.when.scan import Tokens
from memcli.lang.when.tense import Tense

AMOUNT = "(?:a?qf?|[n#]jah|a?ha?|[n#a])"
"""A couple of, two and a half, half an, 3, a."""

_FOLLOWS = frozenset(
    "and or but so because if when while was were is isn wasn will won would we i you he she they it there at in on to"
    " for with until till from by after before since then that this which where as of off again too also please my our"
    " his her their the a an your not though although instead both all when's has had have did does do can could should"
    " must may might just only around between during without about due let than who what how sharp today tomorrow"
    " yesterday everyone someone nobody nothing everything everybody war ist bin wir ich y o".split()
)


@dataclass(slots=True)
class Context:
    """One text being read, and what was found in it so far (first token, token after the last, interval)."""

    tokens: Tokens
    anchor: datetime
    zone: tzinfo | None
    future: bool | None
    language: str
    names: frozenset[str]
    done: list[tuple[int, int, Found]] = field(default_factory=list)
    tense: Tense = field(init=False)

    def __post_init__(self) -> None:
        self.tense = Tense(self.tokens, self.language)

    @property
    def today(self) -> date:
        return self.anchor.date()

    def side(self, first: int, last: int) -> int:
        """-1 back, 1 ahead, 0 unknown: the sentence's own tense, else what the caller expects."""
        found = self.tense.side(first, last)
        return found if found or self.future is None else (1 if self.future else -1)

    def habitual(self, first: int, last: int) -> bool:
        return self.tense.habitual(first, last)

    def free_after(self, last: int) -> bool:
        """Whether nothing that could be counted or named follows: "on the 3rd" against "on the 3rd floor"."""
        symbol = self.tokens.symbol(last)
        return symbol in ".C~j@oizkKdgbv" or self.tokens.word(last) in _FOLLOWS or symbol == "'"

    def value(self, index: int) -> int:
        value = self.tokens.values[index]
        return value if isinstance(value, int) else 0

    def text_value(self, index: int) -> str:
        value = self.tokens.values[index]
        return value if isinstance(value, str) else ""

    def at(self, symbols: str, first: int, last: int) -> int:
        """The index of the first token in a range with one of these symbols, -1 where there is none."""
        for index in range(first, last):
            if self.tokens.symbols[index] in symbols:
                return index
        return -1

    def vague(self, first: int) -> bool:
        """Whether "about", "roughly", "more than" stand before that token."""
        before = self.tokens.word(first - 1)
        if self.tokens.symbol(first - 1) == "j" and self.tokens.symbol(first - 2) in "n#":
            return True  # "two or three weeks ago"
        if self.tokens.symbol(first - 1) == "X":  # not "heard about Friday"
            return self.tokens.symbol(first) in "aqn#hYOMZ@kKzi"
        if before in ("around", "over", "like", "some", "gegen"):
            return self.tokens.symbol(first) in "aqn#h" or (before == "around" and self.tokens.symbol(first) in "YOM")
        return before == "than" and self.tokens.word(first - 2) in ("more", "less", "longer")

    def amount(self, first: int, last: int) -> tuple[float, bool]:
        """How many units a range of tokens names, and whether it says so vaguely."""
        tokens = self.tokens
        symbols = tokens.symbols[first:last]
        total = 0.0
        for index in range(first, last):
            value = tokens.values[index]
            if tokens.symbols[index] in "n#q" and isinstance(value, (int, float)):
                total = float(value)
        if not total and "h" not in symbols:
            total = 1.0
        if "h" in symbols:
            total = (total or 1.0) + 0.5 if "j" in symbols else 0.5
        return total, "q" in symbols


class Block(Exception):
    """A rule's answer that its tokens name no time, and that no other rule may say so."""


Reader = Callable[[Context, int, int], "Found | None"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern over symbols, anchored at a token, and the function that makes an interval of it."""

    name: str
    firsts: str
    patterns: tuple[str, ...]
    read: Reader


RULES: list[Rule] = []


def rule(name: str, firsts: str, *patterns: str) -> Callable[[Reader], Reader]:
    """Register a reader for patterns that begin with one of the symbols `firsts`.

    Of the rules that match at a token the longest reading is tried first.
    """

    def register(read: Reader) -> Reader:
        RULES.append(Rule(name, firsts, patterns, read))
        return read

    return register


@lru_cache(maxsize=256)
def compiled(pattern: str) -> re.Pattern[str]:
    """A rule's pattern, compiled when a text first comes near it."""
    return re.compile(pattern)


@lru_cache(maxsize=1)
def by_symbol() -> dict[str, list[tuple[Rule, str]]]:
    """The rules that can begin with each symbol."""
    table: dict[str, list[tuple[Rule, str]]] = {}
    for each in RULES:
        for symbol in each.firsts:
            table.setdefault(symbol, []).extend((each, pattern) for pattern in each.patterns)
    return table
