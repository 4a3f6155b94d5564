"""What stays of a change when entries or memories are purged."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import memcli
from memcli.log.record import Change
from memcli.projection import memories, reduce
from memcli.store.cascade import KEPT, TRIMMED, left_of

GONE = frozenset({"GONE"})
_WRITTEN = re.compile(r"""\b(?:Change|_change)\(\s*(?:op=)?"(\w+)"|\bop="(\w+)\"""")


def test_of_every_operation_that_is_written_or_read_it_is_known_what_a_purge_does_to_it() -> None:
    """One that is not known would go whole as soon as it names something purged."""
    sources = Path(memcli.__file__).parent.rglob("*.py")
    found = {name for path in sources for pair in _WRITTEN.findall(path.read_text("utf-8")) for name in pair if name}
    assert found >= {
        "undo",
        "index",
        "extract",
        "memory",
        "support",
        "retire",
        "merge",
        "standing",
        "edit",
        "pin",
        "event",
    }
    assert found | set(reduce._OPERATIONS) | set(memories.OPERATIONS) == KEPT | TRIMMED
    assert not KEPT & TRIMMED


def change(op: str, evidence: tuple[str, ...], after: Mapping[str, Any], target: str = "M") -> Change:
    return Change(op, "R", "extractor", "t", target, evidence, after=dict(after))


STATEMENT = {"text": "words of it", "scope": "project:x", "trust": "self", "standing": "rule"}
HUSK = {"scope": "project:x", "trust": "self", "standing": "rule", "purged": True}
EVENT = {"title": "t", "facts": [], "topic": "unsorted", "edition": ""}
TRIMS: dict[str, tuple[Change, Mapping[str, Any] | None]] = {
    "nothing of it is named": (change("support", ("A",), {"quotes": [["A", "a"]]}), {"quotes": [["A", "a"]]}),
    "one of its quotes": (
        change("support", ("A", "GONE"), {"quotes": [["A", "a"], ["GONE", "g"]]}),
        {"quotes": [["A", "a"]]},
    ),
    "its only quote": (change("support", ("GONE",), {"quotes": [["GONE", "g"]]}), None),
    "the only quote that founds it": (change("memory", ("GONE",), STATEMENT | {"quotes": [["GONE", "g"]]}), HUSK),
    "the memory itself": (change("pin", (), {"pin": True}, "GONE"), None),
    "what replaced it": (change("retire", ("A",), {"by": "GONE", "until_ms": 1}), None),
    "what it is against": (change("conflict", ("A",), {"with": "GONE"}), None),
    "what it was merged into": (change("merge", (), {"into": "GONE"}), None),
    "words that a rule was given": (change("edit", ("GONE",), {"text": "g"}), None),
    "words given by hand": (change("edit", (), {"text": "g"}), {"text": "g"}),
    "some of the evidence of a promotion": (
        change("standing", ("A", "GONE"), {"standing": "rule"}),
        {"standing": "rule"},
    ),
    "an operation that is not known": (change("summary", ("A", "GONE"), {"title": "t"}), None),
    "ids alone": (
        change("extract", (), {"through": "GONE", "gated": ["GONE"]}),
        {"through": "GONE", "gated": ["GONE"]},
    ),
    "one of two events": (
        change(
            "event",
            ("A", "GONE"),
            {"through": "GONE", "events": [EVENT | {"id": "V", "entries": [0]}, EVENT | {"id": "W", "entries": [1]}]},
        ),
        {"through": "GONE", "events": [EVENT | {"id": "V", "entries": [0]}]},
    ),
    "the only event": (
        change("event", ("A", "GONE"), {"through": "GONE", "events": [EVENT | {"id": "V", "entries": [0, 1]}]}),
        None,
    ),
}


@pytest.mark.parametrize("name", TRIMS)
def test_a_change_loses_what_it_holds_of_the_purged_and_goes_with_the_last_of_it(name: str) -> None:
    before, expected = TRIMS[name]
    left = left_of(before, GONE)
    assert (None if left is None else left.after) == expected
    if left is not None and before.op not in KEPT:
        assert "GONE" not in left.evidence
