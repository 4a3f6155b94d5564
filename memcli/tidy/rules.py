"""The step that decides what becomes a rule and what waits for the person (C2)."""

from __future__ import annotations

from collections.abc import Sequence

from memcli.govern.promote import Promoted, promote
from memcli.log.record import Change
from memcli.projection.database import Database
from memcli.settings import MAX_RULES
from memcli.store.store import Store


def decide_rules(store: Store, db: Database, run: str, max_rules: int = MAX_RULES) -> Promoted:
    """Promote and hold, as one decision. The caller holds the tidy lock."""
    done = Promoted()

    def choose(db: Database) -> Sequence[Change]:
        nonlocal done
        done = promote(db, run, max_rules)
        return done.changes

    store.decide_within(db, choose)
    return done
