"""The Claude.ai export: `conversations.json`, an array of conversations with `chat_messages`.

A message says its text twice (`text` and `content`); it is taken once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.blocks import IMAGE, call_text, parts_of
from memcli.formats.source import Source
from memcli.formats.stamps import iso
from memcli.formats.stream import conversations
from memcli.formats.text import clean, id_of, mapping, name_of, sequence, string
from memcli.types import Draft, Moment, Role, Skip, Status, Trust

_APP = "claude-ai"
_WORDS = frozenset({"text", "voice_note"})
_Piece = tuple[str, Role, Trust, str | None, Status | None]
"""Text, role, trust, speaker, status."""


def sniff(source: Source) -> bool:
    """Conversations with `chat_messages`."""
    shape = source.shape
    return shape is not None and (
        shape.any_row("chat_messages") or any("chat_messages" in row for row in shape.inner("conversations"))
    )


def parse(source: Source, options: ParseOptions) -> Parsed:
    """Every conversation, its messages in order, a message's blocks in order."""
    return conversations(source, _conversation)


def _conversation(where: str, record: dict[str, Any]) -> Iterator[Draft | Skip]:
    messages = [message for message in sequence(record.get("chat_messages")) if isinstance(message, dict)]
    if not messages:
        yield Skip(where, "empty conversation")
        return
    conversation = id_of(record.get("uuid"))
    title = name_of(record.get("name"))
    started = iso(record.get("created_at"), 0)
    live = _live(messages)
    ordinal = 0
    for number, message in enumerate(messages, 1):
        place = f"{where}, message {number}"
        if live is not None and id(message) not in live:
            yield Skip(place, "abandoned branch")
            continue
        moment: Moment | None = iso(message.get("created_at"), 0) or started
        own = id_of(message.get("uuid"))
        count = 0
        for piece in _pieces(message):
            if isinstance(piece, str):
                yield Skip(place, piece)
                continue
            text, role, trust, speaker, status = piece
            name = own if not count else f"{own}/{count}"
            yield Draft(
                _APP, text, ordinal, speaker, role, trust, moment,
                conversation, title, name if own else None, status,
            )  # fmt: skip
            ordinal += 1
            count += 1


def _live(messages: list[dict[str, Any]]) -> set[int] | None:
    """The messages (by identity) on the path to the last one; None where nothing was edited away.

    Only a chain that is whole may drop anything: a missing link means the
    export does not tell the branches apart.
    """
    parents = [message.get("parent_message_uuid") for message in messages]
    known = [parent for parent in parents if isinstance(parent, str)]
    if len(set(known)) == len(known):
        return None
    by_id = {message.get("uuid"): message for message in messages if isinstance(message.get("uuid"), str)}
    root = parents[0]
    live: set[int] = set()
    at: dict[str, Any] | None = messages[-1]
    while at is not None and id(at) not in live:
        live.add(id(at))
        parent = at.get("parent_message_uuid")
        if parent == root or parent is None:
            return live
        at = by_id.get(parent) if isinstance(parent, str) else None
    return None


def _pieces(message: dict[str, Any]) -> Iterator[_Piece | str]:
    """The entries of a message in the order of its blocks, and the reasons of what is left out."""
    sender = message.get("sender")
    role: Role = "user" if sender == "human" else "assistant" if sender == "assistant" else "unknown"
    trust: Trust = "self" if role == "user" else "assistant" if role == "assistant" else "other"
    speaker = None if role != "unknown" else name_of(sender)
    words: list[str] = []
    found = False
    blocks = [block for block in sequence(message.get("content")) if isinstance(block, dict)]
    if not any(string(block.get("type")) in _WORDS and string(block.get("text")).strip() for block in blocks):
        words.append(string(message.get("text")))
    for block in blocks:
        kind = string(block.get("type"))
        if kind in _WORDS:
            words.append(string(block.get("text")))
        elif kind == "thinking":
            found = True
            yield "thinking"
        elif kind in ("tool_use", "tool_result"):
            if text := _joined(words):
                yield text, role, trust, speaker, None
            words = []
            found = True
            yield _tool(block)
    words += [string(mapping(item).get("extracted_content")) for item in sequence(message.get("attachments"))]
    if text := _joined(words):
        yield text, role, trust, speaker, None
    elif not found:
        files = sequence(message.get("files")) + sequence(message.get("files_v2"))
        if any(mapping(file).get("file_kind") == "image" for file in files):
            yield IMAGE, role, trust, speaker, None
        else:
            yield "media without text" if files else "empty message"


def _tool(block: dict[str, Any]) -> _Piece | str:
    name = name_of(block.get("name"))
    if block.get("type") == "tool_use":
        return call_text(name, block.get("input")), "tool", "tool", None, "unknown"
    text = parts_of(block.get("content")).shown
    status: Status = "failed" if block.get("is_error") is True else "passed"
    return (text, "tool", "tool", name, status) if text else "empty message"


def _joined(words: list[str]) -> str:
    return clean("\n\n".join(text for text in (clean(word) for word in words) if text))


FORMAT = Format(_APP, "Claude.ai export", "chat", sniff, parse)
