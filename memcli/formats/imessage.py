"""The text export of `imessage-exporter`: a time, a sender, and the bubble's lines.

Its times are wall clocks; `Me` is the person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.calendar import wall_time
from memcli.formats.source import Source
from memcli.formats.text import clean, name_of
from memcli.types import Draft, Role, Skip, Trust

_APP = "imessage"
_STAMP = re.compile(r"([A-Z][a-z]{2} \d{1,2}, \d{4}\s{1,2}\d{1,2}:\d\d:\d\d\s[AP]M)(?: (\(.*\))| (\S.*))?\Z")
_FILE = re.compile(r"(?:/|~/|\./|attachments/)?(?:[^\n:]+/)[^\n/]+\.[A-Za-z0-9]{2,5}\Z|Attachment missing!\Z")
_SECTIONS = frozenset({"Tapbacks:", "Stickers:"})
_MARKS = ("This message responded to an earlier message.", "Sent with ", "￼")


def sniff(source: Source) -> bool:
    """The first line is a time in that spelling, with a sender below or an announcement beside it."""
    lines = [line for line in source.start.lstrip("\ufeff").split("\n", 40) if line.strip()]
    first = _STAMP.match(lines[0]) if lines else None
    if first is None:
        return False
    return bool(first[3]) or (len(lines) > 2 and 0 < len(lines[1]) <= 80)


def parse(source: Source, options: ParseOptions) -> Parsed:
    """One entry a bubble; announcements and bubbles without words are skipped."""
    ordinal = 0
    for item in _bubbles(source):
        if isinstance(item, Skip):
            yield item
            continue
        where, sender, lines = item
        text = _words(lines)
        if not text:
            yield Skip(where, "media without text")
            continue
        role: Role = "user" if sender == "Me" else "other"
        trust: Trust = "self" if sender == "Me" else "other"
        yield Draft(_APP, text, ordinal, name_of(sender), role, trust, wall_time(where))
        ordinal += 1


def _bubbles(source: Source) -> Iterator[tuple[str, str, list[str]] | Skip]:
    """(time, sender, lines). A time opens a bubble only after a blank line: a body may hold one."""
    stamp, lines, blank = "", list[str](), True
    for line in source.lines():
        line = line.rstrip("\r").removeprefix("\ufeff")
        match = _STAMP.match(line) if blank else None
        blank = not line.strip()
        if match is None:
            lines.append(line)
            continue
        if stamp:
            yield stamp, lines[0] if lines else "", lines[1:]
        stamp, lines = match[1], []
        if match[3]:
            yield Skip(match[1], "service message")
            stamp = ""
    if stamp:
        yield stamp, lines[0] if lines else "", lines[1:]


def _words(lines: list[str]) -> str:
    """The bubble's own lines: no reactions, no files, no replies that are repeated below it."""
    kept: list[str] = []
    for line in lines:
        if line in _SECTIONS:
            break
        if line.startswith("    ") or _FILE.match(line) or line.startswith(_MARKS):
            continue
        kept.append(line)
    return clean("\n".join(kept))


FORMAT = Format(_APP, "iMessage text export (imessage-exporter)", "chat", sniff, parse)
