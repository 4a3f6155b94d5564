"""The new words of a mail: its readable part, without quotes, attributions and signature."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from typing import NamedTuple

from memcli.errors import BadData
from memcli.formats.markup import text_of_html
from memcli.formats.source import unify
from memcli.formats.text import clean
from memcli.lang.decode import decode

_SEPARATOR = re.compile(
    r"-{2,}\s*(?:Original Message|Original-Nachricht|Ursprüngliche Nachricht|Message d'origine|Mensaje original"
    r"|Messaggio originale|Forwarded message|Weitergeleitete Nachricht|Message transféré|Mensaje reenviado)"
    r"\s*-{2,}\s*\Z"
    r"|Begin forwarded message:\s*\Z|Anfang der weitergeleiteten Nachricht:\s*\Z",
    re.IGNORECASE,
)
_HEADER_BLOCK = re.compile(r"\*?(?:From|Von|De|Da|Van|Från|Fra|Od|От)\*?\s?:\*?\s+\S")
_HEADER_LINE = re.compile(r"\*?[^\W\d][\w -]{1,18}\*?\s?:\*?\s")
_ATTRIBUTION_LINES = 3
_SIGNATURE_LINES = 20
"""A `--` with more lines below it is a rule in a text, not the line above a signature."""


class Body(NamedTuple):
    """The words a mail adds, and whether it quoted others."""

    text: str
    quoted: bool


def body_of(message: Message) -> Body:
    """The new text of a mail."""
    return new_text(unify(_readable(message)))


def new_text(text: str) -> Body:
    """Text without what it quotes. Words below a quote stay; a forwarded or top-quoted mail ends it."""
    kept: list[str] = []
    quoted = False
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if _SEPARATOR.match(line.strip()) or (_HEADER_BLOCK.match(line) and _is_header_block(lines[at : at + 6])):
            quoted = True
            break
        if line.startswith(">"):
            if not quoted or (kept and kept[-1].strip()):
                _drop_attribution(kept)
            quoted = True
            continue
        if line.rstrip() == "--" and len(lines) - at <= _SIGNATURE_LINES:
            break
        kept.append(line)
    return Body(clean(re.sub(r"\n{3,}", "\n\n", "\n".join(kept))), quoted)


def _is_header_block(lines: list[str]) -> bool:
    """Whether some lines are the headers of a mail below: three or more in a row."""
    run = 0
    for line in lines:
        if not _HEADER_LINE.match(line):
            break
        run += 1
    return run >= 3


def _drop_attribution(kept: list[str]) -> None:
    """Remove `On …, Bo wrote:` in any language.

    It is what stands before a quote, ends in a colon and has a date or an address.
    """
    end = len(kept)
    while end and not kept[end - 1].strip():
        end -= 1
    if not end or not kept[end - 1].rstrip().endswith((":", "：")):
        return
    start = end - 1
    while start and end - start < _ATTRIBUTION_LINES and kept[start - 1].strip():
        # A line that begins a sentence and has the date is the first of them.
        if kept[start][:1].isupper() and _dated(kept[start:end]):
            break
        start -= 1
    if _dated(kept[start:end]):
        del kept[start:]


def _dated(lines: list[str]) -> bool:
    joined = " ".join(lines)
    return len(joined) < 300 and ("@" in joined or len(re.findall(r"\d+", joined)) >= 2)


def _readable(message: Message) -> str:
    """The plain parts joined, else the HTML parts as text. Attachments are not read."""
    plain: list[str] = []
    rich: list[str] = []
    for part in _inline(message):
        text = _decoded(part)
        if part.get_content_subtype() == "html":
            rich.append(text_of_html(text))
        else:
            plain.append(text)
    joined = "\n".join(plain)
    return joined if joined.strip() else "\n".join(rich)


def _inline(message: Message) -> Iterator[Message]:
    for part in message.walk():
        if part.is_multipart() or part.get_content_maintype() != "text":
            continue
        if part.get_content_disposition() == "attachment" or part.get_content_subtype() not in ("plain", "html"):
            continue
        yield part


def _decoded(part: Message) -> str:
    """A part's text. An unknown or wrong charset falls back on looking at the bytes."""
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    charset = part.get_content_charset() or "utf-8"
    try:
        return data.decode(charset)
    except (LookupError, UnicodeDecodeError, ValueError):
        pass
    try:
        return decode(data)[0]
    except BadData:
        return ""
