"""The log of the `llm` command: `llm logs --json -n 0`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.blocks import IMAGE, call_text, parts_of
from memcli.formats.source import Source
from memcli.formats.stamps import iso
from memcli.formats.stream import rows
from memcli.formats.text import clean, id_of, mapping, name_of, sequence, string, strings
from memcli.types import Draft, Role, Skip, Status, Trust

_APP = "llm"
_Piece = tuple[str, str, Role, Trust, Status | None]
"""A name within the row, text, role, trust, status."""


def sniff(source: Source) -> bool:
    """Rows with a prompt, a response and their time in UTC."""
    shape = source.shape
    return shape is not None and shape.any_row("prompt", "response", "datetime_utc")


def parse(source: Source, options: ParseOptions) -> Parsed:
    """Prompt, tool calls, results and answer of each row. Conversations may be interleaved."""
    ordinals: dict[str | None, int] = {}
    titles: dict[str | None, str | None] = {}
    for row in rows(source):
        if isinstance(row, Skip):
            yield row
            continue
        where, value = row
        record = mapping(value)
        if "prompt" not in record and "response" not in record:
            yield Skip(where, "not a log row", damaged=True)
            continue
        conversation = id_of(record.get("conversation_id"))
        number = id_of(record.get("id"))
        title = titles[conversation] = name_of(record.get("conversation_name")) or titles.get(conversation)
        moment = iso(record.get("datetime_utc"), 0)
        if string(record.get("system")).strip():
            yield Skip(where, "system prompt")
        for piece in _pieces(record):
            if isinstance(piece, str):
                yield Skip(where, piece)
                continue
            name, text, role, trust, status = piece
            ordinal = ordinals.get(conversation, 0)
            ordinals[conversation] = ordinal + 1
            yield Draft(
                _APP, text, ordinal, None, role, trust, moment,
                conversation, title, f"{number}/{name}" if number and conversation else None, status,
            )  # fmt: skip


def _pieces(record: dict[str, Any]) -> Iterator[_Piece | str]:
    fragments = [string(mapping(item).get("content")) for item in sequence(record.get("prompt_fragments"))]
    said = [string(record.get("prompt")), *fragments, *strings(record.get("prompt_fragments"))]
    prompt = clean("\n\n".join(clean(text) for text in said if text.strip()))
    if not prompt and record.get("attachments"):
        kinds = [string(mapping(item).get("type")) for item in sequence(record.get("attachments"))]
        prompt = IMAGE if any(kind.startswith("image/") for kind in kinds) else ""
    if prompt:
        yield "prompt", prompt, "user", "self", None
    elif not sequence(record.get("tool_results")):
        yield "empty message"
    for number, item in enumerate(sequence(record.get("tool_results"))):
        result = mapping(item)
        text = parts_of(result.get("output")).shown or clean(string(result.get("exception")))
        failed: Status = "failed" if result.get("exception") else "unknown"
        if text:
            yield f"result {number}", text, "tool", "tool", failed
    if string(record.get("reasoning")).strip():
        yield "thinking"
    answer = clean(string(record.get("response")))
    if answer:
        yield "response", answer, "assistant", "assistant", None
    for number, item in enumerate(sequence(record.get("tool_calls"))):
        call = mapping(item)
        yield f"call {number}", call_text(call.get("name"), call.get("arguments")), "tool", "tool", "unknown"
    if not answer and not sequence(record.get("tool_calls")):
        yield "empty message"


FORMAT = Format(_APP, "log of the llm command", "chat", sniff, parse)
