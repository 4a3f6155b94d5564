"""A mailbox: many mails in one file, read one at a time.

A line that begins with `From ` opens a mail only behind a blank line and
before a header; prose that begins so stays prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.eml import Mails
from memcli.formats.source import Source

_HEADER = re.compile(rb"[!-9;-~]{1,60}:[ \t\r\n]")
_QUOTED_FROM = re.compile(rb">+From ")


def sniff(source: Source) -> bool:
    """A `From ` line with a header below it, at the very beginning."""
    lines = source.head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 4)
    return lines[0].startswith(b"From ") and any(_HEADER.match(line + b"\n") for line in lines[1:4])


def parse(source: Source, options: ParseOptions) -> Parsed:
    """Every mail, in the order of the file."""
    mails = Mails("mbox")
    with source.opener() as stream:
        for number, data in enumerate(split(stream), 1):
            yield from mails.read(f"mail {number}", data)


def split(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The mails of a mailbox, without their `From ` lines, `>From ` unquoted (mboxrd)."""
    mail: list[bytes] = []
    waiting: bytes | None = None
    begun = False
    blank = True
    for line in lines:
        if waiting is not None:
            if _HEADER.match(line) or line.startswith(b">From "):
                if begun:
                    yield b"".join(mail)
                mail, begun = [], True
            elif begun:
                mail.append(waiting)
            waiting = None
        if blank and line.startswith((b"From ", b"\xef\xbb\xbfFrom ")):
            waiting = line
            blank = False
            continue
        blank = not line.strip()
        mail.append(line[1:] if line.startswith(b">") and _QUOTED_FROM.match(line) else line)
    if waiting is not None:
        mail.append(waiting)
    if begun or any(line.strip() for line in mail):
        yield b"".join(mail)


FORMAT = Format("mbox", "mailbox (mbox)", "mail", sniff, parse)
