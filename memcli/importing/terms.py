"""What holds for everything of one add or import."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from memcli.types import DEFAULT_SCOPE


@dataclass(frozen=True, slots=True)
class Terms:
    """The run, and what the person said about all of it. `me` are their own names; secrets are hidden
    unless kept. `blob` is the SHA-256 of the kept original of a document. `mine` says that text files
    without a speaker are the person's own writing; else nobody knows who wrote them."""

    run: str
    scope: str = DEFAULT_SCOPE
    session: str | None = None
    speaker: str | None = None
    me: Collection[str] = ()
    pin: bool = False
    keep_secrets: bool = False
    blob: str | None = None
    mine: bool = True
