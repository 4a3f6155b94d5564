"""Claude Code sessions: JSON Lines, one block of a message a line, tools and sub-agents included.

A line of the "user" may be a tool's result, a hook or a reminder; only what a
person wrote is theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.blocks import IMAGE, call_text, parts_of
from memcli.formats.source import Source
from memcli.formats.stamps import iso
from memcli.formats.stream import rows
from memcli.formats.text import clean, id_of, mapping, name_of, string
from memcli.types import Draft, Role, Skip, Status, Trust

_APP = "claude-code"
_TAGS = (
    "system-reminder|command-name|command-message|command-args|command-contents|local-command-stdout"
    "|local-command-stderr|local-command-caveat|user-prompt-submit-hook|ide_opened_file|ide_selection|ide_diagnostics"
    "|task-notification|bash-input|bash-stdout|bash-stderr|user-memory-input|persisted-output|new-diagnostics"
)
_NOISE = re.compile(rf"^[ \t]*<({_TAGS})(?:\s[^>]*)?>.*?</\1>[ \t]*\n?", re.DOTALL | re.MULTILINE)
_INTERRUPTED = "[Request interrupted by user"
_TITLES = ("summary", "aiTitle", "customTitle", "title")
_TITLE_TYPES = frozenset({"summary", "ai-title", "custom-title"})


def sniff(source: Source) -> bool:
    """Lines with a session id and a type, or a summary with its leaf."""
    shape = source.shape
    return shape is not None and (
        shape.any_row("sessionId", "type", "uuid")
        or shape.any_row("summary", "leafUuid")
        or shape.any_row("sessionId", "type", "message")
    )


def parse(source: Source, options: ParseOptions) -> Parsed:
    """The main line of each session, in the order of the file; each line once."""
    title = _title(source)
    session = _Sessions(title)
    seen: set[str] = set()
    for row in rows(source):
        if isinstance(row, Skip):
            yield row
            continue
        where, value = row
        line = mapping(value)
        if line.get("type") not in ("user", "assistant"):
            continue
        number = id_of(line.get("uuid"))
        if number is not None:
            # A resumed session copies the lines of the one before it.
            if number in seen:
                continue
            seen.add(number)
        yield from session.read(where, line, number)
    yield from session.flush()


def _title(source: Source) -> str | None:
    """The last summary or title in the file: it may stand at either end."""
    import json

    title = None
    with source.utf8() as stream:
        for line in stream:
            if b'"summary"' not in line[:200] and b"-title" not in line[:400]:
                continue
            try:
                record = mapping(json.loads(line))
            except (ValueError, RecursionError):
                continue
            if string(record.get("type")) in _TITLE_TYPES:
                title = next((name for key in _TITLES if (name := name_of(record.get(key)))), title)
    return title


class _Sessions:
    """Makes entries. The blocks of the message that is still being written are held back.

    Streaming wrote some messages several times, longer each time: the last
    one counts.
    """

    def __init__(self, title: str | None) -> None:
        self._title = title
        self._ordinals: dict[str | None, int] = {}
        self._open: str | None = None
        self._held: list[tuple[str, Draft]] = []

    def flush(self) -> Iterator[Draft]:
        """The entries of the message that has ended."""
        for _, draft in self._held:
            ordinal = self._ordinals.get(draft.conversation, 0)
            self._ordinals[draft.conversation] = ordinal + 1
            yield replace(draft, ordinal=ordinal)
        self._held.clear()

    def read(self, where: str, line: dict[str, Any], number: str | None) -> Iterator[Draft | Skip]:
        message = mapping(line.get("message"))
        content = message.get("content")
        own = id_of(message.get("id")) if line["type"] == "assistant" else None
        if own is None or own != self._open:
            yield from self.flush()
        self._open = own
        if line.get("isSidechain") is True:
            yield Skip(where, "sidechain")
            return
        if line.get("isMeta") is True or line.get("isCompactSummary") is True or _is_machine(line, message):
            yield Skip(where, "hidden message")
            return
        if not isinstance(content, str | list):
            yield Skip(where, "not a message", damaged=True)
            return
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        assistant = line["type"] == "assistant"
        count = 0
        images = False
        for block in map(mapping, blocks):
            images = images or block.get("type") == "image"
            piece = _piece(block, assistant)
            if piece is None:
                continue
            if isinstance(piece, str):
                yield Skip(where, piece)
                continue
            self._hold(block, self._draft(piece, line, number if not count else f"{number}/{count}", number))
            count += 1
        if images and not count and not assistant:
            self._hold({}, self._draft((IMAGE, "user", "self", None), line, number, number))
        if not assistant:
            yield from self.flush()

    def _hold(self, block: dict[str, Any], draft: Draft) -> None:
        mark = id_of(block.get("id")) or ""
        for at, (held_mark, held) in enumerate(self._held):
            if (mark and mark == held_mark) or (not mark and not held_mark and draft.text.startswith(held.text)):
                self._held[at] = (mark, draft)
                return
        self._held.append((mark, draft))

    def _draft(
        self,
        piece: tuple[str, Role, Trust, Status | None],
        line: dict[str, Any],
        message: str | None,
        number: str | None,
    ) -> Draft:
        text, role, trust, status = piece
        return Draft(
            _APP, text, 0, None, role, trust, iso(line.get("timestamp"), 0),
            id_of(line.get("sessionId")), self._title, message if number else None, status,
        )  # fmt: skip


def _is_machine(line: dict[str, Any], message: dict[str, Any]) -> bool:
    """Lines that the program wrote in the assistant's name."""
    return line.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>"


def _piece(block: dict[str, Any], assistant: bool) -> tuple[str, Role, Trust, Status | None] | str | None:
    """What a block says, the reason to leave it out, or None where it is nothing to tell."""
    kind = block.get("type")
    if kind in ("thinking", "redacted_thinking"):
        return "thinking"
    if kind == "tool_use":
        return call_text(block.get("name"), block.get("input")), "tool", "tool", "unknown"
    if kind == "tool_result":
        text = parts_of(block.get("content")).shown
        status: Status = "failed" if block.get("is_error") is True else "passed"
        return (text, "tool", "tool", status) if text else "empty message"
    if kind != "text":
        return None
    raw = string(block.get("text"))
    if assistant:
        text = clean(raw)
        return (text, "assistant", "assistant", None) if text else None
    text = clean(_NOISE.sub("", raw))
    if text.startswith(_INTERRUPTED):
        return "service message"
    if not text:
        return "hidden message" if raw.strip() else "empty message"
    return text, "user", "self", None


FORMAT = Format(_APP, "Claude Code session", "chat", sniff, parse)
