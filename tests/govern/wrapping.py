"""A labelled text as a file of the format in which it is said to have come, for the real importer."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping
from typing import Any

from formats import made

Row = Mapping[str, Any]
File = tuple[str, bytes]
AT = "2026-11-20T10:00:00"


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def _mail(row: Row) -> bytes:
    kind = row.get("content_type", "text/plain")
    return (
        f"From: {row['speaker']}\nTo: Alex Berg <alex@example.com>\nSubject: A word {row['id']}\n"
        f"Date: Fri, 20 Nov 2026 10:00:00 +0000\nMessage-ID: <m{row['id']}@{row.get('expect', 'h')}.example>\n"
        f"MIME-Version: 1.0\nContent-Type: {kind}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{row['text']}\n"
    ).encode("utf-8", "surrogatepass")


def _mbox(row: Row) -> bytes:
    return b"From someone@example.net Fri Nov 20 10:00:00 2026\n" + _mail(row) + b"\n"


def _html(row: Row) -> bytes:
    return f"<!doctype html><html><head><title>Page</title></head><body>{row['text']}</body></html>".encode()


def _pdf(row: Row) -> bytes:
    lines = []
    for line in str(row["text"]).split("\n"):
        for start in range(0, max(1, len(line)), 90):
            piece = line[start : start + 90].replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            lines.append(f"({piece}) Tj T*")
    return made.pdf_of(("BT /F 9 Tf 11 TL 20 800 Td " + "\n".join(lines) + " ET").encode("latin-1", "replace"))


def _claude_code(row: Row) -> bytes:
    session = f"s-{row['channel']}-{row['id']}"
    shared = {
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/demo",
        "sessionId": session,
        "version": "2.1.0",
    }

    def line(number: int, kind: str, content: object) -> dict[str, Any]:
        role = "assistant" if kind == "assistant" else "user"
        message: dict[str, Any] = {"role": role, "content": content}
        if role == "assistant":
            message |= {"id": f"msg{number}", "type": "message", "model": "made-up"}
        return {
            **shared,
            "type": kind,
            "uuid": f"{session}-{number}",
            "timestamp": f"{AT}.{number:03d}Z",
            "message": message,
        }

    opening = line(1, "user", "hello there")
    if row["channel"] == "tool":
        call = [{"type": "tool_use", "id": "t1", "name": row["speaker"], "input": {"command": "see"}}]
        result = {"type": "tool_result", "tool_use_id": "t1", "content": row["text"]}
        if row.get("status") == "failed":
            result["is_error"] = True
        lines = [opening, line(2, "assistant", call), line(3, "user", [result])]
    elif row["channel"] == "assistant":
        lines = [opening, line(2, "assistant", [{"type": "text", "text": row["text"]}])]
    else:
        lines = [line(1, "user", row["text"])]
    return "".join(json.dumps(item) + "\n" for item in lines).encode()


def _role(row: Row, user: str, assistant: str, tool: str = "tool") -> str:
    return {"assistant": assistant, "tool": tool}.get(row["channel"], user)


def _chatgpt(row: Row) -> bytes:
    key = f"{row['channel']}{row['id']}"
    message = {
        "id": f"m{key}", "author": {"role": _role(row, "user", "assistant")}, "create_time": 1_795_000_000,
        "content": {"content_type": "text", "parts": [row["text"]]},
    }  # fmt: skip
    mapping = {
        "root": {"id": "root", "parent": None, "children": [f"m{key}"], "message": None},
        f"m{key}": {"id": f"m{key}", "parent": "root", "children": [], "message": message},
    }
    conversation = {
        "id": f"c{key}", "conversation_id": f"c{key}", "title": "Talk", "create_time": 1_795_000_000,
        "update_time": 1_795_000_009, "current_node": f"m{key}", "mapping": mapping,
    }  # fmt: skip
    return _json([conversation])


def _claude(row: Row) -> bytes:
    key = f"{row['channel']}{row['id']}"
    message = {
        "uuid": f"m{key}", "sender": _role(row, "human", "assistant"), "text": row["text"], "content": [],
        "attachments": [], "files": [], "created_at": f"{AT}Z",
    }  # fmt: skip
    named = {
        "uuid": f"c{key}",
        "name": "Talk",
        "account": {"uuid": "x"},
        "created_at": f"{AT}Z",
        "updated_at": f"{AT}Z",
    }
    return _json([{**named, "chat_messages": [message]}])


def _openai(row: Row) -> bytes:
    message = {"role": _role(row, "user", "assistant"), "content": row["text"]}
    if row["channel"] == "tool":
        message |= {"tool_call_id": "c1"}
    return _json([{"role": "user", "content": f"hello {row['id']}"}, message])


def _gemini(row: Row) -> bytes:
    asked = row["text"] if row["channel"] != "assistant" else "hello"
    record: dict[str, Any] = {
        "header": "Gemini Apps", "title": f"Prompted {asked}", "time": f"2026-11-20T10:{row['id'] % 60:02d}:00.000Z",
        "products": ["Gemini Apps"], "activityControls": ["Gemini Apps Activity"],
    }  # fmt: skip
    if row["channel"] == "assistant":
        record["safeHtmlItem"] = [{"html": f"<p>{html.escape(row['text'])}</p>"}]
    return _json([record])


def _llm(row: Row) -> bytes:
    record: dict[str, Any] = {
        "id": f"01{row['id']:06d}", "model": "echo", "options_json": {},
        "conversation_id": f"c{row['channel']}{row['id']}",
        "duration_ms": 1, "datetime_utc": AT, "prompt": row["text"], "response": "ok", "system": None,
        "prompt_json": None, "response_json": None,
    }  # fmt: skip
    if row["channel"] == "tool":
        record |= {"prompt": "hello", "tool_results": [{"name": row["speaker"], "output": row["text"]}]}
    return _json([record])


def _sharegpt(row: Row) -> bytes:
    turns = [{"from": "human", "value": "hello"}, {"from": "gpt", "value": row["text"]}]
    return _json([{"id": f"d{row['id']}", "conversations": turns}])


def _whatsapp(row: Row) -> bytes:
    return (
        f"20/11/2026, 10:00 - Messages and calls are end-to-end encrypted.\n"
        f"20/11/2026, 10:01 - Bo: hello {row['id']}\n20/11/2026, 10:02 - {row['speaker']}: {row['text']}\n"
    ).encode()


def _slack(row: Row) -> bytes:
    message = {"type": "message", "user": "U1", "ts": f"1795000000.{row['id']:06d}", "text": row["text"]}
    profile = {"real_name": row["speaker"], "display_name": row["speaker"], "name": row["speaker"]}
    return _json([{**message, "user_profile": profile}])


def _discord(row: Row) -> bytes:
    author = {"id": "1", "name": row["speaker"], "nickname": row["speaker"], "isBot": False}
    message = {
        "id": f"{row['id']}", "type": "Default", "timestamp": f"{AT}+00:00", "isPinned": False, "content": row["text"],
        "author": author, "attachments": [], "mentions": [],
    }  # fmt: skip
    return _json({"guild": {"id": "1", "name": "G"}, "channel": {"id": "2", "name": "c"}, "messages": [message]})


def _telegram(row: Row) -> bytes:
    message = {
        "id": row["id"], "type": "message", "date": AT, "date_unixtime": "1795000000", "from": row["speaker"],
        "from_id": f"user{row['speaker']}", "text": row["text"], "text_entities": [],
    }  # fmt: skip
    return _json({"name": "Talk", "type": "personal_chat", "id": 40_000 + row["id"], "messages": [message]})


def _signal(row: Row) -> bytes:
    said = {"date": AT, "sender": row["speaker"], "body": row["text"], "quote": "", "sticker": None}
    return (json.dumps({**said, "reactions": [], "attachments": []}) + "\n").encode()


def _imessage(row: Row) -> bytes:
    return (
        f"Nov 20, 2026  10:00:00 AM\nMe\nhello\n\nNov 20, 2026  10:00:10 AM\n{row['speaker']}\n{row['text']}\n".encode()
    )


def _transcript(row: Row) -> bytes:
    other = "Assistant" if row["speaker"] == "User" else "Bo"
    return f"{row['speaker']}: {row['text']}\n{other}: ok {row['id']}\n".encode()


def _vtt(row: Row) -> bytes:
    return f"WEBVTT\n\n00:00:01.000 --> 00:00:05.000\n<v {row['speaker']}>{row['text']}\n".encode()


def _srt(row: Row) -> bytes:
    return f"1\n00:00:01,000 --> 00:00:05,000\n{row['text']}\n\n2\n00:00:06,000 --> 00:00:08,000\nla\n".encode()


def _shell(row: Row) -> bytes:
    return f"#1795000000\n{row['text']}\n#1795000060\nls -l\n".encode()


def _plain(row: Row) -> bytes:
    return str(row["text"]).encode()


def _jrnl(row: Row) -> bytes:
    return f"[2026-11-20 10:00] {row['text']}\n".encode()


FORMATS: dict[str, tuple[str, str, Callable[[Row], bytes]]] = {
    "html": ("html", "html", _html),
    "pdf": ("pdf", "pdf", _pdf),
    "mbox": ("mbox", "mbox", _mbox),
    "eml": ("eml", "eml", _mail),
    "markdown": ("md", "markdown", _plain),
    "org": ("org", "org", _plain),
    "jrnl": ("txt", "jrnl", _jrnl),
    "claude-code": ("jsonl", "claude-code", _claude_code),
    "chatgpt": ("json", "chatgpt", _chatgpt),
    "claude": ("json", "claude-ai", _claude),
    "openai": ("json", "openai", _openai),
    "gemini": ("json", "gemini", _gemini),
    "llm": ("json", "llm", _llm),
    "sharegpt": ("json", "sharegpt", _sharegpt),
    "whatsapp": ("txt", "whatsapp", _whatsapp),
    "slack": ("json", "slack", _slack),
    "discord": ("json", "discord", _discord),
    "telegram": ("json", "telegram", _telegram),
    "signal": ("json", "signal", _signal),
    "imessage": ("txt", "imessage", _imessage),
    "transcript": ("txt", "transcript", _transcript),
    "vtt": ("vtt", "vtt", _vtt),
    "srt": ("srt", "srt", _srt),
    "shell": ("history", "bash-history", _shell),
}
"""Format of the labels → ending of its file, the importer's name for it, and its maker."""


def file_of(row: Row) -> File:
    """The file of a row: its name has the number of the row, its bytes the text in the row's format."""
    ending, _, make = FORMATS[row["format"]]
    return f"{row['id']:03d}-{row['format']}.{ending}", make(row)


def importer_of(row: Row) -> str:
    """The importer's name for the format of a row."""
    return FORMATS[row["format"]][1]
