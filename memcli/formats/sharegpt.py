"""ShareGPT: lists of `conversations` with `from` and `value`, as training data writes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.blocks import parts_of
from memcli.formats.roles import role_of
from memcli.formats.source import Source
from memcli.formats.stream import rows
from memcli.formats.text import id_of, mapping, name_of, sequence
from memcli.types import Draft, Skip

_APP = "sharegpt"
_LISTS = ("conversations", "conversation", "items")


def sniff(source: Source) -> bool:
    """Rows with a list of turns that have `from` and `value`, or `role` and `content`."""
    shape = source.shape
    return shape is not None and any(
        ("from" in turn and "value" in turn) or ("role" in turn and "content" in turn)
        for key in _LISTS
        for turn in shape.inner(key)
    )


def parse(source: Source, options: ParseOptions) -> Parsed:
    """Each row is a conversation; roles need not alternate. The format has no times."""
    for row in rows(source):
        if isinstance(row, Skip):
            yield row
            continue
        where, value = row
        record = mapping(value)
        key = next((key for key in _LISTS if isinstance(record.get(key), list)), None)
        if key is None:
            yield Skip(where, "not a conversation", damaged=True)
        elif not record[key]:
            yield Skip(where, "empty conversation")
        else:
            yield from _conversation(where, record, sequence(record[key]))


def _conversation(where: str, record: dict[str, Any], turns: list[Any]) -> Iterator[Draft | Skip]:
    ordinal = 0
    title = name_of(record.get("title"))
    conversation = id_of(record.get("id"))
    # A bare number only counts the rows of one file: it would join rows of different files.
    conversation = None if conversation and conversation.isdigit() else conversation
    for number, value in enumerate(turns, 1):
        turn = mapping(value)
        place = f"{where}, turn {number}"
        word = turn.get("from", turn.get("role"))
        role, trust = role_of(word)
        if role == "system":
            yield Skip(place, "system prompt")
            continue
        text = parts_of(turn.get("value", turn.get("content"))).shown
        if not text:
            yield Skip(place, "empty message")
            continue
        speaker = name_of(word) if role == "unknown" else None
        status = "unknown" if role == "tool" else None
        yield Draft(_APP, text, ordinal, speaker, role, trust, None, conversation, title, None, status)  # type: ignore[arg-type]
        ordinal += 1


FORMAT = Format(_APP, "ShareGPT conversations", "chat", sniff, parse)
