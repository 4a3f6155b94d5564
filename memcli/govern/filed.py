"""Under which topic a memory lies: that of the event which has most of what it rests on (B6)."""

from __future__ import annotations

from memcli.govern.find import SHOWN, select
from memcli.memories import Memory
from memcli.projection.database import Database
from memcli.projection.events import under

_FILED = """
SELECT memory, topic FROM (
    SELECT c.memory, v.topic, row_number() OVER (
        PARTITION BY c.memory ORDER BY count(*) DESC, max(v.seen_ms) DESC, v.topic
    ) AS place
    FROM cites c JOIN entries e ON e.id = c.entry JOIN event_entries x USING (seq) JOIN events v ON v.id = x.event
    GROUP BY c.memory, v.topic
) WHERE place = 1
"""
_SHOWN = ", ".join(f"'{standing}'" for standing in SHOWN)


def counts(db: Database) -> dict[str, int]:
    """How many memories lie under each topic; those that rest on no event lie under none."""
    rows = db.rows(
        f"SELECT f.topic, COUNT(*) FROM ({_FILED}) f JOIN memories m ON m.id = f.memory "
        f"WHERE m.standing IN ({_SHOWN}) GROUP BY f.topic"
    )
    return dict(rows)


def filed_under(db: Database, path: str, limit: int) -> list[Memory]:
    """The memories under a topic or below it, by when they became true, newest first; those without a time last."""
    condition, values = under(path)
    return select(
        db,
        f"standing IN ({_SHOWN}) AND id IN (SELECT memory FROM ({_FILED}) WHERE {condition}) "
        "ORDER BY since_ms IS NULL, since_ms DESC, id DESC LIMIT ?",
        (*values, limit),
    )
