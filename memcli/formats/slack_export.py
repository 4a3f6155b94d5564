"""A Slack export is a folder for each channel with a file for each day: made into a source a channel.

The source's bytes are JSON Lines: one line names the channel and the people,
then comes a line for each day file. A damaged day costs no other day.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from memcli.errors import BadData
from memcli.formats.source import Source
from memcli.formats.stream import elements
from memcli.formats.text import id_of, mapping, name_of, sequence
from memcli.types import Skip

HEADER = "slack_channel"
DAY = "slack_day"
PROBLEM = "slack_problem"
_DAY_FILE = re.compile(r"(?P<folder>.+)/\d{4}-\d\d-\d\d\.json")
_LISTS = ("channels.json", "groups.json", "dms.json", "mpims.json")


def channels(files: dict[str, Source], shown: str) -> Iterator[Source]:
    """A source for each channel with messages, in the order of their names."""
    people = _people(files["users.json"])
    listed = _listed(files)
    days: dict[str, list[Source]] = {}
    for name in sorted(files):
        if match := _DAY_FILE.fullmatch(name):
            days.setdefault(match["folder"], []).append(files[name])
    for folder, sources in days.items():
        record = listed.get(folder, {})
        members = [people.get(member, member) for member in sequence(record.get("members")) if isinstance(member, str)]
        title = name_of(record.get("name")) or (", ".join(members) if record else folder)
        head = {HEADER: {"id": id_of(record.get("id")) or folder, "name": title}, "users": people}
        yield Source(f"{shown}/{folder}", _Chain(json.dumps(head).encode() + b"\n", sources).open)


class _Chain:
    """Opens a channel: the header and the day files as one stream."""

    def __init__(self, head: bytes, sources: list[Source]) -> None:
        self._head = head
        self._sources = sources

    def open(self) -> BinaryIO:
        return cast(BinaryIO, io.BufferedReader(_Lines(self._head, self._sources)))


class _Lines(io.RawIOBase):
    """The header's line, and then a line for each day, made when it is asked for."""

    def __init__(self, head: bytes, sources: list[Source]) -> None:
        self._left = head
        self._rest = iter(sources)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._left:
            source = next(self._rest, None)
            if source is None:
                return 0
            self._left = _line(source)
        chunk, self._left = self._left[: len(buffer)], self._left[len(buffer) :]
        buffer[: len(chunk)] = chunk
        return len(chunk)


def _line(source: Source) -> bytes:
    """A day file on one line: its messages, and what is wrong with it, if anything is."""
    messages, problem = day_of(source)
    return json.dumps({DAY: source.name, "messages": messages, PROBLEM: problem}).encode() + b"\n"


def day_of(source: Source) -> tuple[list[Any], str | None]:
    """The messages of a day file, as far as it can be read, and what is wrong with it."""
    loaded = _loaded(source)
    if isinstance(loaded, list):
        return loaded, None
    if loaded is not None:
        return [], "not a list of messages"
    messages: list[Any] = []
    try:
        for item in elements(source, "item"):
            if isinstance(item, Skip):
                return messages, item.reason
            messages.append(item[1])
    except BadData:
        pass
    return messages, "not JSON"


def _people(source: Source) -> dict[str, str]:
    """Names by user id: the name shown, else the real one, else the account's."""
    people: dict[str, str] = {}
    for user in _array(source):
        record = mapping(user)
        profile = mapping(record.get("profile"))
        number = id_of(record.get("id"))
        names = (profile.get("display_name"), record.get("real_name"), profile.get("real_name"), record.get("name"))
        name = next((found for found in map(name_of, names) if found), None)
        if number and name:
            people[number] = name
    return people


def _listed(files: dict[str, Source]) -> dict[str, dict[str, Any]]:
    """What the lists say of each folder: channels go by their name, direct messages by their id."""
    listed: dict[str, dict[str, Any]] = {}
    for name in _LISTS:
        for item in _array(files[name]) if name in files else []:
            record = mapping(item)
            for key in (record.get("name"), record.get("id")):
                if isinstance(key, str):
                    listed[key] = record
    return listed


def _array(source: Source) -> list[Any]:
    """A list file's items; a damaged list costs the names, not the messages."""
    return sequence(_loaded(source))


def _loaded(source: Source) -> object:
    try:
        with source.utf8() as stream:
            return json.loads(stream.read())
    except (ValueError, RecursionError, BadData):
        return None
