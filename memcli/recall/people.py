"""Who speaks in the store."""

from __future__ import annotations

from memcli.projection.database import Database

_NEXT = "SELECT MIN(speaker) FROM entries WHERE state = 0 AND speaker > ?"


def speakers(db: Database) -> list[str]:
    """The names of all who said something visible, in order. One step of an index a name, however long the store."""
    found: list[str] = []
    last = ""
    while (last := db.one(_NEXT, (last,))[0]) is not None:
        found.append(last)
    return found
