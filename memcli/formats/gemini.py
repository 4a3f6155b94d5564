"""Gemini in Google Takeout: `MyActivity.json`, or the HTML that is the default.

A flat log, newest first: each record is a prompt and perhaps its answer. Only
English titles say what was prompted; others are skipped rather than guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.calendar import wall_time
from memcli.formats.markup import text_of_html
from memcli.formats.source import Source
from memcli.formats.stamps import iso
from memcli.formats.stream import rows
from memcli.formats.text import clean, mapping, sequence, string, strings
from memcli.types import Draft, Moment, Skip

_APP = "gemini"
_PRODUCTS = frozenset({"Gemini Apps", "Bard"})
_PROMPTED = re.compile(r"(?:Prompted|Said)[\s\xa0]+(?=\S)")
_CELL = re.compile(r'<div class="outer-cell')
_PRODUCT = re.compile(r'mdl-typography--title">\s*([^<]{1,80})')
_CONTENT = re.compile(
    r'<div class="content-cell[^"]*mdl-typography--body-1">(.*?)(?=<div class="content-cell|\Z)', re.DOTALL
)
_TIME = re.compile(
    r"([A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d:\d\d(?:\s[AP]M)?)\s(UTC|GMT(?:[+-]\d{1,2}(?::\d\d)?)?|[A-Z]{2,5})\Z"
)
_ZONES = {"UTC": 0, "GMT": 0, "WET": 0, "CET": 60, "CEST": 120, "EET": 120, "EEST": 180, "EST": -300, "EDT": -240}
_ZONES |= {"CDT": -300, "MDT": -360, "PST": -480, "PDT": -420, "JST": 540, "AEST": 600, "AEDT": 660}
"""Abbreviations that mean one offset; the others (IST, CST, BST) leave a wall clock."""

_PIECE = 1024 * 1024


def sniff(source: Source) -> bool:
    """Activity records, or the activity page, of Gemini."""
    if source.start.lstrip("\ufeff \n")[:1] == "<":
        return "outer-cell" in source.start and any(f">{name}" in source.start for name in _PRODUCTS)
    shape = source.shape
    return shape is not None and any(
        {"header", "title", "time"} <= row.keys() and _is_gemini(row) for row in shape.rows if isinstance(row, dict)
    )


def parse(source: Source, options: ParseOptions) -> Parsed:
    """A prompt and its answer are a conversation of their own: the log knows no other."""
    page = source.start.lstrip("\ufeff \n")[:1] == "<"
    yield from _of_page(source) if page else _of_json(source)


def _is_gemini(record: dict[str, Any]) -> bool:
    return string(record.get("header")) in _PRODUCTS or bool(_PRODUCTS & set(strings(record.get("products"))))


def _of_json(source: Source) -> Iterator[Draft | Skip]:
    for row in rows(source):
        if isinstance(row, Skip):
            yield row
            continue
        where, record = row[0], mapping(row[1])
        if not _is_gemini(record):
            yield Skip(where, "other product")
            continue
        pieces = (string(mapping(item).get("html")) for item in sequence(record.get("safeHtmlItem")))
        answer = clean("\n".join(text_of_html(piece) for piece in pieces if piece))
        yield from _pair(where, string(record.get("title")), answer, iso(record.get("time"), 0))


def _pair(where: str, title: str, answer: str, moment: Moment | None) -> Iterator[Draft | Skip]:
    match = _PROMPTED.match(title)
    if match is None:
        yield Skip(where, "no prompt")
        return
    yield Draft(_APP, clean(title[match.end() :]), 0, None, "user", "self", moment)
    if answer:
        yield Draft(_APP, answer, 1, None, "assistant", "assistant", moment)


def _of_page(source: Source) -> Iterator[Draft | Skip]:
    for number, cell in enumerate(_cells(source), 1):
        where = f"item {number}"
        product = _PRODUCT.search(cell)
        if product is None or clean(product[1]) not in _PRODUCTS:
            yield Skip(where, "other product")
            continue
        content = _CONTENT.search(cell)
        lines = text_of_html(content[1]).split("\n") if content else []
        at = next((at for at, line in enumerate(lines) if _TIME.match(_spaced(line))), None)
        if at is None:
            yield Skip(where, "no prompt")
            continue
        yield from _pair(where, "\n".join(lines[:at]), clean("\n".join(lines[at + 1 :])), _moment(lines[at]))


def _spaced(line: str) -> str:
    """A line with plain spaces: Takeout writes U+202F before AM."""
    return " ".join(line.split())


def _moment(line: str) -> Moment | None:
    match = _TIME.match(_spaced(line))
    local = wall_time(match[1]) if match else None
    if match is None or local is None:
        return None
    zone = match[2]
    offset = _ZONES.get(zone)
    if zone.startswith("GMT") and len(zone) > 3:
        hours, _, minutes = zone[4:].partition(":")
        offset = (int(hours) * 60 + int(minutes or 0)) * (-1 if zone[3] == "-" else 1)
    return local if offset is None else Moment(local.ms - offset * 60_000, local.precision, offset)


def _cells(source: Source) -> Iterator[str]:
    """The page's records, one at a time: a page of years is one line of a hundred megabytes."""
    buffer = ""
    with source.utf8() as stream:
        while chunk := stream.read(_PIECE):
            buffer += chunk.decode("utf-8", "replace")
            *whole, buffer = _CELL.split(buffer)
            # What stands before the first record is the page's head.
            yield from (cell for cell in whole if _PRODUCT.search(cell))
    if _PRODUCT.search(buffer):
        yield buffer


FORMAT = Format(_APP, "Gemini activity (Google Takeout)", "chat", sniff, parse)
