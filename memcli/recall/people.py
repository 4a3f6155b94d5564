"""Who speaks in this memory: the names that a question may mean."""

from __future__ import annotations

from memcli.projection.database import Database


def speakers(db: Database) -> list[str]:
    """The names of all speakers of visible entries, in alphabetical order."""
    rows = db.rows("SELECT DISTINCT speaker FROM entries WHERE state = 0 AND speaker IS NOT NULL ORDER BY speaker")
    return [row[0] for row in rows]
