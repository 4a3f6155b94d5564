"""JSON in constant memory: the elements of one huge array, or one value a line.

What is damaged is reported as a `Skip` and everything complete before it is
kept; only the last line of a file that is still being written goes silently.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NamedTuple

from memcli.formats.base import Parsed
from memcli.formats.depth import Shallow
from memcli.formats.source import Source
from memcli.types import Skip

_NO_VALUES = frozenset({"map_key", "end_map", "start_array", "end_array"})

Row = tuple[str, Any]
"""A place a person can find ("line 3", "item 2"), and the value there."""


def rows(source: Source, wrapper: str | None = None, whole_lists: bool = False) -> Iterator[Row | Skip]:
    """The records of a source: array elements, lines, or the one object.

    With `wrapper`, an object that holds its records in a list under that key
    gives those. Of several lists in a row, or a list with something else
    behind it, the elements are the records, or with `whole_lists` the lists.
    """
    shape = source.shape
    layout = shape.layout if shape else "object"
    if layout == "lines":
        yield from by_line(source)
    elif layout == "array":
        yield from elements(source, "item")
    elif layout == "object" and wrapper and shape and wrapper in shape.first:
        yield from elements(source, f"{wrapper}.item")
    else:
        several = layout == "values"
        for row in elements(source, "", "value" if several else "item", multiple=several):
            if isinstance(row, Skip) or whole_lists or not isinstance(row[1], list):
                yield row
            else:
                yield from ((f"{row[0]}, item {number}", value) for number, value in enumerate(row[1], 1))


def conversations(source: Source, read: Callable[[str, dict[str, Any]], Parsed]) -> Parsed:
    """What `read` makes of each conversation of an export, given its place; what is no object is a damaged `Skip`."""
    for row in rows(source, "conversations"):
        if isinstance(row, Skip):
            yield row
        elif not isinstance(row[1], dict):
            yield Skip(row[0], "not a conversation", damaged=True)
        else:
            yield from read(row[0], row[1])


def elements(source: Source, path: str, noun: str = "item", multiple: bool = False) -> Iterator[Row | Skip]:
    """The values at an ijson path ("item", "messages.item"), numbered from 1."""
    import ijson

    number = 0
    with source.utf8() as stream:
        shallow = Shallow(stream)
        try:
            for value in ijson.items(shallow, path, use_float=True, multiple_values=multiple):
                number += 1
                yield f"{noun} {number}", value
        except (ijson.JSONError, UnicodeDecodeError, RecursionError) as error:
            yield damage(f"after {noun} {number}" if number else "the beginning", error, shallow.too_deep)


def damage(where: str, error: Exception, too_deep: bool = False) -> Skip:
    """What to say of JSON that stops making sense: cut off, broken, or without end."""
    import ijson

    if too_deep:
        return Skip(where, "the JSON is nested too deeply here", damaged=True)
    words = str(error).lower()
    cut = isinstance(error, ijson.IncompleteJSONError) and ("eof" in words or "incomplete" in words)
    return Skip(where, "the JSON is cut off here" if cut else "the JSON is broken here", damaged=True)


def by_line(source: Source) -> Iterator[Row | Skip]:
    """One value a line. A bad line is reported with its number, a bad last line is not."""
    bad: Skip | None = None
    with source.utf8() as stream:
        for number, line in enumerate(stream, 1):
            if line.isspace():
                continue
            if bad:
                yield bad
                bad = None
            try:
                value = json.loads(line)
            except UnicodeDecodeError:
                value = _loads_anyway(line)
            except (ValueError, RecursionError):
                value = None
            if isinstance(value, dict | list):
                yield f"line {number}", value
            else:
                bad = Skip(f"line {number}", "not JSON", damaged=True)


def _loads_anyway(line: bytes) -> Any:
    """A line with bytes that are not UTF-8, read with those bytes marked; None where it is not JSON."""
    try:
        return json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


class Field(NamedTuple):
    """A scalar beside the records: its path and its value."""

    path: str
    value: Any


def records(stream: BinaryIO, items: str | tuple[str, ...], fields: frozenset[str]) -> Iterator[Row | Field | Skip]:
    """The objects at some ijson paths and, as they pass by, the scalars at others.

    For exports that keep a chat's name beside its list of messages, however
    long the list is.
    """
    import ijson

    wanted = (items,) if isinstance(items, str) else items
    builder: Any = None
    inside = ""
    number = 0
    shallow = Shallow(stream)
    try:
        for path, event, value in ijson.parse(shallow, use_float=True):
            if builder is not None:
                builder.event(event, value)
                if event == "end_map" and path == inside:
                    number += 1
                    yield f"message {number}", builder.value
                    builder = None
            elif event == "start_map" and path in wanted:
                builder, inside = ijson.ObjectBuilder(), path
                builder.event(event, value)
            elif path in fields and event not in _NO_VALUES:
                yield Field(path, None if event == "start_map" else value)
    except (ijson.JSONError, UnicodeDecodeError, RecursionError) as error:
        yield damage(f"after message {number}" if number else "the beginning", error, shallow.too_deep)
