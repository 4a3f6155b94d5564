"""What each sample is a while later: the same with one thing more said in it, as its app would export it then."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

SAID = "The harbour is full of jellyfish today"

_Grow = Callable[[Any], object]


def _chatgpt(value: Any) -> None:
    mapping = value[0]["mapping"]
    mapping["n6"]["children"].append("n7")
    message = {**mapping["n3"]["message"], "id": "n7", "create_time": 1779283300.0}
    message["content"] = {"content_type": "text", "parts": [SAID]}
    mapping["n7"] = {"id": "n7", "parent": "n6", "children": [], "message": message}
    value[0]["current_node"] = "n7"


def _claude_ai(value: Any) -> None:
    last = value[0]["chat_messages"][-1]
    content = [{"type": "text", "text": SAID}]
    said = {"uuid": "m4", "parent_message_uuid": "m3", "sender": "human", "text": SAID, "content": content}
    value[0]["chat_messages"].append({**last, **said, "created_at": "2026-05-20T13:02:00Z"})


def _discord(value: Any) -> None:
    said = {"id": "12", "timestamp": "2026-05-20T15:05:00+02:00", "content": SAID}
    value["messages"].append({**value["messages"][0], **said})


def _gemini(value: Any) -> None:
    said = {**value[0], "title": f"Prompted {SAID}", "time": "2026-05-21T09:15:00.000Z"}
    del said["safeHtmlItem"]
    value.insert(0, said)  # the newest comes first


def _jrnl(value: Any) -> None:
    value["entries"].append({**value["entries"][0], "title": f"{SAID}.", "body": "", "date": "2026-05-22"})


def _llm(value: Any) -> None:
    said = {
        "id": "01aaac",
        "prompt": SAID,
        "response": "",
        "datetime_utc": "2026-05-20T13:09:00",
        "prompt_fragments": [],
    }
    value.append({**value[1], **said})


def _locomo(value: Any) -> None:
    value[0]["conversation"]["session_2"].append({"speaker": "Bo", "dia_id": "D2:2", "text": SAID})


def _openai(value: Any) -> None:
    value["messages"].append({"role": "user", "content": SAID})


def _sharegpt(value: Any) -> None:
    value[0]["conversations"].append({"from": "human", "value": SAID})


def _telegram(value: Any) -> None:
    said = {"id": 9, "date": "2026-05-20T15:09:00", "date_unixtime": "1779282540", "text": SAID}
    value["messages"].append({**value["messages"][0], **said, "text_entities": [{"type": "plain", "text": SAID}]})


_JSON: dict[str, _Grow] = {
    "chatgpt_conversations.json": _chatgpt,
    "claude_ai_conversations.json": _claude_ai,
    "discord_chatexporter.json": _discord,
    "gemini_takeout_MyActivity.json": _gemini,
    "jrnl_export.json": _jrnl,
    "llm_logs.json": _llm,
    "two_people_in_sessions.json": _locomo,
    "openai_messages.json": _openai,
    "sharegpt.json": _sharegpt,
    "telegram_result.json": _telegram,
}

_CODE = {
    "sessionId": "s-1", "isSidechain": False, "type": "user", "parentUuid": "u5", "uuid": "u9",
    "timestamp": "2026-05-20T13:05:00.000Z", "message": {"role": "user", "content": SAID},
}  # fmt: skip
_SIGNAL = {"date": "2026-05-20T15:09:00", "sender": "Bo", "body": SAID, "quote": "", "attachments": []}
_MAIL = (
    "From cy@example.com Wed May 20 18:30:00 2026\nFrom: Cy <cy@example.com>\nTo: ada@example.com\nSubject: sea\n"
    f"Date: Wed, 20 May 2026 18:30:00 +0200\nMessage-ID: <m9@example.com>\n\n{SAID}\n"
)
_CUE = "\n\n00:01:05.790 --> 00:01:08.100\n"
_APPENDED = {
    "bash_history": f"#1779282900\n{SAID}\n",
    "zsh_history": f": 1779282900:0;{SAID}\n",
    "claude_code_session.jsonl": f"{json.dumps(_CODE)}\n",
    "imessage_exporter.txt": f"\nMay 20, 2026  3:09:00 PM\nBo\n{SAID}\n",
    "journal.org": f"\n* {SAID}\n",
    "jrnl_default.txt": f"\n\n[2026-05-22 09:00] {SAID}\n",
    "mail.mbox": f"\n{_MAIL}",
    "meeting_teams.vtt": f"</v>{_CUE}<v Ada Demo>{SAID}</v>\n",
    "meeting_zoom.vtt": f"{_CUE}Ada Demo: {SAID}\n",
    "youtube_auto.vtt": f"{_CUE}{SAID}\n",
    "subtitles.srt": f"\n\n13\n00:01:05,000 --> 00:01:06,000\n{SAID}\n",
    "note_obsidian.md": f"\n## Later\n{SAID}\n",
    "openai_messages.jsonl": json.dumps({"role": "user", "content": SAID}) + "\n",
    "signal_export_chat.md": f"\n[2026-05-20 15:09:00] Bo: {SAID}\n",
    "signal_export_data.json": json.dumps(_SIGNAL) + "\n",
    "transcript_plain.txt": f"[2026-05-20 15:30] Ada: {SAID}\n",
    "transcript_plain_roles.txt": f"\nUser: {SAID}\n",
    "whatsapp_android.txt": f"\n20/05/2026, 3:30 pm - Ada: {SAID}\n",
    "whatsapp_ios.txt": f"\n[20.05.26, 15:30:09] Ada: {SAID}\n",
}
_FOOTER = b"Transcribed by a made up tool"

NAMES = sorted({*_JSON, *_APPENDED, "meeting_otter.txt"})
"""The samples that can grow; a mail is whole, and the folder and the zip of Slack are tried apart."""


def grown(name: str, data: bytes) -> bytes:
    """The sample with `SAID` behind the rest."""
    if name in _JSON:
        value = json.loads(data)
        _JSON[name](value)
        return json.dumps(value).encode()
    if name == "claude_code_session.jsonl":  # its last line was still being written
        data = data[: data.rindex(b"\n")]
    if name == "meeting_otter.txt":
        return data.replace(_FOOTER, f"Ada Demo  1:03:00\n{SAID}\n\n".encode() + _FOOTER)
    return data.rstrip(b"\n") + b"\n" * (not name.endswith("teams.vtt")) + _APPENDED[name].encode()
