"""Markdown, Obsidian notes included: one entry a heading section, verbatim, below its front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.source import Source
from memcli.formats.stamps import iso
from memcli.formats.text import mapping, name_of, string, trim
from memcli.types import Draft, Moment, Skip

_APP = "markdown"
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+\S")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_FRONT = re.compile(r"---[ \t]*\n(.{1,16384}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_PAIR = re.compile(r"([\w][\w -]{0,40}):[ \t]+(.+)")
_DATE_KEYS = ("created", "date", "created_at", "date created", "creation_date")


def sniff(source: Source) -> bool:
    """Front matter, or a heading at the beginning of a line outside code."""
    start = source.start.lstrip("\ufeff")
    if start.startswith("---") and _split(start)[0]:
        return True
    return any(heading for _, heading in _headings(start.split("\n")))


def parse(source: Source, options: ParseOptions) -> Parsed:
    """A preamble and the sections; all share the title and the day of the front matter."""
    front, body = _split(source.text().lstrip("\ufeff"))
    title = name_of(front.get("title"))
    moment = _day(front)
    ordinal = 0
    for section in _sections(body):
        text = trim(section)
        if text:
            yield Draft(_APP, text, ordinal, None, "user", "self", moment, title=title)
            ordinal += 1
    if not ordinal:
        yield Skip("the text", "empty")


def _split(text: str) -> tuple[dict[str, Any], str]:
    """Front matter and body. Two rules around words are no front matter: it must have keys."""
    match = _FRONT.match(text) if text.startswith("---") else None
    front = _front(match[1]) if match else {}
    return (front, text[match.end() :]) if match and front else ({}, text)


def _front(header: str) -> dict[str, Any]:
    """The header's keys, every value a text. Where it is no YAML, its `key: value` lines."""
    import yaml

    try:
        loaded = yaml.load(header, yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        loaded = None
    if isinstance(loaded, dict):
        return {str(key).lower(): value for key, value in loaded.items() if isinstance(key, str)}
    if loaded is not None:
        return {}
    pairs = (_PAIR.match(line) for line in header.split("\n"))
    return {pair[1].lower(): pair[2].strip().strip("\"'") for pair in pairs if pair}


def _day(front: dict[str, Any]) -> Moment | None:
    for key in _DATE_KEYS:
        moment = iso(string(mapping(front).get(key))[:10])
        if moment:
            return moment
    return None


def _headings(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it is a heading."""
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1][:3]
        elif mark and mark[1].startswith(fence):
            fence = ""
        yield line, not fence and _HEADING.match(line) is not None


def _sections(body: str) -> Iterator[str]:
    section: list[str] = []
    for line, heading in _headings(body.split("\n")):
        if heading and section:
            yield "\n".join(section)
            section = []
        section.append(line)
    yield "\n".join(section)


FORMAT = Format(_APP, "Markdown", "note", sniff, parse)
