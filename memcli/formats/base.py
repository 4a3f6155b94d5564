"""What a format is, and what a parser may be told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from memcli.formats.source import Source
from memcli.types import Draft, Moment, Skip

DateOrder = Literal["dmy", "mdy"]
Kind = Literal["note", "chat", "mail", "meeting", "document", "history", "benchmark"]
Parsed = Iterator[Draft | Skip]


class ParseOptions(NamedTuple):
    """What the person said about the source.

    `date` is when it was said, for what names no time itself (and the moment
    a recording began). `date_order` reads 03/04/2026 where the file leaves it
    open. `origin` is the name to show.
    """

    date: Moment | None = None
    date_order: DateOrder | None = None
    origin: str = ""


class Format(NamedTuple):
    """One format: its name (`Draft.app`), a title for people, and its two functions.

    `sniff` looks at the beginning of a source and decides by content. `parse`
    yields drafts in order. A new conversation begins where `conversation`
    changes, and, where the format has no ids, at each `ordinal` 0.
    """

    name: str
    title: str
    kind: Kind
    sniff: Callable[[Source], bool]
    parse: Callable[[Source, ParseOptions], Parsed]
