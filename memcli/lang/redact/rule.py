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

Span = tuple[int, int]


@dataclass(frozen=True)
class Rule:
    """One kind of secret.

    `keywords` are lower-case literals: where none of them occurs, the pattern
    is neither compiled nor run. `pattern` marks the value with the group `s`;
    without one the whole match is the value. `fit` says how many leading
    characters of a value belong to it, 0 if it is none after all. `find` takes
    the place of a pattern where the structure of the text matters.
    `long` marks kinds whose values have a run of at least 16 letters, digits,
    `-`, `_`, `+` or `/`: a text without such a run is not asked for their keywords.
    """

    name: str
    keywords: tuple[str, ...]
    pattern: str = ""
    fit: Callable[[str], int] | None = None
    find: Callable[[str], Iterator[Span]] | None = None
    long: bool = True

    def spans(self, text: str) -> Iterator[Span]:
        """Every value of this kind in `text`, as half-open spans."""
        if self.find is not None:
            yield from self.find(text)
            return
        regex = compiled(self.pattern)
        group: str | int = "s" if "s" in regex.groupindex else 0
        for match in regex.finditer(text):
            start, end = match.span(group)
            if start < 0:
                continue
            if self.fit is not None:
                end = start + self.fit(text[start:end])
            if end > start:
                yield start, end


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compiled once, when first needed: all of them together would cost more than `mem add` has."""
    return re.compile(pattern)
