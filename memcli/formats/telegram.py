"""Telegram Desktop's JSON export: one chat, or a whole account.

The local time in `date` has no zone; `date_unixtime` is the instant, and the
two together tell the offset.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.source import Source
from memcli.formats.stamps import epoch, iso
from memcli.formats.stream import Field, records
from memcli.formats.text import clean, id_of, mapping, name_of, sequence, string
from memcli.types import Draft, Moment, Skip

_APP = "telegram"
_CHAT = "messages.item"
_ACCOUNT = ("chats.list.item", "left_chats.list.item")
_ITEMS = (_CHAT, *(f"{chat}.messages.item" for chat in _ACCOUNT))
_FIELDS = frozenset({"name", "id", *_ACCOUNT, *(f"{chat}.{key}" for chat in _ACCOUNT for key in ("name", "id"))})
_BAD_ESCAPE = re.compile(rb"(?<!\\)((?:\\\\)*)\\x([0-9A-Fa-f]{2})")
_MINUTES_OF_14_HOURS = 14 * 60


def sniff(source: Source) -> bool:
    """A chat with messages of a type and a sender, or an account with a list of chats."""
    shape = source.shape
    if shape is None or shape.layout != "object":
        return False
    record = shape.first
    if "personal_information" in record or isinstance(mapping(record.get("chats")).get("list"), list):
        return True
    return any(
        message.get("type") in ("message", "service", "unsupported") and "date" in message
        for message in shape.inner("messages")
    )


def parse(source: Source, options: ParseOptions) -> Parsed:
    """Every chat's messages in the order of the file."""
    chat = _Chat()
    with io.BufferedReader(_Mended(source.utf8())) as stream:
        for found in records(stream, _ITEMS, _FIELDS):
            if isinstance(found, Skip):
                yield found
            elif isinstance(found, Field):
                if found.path in _ACCOUNT:
                    chat = _Chat()
                else:
                    chat.learn(found.path.rpartition(".")[2], found.value)
            else:
                yield from chat.drafts(found[0], mapping(found[1]))


class _Chat:
    """Knows a chat's name and id, and counts its entries."""

    def __init__(self) -> None:
        self._id: str | None = None
        self._title: str | None = None
        self._ordinal = 0

    def learn(self, key: str, value: object) -> None:
        if key == "id":
            self._id = id_of(value)
        else:
            self._title = name_of(value)

    def drafts(self, where: str, message: dict[str, Any]) -> Iterator[Draft | Skip]:
        number = id_of(message.get("id"))
        place = f"id {number}" if number else where
        if message.get("type") != "message":
            yield Skip(place, "service message")
            return
        text = _text(message)
        if not text:
            media = any(
                key in message for key in ("photo", "file", "media_type", "location_information", "contact_information")
            )
            yield Skip(place, "media without text" if media else "empty message")
            return
        speaker = name_of(message.get("forwarded_from")) or name_of(message.get("from"))
        yield Draft(
            _APP, text, self._ordinal, speaker or id_of(message.get("from_id")), "other", "other", _moment(message),
            self._id, self._title, number if self._id else None,
        )  # fmt: skip
        self._ordinal += 1


def _text(message: dict[str, Any]) -> str:
    """The words: `text_entities` where there are any, else `text`, which is a text or a list; else a poll."""
    parts = sequence(message.get("text_entities")) or message.get("text")
    if isinstance(parts, list):
        text = "".join(part if isinstance(part, str) else string(mapping(part).get("text")) for part in parts)
    else:
        text = string(parts)
    if text.strip():
        return clean(text)
    poll = mapping(message.get("poll"))
    answers = (string(mapping(answer).get("text")) for answer in sequence(poll.get("answers")))
    return clean("\n- ".join([string(poll.get("question")), *answers])) if poll else ""


def _moment(message: dict[str, Any]) -> Moment | None:
    instant = epoch(message.get("date_unixtime"))
    local = iso(message.get("date"))
    if instant is None or local is None or not local.floating:
        return instant or local
    offset = round((local.ms - instant.ms) / 60_000)
    return Moment(instant.ms, "second", offset) if abs(offset) <= _MINUTES_OF_14_HOURS else instant


class _Mended(io.RawIOBase):
    """The export's bytes with `\\x0B`, which is no JSON, written as `\\u000B`."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._ready = b""
        self._tail = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            chunk = self._stream.read(64 * 1024)
            data = self._tail + chunk
            if not data:
                return 0
            # An escape that the chunk cuts waits for the rest: a run of backslashes and three bytes at most.
            cut = len(data) if not chunk else _safe_end(data)
            self._ready, self._tail = data[:cut], data[cut:]
            if b"\\x" in self._ready:
                self._ready = _BAD_ESCAPE.sub(rb"\1\\u00\2", self._ready)
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


def _safe_end(data: bytes) -> int:
    """Where data may be cut without cutting an escape."""
    at = data.rfind(b"\\", max(0, len(data) - 4))
    if at < 0:
        return len(data)
    while at > 0 and data[at - 1] == 0x5C:
        at -= 1
    return at


FORMAT = Format(_APP, "Telegram export", "chat", sniff, parse)
