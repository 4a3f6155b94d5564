"""How much is kept, learnt, promoted, replaced and fading (G2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from memcli.clock import EPOCH
from memcli.govern.decay import HALF_LIVES, strengths
from memcli.memories import CLASSES, Class
from memcli.projection.database import Database
from memcli.projection.memories import COLUMNS, memory_of_row


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of what is visible now. `growth` is memories by the month (UTC) in which they became known."""

    entries: int
    by_trust: Mapping[str, int]
    memories: int
    by_class: Mapping[str, int]
    by_standing: Mapping[str, int]
    by_scope: Mapping[str, int]
    replaced: int
    in_conflict: int
    faded: int
    evidence: int
    growth: Mapping[str, int]
    questions: int
    answered: int


def stats(db: Database, now_ms: int, half_lives: Mapping[Class, float] = HALF_LIVES) -> Stats:
    """Count everything once."""
    found = [memory_of_row(row) for row in db.rows(f"SELECT {COLUMNS} FROM memories ORDER BY id")]
    holds = [memory for memory in found if memory.standing in ("memory", "rule", "held")]
    power = strengths(db, holds, now_ms, half_lives)
    classes = Counter(memory.statement.cls for memory in holds)
    months = Counter((EPOCH + timedelta(milliseconds=memory.recorded_ms)).strftime("%Y-%m") for memory in holds)
    asked, answered = db.one("SELECT COUNT(*), COALESCE(SUM(1 - abstained), 0) FROM questions")
    return Stats(
        entries=db.visible(),
        by_trust=dict(db.rows("SELECT trust, COUNT(*) FROM entries WHERE state = 0 GROUP BY trust ORDER BY 2 DESC, 1")),
        memories=len(holds),
        by_class={name: classes[name] for name in CLASSES if classes[name]},
        by_standing=dict(Counter(memory.standing for memory in found).most_common()),
        by_scope=dict(Counter(memory.scope for memory in holds).most_common()),
        replaced=sum(memory.ended for memory in holds),
        in_conflict=sum(bool(memory.against) for memory in holds),
        faded=sum(power[memory.id].archived(now_ms) for memory in holds),
        evidence=sum(len(memory.quotes) for memory in holds),
        growth=dict(sorted(months.items())),
        questions=asked,
        answered=answered,
    )
