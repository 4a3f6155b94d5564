"""Forgetting that can be taken back: what is forgotten is found nowhere, and what comes back is as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.errors import MemError, NothingFound
from memcli.log.record import Change
from memcli.projection import lexical
from memcli.projection.database import Database
from memcli.store.forget import forget, restore
from memcli.store.rebuild import rebuild
from memcli.store.undo import Refused, undo
from memcli.store.verify import verify
from store.making import add, digest, dump, failing_at, note, open_store, replayed, visible
from store.test_rebuild import embed, near


def test_what_is_forgotten_is_in_neither_index_and_comes_back_whole(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    made = add(store, *[f"entry {n}" for n in range(6)])
    embed(store)
    before, hits = digest(store), near(store, "entry 3")
    done = forget(store, [made[3], made[4]], "by id")
    assert done.entries == (made[3], made[4])
    assert set(visible(store)) == set(made) - {made[3], made[4]}
    assert "entry 3" not in [text for text, _, _ in near(store, "entry 3")]
    found = store.consult(lambda reading: lexical.search(reading.db, ["3"], 9))
    assert found == []
    assert digest(store) != before
    assert verify(store).healthy
    assert restore(store, made).entries == done.entries
    assert digest(store) == before
    assert [text for text, _, _ in near(store, "entry 3")] == [text for text, _, _ in hits]
    assert verify(store).healthy


@pytest.mark.parametrize("way", ["undo", "restore"])
def test_undo_restores_the_digest_of_a_forget_and_of_a_restore(tmp_path: Path, way: str) -> None:
    root = tmp_path / "home"
    store = open_store(root)
    made = add(store, "one", "two", "three")
    embed(store)
    states = [digest(store)]
    forget(store, made[:2], "by id")
    states.append(digest(store))
    if way == "restore":
        restore(store, made[:1])
        states.append(digest(store))
        taken = undo(store)
        assert (taken.kind, taken.entries, taken.sample) == ("restore", 1, "one")
        assert digest(store) == states[1]
    taken = undo(store)
    assert (taken.kind, taken.entries, taken.sample) == ("forget", 2, None)
    assert digest(store) == states[0]
    assert near(store, "one")[0][0] == "one"
    with store.reading() as reading:
        assert dump(reading.db) == replayed(root, tmp_path / "replay.db")


def test_an_older_forget_is_refused_while_a_later_run_is_about_the_same(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    made = add(store, "one", "two")
    first = forget(store, made, "by id")
    second = restore(store, made[:1])
    with pytest.raises(Refused, match=second.run[-6:]):
        undo(store, first.run)
    undo(store, second.run)
    undo(store, first.run)
    assert set(visible(store)) == set(made)


def test_what_is_forgotten_twice_or_taken_back_cannot_be_forgotten(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    made = add(store, "one", "two")
    undo(store)
    forget(store, made[:1], "by id")
    for ids in (made, ["01M6SBQ500000000000000000A"]):
        with pytest.raises(NothingFound):
            forget(store, ids, "by id")
    with pytest.raises(NothingFound):
        restore(store, made[1:])


def test_a_run_that_is_taken_back_stays_so_whatever_was_forgotten_of_it(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    entries = [note(store, text, "01M6SBQ500000000000000000R") for text in ("one", "two")]
    store.append_entries(entries)
    forget(store, [entries[0].id], "by id")
    undo(store, entries[0].run)
    assert visible(store) == {}
    undo(store)
    assert visible(store) == {}
    assert verify(store).healthy


def test_records_in_any_order_give_the_same_state(tmp_path: Path) -> None:
    """A forget before its entry, an undo before its forget, two decisions of two devices: as if in order."""
    from itertools import permutations

    from memcli.log.record import Envelope, change_record, entry_record
    from memcli.projection import reduce

    store = open_store(tmp_path / "home")
    entry = note(store, "the key")
    runs_of = [store.ids.new() for _ in range(3)]
    changes = [
        Change("forget", runs_of[0], "user", "t", after={"entries": [entry.id]}),
        Change("restore", runs_of[1], "user", "t", after={"entries": [entry.id]}),
        Change("forget", runs_of[2], "user", "t", after={"entries": [entry.id]}),
        Change("undo", store.ids.new(), "user", "t", target=runs_of[2]),
    ]
    envelopes = [Envelope(entry.id, "aaaaaa", "entry", "", entry_record(entry))]
    envelopes += [Envelope(store.ids.new(), "aaaaaa", "change", "", change_record(change)) for change in changes]
    seen = set()
    for order in permutations(envelopes):
        db = Database(":memory:")
        with db.transaction():
            for envelope in order:
                assert reduce.apply(db, envelope)
        seen.add(str(dump(db, ("key",))))
        assert db.visible() == 1
        db.close()
    assert len(seen) == 1


@pytest.mark.parametrize("first", range(1, 9))
def test_a_forget_on_a_failing_disk_happens_or_is_told(tmp_path: Path, first: int) -> None:
    root = tmp_path / "home"
    made = add(open_store(root), "one", "two")
    try:
        forget(open_store(root, failing_at({first})), made[:1], "by id")
    except MemError:
        assert len(visible(open_store(root))) == 2
    else:
        assert list(visible(open_store(root))) == made[1:]


def test_a_forget_survives_a_rebuild(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    made = add(store, "one", "two")
    forget(store, made[:1], "by id")
    before = digest(store)
    rebuild(store)
    assert digest(store) == before
    assert list(visible(store)) == made[1:]


def test_a_long_entry_that_comes_and_goes_in_one_replay_leaves_a_sound_word_index(tmp_path: Path) -> None:
    """Deleted and inserted again in one transaction, SQLite's word index was damaged."""
    root = tmp_path / "home"
    store = open_store(root)
    made = add(store, "long " * 1500, "the key")
    for _ in range(3):
        forget(store, made[:1], "by id")
        restore(store, made[:1])
    undo(store)
    rebuild(store)
    with store.reading() as reading:
        assert dump(reading.db, ("long", "key")) == replayed(root, tmp_path / "replay.db", ("long", "key"))
    restore(store, made[:1])
    forget(store, made[:1], "by id")
    assert verify(store).healthy
    assert list(visible(store).values()) == ["the key"]


def test_a_row_of_what_was_purged_is_not_used_again(tmp_path: Path) -> None:
    from memcli.store.purge import purge

    store = open_store(tmp_path / "home")
    (_, last) = add(store, "stays", "long " * 1500)
    purge(store, [last], "by id")
    add(store, "comes " * 1500)
    seqs = store.consult(lambda reading: reading.db.rows("SELECT seq FROM entries ORDER BY seq"))
    assert seqs == [(1,), (3,)]
    assert verify(store).healthy
