"""Relative words with their date beside them, so that nobody, person or model, has to reckon (B2).

"I adopted a cat last Friday" said on 11 February becomes "… last Friday
(6 February 2026)". Code computes the date; the words stay.
"""

from __future__ import annotations

import re

from memcli.lang.when import describe
from memcli.projection.times import named_times
from memcli.types import Entry

_YEAR = re.compile(r"\d{4}")


def times_told(entry: Entry) -> list[str]:
    """The times that an entry tells of, each once, as dates. None of them need be the day on which it was said."""
    return list(dict.fromkeys(describe(found) for found in named_times(entry)))


def dated(entry: Entry) -> str:
    """The words of an entry with the date behind each phrase that does not say it itself."""
    text, added = entry.text, 0
    for found in named_times(entry):
        if found.grain in ("hour", "minute") or _YEAR.search(found.phrase):
            continue
        date = f" ({describe(found)})"
        place = found.span[1] + added
        text = text[:place] + date + text[place:]
        added += len(date)
    return text
