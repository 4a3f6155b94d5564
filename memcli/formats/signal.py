"""What `signal-export` writes of a Signal chat: `chat.md`, or `data.json`, which is JSON Lines.

Its times are wall clocks; `Me` is the person. Both files give the same entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.source import Source
from memcli.formats.stamps import iso
from memcli.formats.stream import rows
from memcli.formats.text import clean, mapping, name_of, string
from memcli.types import Draft, Role, Skip, Trust

_APP = "signal"
_TURN = re.compile(r"\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\] ([^:\n]{1,80}):(?: |$)(.*)")
_LOOKS_STAMPED = re.compile(r"\[\d{4}-\d\d-\d\d \d\d:\d\d")
_REACTIONS = re.compile(r"\(- .*: .* -\)\s*\Z")
_MEDIA = re.compile(r"!?\[[^\]\n]*\]\([^)\n]*\)\s*\Z|\(\(\s.*\s\)\)\s*\Z")
_DELETED = "(This message was deleted)"


def sniff(source: Source) -> bool:
    """JSON Lines with sender and body, or stamped turns, one of them by `Me` or with reactions."""
    shape = source.shape if source.start.lstrip("\ufeff \n")[:1] == "{" else None
    if shape is not None:
        return shape.any_row("sender", "body", "date")
    lines = source.start.lstrip("\ufeff\n").split("\n")
    if not _TURN.match(lines[0]):
        return False
    turns = [_TURN.match(line) for line in lines if _LOOKS_STAMPED.match(line)]
    mine = any(turn is not None and turn[2] == "Me" for turn in turns)
    return all(turns) and (mine or any(_REACTIONS.match(line) for line in lines))


def parse(source: Source, options: ParseOptions) -> Parsed:
    """The chat, from either file."""
    ordinal = 0
    for item in _of_json(source) if source.shape is not None else _of_text(source):
        if isinstance(item, Skip):
            yield item
            continue
        where, stamp, sender, text = item
        if not text:
            yield Skip(where, "media without text")
            continue
        role, trust = _who(sender)
        yield Draft(_APP, text, ordinal, sender, role, trust, iso(stamp))
        ordinal += 1


_Said = tuple[str, str, str | None, str]
"""Where, when, who, what."""


def _who(sender: str | None) -> tuple[Role, Trust]:
    return ("user", "self") if sender == "Me" else ("other", "other")


def _of_json(source: Source) -> Iterator[_Said | Skip]:
    for row in rows(source):
        if isinstance(row, Skip):
            yield row
            continue
        where, record = row[0], mapping(row[1])
        if "date" not in record:
            yield Skip(where, "not a message", damaged=True)
        elif record.get("deleted") is True:
            yield Skip(where, "deleted message")
        elif record.get("call") is True:
            yield Skip(where, "service message")
        else:
            body = _words(clean(string(record.get("body"))).split("\n"))
            yield where, string(record.get("date")), name_of(record.get("sender")), body


def _of_text(source: Source) -> Iterator[_Said | Skip]:
    turn: re.Match[str] | None = None
    lines: list[str] = []
    for line in source.lines():
        line = line.rstrip("\r").removeprefix("\ufeff")
        match = _TURN.match(line)
        if match is None:
            lines.append(line)
            continue
        yield from _closed(turn, lines)
        turn, lines = match, [match[3]]
    yield from _closed(turn, lines)


def _closed(turn: re.Match[str] | None, lines: list[str]) -> Iterator[_Said | Skip]:
    if turn is None:
        if any(line.strip() for line in lines):
            yield Skip("before the first message", "not a message", damaged=True)
        return
    where = f"{turn[1]}, {turn[2]}"
    if lines[0].strip() == _DELETED:
        yield Skip(where, "deleted message")
    else:
        yield where, turn[1], name_of(turn[2]), _words(_unquoted(lines))


def _unquoted(lines: list[str]) -> list[str]:
    """Without the quote that a reply begins with: it stands between blank lines, before the words."""
    at = 0
    while at < len(lines) and not lines[at].strip():
        at += 1
    if at == 0 or at == len(lines) or not lines[at].startswith("> "):
        return lines
    while at < len(lines) and lines[at].startswith(">"):
        at += 1
    return lines[at:]


def _words(lines: list[str]) -> str:
    return clean("\n".join(line for line in lines if not _REACTIONS.match(line) and not _MEDIA.match(line)))


FORMAT = Format(_APP, "Signal chat (signal-export)", "chat", sniff, parse)
