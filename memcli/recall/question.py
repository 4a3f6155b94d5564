"""A question as it is searched for: its words and the filters the person gave."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Query:
    """`since_ms` and `until_ms` are a half-open range of wall-clock milliseconds; `k` pieces of evidence at most."""

    text: str
    scope: str | None = None
    since_ms: int | None = None
    until_ms: int | None = None
    k: int = 8
    include_tools: bool = False
