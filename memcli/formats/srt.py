"""SubRip captions (SRT): numbered cues with comma times."""

from __future__ import annotations

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.cues import TIMING
from memcli.formats.source import Source
from memcli.formats.vtt import drafts

_APP = "srt"


def sniff(source: Source) -> bool:
    """A number, and a timing line below it; some tools leave the first number out."""
    lines = [line for line in source.start.lstrip("\ufeff").split("\n", 20) if line.strip()][:2]
    if not lines:
        return False
    return bool(TIMING.match(lines[0]) or (lines[0].strip().isdigit() and len(lines) > 1 and TIMING.match(lines[1])))


def parse(source: Source, options: ParseOptions) -> Parsed:
    """An entry for what each speaker said at a stretch."""
    yield from drafts(_APP, source, options, blank_ends=False)


FORMAT = Format(_APP, "SubRip captions (SRT)", "meeting", sniff, parse)
