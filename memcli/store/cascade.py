"""What goes from the journal with purged entries and memories: what rests on them, and their words (C11).

`KEPT`, `TRIMMED` and the rule for everything else are the seam for what is
derived. An operation that stands in neither is dropped as soon as it names a
purged entry: a summary is made of all it was made from, and the next tidy
makes it anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from memcli.log.record import BadLine, Change
from memcli.projection import events

KEPT = frozenset({"undo", "index", "extract", "forget", "restore", "purge"})
"""Operations whose records hold ids and nobody's words."""

TRIMMED = frozenset(
    {"memory", "support", "retire", "revive", "merge", "conflict", "settle", "standing", "edit", "pin", "event"}
)
"""Operations that lose what they hold of the purged, and go when nothing is left: about one memory, or about events.

Evidence stands in `evidence` (ids) and in `after.quotes` (pairs of an id and words).
"""

FOUNDING = "memory"
"""The operation that makes a memory."""


SAYINGS = frozenset({"memory", "support"})
"""The operations that give a memory something to say; one of which none is left goes whole."""

_POINTS = ("by", "with", "into")
"""Fields of `after` that name another memory: what is about one that is purged means nothing any more."""


def left_of(change: Change, gone: frozenset[str]) -> Change | None:
    """What stays of a change when these entries and memories are purged: all of it, less of it, or None for nothing."""
    if change.op in KEPT or not names_any(change, gone):
        return change
    if change.op not in TRIMMED or change.target in gone or any(change.after.get(name) in gone for name in _POINTS):
        return None
    if change.op == "event":
        return _events_left(change, gone)
    evidence = tuple(one for one in change.evidence if one not in gone)
    before, after = _without(change.before, gone), _without(change.after, gone)
    quoted = "quotes" in change.after
    if quoted and not after.get("quotes"):
        return husk(change, gone) if change.op == FOUNDING else None
    if change.evidence and not evidence and not quoted:
        return None
    return replace(change, evidence=evidence, before=before, after=after)


def _events_left(change: Change, gone: frozenset[str]) -> Change | None:
    """The events that were made of none of the purged: title and topic of the others are made of their words."""
    try:
        claims = [claim for claim in events.claims_of(change) if gone.isdisjoint(claim.entries)]
    except BadLine:
        return None
    if not claims:
        return None
    left = events.change_of(change.run, claims, change.author, change.reason)
    return replace(left, after={**left.after, "through": change.after["through"]})


def husk(change: Change, gone: frozenset[str]) -> Change:
    """What founds a memory whose first saying is purged, as long as others support it: nobody's words are in it."""
    kept = {name: change.after[name] for name in ("scope", "trust", "standing") if name in change.after}
    evidence = tuple(one for one in change.evidence if one not in gone)
    return replace(change, evidence=evidence, before={}, after={**kept, "purged": True})


def says(change: Change) -> bool:
    """Whether a change gives its memory something to say, also where the one that founded it is a husk."""
    return bool(change.after.get("quotes")) and (
        change.op == FOUNDING or (change.op in SAYINGS and "said" in change.after)
    )


def statements_of(change: Change) -> set[str]:
    """The words that a change gives a memory, besides the quotes."""
    said = change.after.get("said")
    found = [change.after.get("text"), change.before.get("text")]
    found += [said.get("text")] if isinstance(said, Mapping) else []
    return {text for text in found if isinstance(text, str) and text}


def names_any(change: Change, gone: frozenset[str]) -> bool:
    """Whether a change names one of the ids, wherever."""
    return (
        change.target in gone
        or not gone.isdisjoint(change.evidence)
        or _names(change.before, gone)
        or _names(change.after, gone)
    )


def _names(value: Any, gone: frozenset[str]) -> bool:
    if isinstance(value, str):
        return value in gone
    if isinstance(value, Mapping):
        return any(key in gone or _names(item, gone) for key, item in value.items())
    if isinstance(value, list | tuple):
        return any(_names(item, gone) for item in value)
    return False


def _without(value: Mapping[str, Any], gone: frozenset[str]) -> dict[str, Any]:
    """The fields without ids of the purged, and without list items that are about one."""
    return {
        key: _trimmed(item, gone)
        for key, item in value.items()
        if key not in gone and not (isinstance(item, str) and item in gone)
    }


def _trimmed(value: Any, gone: frozenset[str]) -> Any:
    if isinstance(value, list | tuple):
        return [_trimmed(item, gone) for item in value if not _names(item, gone)]
    return _without(value, gone) if isinstance(value, Mapping) else value
