"""Invariant 3: any interleaving of appends, on any device, caught up at any time, is a replay of the logs."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from memcli.clock import Clock
from memcli.errors import NothingFound
from memcli.log.append import append
from memcli.log.record import Change, Envelope, Question, entry_record, pack
from memcli.projection import events
from memcli.projection.sqlite import Damaged
from memcli.store import catchup
from memcli.store.catchup import behind
from memcli.store.forget import forget, restore
from memcli.store.purge import purge
from memcli.store.rebuild import rebuild
from memcli.store.store import Store
from memcli.store.undo import Refused, undo
from memcli.store.verify import verify
from memcli.types import Entry
from store.making import NOW, CountedDisk, QuickDisk, add, dump, note, open_store, replayed, ticking, undo_of, visible

TEXTS = st.sampled_from(["the key", "花生 peanuts", "coffee コーヒー", "key again", "\ud800 half", "long " * 300])
STATEMENT = {"text": "Ann has a key.", "subject": "Ann", "relation": "has", "value": "a key", "kind": "fact"}
GOVERNED = [
    ("memory", STATEMENT | {"cls": "semantic", "trust": "self", "quotes": []}),
    ("memory", STATEMENT | {"cls": "semantic", "trust": "other", "scope": "project:x", "since_ms": 5, "quotes": []}),
    ("support", {"quotes": []}),
    (
        "support",
        {"quotes": [], "said": STATEMENT | {"cls": "semantic", "text": "Ann has it."}, "trust": "self", "since_ms": 2},
    ),
    ("merge", {"into": "MEMORY2"}),
    ("retire", {"until_ms": 7, "by": "MEMORY1"}),
    ("revive", {}),
    ("conflict", {"with": "MEMORY2"}),
    ("settle", {"with": "MEMORY2"}),
    ("standing", {"standing": "rule"}),
    ("standing", {"standing": "forgotten"}),
    ("standing", {"standing": "restored"}),
    ("edit", {"text": "Ann had a key.", "since_ms": 9}),
    ("pin", {"pin": True}),
]
QUERIES = ("key", "花生", "coffee", "long")


class Memory(RuleBasedStateMachine):
    """Two devices with one folder (or one that a sync tool shares), and a person who adds, undoes and rebuilds."""

    @initialize()
    def begin(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="mem-replay-"))
        self.home = self.root / "home"
        self.stores = [open_store(self.home, QuickDisk(), ticking(start)) for start in (NOW, NOW + 31 * 86_400_000)]
        self.stores[0]._device, self.stores[1]._device = "aaaaaa", "bbbbbb"
        self.runs: list[str] = []
        self.ahead: list[str] = []
        self.coming: list[Entry] = []
        self.purged: set[str] = set()

    def teardown(self) -> None:
        try:
            self.the_index_is_the_replay()
        finally:
            shutil.rmtree(self.root, ignore_errors=True)

    def store(self, second: bool) -> Store:
        return self.stores[int(second)]

    @rule(second=st.booleans(), texts=st.lists(TEXTS, min_size=1, max_size=3))
    def add(self, second: bool, texts: list[str]) -> None:
        store = self.store(second)
        run = self.ahead.pop() if self.ahead else store.ids.new()
        store.append_entries([note(store, text, run) for text in texts])
        self.runs.append(run)

    @rule(second=st.booleans(), texts=st.lists(TEXTS, min_size=1, max_size=3))
    def append_without_applying(self, second: bool, texts: list[str]) -> None:
        store = self.store(second)
        run = store.ids.new()
        store.home.make(store.disk)
        store._append(self.home / "log", store._entry_lines([note(store, text, run) for text in texts])[1])
        self.runs.append(run)

    @rule(second=st.booleans(), text=TEXTS)
    def import_in_a_batch(self, second: bool, text: str) -> None:
        store = self.store(second)
        with store.batch() as put:
            (entry,) = put(lambda db: [note(store, text)])
            put(lambda db: [])
        self.runs.append(entry.run)

    @rule(second=st.booleans())
    def undo_newest(self, second: bool) -> None:
        try:
            undo(self.store(second))
        except (NothingFound, Refused):  # the newest one is a purge
            pass

    @precondition(lambda self: self.runs)
    @rule(second=st.booleans(), pick=st.integers(0, 99))
    def undo_any(self, second: bool, pick: int) -> None:
        store = self.store(second)
        store.append_change(undo_of(store, self.runs[pick % len(self.runs)]))

    @rule(second=st.booleans())
    def undo_what_has_not_come_yet(self, second: bool) -> None:
        store = self.store(second)
        run = store.ids.new()
        store.append_change(undo_of(store, run))
        self.ahead.append(run)

    @rule(second=st.booleans(), pick=st.integers(0, 99))
    def forget_some(self, second: bool, pick: int) -> None:
        store = self.store(second)
        if ids := self.some(visible(store), pick):
            self.runs.append(forget(store, ids, "by id").run)

    @rule(second=st.booleans(), pick=st.integers(0, 99))
    def restore_some(self, second: bool, pick: int) -> None:
        store = self.store(second)
        rows = store.consult(lambda reading: reading.db.rows("SELECT id FROM entries WHERE state = 2"))
        if ids := self.some([row[0] for row in rows], pick):
            self.runs.append(restore(store, ids).run)

    @rule(second=st.booleans(), pick=st.integers(0, 99))
    def purge_some(self, second: bool, pick: int) -> None:
        store = self.store(second)
        rows = store.consult(lambda reading: reading.db.rows("SELECT id FROM entries"))
        if ids := self.some([row[0] for row in rows], pick):
            self.runs.append(purge(store, ids, "by id").run)
            self.purged.update(ids)

    @rule(second=st.booleans(), pick=st.integers(0, 99), back=st.booleans())
    def forget_or_restore_memories(self, second: bool, pick: int, back: bool) -> None:
        store = self.store(second)
        sql = f"SELECT id FROM memories WHERE standing {'=' if back else '<>'} 'forgotten'"
        rows = store.consult(lambda reading: reading.db.rows(sql))
        if ids := self.some([row[0] for row in rows], pick):
            done = restore(store, (), ids) if back else forget(store, (), "by id", ids)
            self.runs.append(done.run)

    @rule(second=st.booleans(), pick=st.integers(0, 99))
    def purge_a_memory(self, second: bool, pick: int) -> None:
        store = self.store(second)
        rows = store.consult(lambda reading: reading.db.rows("SELECT DISTINCT target FROM changes WHERE op = 'memory'"))
        if ids := self.some([row[0] for row in rows], pick):
            self.runs.append(purge(store, (), "by id", memories=ids).run)
            self.purged.update(ids)

    @rule(second=st.booleans(), number=st.integers(0, 5))
    def purge_a_memory_that_has_not_come_yet(self, second: bool, number: int) -> None:
        store = self.store(second)
        after = {"entries": {}, "questions": [], "memories": {f"MEMORY{number}": []}}
        store.append_change(Change(op="purge", run=store.ids.new(), author="user", reason="test", after=after))
        self.purged.add(f"MEMORY{number}")

    @rule(second=st.booleans(), op=st.sampled_from(["forget", "restore", "purge"]))
    def decide_about_what_has_not_come_yet(self, second: bool, op: str) -> None:
        store = self.store(second)
        entry = note(store, "the key that comes later")
        after = {"entries": {entry.id: [None, None]}, "questions": []} if op == "purge" else {"entries": [entry.id]}
        store.append_change(Change(op=op, run=store.ids.new(), author="user", reason="test", after=after))
        self.coming.append(entry)
        if op == "purge":
            self.purged.add(entry.id)

    @precondition(lambda self: self.coming)
    @rule(second=st.booleans())
    def let_it_come(self, second: bool) -> None:
        self.store(second).append_entries([self.coming.pop()])

    def some(self, ids: Iterable[str], pick: int) -> list[str]:
        found = sorted(ids)
        return found[pick % len(found) :][: 1 + pick % 3] if found else []

    @rule(second=st.booleans())
    def note_a_question(self, second: bool) -> None:
        self.store(second).append_question(Question("what?", ("A",), (), False))

    @rule(second=st.booleans())
    def decide_what_is_indexed(self, second: bool) -> None:
        store = self.store(second)
        run = store.ids.new()
        after = {"through": store.ids.new(), "model": "m" * 64, "dim": 16}
        store.append_change(Change(op="index", run=run, author="tidy", reason="test", after=after))
        self.runs.append(run)

    @rule(second=st.booleans(), picks=st.lists(st.integers(0, 5), min_size=1, max_size=3), data=st.data())
    def govern(self, second: bool, picks: list[int], data: st.DataObject) -> None:
        """Changes of memories that may not be there yet, citing entries that may not be there yet."""
        store = self.store(second)
        entries = [row[0] for row in store.consult(lambda reading: reading.db.rows("SELECT id FROM entries"))]
        run = store.ids.new()
        for target in picks:
            op, after = data.draw(st.sampled_from(GOVERNED))
            if "quotes" in after:
                cited = data.draw(st.sampled_from(entries)) if entries and data.draw(st.booleans()) else store.ids.new()
                after = after | {"quotes": [[cited, "key"]]}
                if data.draw(st.booleans()) and not entries:
                    store.append_entries([replace(note(store, "cited late"), id=cited)])
            store.append_change(Change(op, run, "extractor", "test", f"MEMORY{target}", after=after))
        self.runs.append(run)

    @rule(second=st.booleans(), event=st.integers(0, 3), picks=st.sets(st.integers(0, 30), max_size=5))
    def form_an_event(self, second: bool, event: int, picks: set[int]) -> None:
        """Of entries that are there, of some that are not yet, and of some that another event has."""
        store = self.store(second)
        ids = sorted(visible(store)) if (self.home / "log").is_dir() else []
        entries = tuple(ids[pick] if pick < len(ids) else f"E{pick}" for pick in sorted(picks))
        if entries:
            run = store.ids.new()
            claim = events.Claim(f"V{event}", f"title {len(entries)}", entries, ((entries[0], 0, 4),), "home/cooking")
            store.append_change(events.change_of(run, [claim], "tidy", "test"))
            self.runs.append(run)

    @rule(second=st.booleans(), junk=st.sampled_from([b"junk\n", b"torn", b"\n", b"\0\0\0", b'{"v":1\n']))
    def leave_junk(self, second: bool, junk: bytes) -> None:
        for path in sorted((self.home / "log").glob("*.jsonl"))[int(second) :][:1]:
            append(path, junk, CountedDisk())

    @rule()
    def catch_up(self) -> None:
        visible(self.store(False))

    @rule()
    def compare(self) -> None:
        self.the_index_is_the_replay()

    @rule()
    def rebuild(self) -> None:
        rebuild(self.store(True))

    @rule()
    def delete_the_index(self) -> None:
        (self.home / "mem.db").unlink(missing_ok=True)

    def the_index_is_the_replay(self) -> None:
        if not (self.home / "log").is_dir():
            return
        with self.store(False).reading() as reading:
            assert reading.behind_bytes == 0
            assert dump(reading.db, QUERIES) == replayed(self.home, self.root / "replay.db", QUERIES)
            assert reading.db.rows("SELECT * FROM remains") == []
            assert not self.purged & {row[0] for row in reading.db.rows("SELECT id FROM entries")}
            targets = "SELECT target FROM changes WHERE op <> 'undo'"
            assert not self.purged & {row[0] for row in reading.db.rows(targets)}
            quotes = "SELECT m.id, json_extract(q.value, '$[0]') FROM memories m, json_each(m.quotes) q"
            quoted = reading.db.rows(quotes)
            assert {row[0] for row in reading.db.rows("SELECT id FROM memories")} == {memory for memory, _ in quoted}
            seen = {row[0] for row in reading.db.rows("SELECT id FROM entries WHERE state = 0")}
            assert {entry for _, entry in quoted} <= seen
        assert verify(self.store(False)).index_problems == ()


Memory.TestCase.settings = settings(
    max_examples=40, stateful_step_count=14, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
TestAnyInterleaving = pytest.mark.slow(Memory.TestCase)


def test_catching_up_in_small_transactions_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "home"
    store = open_store(root)
    store.append_entries([note(store, f"text {n}") for n in range(40)])
    (root / "mem.db").unlink()
    expected = replayed(root, tmp_path / "replay.db", ("text",))
    for lines, size in ((1, 1 << 30), (7, 1 << 30), (40, 1 << 30), (1000, 1), (1000, 900)):
        monkeypatch.setattr(catchup, "LINES_A_TRANSACTION", lines)
        monkeypatch.setattr(catchup, "BYTES_A_TRANSACTION", size)
        steps: list[tuple[int, int]] = []
        rebuild(store, lambda done, total, steps=steps: steps.append((done, total)))
        assert steps[-1][0] == steps[-1][1]
        with store.reading() as reading:
            assert dump(reading.db, ("text",)) == expected


def test_an_append_that_was_read_and_then_cut_back_does_not_stay_in_the_index(tmp_path: Path) -> None:
    """A reader may see a line whose fsync then fails: whatever is appended in its place must count."""
    root = tmp_path / "home"
    store = open_store(root)
    add(store, "before")
    log = next((root / "log").iterdir())
    size = log.stat().st_size
    add(store, "never acknowledged")
    with log.open("r+b") as file:
        file.truncate(size)
    later = [note(store, "acknowledged instead, and longer than what was there before " * 3), note(store, "more")]
    for entry in later:
        append(log, store._entry_lines([entry])[1], store.disk)
    with store.reading() as reading:
        assert dump(reading.db) == replayed(root, tmp_path / "replay.db")
    assert next(iter(visible(store).values())) == "before"
    assert len(visible(store)) == 3


@pytest.mark.parametrize("change", ["shorter", "gone", "other"])
def test_a_log_that_is_not_what_was_applied_is_noticed(tmp_path: Path, change: str) -> None:
    root = tmp_path / "home"
    store = open_store(root)
    add(store, "one", "two")
    log = next((root / "log").iterdir())
    if change == "shorter":
        log.write_bytes(log.read_bytes().split(b"\n")[0] + b"\n")
    elif change == "gone":
        log.unlink()
    else:
        other = open_store(tmp_path / "other", clock=Clock(lambda: 1_794_000_000_500))
        add(other, "one", "tw2")
        log.write_bytes(next((tmp_path / "other" / "log").iterdir()).read_bytes())
    with store._open(timeout=0.0) as db, pytest.raises(Damaged):
        behind(db, store.home)
    with store.reading() as reading:
        assert dump(reading.db) == replayed(root, tmp_path / "replay.db")


@pytest.mark.slow
def test_a_large_backlog_is_caught_up_in_bounded_memory(tmp_path: Path) -> None:
    from store.making import python

    root = tmp_path / "home"
    store = open_store(root)
    add(store, "first")
    log = next((root / "log").iterdir())
    with log.open("ab") as file:
        for n in range(40_000):
            entry = note(store, f"entry about {n % 977} and some more words to index, as chats have them")
            file.write(pack(Envelope(entry.id, "aaaaaa", "entry", "2026-11-06T21:20:00Z", entry_record(entry))))
    child = python(
        "import sys, resource\nfrom pathlib import Path\nfrom store.making import open_store\n"
        "store = open_store(Path(sys.argv[1]))\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "with store.reading() as reading:\n    print(reading.db.visible())\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n",
        root,
    )
    out, err = child.communicate(timeout=120)
    assert child.returncode == 0, err
    count, grown = map(int, out.split())
    assert count == 40_001
    assert grown < 150_000, f"{grown} KB more"
