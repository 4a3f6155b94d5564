"""The ChatGPT export: `conversations.json`, an array of trees of messages.

The conversation that counts is the path from `current_node` to the root; what
hangs elsewhere was edited away. Memory holds one conversation at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.blocks import IMAGE, call_text
from memcli.formats.source import Source
from memcli.formats.stamps import epoch
from memcli.formats.stream import conversations
from memcli.formats.text import clean, id_of, mapping, name_of, sequence, string
from memcli.types import Draft, Role, Skip, Status, Trust

_APP = "chatgpt"
_CITATION = re.compile("【\\d+[^】]{0,80}†[^】]{0,200}】|\ue200[^\ue201]{0,500}\ue201|[\ue200-\ue20f]")
_THOUGHTS = frozenset({"thoughts", "reasoning_recap"})


def sniff(source: Source) -> bool:
    """Conversations with a `mapping` of nodes."""
    shape = source.shape
    return shape is not None and (
        any(isinstance(row, dict) and isinstance(row.get("mapping"), dict) for row in shape.rows)
        or any("mapping" in row for row in shape.inner("conversations"))
    )


def parse(source: Source, options: ParseOptions) -> Parsed:
    """Every conversation on its live path; the rest of the tree is skipped with a reason."""
    return conversations(source, _conversation)


def _conversation(where: str, record: dict[str, Any]) -> Iterator[Draft | Skip]:
    nodes = mapping(record.get("mapping"))
    path = _live_path(nodes, record.get("current_node"))
    conversation = id_of(record.get("conversation_id")) or id_of(record.get("id"))
    title = name_of(record.get("title"))
    last = epoch(record.get("create_time")) or epoch(record.get("update_time"))
    ordinal = 0
    for node in path:
        message = mapping(mapping(nodes[node]).get("message"))
        if not message:
            continue
        found = _read(message)
        if isinstance(found, str):
            yield Skip(f"{where}, node {node}", found)
            continue
        # A message without a time was said no earlier than the one before it.
        last = epoch(message.get("create_time")) or last
        yield Draft(
            _APP, found.text, ordinal, found.speaker, found.role, found.trust, last,
            conversation, title, id_of(message.get("id")) or node, found.status,
        )  # fmt: skip
        ordinal += 1
    live = set(path)
    dead = [node for node in nodes if node not in live and mapping(mapping(nodes[node]).get("message"))]
    for node in dead:
        yield Skip(f"{where}, node {node}", "abandoned branch")
    if not path or (ordinal == 0 and not dead and len(path) < 2):
        yield Skip(where, "empty conversation")


def _live_path(nodes: dict[str, Any], current: object) -> list[str]:
    """Node ids from the root to the current leaf; a dangling `current_node` means the newest leaf."""
    at = current if isinstance(current, str) and current in nodes else _newest_leaf(nodes)
    path: list[str] = []
    seen: set[str] = set()
    while isinstance(at, str) and at in nodes and at not in seen:
        seen.add(at)
        path.append(at)
        at = mapping(nodes[at]).get("parent")
    return path[::-1]


def _newest_leaf(nodes: dict[str, Any]) -> str | None:
    parents = {mapping(node).get("parent") for node in nodes.values() if _hashable_parent(node)}
    leaves = [node for node in nodes if node not in parents]

    def age(node: str) -> int:
        moment = epoch(mapping(mapping(nodes[node]).get("message")).get("create_time"))
        return moment.ms if moment else 0

    return max(leaves or list(nodes), key=age, default=None)


def _hashable_parent(node: object) -> bool:
    return isinstance(mapping(node).get("parent"), str)


@dataclass(frozen=True, slots=True)
class _Read:
    text: str
    role: Role
    trust: Trust
    speaker: str | None = None
    status: Status | None = None


def _read(message: dict[str, Any]) -> _Read | str:
    """What a message says, or the reason to leave it out."""
    author = mapping(message.get("author"))
    role = author.get("role")
    content = mapping(message.get("content"))
    metadata = mapping(message.get("metadata"))
    kind = string(content.get("content_type"))
    own_words = role == "system" and metadata.get("is_user_system_message") is True
    if (role == "system" and not own_words) or kind == "user_editable_context":
        return "system prompt"
    if kind in _THOUGHTS:
        return "thinking"
    if metadata.get("is_visually_hidden_from_conversation") is True:
        return "hidden message"
    text = _text(content)
    if role in ("tool", "function"):
        if not text:
            return "empty message"
        return _Read(text, "tool", "tool", name_of(author.get("name")), _status(message, metadata, kind))
    if message.get("weight") == 0:
        return "hidden message"
    recipient = message.get("recipient")
    if role == "assistant" and isinstance(recipient, str) and recipient not in ("all", ""):
        return _Read(call_text(recipient, text), "tool", "tool", None, "unknown")
    if not text:
        return "empty message"
    if role == "assistant":
        return _Read(text, "assistant", "assistant")
    if role == "user" or own_words:
        return _Read(text, "user", "self")
    return _Read(text, "unknown", "other", name_of(author.get("name")) or name_of(role))


def _text(content: dict[str, Any]) -> str:
    """The words of a content of any type; a placeholder where there is nothing but an image."""
    texts: list[str] = []
    image = False
    for part in sequence(content.get("parts")):
        if isinstance(part, str):
            texts.append(part)
            continue
        piece = mapping(part)
        image = image or "image" in string(piece.get("content_type"))
        texts.append(string(piece.get("text")))
    if not texts:
        texts = [string(content.get(key)) for key in ("title", "text", "result", "summary", "content")]
    words = "\n".join(text for text in texts if text.strip())
    if "【" in words or not words.isascii():
        words = _CITATION.sub("", words)
    return clean(words) or (IMAGE if image else "")


def _status(message: dict[str, Any], metadata: dict[str, Any], kind: str) -> Status:
    """How a tool fared, where the export says so."""
    if kind == "system_error":
        return "failed"
    outcome = string(mapping(metadata.get("aggregate_result")).get("status"))
    if outcome.startswith("failed"):
        return "failed"
    return "passed" if outcome == "success" else "unknown"


FORMAT = Format(_APP, "ChatGPT export", "chat", sniff, parse)
