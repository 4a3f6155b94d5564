"""Exports of many messages, made in pieces: what opens the file, one piece a record, what closes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple


class Many(NamedTuple):
    """An export. `texts[n]` is what record `n` must be found by."""

    head: bytes
    records: list[bytes]
    tail: bytes
    texts: list[str]

    @property
    def data(self) -> bytes:
        return self.head + b"".join(self.records) + self.tail

    def whole_before(self, at: int) -> int:
        """How many records end before that byte, with what sets them apart from the next."""
        end, count = len(self.head), 0
        for record in self.records:
            end += len(record)
            if end > at:
                break
            count += 1
        return count


def words(number: int) -> str:
    """What is said in a record."""
    return f"In harbour {number} lay zebra{number} boats"


def _array(record: Callable[[int], Any], head: str = "[", tail: str = "]") -> Callable[[int], Many]:
    def make(count: int) -> Many:
        records = [json.dumps(record(number)) + (",\n" if number + 1 < count else "\n") for number in range(count)]
        return _many(head, records, tail)

    return make


def _lines(record: Callable[[int], str], head: str = "") -> Callable[[int], Many]:
    return lambda count: _many(head, [record(number) for number in range(count)], "")


def _many(head: str, records: list[str], tail: str) -> Many:
    texts = [words(number) for number in range(len(records))]
    return Many(head.encode(), [record.encode() for record in records], tail.encode(), texts)


def clock(number: int, start: int = 9) -> str:
    """A time of day that goes on by a minute a record."""
    return f"{start + number // 60 % 12:02d}:{number % 60:02d}"


def date(number: int) -> str:
    """The day of a record: seven hundred are a day's."""
    return f"2026-{1 + number // 700 // 28 % 12:02d}-{1 + number // 700 % 28:02d}"


PEOPLE = ("Ada", "Bo", "Cyril")


def _who(number: int) -> str:
    return PEOPLE[number * number % 7 % 3]  # in one order again and again it would be a form


def _chatgpt(number: int) -> Any:
    message = {
        "id": f"m{number}",
        "author": {"role": "user"},
        "create_time": 1_770_000_000 + number,
        "content": {"content_type": "text", "parts": [words(number)]},
    }
    mapping = {
        "root": {"id": "root", "parent": None, "children": [f"m{number}"], "message": None},
        f"m{number}": {"id": f"m{number}", "parent": "root", "children": [], "message": message},
    }
    return {
        "id": f"c{number}", "conversation_id": f"c{number}", "title": "Boats", "create_time": 1_770_000_000,
        "update_time": 1_770_000_009, "current_node": f"m{number}", "mapping": mapping,
    }  # fmt: skip


def _claude_ai(number: int) -> Any:
    when = f"{date(number)}T{clock(number)}:00Z"
    message = {
        "uuid": f"m{number}", "sender": "human", "text": words(number), "content": [], "attachments": [], "files": [],
        "created_at": when,
    }  # fmt: skip
    named = {"uuid": f"c{number}", "name": "Boats", "account": {"uuid": "x"}}
    return {**named, "created_at": when, "updated_at": when, "chat_messages": [message]}


def _claude_code(number: int) -> str:
    line = {
        "isSidechain": False, "userType": "external", "cwd": "/home/demo", "sessionId": "s-1", "version": "2.1.0",
        "type": "user", "parentUuid": f"u{number - 1}" if number else None, "uuid": f"u{number}",
        "timestamp": f"{date(number)}T{clock(number)}:00.000Z", "message": {"role": "user", "content": words(number)},
    }  # fmt: skip
    return json.dumps(line) + "\n"


def _telegram(number: int) -> Any:
    return {
        "id": number + 1, "type": "message", "date": f"{date(number)}T{clock(number)}:00",
        "date_unixtime": str(1_770_000_000 + 60 * number), "from": _who(number), "from_id": f"user{number % 3}",
        "text": words(number), "text_entities": [],
    }  # fmt: skip


def _discord(number: int) -> Any:
    author = {"id": str(number % 3), "name": _who(number), "nickname": _who(number), "isBot": False}
    return {
        "id": str(number + 1), "type": "Default", "timestamp": f"{date(number)}T{clock(number)}:00+00:00",
        "isPinned": False, "content": words(number), "author": author, "attachments": [], "mentions": [],
    }  # fmt: skip


def _gemini(number: int) -> Any:
    when = f"{date(number)}T{clock(number)}:00.000Z"
    return {
        "header": "Gemini Apps", "title": f"Prompted {words(number)}", "time": when, "products": ["Gemini Apps"],
        "activityControls": ["Gemini Apps Activity"],
    }  # fmt: skip


def _llm(number: int) -> Any:
    return {
        "id": f"01{number:06d}", "model": "echo", "options_json": {}, "conversation_id": "01conv", "duration_ms": 1,
        "datetime_utc": f"{date(number)}T{clock(number)}:00", "prompt": words(number), "response": "", "system": None,
        "prompt_json": None, "response_json": None,
    }  # fmt: skip


def _sharegpt(number: int) -> Any:
    return {"id": f"demo_{number}", "conversations": [{"from": "human", "value": words(number)}]}


def _slack(number: int) -> Any:
    ts = f"{1_770_000_000 + 60 * number}.000100"
    return {"type": "message", "user": f"U{number % 3}", "ts": ts, "text": words(number)}


def _signal(number: int) -> str:
    said = {"date": f"{date(number)}T{clock(number)}:00", "sender": _who(number), "body": words(number), "quote": ""}
    return json.dumps({**said, "sticker": None, "reactions": [], "attachments": []}) + "\n"


def _day_first(number: int) -> str:
    year, month, day = date(number).split("-")
    return f"{int(day) + 14 if int(day) < 15 else day}/{month}/{year}"


def _hour(number: int) -> str:
    return f"{number // 60 % 12 or 12}:{number % 60:02d}:00 AM"


def _mail(number: int) -> str:
    return (
        f"From ada@example.com Wed May 20 13:30:00 2026\nFrom: {_who(number)} <ada@example.com>\nTo: bo@example.com\n"
        f"Subject: boats\nDate: Wed, 20 May 2026 15:{number % 60:02d}:00 +0200\nMessage-ID: <m{number}@example.com>\n"
        f"Content-Type: text/plain; charset=utf-8\n\n{words(number)}\n\n"
    )


def _cue(number: int, mark: str) -> str:
    at = 10 * number
    start, end = (f"{s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}{mark}000" for s in (at, at + 3))
    return f"{number + 1}\n{start} --> {end}\n{_who(number)}: {words(number)}\n\n"


def _entry(number: int) -> Any:
    when = {"date": date(number), "time": clock(number)}
    return {"title": f"{words(number)}.", "body": "", **when, "tags": [], "starred": False}


MAKERS: dict[str, tuple[str, Callable[[int], Many]]] = {
    "chatgpt": ("chatgpt", _array(_chatgpt)),
    "claude-ai": ("claude-ai", _array(_claude_ai)),
    "claude-code": ("claude-code", _lines(_claude_code)),
    "telegram": (
        "telegram",
        _array(_telegram, '{"name": "Bo", "type": "personal_chat", "id": 42, "messages": [\n', "]}"),
    ),
    "discord": (
        "discord",
        _array(
            _discord,
            '{"guild": {"id": "1", "name": "Demo"}, "channel": {"id": "2", "name": "general"}, "messages": [\n',
            "]}",
        ),
    ),
    "gemini": ("gemini", _array(_gemini)),
    "llm": ("llm", _array(_llm)),
    "sharegpt": ("sharegpt", _array(_sharegpt)),
    "slack": ("slack", _array(_slack)),
    "signal json": ("signal", _lines(_signal)),
    "openai": ("openai", _array(lambda number: {"role": "user", "content": words(number)})),
    "openai lines": ("openai", _lines(lambda n: json.dumps({"role": "user", "content": words(n)}) + "\n")),
    "jrnl json": ("jrnl", _array(_entry, '{"tags": {}, "entries": [\n', "]}")),
    "transcript": ("transcript", _lines(lambda n: f"[{date(n)} {clock(n)}] {_who(n)}: {words(n)}\n")),
    "transcript without times": ("transcript", _lines(lambda n: f"{_who(n)}: {words(n)}\n")),
    "whatsapp": ("whatsapp", _lines(lambda n: f"{_day_first(n)}, {clock(n)} - {_who(n)}: {words(n)}\n")),
    "signal": ("signal", _lines(lambda n: f"[{date(n)} {clock(n)}:00] {_who(n)}: {words(n)}\n(- Bo: 👍 -)\n\n")),
    "imessage": ("imessage", _lines(lambda n: f"May 20, 2026  {_hour(n)}\n{_who(n)}\n{words(n)}\n\n")),
    "otter": ("otter", _lines(lambda n: f"{_who(n)}  {n // 60}:{n % 60:02d}\n{words(n)}\n\n")),
    "jrnl": ("jrnl", _lines(lambda n: f"[{date(n)} {clock(n)}] {words(n)}\n\n")),
    "org": ("org", _lines(lambda n: f"* {words(n)}\n", "#+TITLE: Boats\n")),
    "markdown": ("markdown", _lines(lambda n: f"## Day {n}\n\n{words(n)}\n\n")),
    "mbox": ("mbox", _lines(_mail)),
    "vtt": ("vtt", _lines(lambda n: _cue(n, "."), "WEBVTT\n\n")),
    "srt": ("srt", _lines(lambda n: _cue(n, ","))),
    "bash-history": ("bash-history", _lines(lambda n: f"#{1_770_000_000 + n}\necho {words(n)}\n")),
    "zsh-history": ("zsh-history", _lines(lambda n: f": {1_770_000_000 + n}:0;echo {words(n)}\n")),
}
"""The format of each export, and its maker."""
