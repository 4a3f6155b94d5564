"""What the one writer decides, and what of it stands when runs are taken back or people decide otherwise (C7, C8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from store.making import undo_of

from govern.making import all_memories, decide, entry, new_store, statement, wall
from memcli.govern.valid import holds, known, valid_at
from memcli.log.record import Change
from memcli.memories import Memory, Statement
from memcli.store.store import Store
from memcli.store.verify import verify
from memcli.types import Entry

RIGA = statement("Ann lives in Riga.", "Ann", "lives_in", "riga")
TARTU = statement("Ann lives in Tartu.", "Ann", "lives_in", "tartu")
JAN, FEB, MAR = (f"2026-0{month}-05T10:00" for month in (1, 2, 3))


@pytest.fixture
def store() -> Iterator[Store]:
    with new_store() as made:
        yield made


def say(store: Store, text: str, at: str | None, **more: Any) -> Entry:
    made = entry(store, {"text": text, "said_at": at, "speaker": "Ann", **more})
    store.append_entries([made])
    return made


def now(store: Store) -> dict[str, Memory]:
    """Every memory by its words."""
    return {memory.statement.text: memory for memory in all_memories(store)}


def change(store: Store, op: str, memory: Memory, author: str = "user", **after: Any) -> str:
    run = store.ids.new()
    store.decide(lambda db: [Change(op, run, author, "test", memory.id, after=after)])
    return run


def test_said_again_is_more_evidence_and_the_shorter_words(store: Store) -> None:
    long = statement("Ann lives in Riga, she said.", "Ann", "lives_in", "riga", importance=0.9)
    decide(store, [(long, say(store, "Riga is where I live", JAN, trust="other"))])
    made = decide(store, [(RIGA, say(store, "I live in Riga", FEB))])
    assert [item.op for item in made] == ["support", "edit"]
    (memory,) = all_memories(store)
    assert memory.statement.text == RIGA.text
    assert memory.statement.importance == 0.9
    assert memory.trust == "self"
    assert (memory.since_ms, memory.said_ms) == (wall(FEB), wall(FEB)), "since when is told by the weightiest word"
    assert len(memory.quotes) == 2


def test_the_same_words_considered_again_change_nothing(store: Store) -> None:
    told = [(RIGA, say(store, "I live in Riga", JAN)), (TARTU, say(store, "I live in Tartu", FEB))]
    assert [made.op for made in decide(store, told)] == ["memory", "memory", "retire"]
    assert decide(store, told) == []


def test_an_older_statement_that_comes_in_late_parts_what_was_one(store: Store) -> None:
    decide(store, [(RIGA, say(store, "I live in Riga", JAN)), (RIGA, say(store, "I live in Riga again", MAR))])
    assert len(all_memories(store)) == 1
    decide(store, [(TARTU, say(store, "I live in Tartu", FEB))])
    spans = [(memory.statement.value, memory.since_ms, memory.until_ms) for memory in all_memories(store)]
    assert sorted(spans, key=str) == [
        ("riga", wall(JAN), wall(FEB)),
        ("riga", wall(MAR), None),
        ("tartu", wall(FEB), wall(MAR)),
    ]


def likes(*things: str) -> Statement:
    value = " and ".join(things)
    return statement(f"Ann likes {value}.", "Ann", "state:like", value)


def test_a_saying_between_two_makes_them_one(store: Store) -> None:
    words = "tea snow rain wind fog dew".split()
    decide(store, [(likes(*words[:4]), say(store, "said so", JAN)), (likes(*words[1:6]), say(store, "and so", FEB))])
    assert len(all_memories(store)) == 2
    made = decide(store, [(likes(*words[:5]), say(store, "so again", MAR))])
    assert sorted(item.op for item in made) == ["merge", "support", "support"]
    (memory,) = all_memories(store)
    assert len(memory.quotes) == 3
    store.append_change(undo_of(store, made[0].run))
    assert len(all_memories(store)) == 2
    assert verify(store).healthy


def test_taking_back_the_tidy_restores_the_digest_and_the_old_home(store: Store) -> None:
    decide(store, [(RIGA, say(store, "I live in Riga", JAN))])
    there = say(store, "I live in Tartu", FEB)
    before = store.consult(lambda reading: reading.db.digest())
    run = decide(store, [(TARTU, there)])[0].run
    assert now(store)[RIGA.text].replaced_by is not None
    store.append_change(undo_of(store, run))
    assert now(store)[RIGA.text].replaced_by is None
    assert store.consult(lambda reading: reading.db.digest()) == before
    assert verify(store).healthy


def test_when_the_words_behind_the_successor_are_taken_back_the_older_is_current_again(store: Store) -> None:
    decide(store, [(RIGA, say(store, "I live in Riga", JAN))])
    there = say(store, "I live in Tartu", FEB)
    decide(store, [(TARTU, there)])
    store.append_change(undo_of(store, there.run))
    (memory,) = all_memories(store)
    assert (memory.statement.text, memory.until_ms, memory.replaced_by) == (RIGA.text, None, None)
    assert verify(store).healthy


def test_a_correction_is_undone_by_a_later_correction(store: Store) -> None:
    decide(store, [(RIGA, say(store, "I live in Riga", JAN)), (TARTU, say(store, "I live in Tartu", FEB))])
    no = statement("Ann does not live in Tartu.", "Ann", "lives_in", "tartu", negated=True)
    decide(store, [(no, say(store, "I don't live in Tartu after all", MAR))])
    assert now(store)[RIGA.text].replaced_by is None
    assert now(store)[RIGA.text].expired_ms is None
    tartu = now(store)[TARTU.text]
    assert tartu.until_ms == tartu.since_ms


def test_what_two_say_at_one_time_stands_against_each_other_until_somebody_settles_it(store: Store) -> None:
    told = [(RIGA, say(store, "I live in Riga", JAN)), (TARTU, say(store, "I live in Tartu", JAN))]
    decide(store, told)
    riga, tartu = now(store)[RIGA.text], now(store)[TARTU.text]
    assert (riga.against, tartu.against) == ((tartu.id,), (riga.id,))
    change(store, "settle", riga, **{"with": tartu.id})
    change(store, "settle", tartu, **{"with": riga.id})
    decide(store, [(RIGA, say(store, "Riga, I live in Riga", JAN))])
    assert now(store)[RIGA.text].against == ()


def test_a_newer_word_settles_what_stood_against_each_other(store: Store) -> None:
    decide(store, [(RIGA, say(store, "I live in Riga", JAN)), (TARTU, say(store, "I live in Tartu", JAN))])
    decide(store, [(TARTU, say(store, "Tartu it is, I live there", MAR))])
    assert now(store)[RIGA.text].replaced_by == now(store)[TARTU.text].id
    assert now(store)[TARTU.text].against == ()


def test_what_the_person_changed_or_closed_is_not_changed_back(store: Store) -> None:
    decide(store, [(RIGA, say(store, "I live in Riga", JAN)), (TARTU, say(store, "I live in Tartu", FEB))])
    riga = now(store)[RIGA.text]
    change(store, "revive", riga)
    change(store, "edit", riga, text="Ann has a home in Riga.")
    decide(store, [(TARTU, say(store, "I still live in Tartu", MAR))])
    kept = {memory.id: memory for memory in all_memories(store)}[riga.id]
    assert kept.statement.text == "Ann has a home in Riga."
    assert kept.replaced_by is None


def test_what_was_refused_is_not_made_anew_and_retires_nothing(store: Store) -> None:
    decide(store, [(TARTU, say(store, "I live in Tartu", FEB))])
    change(store, "standing", now(store)[TARTU.text], standing="refused")
    decide(store, [(RIGA, say(store, "I live in Riga", JAN)), (TARTU, say(store, "I live in Tartu, really", MAR))])
    assert now(store)[RIGA.text].replaced_by is None
    assert len(all_memories(store)) == 2


def test_scopes_do_not_touch_each_other(store: Store) -> None:
    from dataclasses import replace

    other = replace(entry(store, {"text": "I live in Tartu", "said_at": FEB, "speaker": "Ann"}), scope="project:x")
    store.append_entries([other])
    decide(store, [(RIGA, say(store, "I live in Riga", JAN)), (TARTU, other)])
    assert [memory.replaced_by for memory in all_memories(store)] == [None, None]


def test_what_holds_at_an_instant_on_either_axis(store: Store) -> None:
    decide(store, [(RIGA, say(store, "I live in Riga", JAN)), (TARTU, say(store, "I live in Tartu", FEB))])
    riga, tartu = now(store)[RIGA.text], now(store)[TARTU.text]
    jan, feb = wall(JAN), wall(FEB)
    assert jan is not None
    assert feb is not None
    assert [(holds(riga, at), holds(tartu, at)) for at in (jan - 1, jan, feb - 1, feb)] == [
        (False, False),
        (True, False),
        (True, False),
        (False, True),
    ]
    assert riga.expired_ms is not None
    assert (known(riga, riga.recorded_ms), known(riga, riga.expired_ms)) == (riga.recorded_ms < riga.expired_ms, False)
    assert store.consult(lambda reading: [memory.id for memory in valid_at(reading.db, feb)]) == [tartu.id]
    assert store.consult(lambda reading: valid_at(reading.db, feb, ["project:x"])) == []
