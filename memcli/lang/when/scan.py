"""A text as tokens, each with a symbol, a value and its place: what the rules read.

Numbers and signs: `#` number, `Y` year-like number, `O` 12th, `K` 14:30,
`k` 3pm, `I` ISO date (and time), `J` date in figures, `r` 5-7, `Z` decade,
`Q` quarter, `C` comma, `.` end of a sentence, `'` apostrophe, `-` hyphen,
`~` other sign, `x` other word or number.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memcli.lang.when.lexicon import Lexicon

Any = int | float | str | tuple[int | str | None, ...] | None

_GLUE = frozenset(".-/:#$€£+*=@\\_~<^")
_BEFORE_DATES = frozenset("on by until till since before after from starting".split())
_CASED = frozenset("mon sat sun wed may march mar jan dec sep".split())
_DIGITS = frozenset("0123456789")
_SHORT = frozenset(
    "mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec".split()
)


_SPECIAL = _CASED | _SHORT


@lru_cache(maxsize=1)
def _token() -> re.Pattern[str]:
    # A figure swallows what hangs on it, so that 3.10.2 is one token and none of its parts is a date.
    return re.compile(r"\d(?:[\w.,:/+\-]*\w)?|[ap]\.m\b\.?|[^\W\d_]+\d*|[^\w\s]|_|\n(?=[^\S\n]{0,8}\n)")


@lru_cache(maxsize=1)
def _figure() -> re.Pattern[str]:
    return re.compile(
        r"(?P<n>\d{1,4})"
        r"|(?P<O>\d{1,2})(?:st|nd|rd|th)"
        r"|(?P<k>\d{1,2})(?P<kp>am|pm)"
        r"|(?P<K>\d{1,2}):(?P<Km>\d\d)(?::\d\d)?(?P<Kp>am|pm)?"
        r"|(?P<I>\d{4})-(?P<Im>\d\d)-(?P<Id>\d\d)(?:t(?P<Ih>\d\d):(?P<In>\d\d)(?::\d\d(?:[.,]\d+)?)?(?P<Iz>z|[+-]\d\d:?\d\d)?)?"
        r"|(?P<J>\d{4})[/.](?P<Jm>\d{1,2})[/.](?P<Jd>\d{1,2})"
        r"|(?P<j>\d{1,2})(?P<js>[/.-])(?P<jm>\d{1,2})(?P=js)(?P<jy>\d{4})"
        r"|(?P<r>\d{1,2})-(?P<r2>\d{1,2})(?:st|nd|rd|th)?"
        r"|(?P<Z>\d{3}0|[3-9]0)s"
        r"|(?P<half>\d{1,2})[.,]5",
        re.ASCII,
    )


class Tokens:
    """The tokens of a text: `words` in lower case, `values`, and `symbols`, one character a token."""

    __slots__ = ("_places", "symbols", "text", "values", "words")

    def __init__(self, text: str, places: list[re.Match[str]]) -> None:
        self.text = text
        self._places = places
        self.words = [place[0] for place in places]
        self.values: list[Any] = [None] * len(places)
        self.symbols = ""

    def word(self, index: int) -> str:
        """The word at an index in lower case, "" outside."""
        return self.words[index] if 0 <= index < len(self.words) else ""

    def symbol(self, index: int) -> str:
        """The symbol at an index; the text is fenced by sentence ends."""
        return self.symbols[index] if 0 <= index < len(self.symbols) else "."

    def start(self, index: int) -> int:
        """Where a token begins in the text, in characters."""
        return self._places[index].start()

    def end(self, index: int) -> int:
        """Where a token ends in the text, in characters."""
        return self._places[index].end()

    def raw(self, index: int) -> str:
        """The token as it was written, "" outside."""
        return self.text[self.start(index) : self.end(index)] if 0 <= index < len(self.words) else ""


def figure(word: str) -> tuple[str, Any]:
    """Symbol and value of a token that begins with a digit."""
    match = _figure().fullmatch(word)
    if match is None:
        return "x", None
    kind = match.lastgroup or ""
    one = match.group
    if kind == "n":
        number = int(word)
        return ("Y", number) if len(word) == 4 and 1000 <= number <= 2999 else ("#", number)
    if kind == "O":
        return ("O", int(one("O"))) if 1 <= int(one("O")) <= 31 else ("x", None)
    if kind == "kp":
        hour = int(one("k"))
        return ("k", (hour % 12 + (12 if one("kp") == "pm" else 0), None)) if 1 <= hour <= 12 else ("x", None)
    if one("K"):
        hour, minute = int(one("K")), int(one("Km"))
        if hour > 23 or minute > 59:
            return "x", None
        if one("Kp"):
            return ("k", (hour % 12 + (12 if one("Kp") == "pm" else 0), minute)) if 1 <= hour <= 12 else ("x", None)
        exact = one("K").startswith("0")  # 03:30 is written by a clock that counts to 24
        return "K", (hour, minute, "exact" if exact else None)
    if one("I"):
        clock = (int(one("Ih")), int(one("In")), one("Iz")) if one("Ih") else (None, None, None)
        return "I", (int(one("I")), int(one("Im")), int(one("Id")), *clock)
    if one("J"):
        return "J", (int(one("J")), int(one("Jm")), int(one("Jd")))
    if one("j"):
        return _dated(int(one("j")), int(one("jm")), int(one("jy")), one("js"))
    if one("r"):
        first, last = int(one("r")), int(one("r2"))
        return ("r", (first, last)) if 1 <= first < last <= 31 else ("x", None)
    if one("Z"):
        return "Z", int(one("Z"))
    return "#", float(one("half")) + 0.5


def _dated(first: int, second: int, year: int, sign: str) -> tuple[str, Any]:
    """A date in figures; with dots the day comes first, otherwise only one possible order counts."""
    if sign == "." or second <= 12 < first or first == second:
        return "J", (year, second, first)
    if first <= 12 < second:
        return "J", (year, first, second)
    return "x", None


def scan(text: str, lexicon: Lexicon, names: frozenset[str]) -> Tokens:
    """Cut a text into tokens. Names (lower case) get the symbol `x` unless a figure stands beside them."""
    lower = text.lower()
    if len(lower) != len(text):  # a letter that has no small form of one character
        lower = "".join(low if len(low := sign.lower()) == 1 else sign for sign in text)
    tokens = Tokens(text, list(_token().finditer(lower)))
    words = tokens.words
    entries = list(map(lexicon.get, words))
    symbols = [
        entry[0] if entry else ("x" if word[0].isalnum() else "~") for entry, word in zip(entries, words, strict=True)
    ]
    values: list[Any] = [entry[1] if entry else None for entry in entries]
    tokens.values = values
    special = _SPECIAL | names if names else _SPECIAL
    for index in [at for at, word in enumerate(words) if word[0] in _DIGITS or word in special]:
        if words[index][0] in _DIGITS:
            symbols[index], values[index] = _figure_token(tokens, index, symbols)
        elif symbols[index] in "WM":
            symbols[index] = _cased(tokens, index, names, symbols[index])
    tokens.symbols = "".join(symbols)
    return tokens


def _figure_token(tokens: Tokens, index: int, symbols: list[str]) -> tuple[str, Any]:
    """A figure by itself; one that hangs on something else (CVE-2026-0512, $2025, 5%) is no time."""
    start, end = tokens.start(index), tokens.end(index)
    before = tokens.text[start - 1] if start else " "
    glued = before in _GLUE and not (before == "-" and symbols[index - 2 : index - 1] == ["E"])  # mid-2019
    if glued or tokens.text[end : end + 1] in ("%", "€", "$", "°", "_"):
        return "x", None
    return figure(tokens.words[index])


def _cased(tokens: Tokens, index: int, names: frozenset[str], symbol: str) -> str:
    """Months and weekdays that are also words or names: which spelling and company makes them a date."""
    text, word, raw = tokens.text, tokens.words[index], tokens.raw(index)
    start, end = tokens.start(index), tokens.end(index)
    figure_near = any(sign.isdigit() for sign in text[max(0, start - 4) : start] + text[end : end + 6])
    before = tokens.word(index - 1)
    if word in names:
        asked = before in ("last", "next", "in", "early", "late")
        owned = text[end : end + 1] in ("'", "’")
        return symbol if figure_near or (asked and not owned) else "x"
    if raw.istitle():
        return symbol
    if word in _SHORT and word != "may":
        return symbol if figure_near or (word not in _CASED and raw.islower()) else "x"
    if raw.isupper():
        return symbol if figure_near or text.isupper() else "x"
    # "may" and "march" in small letters: a month only after a word that no verb follows
    if before in ("in", "since", "until", "last", "next", "by", "early", "late", "of"):
        return symbol
    # "from 1 march", "on may 3": a figure beside it and a preposition before them
    after = tokens.word(index + 1)
    if before.rstrip("stndrh").isdigit() and tokens.word(index - 2) in _BEFORE_DATES | {"the"}:
        return symbol
    return symbol if before in _BEFORE_DATES and after.rstrip("stndrh").isdigit() else "x"
