"""A text as tokens, each with a symbol, a value and its place: what the rules read.

Numbers and signs: `#` number, `Y` year-like number, `O` 12th, `K` 14:30,
`k` 3pm, `I` ISO date (and time), `J` date in figures, `r` 5-7, `Z` decade,
`Q` quarter, `C` comma, `.` end of a sentence, `'` apostrophe, `-` hyphen,
`~` other sign, `x` other word or number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from memcli.lang.when.lexicon import Lexicon

Any = int | float | str | tuple[int | str | None, ...] | None

_GLUE = frozenset(".-/:#$€£+*=@\\_~<^")
_SIGNS = {",": "C", ".": ".", "!": ".", "?": ".", ";": ".", "…": ".", "'": "'", "’": "'", "-": "-", "–": "-", "—": "."}
_CASED = frozenset("mon sat sun wed may march mar jan dec sep".split())
_SHORT = frozenset(
    "mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec".split()
)


@lru_cache(maxsize=1)
def _token() -> re.Pattern[str]:
    # A figure swallows what hangs on it, so that 3.10.2 is one token and none of its parts is a date.
    return re.compile(r"\d(?:[\w.,:/+\-]*\w)?|[ap]\.m\b\.?|[^\W\d_]+\d*|[^\w\s]|_|\n(?=\s*\n)", re.IGNORECASE)


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


@dataclass(slots=True)
class Tokens:
    """The tokens of a text in parallel lists; `symbols` has one character a token."""

    text: str
    words: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    symbols: str = ""

    def word(self, index: int) -> str:
        """The word at an index in lower case, "" outside."""
        return self.words[index] if 0 <= index < len(self.words) else ""

    def symbol(self, index: int) -> str:
        """The symbol at an index; the text is fenced by sentence ends."""
        return self.symbols[index] if 0 <= index < len(self.symbols) else "."

    def raw(self, index: int) -> str:
        return self.text[self.starts[index] : self.ends[index]] if 0 <= index < len(self.starts) else ""


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
    tokens = Tokens(text)
    symbols: list[str] = []
    words, values, starts, ends = tokens.words, tokens.values, tokens.starts, tokens.ends
    get = lexicon.get
    for match in _token().finditer(text):
        raw = match[0]
        word = raw.lower()
        first = raw[0]
        symbol: str
        value: Any
        known = get(word)
        if known is not None:
            symbol, value = known
            if symbol in "WM" and (word in _CASED or word in _SHORT or word in names):
                symbol = _cased(text, match, raw, word, word in names, symbol)
        elif first.isdigit():
            before = text[match.start() - 1] if match.start() else " "
            glued = before in _GLUE and not (before == "-" and symbols[-2:-1] == ["E"])  # mid-2019
            after = text[match.end() : match.end() + 1]
            symbol, value = ("x", None) if glued or after in ("%", "€", "$", "°", "_") else figure(word)
        elif len(word) == 2 and word[0] == "q" and word[1] in "1234":
            symbol, value = "Q", int(word[1])
        elif word[0] in "ap" and word[1:3] == ".m":
            symbol, value = "p", 12 if word[0] == "p" else 0
        elif first.isalpha():
            symbol, value = "x", None
        else:
            symbol, value = ("." if first == "\n" else _SIGNS.get(first, "~")), None
        symbols.append(symbol)
        words.append(word)
        values.append(value)
        starts.append(match.start())
        ends.append(match.end())
    tokens.symbols = "".join(symbols)
    return tokens


def _cased(text: str, match: re.Match[str], raw: str, word: str, name: bool, symbol: str) -> str:
    """Months and weekdays that are also words or names: which spelling and company makes them a date."""
    beside = text[max(0, match.start() - 4) : match.start()] + text[match.end() : match.end() + 6]
    figure_near = any(sign.isdigit() for sign in beside)
    if name:
        before = text[max(0, match.start() - 5) : match.start()].lower().split()
        asked = bool(before) and before[-1] in ("last", "next", "in", "early", "late", "mid-")
        owned = text[match.end() : match.end() + 1] in ("'", "’")
        return symbol if figure_near or (asked and not owned) else "x"
    if raw.istitle():
        return symbol
    if word in _SHORT:
        return symbol if figure_near or (word not in _CASED and raw.islower()) else "x"
    if raw.isupper():
        return symbol if text.isupper() or figure_near else "x"
    # "may" and "march" in small letters: a month only after a word that no verb follows
    before = text[max(0, match.start() - 7) : match.start()].lower().split()
    asked = bool(before) and before[-1] in ("in", "since", "until", "last", "next", "by", "early", "late", "of")
    return symbol if asked else "x"
