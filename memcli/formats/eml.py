"""A mail in a file (RFC 5322), and what a mail becomes: shared with mbox."""

from __future__ import annotations

import email
import email.errors
import email.header
import email.utils
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import Message

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.mailbody import body_of
from memcli.formats.source import Source
from memcli.formats.text import clean, name_of
from memcli.types import Draft, Moment, Skip

_HEADER = re.compile(r"[!-9;-~]{1,60}:[ \t]?")
_USUAL = frozenset({"date", "to", "subject", "cc", "delivered-to"})
_TECHNICAL = frozenset({"message-id", "received", "mime-version", "return-path", "content-type", "dkim-signature"})
"""Headers that programs write and people do not type or paste."""

_ID = re.compile(r"<[^<>\s]+>")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNWANTED = frozenset({"spam", "trash"})
_BROKEN = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    RecursionError,
    email.errors.MessageError,
    AssertionError,
)
"""What the standard library raises on mails that are not to the standard."""


def sniff(source: Source) -> bool:
    """Headers from the first line: From, and others that only a mail program writes."""
    return looks_like_headers(source.start.lstrip("\ufeff").split("\n", 60))


def parse(source: Source, options: ParseOptions) -> Parsed:
    """The one mail."""
    yield from Mails("eml").read("the mail", source.read().removeprefix(b"\xef\xbb\xbf"))


def looks_like_headers(lines: list[str]) -> bool:
    """Whether lines begin with a mail's headers."""
    names: set[str] = set()
    for line in lines:
        if line[:1] in (" ", "\t") and names:
            continue
        if not _HEADER.match(line):
            break
        names.add(line.partition(":")[0].lower())
    return bool("from" in names and names & _USUAL and names & _TECHNICAL)


class Mails:
    """Makes entries of mails. A conversation is a thread: what the first mail of it is called."""

    def __init__(self, app: str) -> None:
        self._app = app
        self._ordinals: dict[str | None, int] = {}

    def read(self, where: str, data: bytes) -> Iterator[Draft | Skip]:
        """The entry of a mail's bytes."""
        try:
            yield from self._read(where, email.message_from_bytes(data))
        except _BROKEN as error:
            yield Skip(where, f"not readable as mail ({type(error).__name__})", damaged=True)

    def _read(self, where: str, message: Message) -> Iterator[Draft | Skip]:
        headers = _Headers(message)
        number = _first_id(headers, "message-id")
        where = number or where
        labels = {label.strip().strip('"').lower() for label in headers.text("x-gmail-labels").split(",")}
        if labels & _UNWANTED:
            yield Skip(where, "spam or trash")
            return
        body = body_of(message)
        if body.quoted:
            yield Skip(where, "quoted mail")
        if not body.text:
            if not body.quoted:
                yield Skip(where, "empty message")
            return
        thread = _first_id(headers, "references") or _first_id(headers, "in-reply-to") or number
        ordinal = self._ordinals.get(thread, 0)
        self._ordinals[thread] = ordinal + 1
        name, address = email.utils.parseaddr(headers.text("from"))
        yield Draft(
            self._app, body.text, ordinal, name_of(name) or name_of(address), "other", "mail", _moment(headers),
            thread, name_of(headers.text("subject")), number, address=name_of(address),
        )  # fmt: skip


class _Headers:
    """The headers of a mail by their names in lower case, gone through once: the library looks along all each time."""

    def __init__(self, message: Message) -> None:
        self._all: dict[str, list[str]] = {}
        for name, value in message.items():
            self._all.setdefault(name.lower(), []).append(str(value))

    def all(self, name: str) -> list[str]:
        """Every value of a header, in order."""
        return self._all.get(name, [])

    def text(self, name: str) -> str:
        """The first value as text, "" where there is none."""
        values = self._all.get(name)
        return _decoded(values[0]) if values else ""


def _decoded(raw: str) -> str:
    """A header as text, its encoded words decoded as far as they can be."""
    text = re.sub(r"\r?\n[ \t]", " ", raw) if "\n" in raw else raw
    if "=?" not in text:
        return clean(text)
    pieces: list[str] = []
    try:
        decoded = email.header.decode_header(text)
    except (email.errors.HeaderParseError, ValueError):
        return clean(text)
    for value, charset in decoded:
        if isinstance(value, str):
            pieces.append(value)
            continue
        try:
            pieces.append(value.decode(charset or "utf-8"))
        except (LookupError, ValueError):
            pieces.append(value.decode("utf-8", "replace"))
    return clean("".join(pieces))


def _first_id(headers: _Headers, name: str) -> str | None:
    match = _ID.search(headers.text(name))
    return match[0] if match else None


def _moment(headers: _Headers) -> Moment | None:
    """The Date header, else the date of the last hop. `-0000` and no zone are UTC without an offset."""
    received = [value.rpartition(";")[2] for value in headers.all("received")]
    for text in (headers.text("date"), *received[:1]):
        try:
            said = email.utils.parsedate_to_datetime(text.strip())
            offset = said.utcoffset()
            aware = said if offset is not None else said.replace(tzinfo=UTC)
            ms = (aware - _EPOCH) // timedelta(milliseconds=1)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
        minutes = int(offset.total_seconds() // 60) if offset is not None else None
        return Moment(ms, "second", minutes)
    return None


FORMAT = Format("eml", "mail (EML)", "mail", sniff, parse)
