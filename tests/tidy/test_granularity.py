"""How large events are on real talks (LoCoMo, development half): a topic each, neither a turn nor a whole session.

Five conversations whole, measured once with `bench/locomo.py`'s stores: 128
sessions of about 21 turns, 3.1 events a session, 93 % of the sessions with 2
to 5 events, no event of a single turn. Here six sessions of the first one.
"""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from llm.conftest import minilm, minilm_source
from store.making import REPOSITORY, QuickDisk, open_store

from memcli.formats.base import ParseOptions
from memcli.formats.registry import by_name, parse
from memcli.formats.source import Source
from memcli.importing.importer import Tally, import_drafts
from memcli.importing.terms import Terms
from memcli.llm.client import Worker, WorkerSpec
from memcli.tidy.events import form
from memcli.tidy.index import index

__all__ = ["minilm", "minilm_source"]
DATA = REPOSITORY.parent / "shared" / "locomo" / "dev5.json"
SESSIONS = 6


class Started:
    """The embedder of a running worker."""

    model, dim = "0" * 64, 384

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def embed(self, texts: Iterable[str]) -> Iterator[list[float]]:
        return self._worker.embed(texts)


@pytest.mark.model
@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="the LoCoMo development half is not in ../shared")
def test_a_session_of_twenty_turns_gives_two_to_five_events_and_few_of_one_turn(
    minilm: Path,
    tmp_path: Path,
) -> None:
    sample = json.loads(DATA.read_text("utf-8"))[0]
    later = [f"session_{number}" for number in range(SESSIONS + 1, 99)]
    sample["conversation"] = {key: value for key, value in sample["conversation"].items() if key not in later}
    store = open_store(tmp_path / "home", QuickDisk())
    store.home.make(store.disk)
    tally = Tally(store.ids.new())
    source = Source.from_bytes("sample.json", json.dumps([sample]).encode())
    import_drafts(store, parse(source, by_name("locomo"), ParseOptions()), Terms(tally.run), tally, source.name)
    with Worker.start(WorkerSpec(embedder=minilm)) as worker, store.tidying(), store.writing() as db:
        index(store, db, Started(worker), store.ids.new(), lambda: False)
        assert form(store, db, store.ids.new(), None, lambda: False).pending == 0
        rows = db.rows("SELECT e.session, x.event FROM entries e JOIN event_entries x USING (seq)")
    turns, sizes = Counter(session for session, _ in rows), Counter(event for _, event in rows)
    happened = {session: {event for place, event in rows if place == session} for session in turns}
    assert len(turns) == SESSIONS
    assert 2 <= statistics.mean(len(events) for events in happened.values()) <= 5
    assert all(1 <= len(events) <= 7 for events in happened.values())
    assert sum(size == 1 for size in sizes.values()) < 0.15 * len(sizes)
    assert max(sizes.values()) <= 25
