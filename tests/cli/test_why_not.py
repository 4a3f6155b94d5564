"""`mem why-not`: the first thing that kept an entry out of the evidence."""

from __future__ import annotations

from typing import Any

import pytest
from llm.fakes import HashingEmbedder

from cli.harness import Mem

QUESTION = "Where does Ann keep the spare key?"


@pytest.fixture
def store(mem: Mem) -> Mem:
    """A note that answers, thirty that talk of keys, one that does not, and one of another scope."""
    mem.ok("add", "Ann keeps the spare key under the blue pot", "--at", "2026-01-01")
    for number in range(30):
        mem.ok("add", f"Key number {number} of the office belongs to Ben", "--at", "2026-02-01")
    mem.ok("add", "The soup needs salt", "--at", "2026-03-01")
    mem.ok("add", "The spare key of the lab", "--scope", "project:lab", "--at", "2026-03-01")
    mem.embedder = HashingEmbedder()
    mem.ok("tidy")
    return mem


def verdict(mem: Mem, words: str, *args: str) -> Any:
    (found,) = [row[0] for row in mem.rows("id, text") if words in row[1]]
    return mem.ok("why-not", found[-6:], QUESTION, "--json", *args).json


@pytest.mark.parametrize(
    ("words", "args", "step", "detail"),
    [
        ("blue pot", [], "shown", "number 1 of"),
        ("number 29", ["-k", "1"], "ranked lower", "candidates"),
        ("lab", ["--scope", "user"], "filtered", "scope project:lab"),
        ("blue pot", ["--since", "2026-02-01"], "filtered", "stretch of time"),
    ],
)
def test_it_names_the_first_thing_in_the_way(store: Mem, words: str, args: list[str], step: str, detail: str) -> None:
    found = verdict(store, words, *args)
    assert found["step"] == step
    assert detail in found["detail"]


def test_what_is_ranked_lower_is_told_by_how_much_and_of_what(store: Mem) -> None:
    found = verdict(store, "number 29", "-k", "1")
    assert found["score"] < found["cut"]
    assert sum(found["signals"].values()) == pytest.approx(found["score"])
    assert sum(found["needed"].values()) == pytest.approx(found["cut"])
    tail = next(row[0] for row in store.rows("id, text") if "number 29" in row[1])[-6:]
    out = store.ok("why-not", tail, QUESTION, "-k", "1").out
    assert "The last one shown has" in out
    assert f"With -k {found['place']} it would be shown." in " ".join(out.split())


def test_what_shares_nothing_and_is_indexed_by_words_only_is_no_candidate(mem: Mem) -> None:
    mem.ok("add", "The soup needs salt", "--session", "a")
    mem.ok("add", "Ann keeps the spare key under the pot", "--session", "b")
    soup = mem.rows("id")[0][0]
    found = mem.ok("why-not", soup, QUESTION, "--json").json
    assert found["step"] == "no candidate"
    assert "shares no word" in found["detail"]
    assert "not indexed by meaning" in found["detail"]


def test_the_same_words_count_once(mem: Mem) -> None:
    for _ in range(2):
        mem.ok("add", "Ann keeps the spare key under the pot")
    steps = [mem.ok("why-not", row[0], QUESTION, "--json").json["step"] for row in mem.rows("id")]
    assert sorted(steps) == ["same words", "shown"]


def test_bad_use_is_told(store: Mem) -> None:
    assert store.run("why-not", "ZZZZZZ", QUESTION).code == 1
    assert store.run("why-not", store.rows("id")[0][0], " ").code == 66
