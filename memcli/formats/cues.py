"""Cues of captions: read from VTT or SRT, split by speaker, and joined to what a person said at a stretch."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from memcli.formats.labels import can_speak, is_field
from memcli.formats.text import clean

_CLOCK = r"(?:(\d{1,3}):)?(\d{1,2}):(\d\d)[.,](\d{1,3})"
TIMING = re.compile(rf"\s*{_CLOCK}\s*-->\s*{_CLOCK}")
_BLOCK = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|\Z)")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]*)>")
_TAG = re.compile(r"</?[a-zA-Z\d][^<>]{0,200}>|\{\\[^{}]*\}")
_LABEL = re.compile(r"(?:-\s*)?([^:\n]{1,40}):\s+(\S.*)", re.DOTALL)
_GAP_MS = 2_000
_ENOUGH_CHARS = 1_000
_MOST_CHARS = 2_000
_ROLLING_WORDS = 3


class Cue(NamedTuple):
    """What was said from `start` to `end`, in milliseconds from the beginning; the speaker where one is named."""

    start: int
    end: int
    text: str
    speaker: str | None = None


def read_cues(lines: list[str], blank_ends: bool) -> Iterator[Cue]:
    """The cues of a file, one for each voice in them. `blank_ends`: a blank line ends a cue (VTT), or not (SRT)."""
    timings = [at for at, line in enumerate(lines) if "-->" in line and TIMING.match(line)]
    for at, following in zip_longest(timings, timings[1:]):
        match = TIMING.match(lines[at])
        if match is None:
            continue
        body = lines[at + 1 : following]
        if following is not None:
            body = _without_id(body)
        if blank_ends:
            body = _up_to_blank(body)
        elif any(_BLOCK.match(line) for line in body):
            body = body[: next(number for number, line in enumerate(body) if _BLOCK.match(line))]
        start, end = _ms(*match.groups()[:4]), _ms(*match.groups()[4:])
        for speaker, text in _voices("\n".join(body)):
            yield Cue(start, max(start, end), text, speaker)


def _without_id(body: list[str]) -> list[str]:
    """Without the next cue's number or name: a line right above its times and below a blank one."""
    if not body or not body[-1].strip():
        return body
    number = body[-1].strip().isdigit()
    alone = number if len(body) == 1 else not body[-2] or (number and not body[-2].strip())
    return body[:-1] if alone else body


def _up_to_blank(body: list[str]) -> list[str]:
    # Some captions begin with a line of one space, which is no blank line.
    return body[: next((number for number, line in enumerate(body) if not line), len(body))]


def _voices(raw: str) -> Iterator[tuple[str | None, str]]:
    """The voices in a cue's text, by `<v Name>` or else by a leading `Name:`."""
    pieces = _VOICE.split(raw)
    named = zip([None, *pieces[1::2]], pieces[::2], strict=True)
    for voice, piece in named:
        text = _plain(piece)
        if not text:
            continue
        if voice is not None:
            yield clean(html.unescape(voice)) or None, text
            continue
        match = _LABEL.match(text)
        if match and can_speak(match[1].strip()) and not is_field(match[1]):
            yield match[1].strip(), match[2]
        else:
            yield None, text


def _plain(text: str) -> str:
    return " ".join(clean(html.unescape(_TAG.sub("", text))).split())


def join_cues(cues: Iterable[Cue]) -> Iterator[Cue]:
    """Cues of one speaker at most two seconds apart as one, without what rolling captions repeat.

    A cue that names nobody goes on with the one before it. What grows long is
    cut at the end of a sentence.
    """
    held: Cue | None = None
    before = ""
    for cue in cues:
        text = _new_words(before, cue.text) if held and cue.speaker in (None, held.speaker) else cue.text
        before = cue.text
        goes_on = (
            held is not None
            and cue.speaker in (None, held.speaker)
            and cue.start - held.end <= _GAP_MS
            and not _is_full(held.text)
        )
        if held is not None and goes_on:
            held = held._replace(end=max(held.end, cue.end), text=f"{held.text} {text}".strip())
            continue
        if held is not None and held.text:
            yield held
        near = held is not None and cue.start - held.end <= _GAP_MS
        speaker = cue.speaker or (held.speaker if held is not None and near else None)
        held = cue._replace(text=text, speaker=speaker)
    if held is not None and held.text:
        yield held


def _is_full(text: str) -> bool:
    return len(text) >= _MOST_CHARS or (len(text) >= _ENOUGH_CHARS and text.endswith((".", "!", "?", "。")))


def _new_words(before: str, text: str) -> str:
    """Text without the words at its beginning that end the text before it: three or more of them."""
    old, new = before.split(), text.split()
    for size in range(min(len(old), len(new)), _ROLLING_WORDS - 1, -1):
        if old[-size:] == new[:size]:
            return " ".join(new[size:])
    return text


def _ms(hours: str | None, minutes: str, seconds: str, fraction: str) -> int:
    whole = (int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)
    return whole * 1000 + int(fraction.ljust(3, "0"))
