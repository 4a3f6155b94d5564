"""Tidy text, and loose reading of values that may be of any type.

Exports leave fields out, set them to null and change their types between
versions. A field that is not what it should be is read as missing, alone.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any


def clean(text: str) -> str:
    """Text as an entry keeps it: NFC, no direction marks, no BOM, no NUL, no lone surrogates, ends stripped."""
    if text.isascii():
        return text.strip().replace("\x00", "")
    from unicodedata import normalize

    marks, surrogates = _unwanted()
    return normalize("NFC", surrogates.sub("\ufffd", marks.sub("", text))).strip()


@cache
def _unwanted() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What goes and what is replaced. Compiled when it is first needed: most notes are ASCII."""
    marks = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\x00]")
    return marks, re.compile("[\ud800-\udfff]")


def trim(text: str) -> str:
    """`clean`, but an indented first line keeps its indent: for notes, which stay verbatim."""
    text = text.rstrip()
    lead = len(text) - len(text.lstrip())
    newline = text.rfind("\n", 0, lead)
    indent = text[newline + 1 : lead].strip("\ufeff\u200e\u200f")
    kept = clean(text)
    return indent + kept if kept else ""


def name_of(value: object) -> str | None:
    """A speaker's, conversation's or tool's name on one line; None where there is none."""
    return " ".join(clean(value).split()) or None if isinstance(value, str) else None


def id_of(value: object) -> str | None:
    """A source's own id as text; None where it has none. Numbers are ids too."""
    if isinstance(value, str):
        return clean(value) or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def string(value: object) -> str:
    """The value if it is text, else nothing."""
    return value if isinstance(value, str) else ""


def mapping(value: object) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: object) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def strings(value: object) -> list[str]:
    """The texts of a list that have something to say."""
    return [item for item in sequence(value) if isinstance(item, str) and item.strip()]
