"""Which format is it? Content decides, the cheapest question first.

A format's module is loaded only when a cheap look says that it may be the one,
so that a short note costs nothing. What is JSON is never read as prose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module

from memcli.errors import BadData, UsageError
from memcli.formats.base import Format, ParseOptions
from memcli.formats.source import Source
from memcli.types import Draft, Skip

JSON_FORMATS = ("chatgpt", "claude-ai", "locomo", "openai")
"""Formats whose content is JSON or JSON Lines, in the order they are asked."""

_Gate = Callable[[str], bool]

TEXT_FORMATS: tuple[tuple[str, _Gate], ...] = (
    ("transcript", lambda text: text.count(":") + text.count("：") > 1 or text.count("# ") > 1),
    ("markdown", lambda text: "#" in text or text.startswith("---")),
    ("note", lambda text: True),
)
"""Formats whose content is text, in the order they are asked, each with a cheap look at the first 64 KB."""

ASKED_FOR: tuple[str, ...] = ()
"""Formats that are read only when the person names them."""

NAMES = tuple(sorted((*JSON_FORMATS, *(name for name, _ in TEXT_FORMATS), *ASKED_FOR)))


def by_name(name: str) -> Format:
    """The format of that name. UsageError, with the names there are, where there is none."""
    if name not in NAMES:
        raise UsageError(f"There is no format called {name!r}.", f"formats: {', '.join(NAMES)}")
    found: Format = import_module(f"memcli.formats.{name.replace('-', '_')}").FORMAT
    return found


def detect(source: Source) -> Format:
    """The format of a source. BadData where it is JSON of no known shape, or no text."""
    text = source.start
    if text.lstrip("\ufeff \t\n")[:1] in ("{", "[") and source.shape is not None:
        return _detect_json(source)
    return next(format_ for name, gate in TEXT_FORMATS if gate(text) and (format_ := by_name(name)).sniff(source))


def parse(source: Source, format_: Format, options: ParseOptions) -> Iterator[Draft | Skip]:
    """What a source holds. BadData where all of it is damaged.

    What names no time takes the date of the options, if there is one.
    """
    kept = 0
    damaged: Skip | None = None
    try:
        for item in format_.parse(source, options):
            if isinstance(item, Skip):
                damaged = item if item.damaged else damaged
            else:
                kept += 1
                if item.moment is None and options.date is not None:
                    item = replace(item, moment=options.date)
            yield item
    except RecursionError as error:
        raise BadData(f"{source.name} is nested too deeply to read.") from error
    if not kept and damaged:
        raise BadData(f"{source.name} could not be read: {damaged.where}: {damaged.reason}.", "nothing was kept of it")


def _detect_json(source: Source) -> Format:
    for name in JSON_FORMATS:
        format_ = by_name(name)
        if format_.sniff(source):
            return format_
    shape = source.shape
    keys = ", ".join(shape.keys[:12]) if shape else ""
    named = f"keys {keys}" if keys else "no objects in it"
    raise BadData(
        f"{source.name}: JSON of a shape mem does not know: {named}.",
        f"say what it is with --as {'|'.join(JSON_FORMATS)}, or keep it as it is with --as note",
    )
