"""DiscordChatExporter's JSON: a channel with its messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.source import Source
from memcli.formats.stamps import iso
from memcli.formats.stream import Field, records
from memcli.formats.text import clean, id_of, mapping, name_of, sequence, string
from memcli.types import Draft, Skip

_APP = "discord"
_FIELDS = frozenset({"channel.id", "channel.name"})
_WORDS = frozenset({"Default", "Reply", "ChatInputCommand", "ContextMenuCommand", "ThreadStarterMessage"})
_MEDIA = ("attachments", "stickers", "embeds", "forwardedMessage")


def sniff(source: Source) -> bool:
    """A guild, a channel, messages."""
    shape = source.shape
    return shape is not None and shape.layout == "object" and {"guild", "channel"} <= shape.first.keys()


def parse(source: Source, options: ParseOptions) -> Parsed:
    """The channel's messages in the order of the file."""
    about: dict[str, str | None] = {}
    ordinal = 0
    with source.utf8() as stream:
        for found in records(stream, "messages.item", _FIELDS):
            if isinstance(found, Skip):
                yield found
            elif isinstance(found, Field):
                about[found.path] = id_of(found.value)
            else:
                for item in _drafts(found[0], mapping(found[1]), about, ordinal):
                    ordinal += isinstance(item, Draft)
                    yield item


def _drafts(where: str, message: dict[str, Any], about: dict[str, str | None], ordinal: int) -> Iterator[Draft | Skip]:
    number = id_of(message.get("id"))
    place = f"id {number}" if number else where
    if string(message.get("type", "Default")) not in _WORDS:
        yield Skip(place, "service message")
        return
    text = _text(message)
    if not text:
        yield Skip(place, "media without text" if any(message.get(key) for key in _MEDIA) else "empty message")
        return
    author = mapping(message.get("author"))
    speaker = name_of(author.get("nickname")) or name_of(author.get("name")) or id_of(author.get("id"))
    channel = about.get("channel.id")
    yield Draft(
        _APP, text, ordinal, speaker, "other", "other", iso(message.get("timestamp"), 0),
        channel, name_of(about.get("channel.name")), number if channel else None,
    )  # fmt: skip


def _text(message: dict[str, Any]) -> str:
    """The content; where it is empty, what was forwarded, else what a bot put beside it."""
    own = clean(string(message.get("content")))
    if own:
        return own
    forwarded = clean(string(mapping(message.get("forwardedMessage")).get("content")))
    if forwarded or not mapping(message.get("author")).get("isBot"):
        return forwarded
    embeds = map(mapping, sequence(message.get("embeds")))
    lines = (string(embed.get(key)) for embed in embeds for key in ("title", "description"))
    return clean("\n".join(line for line in lines if line.strip()))


FORMAT = Format(_APP, "Discord export (DiscordChatExporter)", "chat", sniff, parse)
