"""A meeting transcript as Otter writes it: `Name  0:03` over what was said."""

from __future__ import annotations

import re

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.labels import LONGEST
from memcli.formats.source import Source
from memcli.formats.stamps import shift
from memcli.formats.text import clean, name_of
from memcli.types import Draft, Skip

_APP = "otter"
_HEADER = re.compile(rf"(\S[^\n]{{0,{LONGEST}}}?)[ \t]{{2,4}}(?:(\d{{1,2}}):)?(\d{{1,3}}):(\d\d)\s*\Z")
_FOOTER = re.compile(r"Transcribed by \S[^\n]{0,80}\s*\Z")
_BEGINS_WITHIN_MS = 5 * 60_000
"""A first time later than this is a time of day: pasted from a chat."""


def sniff(source: Source) -> bool:
    """A speaker and a time near zero on the first line, and times that never go back."""
    lines = [line for line in source.start.lstrip("\ufeff").split("\n") if line.strip()]
    first = _HEADER.match(lines[0]) if lines else None
    if first is None or len(lines) < 2 or _HEADER.match(lines[1]) or _ms(first) > _BEGINS_WITHIN_MS:
        return False
    times = [_ms(match) for line in lines if (match := _HEADER.match(line))]
    return times == sorted(times)


def parse(source: Source, options: ParseOptions) -> Parsed:
    """One entry a speaker's turn; the tool's own last line is left out."""
    turns: list[tuple[re.Match[str] | None, list[str]]] = [(None, [])]
    for line in source.text().lstrip("\ufeff").split("\n"):
        match = _HEADER.match(line)
        if match:
            turns.append((match, []))
        else:
            turns[-1][1].append(line)
    footer = _cut_footer(turns[-1][1])
    ordinal = 0
    for match, lines in turns:
        text = clean("\n".join(lines))
        if not text:
            if match is not None:
                yield Skip(match[0], "empty message")
            continue
        moment = shift(options.date, _ms(match)) if match else None
        yield Draft(_APP, text, ordinal, name_of(match[1]) if match else None, "other", "other", moment)
        ordinal += 1
    if footer:
        yield Skip("the last line", "footer")


def _cut_footer(lines: list[str]) -> bool:
    at = next((number for number in reversed(range(len(lines))) if lines[number].strip()), None)
    if at is None or not _FOOTER.match(lines[at]) or (at and lines[at - 1].strip()):
        return False
    del lines[at:]
    return True


def _ms(match: re.Match[str]) -> int:
    return ((int(match[2] or 0) * 60 + int(match[3])) * 60 + int(match[4])) * 1000


FORMAT = Format(_APP, "meeting transcript (Otter)", "meeting", sniff, parse)
