"""One line of a plain transcript: an optional time stamp, a label, a colon, words.

Also the spellings of chat programs: `<ada> hi`, `Ada (15:04): hi`,
`Ada  3:04 PM` over the words, `**Ada:** hi`, `## User` over the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memcli.formats.calendar import DATE, TIME, Written, written
from memcli.formats.labels import LONGEST, can_speak, can_speak_stamped, role_label

_D = re.sub(r"\?P<\w+>", "?:", DATE)
_T = re.sub(r"\?P<\w+>", "?:", TIME)
_DT = rf"{_D}(?:T|,?\s+(?:at\s+)?|,){_T}"
_BRACKETED = rf"[\[(](?P<s1>{_DT}|{_T}|{_D})[\])]\s*(?:[-–—:]\s*)?"
_BARE = rf"(?P<s2>{_DT}|{_T})(?:\s*[-–—|]\s+|:?\s+)"
_LABEL = rf"(?P<label>[^:：\n]{{1,{LONGEST}}}?)"
_TURN = re.compile(
    rf"(?:{_BRACKETED}|{_BARE})?(?:"
    rf"<(?P<nick>[^<>\s]{{1,32}})>\s+(?P<said>.*)"
    rf"|(?P<mark>\*\*|__)?{_LABEL}(?:\s*[\[(](?P<s3>{_DT}|{_T})[\])])?"
    rf"(?:(?P=mark)\s*:|:(?P=mark)|:|：)(?:\s+(?P<rest>.*)|(?<=：)(?P<wide>.*)|\s*)"
    r")\Z",
    re.IGNORECASE | re.DOTALL,
)
_PLAIN = re.compile(rf"{_LABEL}(?::(?:\s+|\Z)|：)\s*(?P<rest>.*)\Z", re.DOTALL)
_OVER = re.compile(
    rf"(?:\[(?P<s1>{_DT}|{_T}|\d{{1,2}}[./]\d{{1,2}}\.?\s+{_T})\]\s+(?P<l1>[^\[\]:]{{1,{LONGEST}}})"
    rf"|(?P<l2>[^\[\]:\d][^\[\]:]{{0,{LONGEST}}}?)\s{{1,4}}\[?(?P<s2>(?:{_DT}|{_T}))\]?)\s*\Z",
    re.IGNORECASE,
)
_GAP = re.compile(r"\S\s{2,4}\[?\d")
_HEADING = re.compile(r"#{1,6}\s+\**(?P<label>[^:#*]{1,20}?)\**:?\**\s*\Z")
_DATE_LINE = re.compile(rf"[-–—=*\s\[]*(?:Day changed )?(?P<date>{_D})[-–—=*\s\]]*\Z", re.IGNORECASE)
_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
_STAMPISH = re.compile(r"[\[(\d]|(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.I)


class Turn(NamedTuple):
    """A line that may open a turn. `strong`: its stamp stands in brackets or has a date."""

    label: str
    rest: str
    stamp: Written | None = None
    strong: bool = False
    over: bool = False


def read_turn(line: str) -> Turn | None:
    """The turn that a line opens, if its shape is that of one. Who may speak is decided elsewhere."""
    if line[:1] in (" ", "\t", ">", ""):
        return None
    if line[0] == "#":
        match = _HEADING.match(line)
        return Turn(match["label"], "", over=True) if match and role_label(match["label"]) else None
    if not (line[0] in "*_<" or _STAMPISH.match(line)):
        if ":" not in line and "：" not in line:
            return None
        match = _PLAIN.match(line)
        if match and (match["label"].isalpha() or match["label"][-1:] not in ")]"):
            label = match["label"].strip()
            return Turn(label, match["rest"]) if can_speak(label) else _over(line)
    match = _TURN.match(line)
    if match is None:
        return _over(line)
    raw = match["s1"] or match["s2"] or match["s3"]
    stamp = written(raw) if raw else None
    if raw and stamp is None:
        return None
    strong = stamp is not None and (match["s2"] is None or stamp.day is not None or stamp.fields is not None)
    if match["nick"]:
        nick = match["nick"].lstrip("@+%~&")
        return Turn(nick, match["said"], stamp, strong) if can_speak(nick) else None
    label = match["label"].strip().strip("*_").strip()
    if not (can_speak_stamped(label) if strong else can_speak(label)):
        return _over(line)
    return Turn(label, match["rest"] or match["wide"] or "", stamp, strong)


def _over(line: str) -> Turn | None:
    """A line with a name and a time, over the words of the turn."""
    if len(line) > 2 * LONGEST + 20 or ":" not in line:
        return None
    match = _OVER.match(line)
    if match is None:
        return None
    label = (match["l1"] or match["l2"]).strip()
    raw = match["s1"] or match["s2"]
    stamp = written(raw)
    if stamp is None or not can_speak_stamped(label):
        return None
    if match["l2"] is not None and not (stamp.day is not None or raw[-1] in "mM." or _GAP.search(line)):
        # `Ada 15:04` with one space may be a score or a verse.
        return None
    return Turn(label, "", stamp, True, True)


def read_date(line: str) -> int | None:
    """The day that a line of its own announces, in milliseconds; None where it announces none."""
    if not line or len(line) > 60 or not any(char.isdigit() for char in line):
        return None
    match = _DATE_LINE.match(line)
    found = written(match["date"]) if match else None
    return found.day if found else None


def outside_fences(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it may open a turn: what stands in a code fence may not."""
    fence = ""
    for line in lines:
        mark = _FENCE.match(line) if "`" in line or "~" in line else None
        if mark and not fence:
            fence = mark[1][:3]
        elif mark and mark[1].startswith(fence):
            fence = ""
            yield line, False
            continue
        yield line, not fence
