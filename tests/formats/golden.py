"""Reads a golden table and says what a parser's drafts look like in its words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from memcli.clock import from_iso, to_iso
from memcli.formats import registry
from memcli.formats.base import ParseOptions
from memcli.formats.source import Source
from memcli.types import Draft, Moment, Skip

TESTS = Path(__file__).parent.parent
SAMPLES = TESTS / "samples"
GOLDEN = TESTS / "golden"


def tables() -> list[str]:
    """The samples that have a golden table."""
    return sorted(path.name.removesuffix(".json") for path in GOLDEN.glob("*.json"))


def load(name: str) -> dict[str, Any]:
    """The golden table of a sample."""
    table: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text("utf-8"))
    return table


def said_at(moment: Moment | None) -> str | None:
    """A moment as the tables write it."""
    return None if moment is None else to_iso(moment)


def as_rows(items: Iterable[Draft | Skip]) -> tuple[list[dict[str, Any]], Counter[str]]:
    """The drafts in the words of a table, and how often each reason to skip occurred."""
    rows: list[dict[str, Any]] = []
    skips: Counter[str] = Counter()
    known: dict[str, int] = {}
    conversation = -1
    for item in items:
        if isinstance(item, Skip):
            skips[item.reason] += 1
            continue
        if item.conversation is not None:
            conversation = known.setdefault(item.conversation, len(known))
        elif item.ordinal == 0:
            conversation += 1
        moment = item.moment
        rows.append(
            {
                "ordinal": item.ordinal,
                "conversation": conversation,
                "speaker": item.speaker,
                "role": item.role,
                "trust": item.trust,
                "said_at": said_at(moment),
                "precision": moment.precision if moment else "none",
                "offset": moment.offset if moment else None,
                "status": item.status,
                "text": item.text,
            }
        )
    return rows, skips


def table_rows(table: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of a table, `.750Z` and `.75Z` being the same."""
    return [{**row, "said_at": same_iso(row["said_at"])} for row in table["entries"]]


def same_iso(text: str | None) -> str | None:
    """A time of a table as `said_at` writes it."""
    if text is None:
        return None
    ms, floating = from_iso(text)
    return said_at(Moment(ms, "second", None, floating))


def read(source: Source, name: str, options: ParseOptions | None = None) -> list[Draft | Skip]:
    """Everything a source holds, read as the format of that name."""
    return list(registry.parse(source, registry.by_name(name), options or ParseOptions()))
