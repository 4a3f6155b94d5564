"""WebVTT captions and meeting transcripts (Teams, Zoom, Meet, YouTube).

Times count from the beginning of the recording; with the moment it began they
are moments.
"""

from __future__ import annotations

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.cues import join_cues, read_cues
from memcli.formats.source import Source
from memcli.formats.stamps import shift
from memcli.types import Draft

_APP = "vtt"


def sniff(source: Source) -> bool:
    """`WEBVTT` on the first line, in any case, and a timing line."""
    first = source.start.lstrip("\ufeff \n")[:8].upper()
    return first.startswith("WEBVTT") and not first[6:7].isalnum() and "-->" in source.start


def parse(source: Source, options: ParseOptions) -> Parsed:
    """An entry for what each speaker said at a stretch."""
    yield from drafts(_APP, source, options, blank_ends=True)


def drafts(app: str, source: Source, options: ParseOptions, blank_ends: bool) -> Parsed:
    """The entries of a file of cues."""
    cues = join_cues(read_cues(source.text().split("\n"), blank_ends))
    for ordinal, cue in enumerate(cues):
        yield Draft(app, cue.text, ordinal, cue.speaker, "other", "other", shift(options.date, cue.start))


FORMAT = Format(_APP, "WebVTT captions", "meeting", sniff, parse)
