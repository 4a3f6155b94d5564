"""jrnl: its text file (`[2026-05-20 15:04] Title. body`), or its JSON export."""

from __future__ import annotations

import re

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.calendar import wall_time
from memcli.formats.source import Source
from memcli.formats.stream import elements
from memcli.formats.text import clean, mapping, string
from memcli.types import Draft, Moment, Skip

_APP = "jrnl"
_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?"
_HEADER = re.compile(rf"\[(\d{{4}}-\d\d-\d\d {_CLOCK})\](?: |\Z)")
_OLD_HEADER = re.compile(rf"(\d{{4}}-\d\d-\d\d {_CLOCK}) ")


def sniff(source: Source) -> bool:
    """Entries with date, time and body, or a full date and time in brackets on the first line."""
    start = source.start.lstrip("\ufeff \n")
    if start[:1] == "{":
        shape = source.shape
        return shape is not None and any(
            "date" in entry and "time" in entry and ("body" in entry or "title" in entry)
            for entry in shape.inner("entries")
        )
    return _HEADER.match(start) is not None


def parse(source: Source, options: ParseOptions) -> Parsed:
    """One entry an entry."""
    yield from _of_json(source) if source.shape is not None else _of_text(source)


def _of_json(source: Source) -> Parsed:
    ordinal = 0
    for row in elements(source, "entries.item", "entry"):
        if isinstance(row, Skip):
            yield row
            continue
        where, record = row[0], mapping(row[1])
        text = clean("\n".join(part for key in ("title", "body") if (part := clean(string(record.get(key))))))
        if not text:
            yield Skip(where, "empty message")
            continue
        moment = wall_time(f"{string(record.get('date'))} {string(record.get('time'))}".strip())
        yield Draft(_APP, text, ordinal, None, "user", "self", moment)
        ordinal += 1


def _of_text(source: Source) -> Parsed:
    # Files of old versions have no brackets; only a file without any is read that way.
    lines = source.text().lstrip("\ufeff").split("\n")
    header = _HEADER if any(_HEADER.match(line) for line in lines) else _OLD_HEADER
    ordinal = 0
    moment: Moment | None = None
    words: list[str] = []
    for line in [*lines, None]:
        match = header.match(line) if line is not None else None
        if line is not None and match is None:
            words.append(line)
            continue
        if text := _unstarred(clean("\n".join(words))):
            yield Draft(_APP, text, ordinal, None, "user", "self", moment)
            ordinal += 1
        if match is not None and line is not None:
            moment, words = wall_time(match[1]), [line[match.end() :]]


def _unstarred(text: str) -> str:
    """Without jrnl's star, which stands before the title or behind it."""
    if text.startswith("* "):
        return text[2:].lstrip()
    first, newline, rest = text.partition("\n")
    return f"{first.removesuffix(' *')}{newline}{rest}"


FORMAT = Format(_APP, "jrnl journal", "note", sniff, parse)
