"""The history of bash. Read only when it is asked for by name: it holds secrets and says little."""

from __future__ import annotations

import re

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.source import Source
from memcli.formats.stamps import epoch
from memcli.formats.text import clean
from memcli.types import Draft, Moment

_APP = "bash-history"
_STAMP = re.compile(r"#(\d{9,11})\s*\Z")


def sniff(source: Source) -> bool:
    """A line that is an epoch behind a `#`, at the beginning."""
    return _STAMP.match(source.start.split("\n", 1)[0]) is not None


def parse(source: Source, options: ParseOptions) -> Parsed:
    """One entry a command. Below a stamp all lines up to the next belong together; without stamps each is one."""
    ordinal = 0
    moment: Moment | None = None
    words: list[str] = []
    stamped = False
    for line in [*source.lines(), "#0000000000"]:
        match = _STAMP.match(line)
        if match is None and stamped:
            words.append(line.rstrip("\r"))
            continue
        text = clean("\n".join(words) if match else line)
        if text:
            yield Draft(_APP, text, ordinal, None, "user", "self", moment)
            ordinal += 1
        if match is not None:
            stamped, moment, words = True, epoch(match[1]), []


FORMAT = Format(_APP, "bash history", "history", sniff, parse)
