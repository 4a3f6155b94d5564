"""The step that learns from failures: sessions in which a tool failed and then passed, read together (B11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memcli.extract.lessons import lessons
from memcli.govern.ledger import Ledger
from memcli.govern.verify import refusal
from memcli.govern.write import Writer, candidate
from memcli.log.record import Change
from memcli.projection import reduce
from memcli.projection.database import COLUMNS, Database
from memcli.store.store import Store
from memcli.types import Entry

AUTHOR = "extractor"


def has_news(db: Database) -> bool:
    """Whether tools did something that no tidy has read yet."""
    through = reduce.extracted_through(db) or ""
    return db.one("SELECT 1 FROM entries WHERE state = 0 AND role = 'tool' AND id > ? LIMIT 1", (through,)) is not None


def learn(store: Store, db: Database, run: str) -> int:
    """Keep what the sessions teach, as one decision; how many changes that took. The caller holds the tidy lock.

    A lesson is a memory that briefs show, and a candidate in `mem rules
    review`; no tool's word makes a rule by itself (C3).
    """
    made = 0

    def choose(db: Database) -> Sequence[Change]:
        nonlocal made
        known: dict[str, Entry] = {}
        sessions = list(_sessions(db))
        for session in sessions:
            known |= {entry.id: entry for entry in session}
        writer = Writer(Ledger(db), run, AUTHOR, store.ids.new)
        for found in lessons(sessions):
            if refusal(found, known) is None:
                writer.consider(candidate(found, known))
        decided = writer.changes
        made = len(decided)
        return decided

    store.decide_within(db, choose)
    return made


def _sessions(db: Database) -> Iterator[list[Entry]]:
    """The sessions in which a tool failed, or said so in a field of its result, as they were kept."""
    rows = db.rows(
        "SELECT session, MIN(id) AS first FROM entries WHERE state = 0 AND role = 'tool' AND session IN ("
        "SELECT session FROM entries WHERE state = 0 AND role = 'tool' AND (status = 'failed' OR text LIKE '{%')) "
        "GROUP BY session ORDER BY first"
    )
    for session, _ in rows:
        found = db.rows(
            f"SELECT {COLUMNS} FROM entries WHERE state = 0 AND session = ? AND role IN ('user', 'tool') "
            "ORDER BY ordinal, id",
            (session,),
        )
        yield [db.entry(row) for row in found]
