"""What `mem ask` prints is never taken in again: a memory must not learn from its own answers.

Every printed answer ends with a line that starts with `SEAL`; its JSON is
known by its keys. Where such a block stands in a longer text, the block is
cut out and the rest is kept.
"""

from __future__ import annotations

import json
import re

SEAL = "mem: answered from"
_SEAL_LINE = re.compile(rf"^[\W_]*{SEAL}\b.*$")
_EVIDENCE_LINE = re.compile(r"^[>|#*\s]*\[\d{1,2}\] ")
_ANSWER_KEYS = {"question", "answer", "abstained", "evidence", "indexed", "pending"}


def without_answers(text: str) -> tuple[str, int]:
    """(the text without printed answers, how many were cut out); "" where nothing else was in it.

    A block goes from its seal up over the evidence lines and over the one
    paragraph above them, the answer.
    """
    if SEAL not in text:
        return ("", 1) if _is_answer_json(text) else (text, 0)
    lines = text.split("\n")
    cut: set[int] = set()
    count = 0
    for index, line in enumerate(lines):
        if _SEAL_LINE.fullmatch(line):
            count += 1
            cut.update(range(_block_start(lines, index), index + 1))
    kept = "\n".join(line for index, line in enumerate(lines) if index not in cut)
    return (kept if kept.strip() else "", count)


def _block_start(lines: list[str], seal: int) -> int:
    at = seal - 1
    while at >= 0 and (not lines[at].strip() or _EVIDENCE_LINE.match(lines[at]) or lines[at].startswith("    ")):
        at -= 1
    while at >= 0 and lines[at].strip():
        at -= 1
    return at + 1


def _is_answer_json(text: str) -> bool:
    if not text.lstrip().startswith("{") or '"abstained"' not in text:
        return False
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.keys() >= _ANSWER_KEYS
