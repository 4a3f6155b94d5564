"""A plain note: the whole text is one entry, verbatim."""

from __future__ import annotations

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.source import Source
from memcli.formats.text import trim
from memcli.types import Draft, Skip

_APP = "note"


def sniff(source: Source) -> bool:
    """Any text is a note when it is nothing else."""
    return True


def parse(source: Source, options: ParseOptions) -> Parsed:
    """The one entry; a `Skip` where there are no words."""
    text = trim(source.text())
    if text:
        yield Draft(_APP, text, 0, None, "user", "self")
    else:
        yield Skip("the text", "empty")


FORMAT = Format(_APP, "plain note", "note", sniff, parse)
