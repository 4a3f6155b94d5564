"""Memories are folded from their changes: whatever comes, goes and comes back, in whatever order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from store.making import add, digest, note, open_store, undo_of

from memcli.log.record import Change
from memcli.memories import Memory
from memcli.projection.memories import COLUMNS, memory_of_row
from memcli.store.rebuild import rebuild
from memcli.store.store import Store
from memcli.store.undo import undo
from memcli.store.verify import verify

STATEMENT: dict[str, Any] = {
    "text": "Ann lives in Oslo.",
    "subject": "Ann",
    "relation": "lives_in",
    "value": "Oslo",
    "kind": "fact",
    "cls": "semantic",
    "trust": "self",
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "home")


def change(store: Store, op: str, target: str, after: Mapping[str, Any], run: str | None = None) -> str:
    run = run or store.ids.new()
    store.append_change(Change(op, run, "extractor", "test", target, after=dict(after)))
    return run


def learn(store: Store, target: str, entry: str, **fields: Any) -> str:
    return change(store, "memory", target, STATEMENT | {"quotes": [[entry, "in Oslo"]]} | fields)


def memories(store: Store) -> dict[str, Memory]:
    rows = store.consult(lambda reading: reading.db.rows(f"SELECT {COLUMNS} FROM memories ORDER BY id"))
    return {row[0]: memory_of_row(row) for row in rows}


def entry(store: Store, text: str = "I live in Oslo") -> tuple[str, str]:
    """An entry's id and its run."""
    (run,) = add(store, text)
    row = store.consult(lambda reading: reading.db.one("SELECT id FROM entries WHERE run = ?", (run,)))
    return str(row[0]), run


def test_a_memory_is_there_while_one_of_its_entries_is(store: Store) -> None:
    (one, first), (two, second) = entry(store), entry(store, "still in Oslo")
    learn(store, "M", one)
    change(store, "support", "M", {"quotes": [[two, "in Oslo"]]})
    assert [quote.entry for quote in memories(store)["M"].quotes] == [one, two]
    store.append_change(undo_of(store, first))
    assert [quote.entry for quote in memories(store)["M"].quotes] == [two]
    store.append_change(undo_of(store, second))
    assert memories(store) == {}
    assert verify(store).healthy


def test_what_replaced_it_being_taken_back_makes_it_true_again(store: Store) -> None:
    (one, _), (two, second), (three, third) = entry(store), entry(store, "Bergen"), entry(store, "Paris")
    learn(store, "A", one)
    learn(store, "B", two)
    change(store, "retire", "A", {"by": "B", "until_ms": 5})
    learn(store, "C", three)
    change(store, "retire", "A", {"by": "C", "until_ms": 9})
    assert (memories(store)["A"].replaced_by, memories(store)["A"].until_ms) == ("C", 9)
    store.append_change(undo_of(store, third))
    assert (memories(store)["A"].replaced_by, memories(store)["A"].until_ms) == ("B", 5)
    store.append_change(undo_of(store, second))
    found = memories(store)["A"]
    assert (found.replaced_by, found.until_ms, found.expired_ms) == (None, None, None)
    before = digest(store)
    rebuild(store)
    assert digest(store) == before


@pytest.mark.parametrize("standing", ["forgotten", "refused"])
def test_what_is_forgotten_or_refused_retires_nothing(store: Store, standing: str) -> None:
    (one, _), (two, _) = entry(store), entry(store, "Bergen")
    learn(store, "A", one)
    learn(store, "B", two)
    change(store, "retire", "A", {"by": "B", "until_ms": 5})
    change(store, "standing", "B", {"standing": standing})
    assert memories(store)["A"].replaced_by is None
    change(store, "standing", "B", {"standing": "memory"})
    assert memories(store)["A"].replaced_by == "B"


def test_undo_of_a_decision_restores_the_digest(store: Store) -> None:
    (one, _), (two, _) = entry(store), entry(store, "Bergen")
    learn(store, "A", one)
    learn(store, "B", two)
    for op, after in [
        ("retire", {"by": "B"}),
        ("standing", {"standing": "rule"}),
        ("edit", {"text": "Ann lived in Oslo.", "scope": "project:x", "since_ms": 3}),
        ("pin", {"pin": True}),
        ("conflict", {"with": "B"}),
    ]:
        before = digest(store)
        change(store, op, "A", after)
        assert digest(store) != before
        undo(store)
        assert digest(store) == before


def test_changes_that_come_before_what_they_are_about_count_when_it_comes(store: Store) -> None:
    change(store, "pin", "M", {"pin": True})
    learn(store, "M", "01JZZZZZZZZZZZZZZZZZZZZZZZ")
    assert memories(store) == {}
    store.append_entries([replace(note(store, "I live in Oslo"), id="01JZZZZZZZZZZZZZZZZZZZZZZZ")])
    assert memories(store)["M"].pin is True


@pytest.mark.parametrize(
    ("op", "after"),
    [
        ("memory", {}),
        ("memory", STATEMENT | {"quotes": []}),
        ("memory", STATEMENT | {"quotes": [["x"]]}),
        ("memory", STATEMENT | {"quotes": [["x", "y"]], "cls": "eternal"}),
        ("memory", STATEMENT | {"quotes": [["x", "y"]], "importance": 2}),
        ("memory", STATEMENT | {"quotes": [["x", "y"]], "text": ""}),
        ("memory", STATEMENT | {"quotes": [["x", "y"]], "begin_ms": "today"}),
        ("standing", {"standing": "king"}),
        ("conflict", {}),
        ("pin", {"pin": 1}),
        ("edit", {"cls": "eternal"}),
    ],
)
def test_a_change_that_no_fold_could_read_changes_nothing_and_is_counted(
    store: Store, op: str, after: dict[str, Any]
) -> None:
    one, _ = entry(store)
    learn(store, "M", one)
    before = memories(store)
    change(store, op, "M", after)
    assert memories(store) == before
    assert store.consult(lambda reading: reading.db.one("SELECT SUM(bad) FROM applied"))[0] == 1


def test_a_bit_that_flips_in_a_memory_is_noticed(store: Store) -> None:
    one, _ = entry(store)
    learn(store, "M", one)
    with store.writing() as db, db.transaction():
        db.execute("UPDATE memories SET scope = 'project:y'")
    assert any("changed by themselves" in problem for problem in verify(store).index_problems)
