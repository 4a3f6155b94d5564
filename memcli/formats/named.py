"""The date in a file's name: `2026-05-20 notes.md`, `20260520.txt`, Zoom's `GMT20260520-130000_…`."""

from __future__ import annotations

import re

from memcli.formats.stamps import day
from memcli.types import Moment

_RECORDING = re.compile(r"GMT(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(?!\d)")
_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)([-_.]?)(\d\d)\2(\d\d)(?!\d)")


def date_of_name(name: str) -> Moment | None:
    """The moment a recording began, or the day in a file's name; None where it names none."""
    leaf = name.replace("\\", "/").rpartition("/")[2]
    if match := _RECORDING.search(leaf):
        numbers = [int(number) for number in match.groups()]
        start = day(*numbers[:3])
        hour, minute, second = numbers[3:]
        if start is not None and hour < 24 and minute < 60 and second < 60:
            return Moment(start + ((hour * 60 + minute) * 60 + second) * 1000, "second", 0)
    if match := _DATE.search(leaf):
        start = day(int(match[1]), int(match[3]), int(match[4]))
        return None if start is None else Moment(start, "day", None, True)
    return None
