"""Invariants 4, 5 and 6 for memories: forgotten they come back as they were, purged they are nowhere, for good."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memcli.errors import NothingFound
from memcli.log.record import Question
from memcli.memories import Memory
from memcli.projection.events import Claim, change_of
from memcli.projection.memories import COLUMNS, memory_of_row
from memcli.projection.visibility import FORGOTTEN, TAKEN_BACK, VISIBLE
from memcli.store.choosing import Wanted, pick
from memcli.store.forget import forget, restore
from memcli.store.purge import purge
from memcli.store.rebuild import rebuild
from memcli.store.store import Store
from memcli.store.undo import Refused, undo
from memcli.store.verify import verify
from memcli.tidy.derive import derive
from memcli.types import Moment
from store.making import (
    NOW,
    QuickDisk,
    add,
    digest,
    dump,
    dying_at,
    in_child,
    note,
    open_store,
    replayed,
    undo_of,
    visible,
)
from store.test_purge import everything, is_anywhere, is_replay, is_right
from store.test_purge import memory as tell

ALEX = ("Alex",)


def tidy(store: Store) -> str:
    """Read what is new for memories, by the rules, as a tidy does; its run."""
    run = store.ids.new()
    with store.tidying(), store.writing() as db:
        derive(store, db, ALEX, run, lambda: False)
    return run


def memories(store: Store) -> dict[str, Memory]:
    """Text → memory, of those that are there and not forgotten."""
    sql = f"SELECT {COLUMNS} FROM memories WHERE standing <> 'forgotten'"
    rows = store.consult(lambda reading: reading.db.rows(sql))
    return {memory.statement.text: memory for memory in map(memory_of_row, rows)}


def one(store: Store, words: str) -> Memory:
    (found,) = [memory for text, memory in memories(store).items() if words in text]
    return found


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = open_store(tmp_path / "home", QuickDisk())
    texts = ("I'm allergic to walnuts.", "I live in Oslo.", "I moved to Bergen.", "My manager is Xanthippe.")
    for hour, text in enumerate(texts):
        made.append_entries([note(made, text, moment=Moment(NOW + hour * 3_600_000, "second", 60))])
    tidy(made)
    return made


def test_a_forgotten_memory_leaves_its_entry_and_comes_back_as_it_was(store: Store) -> None:
    before, entries = digest(store), visible(store)
    walnuts = one(store, "walnuts").id
    done = forget(store, (), "by id", [walnuts])
    assert done.memories == (walnuts,)
    assert visible(store) == entries
    assert not any("walnuts" in text for text in memories(store))
    after = digest(store)
    assert after != before
    rebuild(store)
    assert digest(store) == after
    restore(store, (), [walnuts])
    assert digest(store) == before
    undo(store)
    assert digest(store) == after
    assert undo(store).kind == "forget"
    assert digest(store) == before


def test_a_forgotten_entry_hides_what_rests_on_it_alone(store: Store) -> None:
    before = digest(store)
    (entry,) = [name for name, text in visible(store).items() if "Bergen" in text]
    assert one(store, "Oslo").until_ms is not None
    forget(store, [entry], "by id")
    assert not any("Bergen" in text for text in memories(store))
    assert one(store, "Oslo").until_ms is None
    restore(store, [entry])
    assert digest(store) == before


def test_what_was_forgotten_stays_so_when_the_same_is_said_again(store: Store) -> None:
    forget(store, (), "by id", [one(store, "walnuts").id])
    add(store, "I'm allergic to walnuts.")
    tidy(store)
    assert not any("walnuts" in text for text in memories(store))


def test_a_purged_memory_is_nowhere_and_its_entry_stays(store: Store, tmp_path: Path) -> None:
    entries = visible(store)
    found = one(store, "walnuts")
    done = purge(store, (), "by id", memories=[found.id])
    assert done.proof.clean
    assert (done.cleared.entries, done.cleared.memories) == (0, 1)
    assert done.kept == tuple(quote.entry for quote in found.quotes)
    assert visible(store) == entries
    assert not is_anywhere(tmp_path / "home", found.statement.text)
    is_right(tmp_path / "home", tmp_path / "replay.db")


def test_a_purged_memory_does_not_come_back_from_the_words_that_stay(store: Store) -> None:
    purge(store, (), "by id", memories=[one(store, "walnuts").id])
    (first,) = store.consult(lambda reading: reading.db.rows("SELECT DISTINCT run FROM changes WHERE op = 'extract'"))
    store.append_change(undo_of(store, first[0]))  # so that the next tidy reads the same entries once more
    tidy(store)
    assert not any("walnuts" in text for text in memories(store))
    assert any("Bergen" in text for text in memories(store))
    add(store, "I'm allergic to walnuts.")
    tidy(store)
    assert any("walnuts" in text for text in memories(store)), "said again, it is known again"


def test_with_a_purged_memory_goes_what_was_merged_into_it(store: Store, tmp_path: Path) -> None:
    from memcli.log.record import Change

    a, b = list(visible(store))[:2]
    tell(store, "MEMA", [(a, "walnuts")], "The canary sings of walnuts")
    tell(store, "MEMB", [(b, "Oslo")], "A canary sings about walnuts")
    store.append_change(Change("merge", store.ids.new(), "extractor", "t", "MEMB", after={"into": "MEMA"}))
    done = purge(store, (), "by id", memories=["MEMA"])
    assert done.cleared.memories == 2
    assert done.proof.clean
    assert b"canary sings" not in everything(tmp_path / "home")
    is_right(tmp_path / "home", tmp_path / "replay.db")


def test_what_another_memory_says_too_is_no_reason_to_take_that_one(store: Store, tmp_path: Path) -> None:
    a, b = list(visible(store))[:2]
    tell(store, "MEMA", [(a, "walnuts")], "The canary sings of walnuts")
    tell(store, "MEMB", [(b, "Oslo")], "The canary sings of walnuts")
    done = purge(store, (), "by id", memories=["MEMA"])
    assert done.proof.clean
    assert done.proof.staying == ("MEMB",)
    assert one(store, "canary").id == "MEMB"


def test_a_memory_with_other_evidence_stays_with_the_rest(tmp_path: Path) -> None:
    """Also where the entry goes on which it was founded: then what supported it says it."""
    root = tmp_path / "home"
    store = open_store(root, QuickDisk())
    first, second = add(store, "Xanthippe told me that the boiler is old", "the boiler is old and loud, I hear")
    tell(store, "MEMA", [(first, "the boiler is old")], "The boiler is old, Xanthippe told me that the boiler is old")
    tell(store, "MEMA", [(second, "the boiler is old")], "The boiler is old", "support")
    done = purge(store, [first], "by id")
    assert done.proof.clean
    assert done.cleared.memories == 0
    found = one(store, "boiler")
    assert (found.id, found.statement.text) == ("MEMA", "The boiler is old")
    assert [quote.entry for quote in found.quotes] == [second]
    assert not is_anywhere(root, "Xanthippe")
    is_right(root, tmp_path / "replay.db")
    purge(store, [second], "by id")
    assert memories(store) == {}
    assert b'"target":"mema"' not in everything(root)


def test_an_event_loses_its_title_and_goes_only_where_it_was_made_of_what_is_purged(tmp_path: Path) -> None:
    root = tmp_path / "home"
    store = open_store(root, QuickDisk())
    ids = add(store, "Xanthippe sings in the barn at night", "the barn is cold", "the boiler is old", "it is loud")
    claims = [
        Claim("EVA", "Xanthippe in the barn", tuple(ids[:2]), ((ids[0], 0, 9),)),
        Claim("EVB", "The old boiler", tuple(ids[2:])),
    ]
    store.append_change(change_of(store.ids.new(), claims, "tidy", "t"))
    titles = "SELECT id, title FROM events ORDER BY id"
    before = digest(store)
    forget(store, ids[:1], "by id")
    assert store.consult(lambda reading: reading.db.rows(titles)) == [("EVA", None), ("EVB", "The old boiler")]
    undo(store)
    assert digest(store) == before
    assert purge(store, ids[:1], "by id").proof.clean
    assert store.consult(lambda reading: reading.db.rows(titles)) == [("EVB", "The old boiler")]
    assert not is_anywhere(root, "Xanthippe")
    is_right(root, tmp_path / "replay.db")


@pytest.mark.slow
def test_killed_at_any_write_a_purge_of_a_memory_is_done_by_the_next_command(tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    store = open_store(saved)
    a, b = add(store, "a word of walnuts", "the boiler is serviced")
    tell(store, "MEMA", [(a, "walnuts")], "The canary sings of walnuts")
    tell(store, "MEMA", [(b, "boiler")], "The canary sings of walnuts and boilers", "support")
    store.append_question(Question("Is it true that the canary sings of walnuts?", (), (), True))
    root = tmp_path / "home"
    ended, number = 1, 0
    while ended:
        number += 1
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(saved, root)

        def run(number: int = number) -> None:
            purge(open_store(root, dying_at(number)), (), "by id", memories=["MEMA"])

        ended = in_child(run)
        assert set(visible(open_store(root))) == {a, b}
        if not memories(open_store(root)):
            assert b"canary" not in everything(root)
        is_replay(root, tmp_path / "replay.db")
    assert number > 8


def test_a_journal_of_another_device_brings_nothing_back(store: Store, tmp_path: Path) -> None:
    """A sync tool puts an old file there again: its words are hidden at once, and overwritten."""
    root = tmp_path / "home"
    old = {path: path.read_bytes() for path in (root / "journal").iterdir()}
    walnuts, manager = one(store, "walnuts"), one(store, "Xanthippe")
    purge(store, (), "by id", memories=[walnuts.id])
    purge(store, [manager.quotes[0].entry], "by id")
    for path, content in old.items():
        name = path.with_name(f"{path.stem[:8]}bbbbbb.jsonl")
        name.write_bytes(content)
        name.chmod(0o600)
    assert not {"walnuts", "Xanthippe"} & {word for text in memories(store) for word in text.strip(".").split()}
    visible(store)
    assert b"xanthippe" not in everything(root)
    assert walnuts.statement.text.lower().encode() not in everything(root)
    assert verify(store).unfinished == 0


PEOPLE = ("Xanthippe", "Zorblax", "Quentin")
SENTENCES = tuple(f"{template} {name}." for name in PEOPLE for template in ("My manager is", "I'm married to"))


class Life(RuleBasedStateMachine):
    """Somebody who tells, tidies, forgets, restores, purges, undoes and rebuilds; every sentence has its canary."""

    @initialize()
    def begin(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="mem-life-"))
        self.home = self.root / "home"
        self.store = open_store(self.home, QuickDisk())
        self.gone: set[str] = set()

    def teardown(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    @rule(texts=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3))
    def tell(self, texts: list[str]) -> None:
        add(self.store, *texts)
        self.gone -= {name for name in PEOPLE if any(name in text for text in texts)}

    @rule()
    def tidy(self) -> None:
        if visible(self.store):
            tidy(self.store)

    @rule(name=st.sampled_from(PEOPLE))
    def forget(self, name: str) -> None:
        if found := self.chosen(name, VISIBLE):
            forget(self.store, found[0], "by query", found[1])
        assert not any(name in text for text in memories(self.store))

    @rule(number=st.integers(0, 9), back=st.booleans())
    def forget_or_restore_a_memory(self, number: int, back: bool) -> None:
        sql = f"SELECT id FROM memories WHERE standing {'=' if back else '<>'} 'forgotten' ORDER BY id"
        ids = [row[0] for row in self.store.consult(lambda reading: reading.db.rows(sql))]
        if ids:
            some = [ids[number % len(ids)]]
            restore(self.store, (), some) if back else forget(self.store, (), "by id", some)

    @rule()
    def restore(self) -> None:
        rows = self.store.consult(lambda reading: reading.db.rows("SELECT id FROM entries WHERE state = 2"))
        if rows:
            restore(self.store, [row[0] for row in rows])

    @rule(name=st.sampled_from(PEOPLE))
    def purge(self, name: str) -> None:
        if found := self.chosen(name, VISIBLE, TAKEN_BACK, FORGOTTEN):
            assert purge(self.store, found[0], "by query", memories=found[1]).proof.clean
            self.gone.add(name)

    @rule(number=st.integers(0, 9))
    def purge_a_memory(self, number: int) -> None:
        rows = self.store.consult(lambda reading: reading.db.rows(f"SELECT {COLUMNS} FROM memories ORDER BY id"))
        if rows:
            found = memory_of_row(rows[number % len(rows)])
            assert purge(self.store, (), "by id", memories=[found.id]).proof.clean
            assert found.id not in {memory.id for memory in memories(self.store).values()}

    @rule()
    def undo(self) -> None:
        try:
            undo(self.store)
        except (NothingFound, Refused):
            pass

    @rule(delete=st.booleans())
    def rebuild(self, delete: bool) -> None:
        before = digest(self.store)
        if delete:
            (self.home / "mem.db").unlink(missing_ok=True)
        rebuild(self.store)
        assert digest(self.store) == before

    def chosen(self, name: str, *states: int) -> tuple[Sequence[str], Sequence[str]] | None:
        """The entries and memories with that name in their words; None where there are none."""
        found = self.store.consult(lambda reading: pick(reading.db, Wanted(query=name), states))
        return (found.ids, found.memories) if found.ids or found.memories else None

    @invariant()
    def the_purged_is_nowhere_and_the_index_is_the_replay(self) -> None:
        if not (self.home / "log").is_dir():
            return
        data = everything(self.home)
        for name in self.gone:
            assert name.lower().encode() not in data
        with self.store.reading() as reading:
            assert dump(reading.db, ("manager",)) == replayed(self.home, self.root / "replay.db", ("manager",))


Life.TestCase.settings = settings(
    max_examples=25, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)
TestALife = pytest.mark.slow(Life.TestCase)
