"""Slack messages: a channel of an export, or one of its day files."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.slack_export import DAY, HEADER, PROBLEM, day_of
from memcli.formats.source import Source
from memcli.formats.stamps import epoch
from memcli.formats.stream import rows
from memcli.formats.text import clean, id_of, mapping, name_of, sequence, string
from memcli.types import Draft, Skip

_APP = "slack"
_TAG = re.compile(r"<([^<>\n]{1,2000})>")
_NOISE = frozenset(
    "pinned_item unpinned_item bot_add bot_remove reminder_add huddle_thread sh_room_created joiner_notification"
    " message_changed message_replied ekm_access_denied".split()
)
_NOISE_BEGINS = ("channel_", "group_", "app_conversation_")


def sniff(source: Source) -> bool:
    """A channel's source, or a list of messages with `ts`."""
    shape = source.shape
    if shape is None:
        return False
    if HEADER in shape.first:
        return True
    return shape.layout == "array" and any(
        mapping(row).get("type") == "message" and isinstance(mapping(row).get("ts"), str) for row in shape.rows
    )


def parse(source: Source, options: ParseOptions) -> Parsed:
    """A channel is one conversation, its messages in the order of their time stamps."""
    channel = _Channel()
    seen: set[str] = set()
    # A day file by itself is one array of messages; in an export each line is an object.
    alone = source.shape is not None and source.shape.layout == "array"
    for row in [("the file", _alone(source))] if alone else rows(source, whole_lists=True):
        if isinstance(row, Skip):
            yield row
            continue
        where, value = row
        record = mapping(value)
        if HEADER in record:
            channel = _Channel(record)
            continue
        where = string(record.get(DAY)) or where
        day = record.get("messages") if DAY in record else value
        if not isinstance(day, list):
            yield Skip(where, "not JSON", damaged=True)
            continue
        # A day is held at a time; within it a file's order is not that of time.
        for message in sorted(day, key=_order):
            record = mapping(message)
            stamp = id_of(record.get("ts"))
            if stamp is None or record.get("type") != "message":
                yield Skip(where, "not a message", damaged=True)
            elif stamp not in seen:
                seen.add(stamp)
                yield from channel.drafts(stamp, record)
        if problem := string(mapping(value).get(PROBLEM)):
            yield Skip(where, problem, damaged=True)


def _alone(source: Source) -> dict[str, Any]:
    messages, problem = day_of(source)
    return {DAY: "the file", "messages": messages, PROBLEM: problem}


def _order(message: object) -> Decimal:
    try:
        stamp = Decimal(string(mapping(message).get("ts")))
    except InvalidOperation:
        return Decimal(0)
    return stamp if stamp.is_finite() else Decimal(0)


class _Channel:
    """Knows the channel's people and counts its entries."""

    def __init__(self, header: dict[str, Any] | None = None) -> None:
        about = mapping(mapping(header).get(HEADER))
        self._id = id_of(about.get("id"))
        self._title = name_of(about.get("name"))
        self._people = mapping(mapping(header).get("users"))
        self._ordinal = 0

    def drafts(self, stamp: str, message: dict[str, Any]) -> Iterator[Draft | Skip]:
        subtype = string(message.get("subtype"))
        if subtype == "tombstone":
            yield Skip(stamp, "deleted message")
            return
        if subtype in _NOISE or subtype.startswith(_NOISE_BEGINS):
            yield Skip(stamp, "service message")
            return
        text = clean(self._plain(string(message.get("text")))) or clean(self._plain(_beside(message)))
        if not text:
            media = message.get("files") or message.get("attachments") or message.get("blocks")
            yield Skip(stamp, "media without text" if media else "empty message")
            return
        yield Draft(
            _APP, text, self._ordinal, self._speaker(message), "other", "other", epoch(stamp),
            self._id, self._title, stamp if self._id else None,
        )  # fmt: skip
        self._ordinal += 1

    def _speaker(self, message: dict[str, Any]) -> str | None:
        user = id_of(message.get("user"))
        if user:
            profile = mapping(message.get("user_profile"))
            shown = name_of(profile.get("display_name")) or name_of(profile.get("real_name"))
            return self._name(user) or shown or user
        return name_of(message.get("username")) or id_of(message.get("bot_id"))

    def _name(self, user: str) -> str | None:
        return name_of(self._people.get(user))

    def _plain(self, text: str) -> str:
        """Text without Slack's tags. Entities are decoded after them: `&lt;` opens no tag."""
        return html.unescape(_TAG.sub(self._untagged, text)) if "<" in text or "&" in text else text

    def _untagged(self, match: re.Match[str]) -> str:
        target, _, label = match[1].partition("|")
        if target.startswith("@"):
            return f"@{self._name(target[1:]) or label or target[1:]}"
        if target.startswith("#"):
            return f"#{label or self._name(target[1:]) or target[1:]}"
        if target.startswith("!"):
            return label or f"@{target[1:].partition('^')[0]}"
        return label or target.removeprefix("mailto:")


def _beside(message: dict[str, Any]) -> str:
    """What a bot says beside its empty text: attachments, else blocks."""
    texts: list[str] = []
    for item in sequence(message.get("attachments")):
        attachment = mapping(item)
        keys = ("fallback",) if string(attachment.get("fallback")).strip() else ("pretext", "title", "text")
        texts += [string(attachment.get(key)) for key in keys]
    texts = [text for text in texts if text.strip()]
    return "\n".join(texts) if texts else "".join(_of_blocks(message.get("blocks"), 0)).strip()


def _of_blocks(value: object, depth: int) -> Iterator[str]:
    """The texts in nested blocks, a line for each block."""
    if depth > 12:
        return
    for item in sequence(value):
        block = mapping(item)
        text = block.get("text")
        yield string(text) if isinstance(text, str) else string(mapping(text).get("text"))
        yield from _of_blocks(block.get("elements"), depth + 1)
        if block.get("type") in ("section", "rich_text_section", "header", "context"):
            yield "\n"


FORMAT = Format(_APP, "Slack export", "chat", sniff, parse)
