"""LoCoMo, the benchmark of very long conversations. A session is a conversation.

Questions, summaries and observations are not conversation and are never read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.calendar import wall_time
from memcli.formats.source import Source
from memcli.formats.stream import rows
from memcli.formats.text import clean, id_of, mapping, name_of, string
from memcli.types import Draft, Skip

_APP = "locomo"
_SESSION = re.compile(r"session_(\d{1,6})\Z")


def sniff(source: Source) -> bool:
    """Samples with a conversation between two speakers, or with questions and evidence."""
    shape = source.shape
    if shape is None:
        return False
    if any("speaker_a" in mapping(mapping(row).get("conversation")) for row in shape.rows):
        return True
    return any("evidence" in item and "category" in item for item in shape.inner("qa"))


def parse(source: Source, options: ParseOptions) -> Parsed:
    """Every turn of every session that has turns, sessions in numeric order."""
    for row in rows(source):
        if isinstance(row, Skip):
            yield row
            continue
        where, value = row
        sessions = mapping(mapping(value).get("conversation"))
        if not sessions:
            yield Skip(where, "no conversation", damaged=True)
            continue
        yield from _sample(where, id_of(mapping(value).get("sample_id")) or where, sessions)


def _sample(where: str, sample: str, sessions: dict[str, Any]) -> Iterator[Draft | Skip]:
    # There are dates without a session, and "session_10" must not come before "session_2".
    held = {
        int(match[1]): key
        for key, turns in sessions.items()
        if (match := _SESSION.match(key)) and isinstance(turns, list) and turns
    }
    for number in sorted(held):
        key = held[number]
        moment = wall_time(string(sessions.get(f"{key}_date_time")))
        ordinal = 0
        for place, value in enumerate(sessions[key], 1):
            turn = mapping(value)
            text = _text(turn)
            if not text:
                yield Skip(f"{where}, session {number}, turn {place}", "empty message")
                continue
            yield Draft(
                _APP, text, ordinal, name_of(turn.get("speaker")), "other", "other", moment,
                f"{sample}/{key}", None, id_of(turn.get("dia_id")),
            )  # fmt: skip
            ordinal += 1


def _text(turn: dict[str, Any]) -> str:
    text = clean(string(turn.get("text")))
    caption = clean(string(turn.get("blip_caption")))
    return f"{text} [image: {caption}]".strip() if caption else text


FORMAT = Format(_APP, "LoCoMo benchmark", "benchmark", sniff, parse)
