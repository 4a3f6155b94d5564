"""The history of zsh, which writes some bytes in its own way. Read only when it is asked for by name."""

from __future__ import annotations

import re

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.source import Source
from memcli.formats.stamps import epoch
from memcli.formats.text import clean
from memcli.types import Draft, Moment

_APP = "zsh-history"
_STAMP = re.compile(rb": (\d{9,11}):\d+;")
_META = re.compile(rb"\x83(.)", re.DOTALL)


def sniff(source: Source) -> bool:
    """The first line begins with an epoch and a duration."""
    return _STAMP.match(source.head) is not None


def parse(source: Source, options: ParseOptions) -> Parsed:
    """One entry a command. A backslash at the end of a line goes on with the next one."""
    ordinal = 0
    held: list[bytes] = []
    moment: Moment | None = None
    with source.opener() as stream:
        for raw in [*stream, b""]:
            line = _META.sub(lambda match: bytes([match[1][0] ^ 0x20]), raw.rstrip(b"\n"))
            stamp = _STAMP.match(line)
            if stamp is None and held and held[-1].endswith(b"\\"):
                held.append(line)
                continue
            if text := _command(held):
                yield Draft(_APP, text, ordinal, None, "user", "self", moment)
                ordinal += 1
            moment = epoch(stamp[1].decode()) if stamp else None
            held = [line[stamp.end() :] if stamp else line]
        if text := _command(held):
            yield Draft(_APP, text, ordinal, None, "user", "self", moment)


def _command(lines: list[bytes]) -> str:
    joined = b"\n".join(line[:-1] if line.endswith(b"\\") and line is not lines[-1] else line for line in lines)
    return clean(joined.decode("utf-8", "replace"))


FORMAT = Format(_APP, "zsh history", "history", sniff, parse)
