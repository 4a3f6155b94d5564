"""What a rule is, and how it looks at a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

# A value begins here: not inside a word. A line break that JSON wrote as \n and an
# escaped character of a URL (%3D) end with a letter or a digit, and still end.
BEGIN = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F][0-9A-F])|(?<=\\u[0-9a-fA-F]{4}))"
END = r"(?![A-Za-z0-9])"

# Stands for what is already hidden, while the rest is read. No rule takes it as part of a value.
BARRIER = "\x00"

# The keywords of rules that no literal calls, but a run of digits (see `scan`).
DIGITS = ("#",)

Span = tuple[int, int]


@dataclass(frozen=True)
class Rule:
    """One kind of secret.

    `keywords` are lower-case literals: where none of them occurs, the pattern
    is neither compiled nor run. The pattern is tried where a keyword stands
    (`anchored`), or sought in the whole text if the keyword is inside. It marks
    the value with the group `s`, or `q` for one in quotes; without either the
    whole match is the value. `fit` and `fit_quoted` say how many leading
    characters of a value belong to it, 0 if it is none after all. `before` must
    be found in the 80 characters before the match. `find` takes the place of a
    pattern where the structure of the text matters.
    `long` marks kinds whose values have a run of at least 16 letters, digits,
    `-`, `_`, `+` or `/`: a text without such a run is not asked for their keywords.
    """

    name: str
    keywords: tuple[str, ...]
    pattern: str = ""
    fit: Callable[[str], int] | None = None
    fit_quoted: Callable[[str], int] | None = None
    before: str = ""
    find: Callable[[str], Iterator[Span]] | None = None
    long: bool = True
    anchored: bool = True

    def spans(self, text: str, low: str) -> Iterator[Span]:
        """Every value of this kind in `text`, as half-open spans. `low` is `text` in lower case, place by place."""
        if self.find is not None:
            yield from self.find(text)
            return
        if self.before and not compiled(self.before).search(text):
            return
        regex = compiled(self.pattern)
        for match in self._anchored(regex, text, low) if self.anchored else regex.finditer(text):
            if self.before and not compiled(self.before).search(text, max(0, match.start() - 80), match.start()):
                continue
            groups = regex.groupindex
            is_quoted = "q" in groups and match["q"] is not None
            start, end = match.span("q" if is_quoted else "s" if "s" in groups else 0)
            fit = self.fit_quoted if is_quoted else self.fit
            if fit is not None:
                end = start + fit(text[start:end])
            if end > start:
                yield start, end

    def _anchored(self, regex: re.Pattern[str], text: str, low: str) -> Iterator[re.Match[str]]:
        """The pattern where a keyword stands, not again inside of what it matched."""
        for word in self.keywords:
            at = low.find(word)
            while at >= 0:
                match = regex.match(text, at)
                if match is not None:
                    yield match
                at = low.find(word, max(at + 1, match.end() if match is not None else 0))


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compiled once, when first needed: all of them together would cost more than `mem add` has."""
    return re.compile(pattern)
