"""Org mode: one entry a heading, with its planning line and body, without its drawers.

A heading's time is when it was written (CREATED, an inactive stamp, a date
tree), never when something is planned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.calendar import wall_time
from memcli.formats.source import Source
from memcli.formats.text import name_of, trim
from memcli.types import Draft, Moment, Skip

_APP = "org"
_HEADING = re.compile(r"(\*+)[ \t]+(\S.*)\Z")
_KEYWORD = re.compile(r"#\+(\w+):[ \t]*(.*)\Z")
_BLOCK = re.compile(r"[ \t]*#\+(begin|end)_(\w+)", re.IGNORECASE)
_DRAWER = re.compile(r"[ \t]*:([\w-]+):[ \t]*\Z")
_CREATED = re.compile(r"[ \t]*:CREATED:[ \t]*[\[<]([^\]>]+)[\]>]", re.IGNORECASE)
_STAMP = re.compile(r"\[(\d{4}-\d\d-\d\d)(?:[ \t]+[^\d\s\]]+)?(?:[ \t]+(\d{1,2}:\d\d))?[^\]]*\]")
_TREE = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ \t]+[^\W\d]+\.?)?[ \t]*\Z")
_ENTRY_TIME = re.compile(r"(\d{1,2}:\d\d)[ \t]")


def sniff(source: Source) -> bool:
    """A keyword line, a drawer, or headings on two levels: stars alone are any list."""
    lines = source.start.lstrip("\ufeff").split("\n")
    levels = {len(match[1]) for line in lines if (match := _HEADING.match(line))}
    if any(_KEYWORD.match(line) or _BLOCK.match(line) for line in lines[:40]):
        return bool(levels) or _KEYWORD.match(lines[0]) is not None
    return bool(levels) and (len(levels) > 1 or any(line.strip() == ":END:" for line in lines))


def parse(source: Source, options: ParseOptions) -> Parsed:
    """What stands before the first heading, and each heading."""
    title: str | None = None
    days: list[tuple[int, Moment]] = []
    ordinal = 0
    for lines in _sections(source.text().lstrip("\ufeff").split("\n")):
        heading = _HEADING.match(lines[0]) if lines else None
        if heading is None:
            title = next((name_of(match[2]) for line in lines if (match := _title(line))), title)
            lines = [line for line in lines if not _KEYWORD.match(line)]
        body, created = _without_drawers(lines)
        moment = created
        if heading is not None:
            level = len(heading[1])
            days = [(depth, day) for depth, day in days if depth < level]
            if tree := _TREE.match(heading[2]):
                moment = moment or wall_time(tree[1])
                days += [(level, moment)] if moment else []
            moment = moment or _stamped(body) or _of_day(days, heading[2])
        text = trim("\n".join(body))
        if text:
            yield Draft(_APP, text, ordinal, None, "user", "self", moment, title=title)
            ordinal += 1
    if not ordinal:
        yield Skip("the text", "empty")


def _title(line: str) -> re.Match[str] | None:
    match = _KEYWORD.match(line)
    return match if match and match[1].lower() == "title" else None


def _sections(lines: list[str]) -> Iterator[list[str]]:
    """The lines before the first heading, and of each heading. A star in a block is no heading."""
    section: list[str] = []
    block = ""
    for line in lines:
        mark = _BLOCK.match(line)
        if mark and mark[1].lower() == "begin" and not block:
            block = mark[2].lower()
        elif mark and mark[1].lower() == "end" and mark[2].lower() == block:
            block = ""
        elif not block and _HEADING.match(line):
            yield section
            section = []
        section.append(line)
    yield section


def _without_drawers(lines: list[str]) -> tuple[list[str], Moment | None]:
    """The lines outside of drawers, and the time of CREATED. A drawer that never ends is no drawer."""
    kept: list[str] = []
    created: Moment | None = None
    at = 0
    while at < len(lines):
        drawer = _DRAWER.match(lines[at])
        end = None
        if drawer and drawer[1].upper() != "END":
            rest = range(at + 1, len(lines))
            end = next((number for number in rest if lines[number].strip().upper() == ":END:"), None)
        if end is None:
            kept.append(lines[at])
            at += 1
            continue
        for line in lines[at + 1 : end]:
            if match := _CREATED.match(line):
                created = created or _moment(match[1])
        at = end + 1
    return kept, created


def _moment(inside: str) -> Moment | None:
    match = _STAMP.match(f"[{inside}]")
    return wall_time(f"{match[1]} {match[2] or ''}".strip()) if match else None


def _stamped(lines: list[str]) -> Moment | None:
    """An inactive stamp in the heading, or alone on the first line below it, as capture writes them."""
    if match := _STAMP.search(lines[0]):
        return _moment(match[0][1:-1])
    if len(lines) > 1 and (match := _STAMP.match(lines[1].strip())) and match[0] == lines[1].strip():
        return _moment(match[0][1:-1])
    return None


def _of_day(days: list[tuple[int, Moment]], heading: str) -> Moment | None:
    """The day of the date tree that a heading hangs in; with its time where it begins with one."""
    if not days:
        return None
    day = days[-1][1]
    clock = _ENTRY_TIME.match(f"{heading} ")
    if clock is None or day.precision != "day":
        return day
    hours, _, minutes = clock[1].partition(":")
    if int(hours) > 23 or int(minutes) > 59:
        return day
    return Moment(day.ms + (int(hours) * 60 + int(minutes)) * 60_000, "minute", None, True)


FORMAT = Format(_APP, "Org mode", "note", sniff, parse)
