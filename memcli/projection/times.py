"""The times that entries name ("yesterday", "in May"), read against their own time when they are applied (B2, D6).

Derived, never the only copy (A5): the words stay as they were said. An entry
whose time is unknown names nothing that could be resolved.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memcli.clock import wall
from memcli.lang.when import Interval, find_times
from memcli.projection.database import Database
from memcli.types import Entry

_EPOCH = datetime(1970, 1, 1)


def named_times(entry: Entry) -> list[Interval]:
    """The times that an entry names, as half-open intervals of the wall clock where it was said.

    Where only the instant is known the wall clock is that of UTC, so that
    every machine reads the same.
    """
    if entry.moment is None or entry.moment.precision == "none":
        return []
    names = () if entry.speaker is None else tuple(entry.speaker.split())
    return find_times(entry.text, wall(entry.moment, UTC), names=names)


def insert(db: Database, seq: int, entry: Entry) -> None:
    """Index the times of an entry; the caller holds the transaction."""
    for found in named_times(entry):
        db.raw.execute(
            "INSERT INTO times (seq, start_ms, end_ms, grain, approximate, first, last) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (seq, _ms(found.start), _ms(found.end), found.grain, int(found.approximate), *found.span),
        )


def delete(db: Database, seq: int) -> None:
    """Take the times of an entry out again."""
    db.raw.execute("DELETE FROM times WHERE seq = ?", (seq,))


def _ms(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(milliseconds=1)
