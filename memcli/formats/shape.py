"""What JSON a source holds, seen from its first bytes: an array, an object, or values in a row.

Prose that happens to start with a bracket is not JSON. JSON that is cut or
damaged still is: it must be reported, never kept as a note.
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from typing import Any, Literal

from memcli.formats.text import mapping
from memcli.lang.decode import Encoding

_OPENS_JSON = re.compile(r'\s*(?:\{\s*"(?:[^"\\\n]|\\.)*"\s*:|\[\s*\{\s*(?:"(?:[^"\\\n]|\\.)*"\s*:|\Z))')
_WORTH_A_LOOK = re.compile(r'\s*(?:\{\s*["}]|\[\s*[\[{"\]\d\-tfn])')
_NEXT_VALUE = re.compile(r"\s*([\[{])")

Layout = Literal["array", "object", "lines", "values"]


@dataclass(frozen=True)
class Shape:
    """`layout`: one array, one object, one value a line, or values in a row over several lines.

    `rows` are the elements, the object, or the values: those that the head
    shows, the last one perhaps in part.
    """

    layout: Layout
    rows: list[Any]

    def any_row(self, *keys: str) -> bool:
        """Whether some object among the rows has all these keys."""
        return any(all(key in row for key in keys) for row in self.rows if isinstance(row, dict))

    @property
    def first(self) -> dict[str, Any]:
        """The first object among the rows, or an empty one."""
        return next((row for row in self.rows if isinstance(row, dict)), {})

    def inner(self, key: str) -> list[dict[str, Any]]:
        """The objects in the lists under `key`, over all rows."""
        found: list[dict[str, Any]] = []
        for row in self.rows:
            held = mapping(row).get(key)
            if isinstance(held, list):
                found += [item for item in held if isinstance(item, dict)]
        return found

    @property
    def keys(self) -> list[str]:
        """The keys of the first object: what to name in a complaint."""
        return list(self.first)


def shape_of(head: bytes, whole: bool, encoding: Encoding) -> Shape | None:
    """The shape of the JSON that starts here; None where it is not JSON (scalars alone are not)."""
    text = head.decode(encoding.name, "ignore").lstrip("\ufeff")
    if not _WORTH_A_LOOK.match(text):
        return None
    if whole:
        try:
            return _shape_of_value(json.loads(text))
        except (ValueError, RecursionError):
            pass
    if rows := _by_line(text):
        return Shape("lines", rows)
    rows, rest = _in_a_row(text)
    if len(rows) > 1 or (rows and _NEXT_VALUE.match(rest)):
        return Shape("values", rows)
    # One whole value and then words: a note that quotes some JSON.
    if rows or not _OPENS_JSON.match(text):
        return None
    return _shape_of_value(_partial(text))


def _shape_of_value(value: object) -> Shape:
    if isinstance(value, list):
        return Shape("array", value)
    return Shape("object", [value] if isinstance(value, dict) else [])


def _by_line(text: str) -> list[Any]:
    """The values of a file with one value a line; none where it is no such file.

    Bad lines among good ones spoil only themselves, and so does a last line
    that is still being written.
    """
    rows: list[Any] = []
    bad_last = False
    lines = [line for line in text.split("\n") if line.strip()]
    for line in lines:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            if not rows:
                return []
            bad_last = True
            continue
        bad_last = False
        if isinstance(value, dict | list):
            rows.append(value)
    cut = len(lines) > 1 and bad_last and _NEXT_VALUE.match(lines[-1]) is not None
    bad = len(lines) - len(rows) - cut
    return rows if len(lines) > 1 and bad * 2 <= len(rows) - (not cut) else []


def _in_a_row(text: str) -> tuple[list[Any], str]:
    """The whole values one after the other at the beginning, and the text behind them."""
    decoder = json.JSONDecoder()
    rows: list[Any] = []
    at = 0
    while opened := _NEXT_VALUE.match(text, at):
        try:
            value, at = decoder.raw_decode(text, opened.start(1))
        except (ValueError, RecursionError):
            break
        rows.append(value)
    return rows, text[at:]


def _partial(text: str) -> object:
    """As much of a cut or damaged value as was complete."""
    import ijson

    builder = ijson.ObjectBuilder()
    try:
        for event, value in ijson.basic_parse(io.BytesIO(text.encode("utf-8", "replace")), use_float=True):
            builder.event(event, value)
    except ijson.JSONError:
        pass
    return getattr(builder, "value", None)
