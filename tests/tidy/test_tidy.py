"""The heartbeat: silent, alone, within its budget, killable at any moment, and done when it is done."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from cli.harness import Mem
from llm.fakes import HashingEmbedder
from store.making import dying_at, failing_at, in_child, python

from memcli.cli.tidy import parse_budget
from memcli.errors import ModelFailed, UsageError
from memcli.projection import sqlite
from memcli.tidy import index
from memcli.tidy.heartbeat import LONGEST_H, SHORTEST_H, next_interval

NOTES = [f"note {number} about the {word}" for number, word in enumerate("boat house garden river tower".split())]
HOLD = """
import fcntl, sys
file = open(sys.argv[1], "a")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


class FailingEmbedder(HashingEmbedder):
    """Gives `good` vectors, then fails."""

    def __init__(self, good: int) -> None:
        super().__init__()
        self.good = good

    def embed(self, texts: Iterable[str]) -> Iterator[list[float]]:
        for vector in super().embed(texts):
            if self.good == 0:
                raise ModelFailed("The model failed: out of memory.", "Run `mem doctor`.")
            self.good -= 1
            yield vector


@pytest.fixture
def kept(mem: Mem) -> Mem:
    for text in NOTES:
        mem.ok("add", text)
    mem.embedder = HashingEmbedder()
    return mem


def pending(mem: Mem) -> int:
    return int(mem.store.consult(lambda reading: index.count_pending(reading.db)))


def test_it_indexes_what_is_new_and_says_nothing_without_a_terminal(kept: Mem) -> None:
    result = kept.ok("tidy")
    assert (result.out, result.err) == ("", "")
    assert pending(kept) == 0
    assert kept.embedder is not None
    assert kept.embedder.texts[: len(NOTES)] == NOTES
    assert not set(NOTES) & set(kept.embedder.texts[len(NOTES) :]), "the rest is the taxonomy, once"


def test_on_a_terminal_it_says_what_it_did_and_when_it_is_due_again(kept: Mem) -> None:
    lines = kept.ok("tidy", tty=True).out.splitlines()
    assert lines[0] == "5 entries indexed by meaning, 0 left. Next in 23 h."
    assert lines[1].endswith("formed or changed: `mem events` lists them.")


def test_its_json(kept: Mem) -> None:
    value = kept.ok("tidy", "--json").json
    assert {key: value[key] for key in value if key not in ("run", "events")} == {
        "version": 1,
        "embedded": 5,
        "cached": 0,
        "pending": 0,
        "replaced": False,
        "read": 5,
        "changes": {},
        "refused": {},
        "unread": 0,
        "read_by_model": 0,
        "unread_by_model": 0,
        "rules": 0,
        "held": 0,
        "over": {},
        "placed": 5,
        "worded": 0,
        "next_hours": 23,
        "problem": None,
    }


def test_twice_changes_nothing(kept: Mem) -> None:
    kept.ok("tidy")
    with kept.unchanged():
        kept.ok("tidy")
    assert len((kept.home / "tidy.log").read_text().splitlines()) == 2


def test_a_note_more_costs_one_embedding_and_one_decision(kept: Mem) -> None:
    kept.ok("tidy")
    kept.ok("add", "one more")
    assert kept.embedder is not None
    kept.embedder.texts.clear()
    kept.ok("tidy")
    assert kept.embedder.texts == ["one more"]


def test_another_tidy_is_exit_75_at_once_and_in_silence(kept: Mem) -> None:
    holder = python(HOLD, kept.home / "locks" / "tidy")
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    try:
        result = kept.run("tidy")
        assert (result.code, result.out, result.err) == (75, "", "")
        assert kept.run("tidy", tty=True).err.startswith("mem: Another `mem` holds the tidy lock")
    finally:
        holder.communicate("")
    kept.ok("tidy")


def test_while_another_tidies_adding_and_asking_go_on(kept: Mem) -> None:
    with (kept.home / "locks" / "tidy").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept.ok("add", "meanwhile")
        assert kept.ok("search", "meanwhile").out
        assert kept.run("ask", "what was meanwhile?").code in (0, 1)


def test_an_index_that_is_gone_is_made_by_the_tidy_that_finds_it_so(kept: Mem) -> None:
    kept.ok("tidy")
    (kept.home / "mem.db").unlink()
    kept.ok("tidy")
    assert pending(kept) == 0


def test_an_index_that_is_damaged_is_made_again_by_the_tidy_that_finds_it_so(kept: Mem) -> None:
    kept.ok("tidy")
    (kept.home / "mem.db").write_bytes(b"SQLite format 3\x00" + os.urandom(8192))
    kept.ok("tidy")
    assert pending(kept) == 0


@pytest.mark.parametrize("good", range(4))
def test_a_failing_embedder_leaves_the_rest_queued_and_says_so_in_one_line(
    kept: Mem, good: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "BATCH", 2)
    kept.embedder = FailingEmbedder(good)
    result = kept.run("tidy")
    left = 5 - good // 2 * 2
    assert result.code == 69
    assert result.out == ""
    assert result.err == (
        f"mem: {left} entries can be found by words only: The model failed: out of memory. Run `mem doctor`.\n"
    )
    assert pending(kept) == left
    kept.embedder = HashingEmbedder()
    kept.ok("tidy")
    assert pending(kept) == 0


def test_without_an_embedder_it_says_what_to_do(kept: Mem) -> None:
    kept.embedder = None
    result = kept.run("tidy")
    assert (result.code, result.err) == (
        69,
        "mem: 5 entries can be found by words only: No embedder is installed. Run `mem init`.\n",
    )


def test_without_sqlite_vec_it_says_so_and_decides_nothing(kept: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(connection: object) -> None:
        raise sqlite.NoVectors("sqlite-vec is not installed")

    monkeypatch.setattr(sqlite, "load_vec", missing)
    result = kept.run("tidy")
    assert kept.store.consult(lambda reading: reading.db.rows("SELECT 1 FROM changes WHERE op = 'index'")) == []
    assert (result.code, result.err) == (
        69,
        "mem: 5 entries can be found by words only: sqlite-vec is not installed. Run `mem doctor`.\n",
    )


def test_without_an_embedder_and_with_nothing_to_do_it_is_content(mem: Mem) -> None:
    mem.ok("add", "x")
    mem.ok("undo")
    assert mem.run("tidy").code == 0


def test_a_budget_of_nothing_does_nothing_and_leaves_everything_queued(kept: Mem) -> None:
    kept.ok("tidy", "--budget", "0s")
    assert pending(kept) == 5
    kept.ok("tidy", "--budget", "10m")
    assert pending(kept) == 0


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("10m", 600), ("1h", 3600), ("45", 45), ("1.5h", 5400)])
def test_a_budget_is_a_time(text: str, seconds: float) -> None:
    assert parse_budget(text) == seconds


@pytest.mark.parametrize("text", ["", "x", "-5", "10 minutes", "1e9", "m", "١m"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_budget(text)


@pytest.mark.parametrize(("count", "hours"), [(0, LONGEST_H), (100, 12), (200, SHORTEST_H), (10_000, SHORTEST_H)])
def test_the_more_came_the_sooner_it_is_due(count: int, hours: int) -> None:
    assert next_interval(count) == hours


def test_another_embedder_reads_everything_again_and_says_so(kept: Mem) -> None:
    kept.ok("tidy")
    kept.embedder = HashingEmbedder(dim=64, model="a" * 64)
    assert "model has changed: searched by words only until `mem tidy`" in kept.run("ask", "the boat?").err
    result = kept.ok("tidy", tty=True)
    assert result.out.startswith("The embedding model has changed: everything is read again for meaning.\n5 entries")
    assert sorted(kept.embedder.texts) == sorted([*NOTES, "the boat?"]) or kept.embedder.texts == NOTES
    back = kept.embedder = HashingEmbedder()
    value = kept.ok("tidy", "--json").json
    assert (value["embedded"], value["cached"], value["replaced"]) == (0, 5, True)
    assert back.texts == []


def test_killed_at_every_call_the_next_command_is_right_and_the_next_tidy_ends_it(
    mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "BATCH", 2)
    for call in range(1, 200):
        other = mem
        other.home = tmp_path / f"killed-{call}"
        for text in NOTES:
            other.ok("add", text)
        digest = other.digest()
        other.embedder = HashingEmbedder()
        code = in_child(lambda call=call: mem.ok("tidy", disk=dying_at(call)) and None)  # type: ignore[misc]
        assert code in (0, 137), call
        assert other.texts() == NOTES
        assert other.run("ask", "the boat?", "--json").json["evidence"]
        other.ok("add", "one more")
        other.ok("tidy")
        assert pending(other) == 0
        assert sum(event["size"] for event in other.ok("events", "--json").json["events"]) == len(NOTES) + 1
        report = other.run("verify", "--json")
        assert report.code == 0, (call, report)
        if code == 0:
            assert call > 4
            assert digest
            return
    pytest.fail("the tidy never came to its end")


def test_a_disk_that_is_full_is_told_and_the_next_tidy_ends_it(
    mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "BATCH", 2)
    for call in range(1, 40):
        mem.home = tmp_path / f"full-{call}"
        for text in NOTES:
            mem.ok("add", text)
        mem.embedder = HashingEmbedder()
        result = mem.run("tidy", disk=failing_at({call}, 28))
        assert result.code in (0, 73), (call, result)
        assert result.code == 0 or "No room left" in result.err
        mem.ok("tidy")
        assert pending(mem) == 0
        assert mem.run("verify").code == 0
        if result.code == 0:
            return


def test_undo_of_a_tidy_is_by_words_only_again_until_the_next(kept: Mem) -> None:
    digest = kept.digest()
    kept.ok("tidy")
    result = kept.ok("undo")
    assert "comes back with the next `mem tidy`" in result.out
    assert kept.digest() == digest
    assert pending(kept) == 5
    value = kept.ok("tidy", "--json").json
    assert (value["cached"], value["pending"]) == (5, 0)
