"""What `mem ask` prints is never taken in again: a memory must not learn from its own answers.

Every printed answer ends with a line that starts with `SEAL`; its JSON is
known by its keys. Where such a block stands in a longer text, the block is
cut out and the rest is kept.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memcli.formats.source import Source

SEAL = "mem: answered from"
ASKED_AS = "(asked as: "
"""Begins the line over an answer that says how a question was understood."""
_JSON_MARK = '"abstained"'
_SEAL_LINE = re.compile(rf"^([\W_]*){SEAL} (?:[\d,]+|none) of [\d,]+ entries\b.*$")
_FIRST_EVIDENCE = re.compile(r"\[1\] (?:\d{4}-\d\d-\d\d|time unknown) ")
_ABSTAINED = "Nearest, but no answer:"
_QUOTED = "Quoted: “"
_REFUSAL = "I don't have that."
_CITED = re.compile(r"(?:\[\d{1,2}\])+$")
_STYLES = re.compile(r"\x1b\[[\d;]*m")
_ANSWER_KEYS = {"question", "answer", "abstained", "evidence", "indexed", "pending"}
_ANSWER_OPENS = re.compile(r'\{\s*"(?:version|abstained)"\s*:')
_CHUNK = 1 << 20


def suspect(text: str) -> bool:
    """Whether the text is worth a closer look; nearly none is."""
    return SEAL in text or _JSON_MARK in text


def without_answers(text: str) -> tuple[str, int]:
    """(the text without printed answers, how many were cut out); "" where nothing else was in it."""
    if not suspect(text):
        return text, 0
    text, as_json = _without_json(text)
    text, printed = _without_printed(text)
    count = as_json + printed
    return ("" if count and not re.search(r"\w", text) else text), count


def clean_source(source: Source) -> tuple[Source | None, int]:
    """The same for a whole source, before anybody asks for its format; None where nothing else was in it.

    The messages of a chat export are each looked at when they are read.
    """
    from memcli.errors import BadData
    from memcli.formats.source import Source

    try:
        marks = [mark.encode(name) for mark in (SEAL, _JSON_MARK) for name in _plain_names(source.encoding.name)]
        if source.shape is not None and not source.shape.any_row(*_ANSWER_KEYS):
            return source, 0
        if not any(mark in window for window in _windows(source) for mark in marks):
            return source, 0
        text, count = without_answers(source.text())
    except BadData:  # no text: then it is no printed answer, and its format says what it is
        return source, 0
    if not count:
        return source, 0
    return (Source.from_bytes(source.name, text.encode("utf-8", "replace")) if text else None), count


def _plain_names(encoding: str) -> tuple[str, ...]:
    """The codecs without a byte order mark that the encoding may stand for."""
    if encoding in ("utf-16", "utf-32"):
        return f"{encoding}-le", f"{encoding}-be"
    return (encoding.removesuffix("-sig"),)


def _windows(source: Source) -> Iterator[bytes]:
    """The bytes of a source in pieces that overlap by more than a mark."""
    before = b""
    with source.opener() as stream:
        while chunk := stream.read(_CHUNK):
            yield before + chunk
            before = chunk[-4 * len(SEAL) :]


def _without_json(text: str) -> tuple[str, int]:
    if _JSON_MARK not in text:
        return text, 0
    kept, at, count = list[str](), 0, 0
    decoder = json.JSONDecoder()
    for opened in _ANSWER_OPENS.finditer(text):
        if opened.start() < at:
            continue
        try:
            value, end = decoder.raw_decode(text, opened.start())
        except (ValueError, RecursionError):
            continue
        if value.keys() >= _ANSWER_KEYS:
            kept.append(text[at : opened.start()])
            at = end
            count += 1
    return "".join([*kept, text[at:]]), count


def _without_printed(text: str) -> tuple[str, int]:
    if SEAL not in text:
        return text, 0
    lines = text.split("\n")
    bare = [_STYLES.sub("", line).rstrip() for line in lines]
    count = 0
    for index in reversed(range(len(lines))):
        found = _SEAL_LINE.match(bare[index]) if index < len(lines) else None
        if found:
            start, rest = _Block(bare, index, found[1]).start()
            lines[start : index + 1] = bare[start : index + 1] = [rest] if rest.strip() else []
            count += 1
    return "\n".join(lines), count


class _Block:
    """The lines above one seal, read upwards, without the mark of a quotation that the seal has before it."""

    def __init__(self, lines: list[str], seal: int, mark: str) -> None:
        self._lines = lines
        self._seal = seal
        self._mark = mark
        self._columns = 0

    def start(self) -> tuple[int, str]:
        """(the first line of the block, what stands before the block on that line).

        The answer stands over its evidence or, on a terminal, below it; over both, how the question was understood.
        """
        begin, before = self._begin()
        while not before.strip() and begin > 0 and self._line(begin - 1).startswith(ASKED_AS):
            begin -= 1
        return begin, before

    def _begin(self) -> tuple[int, str]:
        top, bottom = self._paragraph(self._seal)
        evidence = self._evidence(top, bottom)
        if evidence is not None:
            above = None if evidence[1] else self._answer(*self._paragraph(evidence[0]))
            return above or evidence
        answer = self._answer(top, bottom)
        if answer is None:
            return self._seal, ""
        above = None if answer[1] or answer[0] != top else self._evidence(*self._paragraph(top))
        return above or answer

    def _line(self, index: int) -> str:
        line = self._lines[index]
        if line.startswith(self._mark):
            return line[len(self._mark) :]
        return "" if line.strip() == self._mark.strip() else line

    def _paragraph(self, below: int) -> tuple[int, int]:
        """The lines (first, behind the last) of the paragraph that ends over `below`."""
        end = below
        while end > 0 and not self._line(end - 1).strip():
            end -= 1
        top = end
        while top > 0 and self._line(top - 1).strip():
            top -= 1
        return top, end

    def _evidence(self, top: int, end: int) -> tuple[int, str] | None:
        """Where the evidence begins that ends this paragraph, with its title, and what stands before it on its line."""
        for index in reversed(range(top, end)):
            found = _FIRST_EVIDENCE.search(self._line(index))
            if found:
                self._columns = max(len(self._line(at)) for at in range(index, end))
                before = self._line(index)[: found.start()]
                titled = index > top and self._line(index - 1).strip() == _ABSTAINED
                return index - titled, "" if titled else before
        return None

    def _answer(self, top: int, end: int) -> tuple[int, str] | None:
        """Where the answer begins that ends this paragraph, and what stands before it on its line."""
        if top == end:
            return None
        last = self._line(end - 1)
        if last.endswith(_REFUSAL):
            return self._talk(top, end - 1, last[: -len(_REFUSAL)])
        if not _CITED.search(last):
            return None
        for index in reversed(range(top, end)):
            before, label, _ = self._line(index).partition(_QUOTED)
            if label:
                return self._talk(top, index, before)
        begin = end - 1
        columns = max(self._columns, *(len(self._line(at)) for at in range(begin, end)))
        # A line broke only where the next word had no room on it; any other break is not ours.
        while begin > top and len(self._line(begin - 1)) + 1 + len(self._line(begin).split()[0]) > columns:
            begin -= 1
        return self._talk(top, begin, "")

    def _talk(self, top: int, begin: int, before: str) -> tuple[int, str]:
        """The same with the lines that `mem` said over the answer."""
        if before.strip():
            return begin, before
        while begin > top and self._line(begin - 1).startswith("mem: "):
            begin -= 1
        return begin, ""
