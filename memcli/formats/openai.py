"""Messages with roles, as chat APIs take them: one object, a list, or JSON Lines of either.

Times are not part of the format; where a log adds them, they are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.blocks import call_text, parts_of
from memcli.formats.roles import role_of
from memcli.formats.source import Source
from memcli.formats.stamps import any_time
from memcli.formats.stream import elements, rows
from memcli.formats.text import clean, id_of, mapping, name_of, sequence, string
from memcli.types import Draft, Moment, Skip

_APP = "openai"
_CALLS = frozenset({"function_call", "custom_tool_call"})
_RESULTS = frozenset({"function_call_output", "custom_tool_call_output"})
_TIME_KEYS = ("timestamp", "created_at", "create_time", "created", "date", "time")


def sniff(source: Source) -> bool:
    """Objects with `messages` that have roles, or bare messages with a role."""
    shape = source.shape
    if shape is None:
        return False
    return any("role" in message for message in shape.inner("messages")) or any(_is_message(row) for row in shape.rows)


def parse(source: Source, options: ParseOptions) -> Parsed:
    """One conversation for each `messages`, and one for each run of bare messages."""
    shape = source.shape
    if shape and shape.layout == "object" and "messages" in shape.first:
        yield from _streamed(source)
        return
    run: _Conversation | None = None
    for row in rows(source, whole_lists=True):
        if isinstance(row, Skip):
            yield row
            continue
        where, value = row
        record = mapping(value)
        if "messages" in record or isinstance(value, list):
            run = None
            messages = value if isinstance(value, list) else sequence(record["messages"])
            yield from _conversation(where, messages, record)
        elif _is_message(record):
            run = run or _Conversation()
            yield from run.drafts(where, record)
        else:
            yield Skip(where, "not a message", damaged=True)


def _is_message(value: object) -> bool:
    record = mapping(value)
    if string(record.get("role")):
        return bool({"content", "tool_calls", "function_call", "refusal"} & record.keys())
    return string(record.get("type")) in _CALLS | _RESULTS and "call_id" in record


def _streamed(source: Source) -> Parsed:
    """The one conversation of an object, message by message, however long it is."""
    record = mapping(source.shape.first) if source.shape else {}
    conversation = _Conversation(record)
    seen = False
    for row in elements(source, "messages.item", "message"):
        seen = True
        if isinstance(row, Skip):
            yield row
        else:
            yield from conversation.drafts(row[0], row[1])
    if not seen:
        yield Skip("messages", "empty conversation")


def _conversation(where: str, messages: list[Any], record: dict[str, Any]) -> Iterator[Draft | Skip]:
    if not messages:
        yield Skip(where, "empty conversation")
        return
    conversation = _Conversation(record)
    for number, message in enumerate(messages, 1):
        yield from conversation.drafts(f"{where}, message {number}", message)


class _Conversation:
    """Counts the entries of one conversation and knows what its messages share."""

    def __init__(self, record: dict[str, Any] | None = None) -> None:
        held = record or {}
        self._id = id_of(held.get("conversation_id") or held.get("id"))
        self._title = name_of(held.get("title"))
        self._time = any_time(*(held.get(key) for key in _TIME_KEYS)) if held else None
        self._ordinal = 0
        self._ids: set[str] = set()

    def drafts(self, where: str, value: object) -> Iterator[Draft | Skip]:
        """The entries of one message: its text, then its calls."""
        if not isinstance(value, dict):
            yield Skip(where, "not a message", damaged=True)
            return
        message: dict[str, Any] = value
        role, trust = role_of(message.get("role"))
        kind = string(message.get("type"))
        if role == "system":
            yield Skip(where, "system prompt")
            return
        if kind == "reasoning":
            yield Skip(where, "thinking")
            return
        moment = self._moment(message)
        number = id_of(message.get("id"))
        if number in self._ids:
            # Some logs give one id to several messages: then it is none.
            number = None
        elif number is not None:
            self._ids.add(number)
        calls = list(_calls(message))
        content = message.get("output") if kind in _RESULTS else message.get("content")
        parts = parts_of(content)
        text = parts.shown or clean(string(message.get("refusal")))
        said = number
        if text:
            speaker = name_of(message.get("name"))
            if role == "tool" or kind in _RESULTS:
                yield self._draft(text, speaker, "tool", "tool", moment, said, status="unknown")
            else:
                if role == "unknown":
                    speaker = speaker or name_of(message.get("role"))
                yield self._draft(text, speaker, role, trust, moment, said)
        elif not calls:
            yield Skip(where, "media without text" if parts.other else "empty message")
        for index, call in enumerate(calls):
            own = f"{number}/call {index}" if number else None
            yield self._draft(call, None, "tool", "tool", moment, own, status="unknown")

    def _moment(self, message: dict[str, Any]) -> Moment | None:
        for key in _TIME_KEYS:
            if key in message and (moment := any_time(message[key])):
                return moment
        return self._time

    def _draft(
        self, text: str, speaker: str | None, role: Any, trust: Any, moment: Moment | None,
        message: str | None, status: Any = None,
    ) -> Draft:  # fmt: skip
        ordinal = self._ordinal
        self._ordinal += 1
        return Draft(
            _APP, text, ordinal, speaker, role, trust, moment,
            conversation=self._id, title=self._title, message=message if self._id else None, status=status,
        )  # fmt: skip


def _calls(message: dict[str, Any]) -> Iterator[str]:
    """The tool calls of a message, as texts, in order."""
    for call in sequence(message.get("tool_calls")):
        function = mapping(mapping(call).get("function")) or mapping(call)
        arguments = function.get("arguments", function.get("input"))
        yield call_text(function.get("name"), arguments)
    legacy = mapping(message.get("function_call"))
    if legacy:
        yield call_text(legacy.get("name"), legacy.get("arguments"))
    if string(message.get("type")) in _CALLS:
        yield call_text(message.get("name"), message.get("arguments", message.get("input")))


FORMAT = Format(_APP, "messages with roles (OpenAI style)", "chat", sniff, parse)
