"""The commands that show what is known, correct it, and say why."""

from __future__ import annotations

from typing import Any

import pytest

from cli.harness import Mem

SAID = (
    ("2025-01-02", "I live in Oslo", "Alex lives in Oslo."),
    ("2026-03-01", "I live in Bergen", "Alex lives in Bergen."),
    ("2026-04-02", "I love tea", "Alex loves tea."),
    ("2026-04-02", "I hate tea", "Alex hates tea."),
)


@pytest.fixture
def known(mem: Mem) -> Mem:
    """Four notes, read: the second replaced the first, the last two contradict each other on one day."""
    mem.home.mkdir(mode=0o700)
    (mem.home / "config.toml").write_text('me = ["Alex"]\n')
    for day, said, _ in SAID:
        mem.ok("add", said, "--at", day)
    mem.run("tidy")
    return mem


def memories(mem: Mem, *args: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = mem.ok("timeline", "--json", *args).json["memories"]
    return found


def tail(mem: Mem, words: str) -> str:
    return str(next(item["id"] for item in memories(mem) if words in item["text"])[-6:])


def test_the_timeline_is_in_the_order_of_the_world_and_says_what_no_longer_holds(known: Mem) -> None:
    lines = known.ok("timeline").out.splitlines()
    assert [line[8:18] for line in lines] == [day for day, *_ in SAID]
    assert lines[0].endswith("Alex lives in Oslo. (until 2026-03-01)")
    assert [item["text"] for item in memories(known, "--since", "2026-04-01", "tea")] == [SAID[2][2], SAID[3][2]]
    assert known.run("timeline", "submarine").code == 1


def test_who_tells_what_holds_and_what_did_before(known: Mem) -> None:
    out = known.ok("who", "alex").out
    assert out.index("Bergen") < out.index("Before") < out.index("Oslo")
    assert known.run("who", "Zorblax").code == 1


def test_why_goes_from_a_memory_to_the_words_and_from_an_entry_to_its_memories(known: Mem) -> None:
    out = known.ok("why", tail(known, "Oslo")).out
    for needed in ("“I live in Oslo”", "2025-01-02", "Alex lives in Bergen.", "extractor", "until 2026-03-01"):
        assert needed in out
    entry = known.rows("id")[0][0]
    assert known.ok("why", entry).out == out
    shaped = known.ok("why", entry[-6:], "--json").json
    assert [decision["op"] for decision in shaped["memories"][0]["decisions"]] == ["memory", "retire"]


def test_a_conflict_is_settled_either_way_and_taken_back(known: Mem) -> None:
    assert known.ok("conflicts").out.count("tea") == 2
    before = known.digest()
    known.ok("conflicts", "--keep", tail(known, "loves tea"))
    assert known.ok("conflicts", "--json").json["conflicts"] == []
    kept, gone = memories(known, "tea")
    assert (kept["until"], gone["until"]) == (None, "2026-04-02T00:00:00")
    assert gone["replaced_by"] == kept["id"]
    assert "settle" in known.ok("undo").out
    assert known.digest() == before
    known.ok("conflicts", "--both", tail(known, "loves tea"))
    assert [item["until"] for item in memories(known, "tea")] == [None, None]
    assert known.ok("conflicts", "--json").json["conflicts"] == []
    assert known.run("conflicts", "--keep", tail(known, "Oslo")).code == 2


def test_a_memory_is_corrected_and_the_words_it_rests_on_stay(known: Mem) -> None:
    before = known.digest()
    chosen = tail(known, "Bergen")
    known.ok("edit", chosen, "Alex lives in Bergen, by the harbour.", "--class", "permanent", "--since", "2026-02-01")
    item = next(item for item in memories(known) if "harbour" in item["text"])
    assert (item["class"], item["since"], item["quotes"][0]["text"]) == (
        "permanent",
        "2026-02-01T00:00:00",
        "I live in Bergen",
    )
    known.ok("undo")
    assert known.digest() == before
    for args in ([chosen, "--class", "eternal"], [chosen], [chosen, "Alex lives in Bergen."]):
        assert known.run("edit", *args).code == 2, args
    assert known.run("edit", "ZZZZZZ", "x").code == 1


def test_a_secret_in_a_correction_is_hidden(known: Mem) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    known.ok("edit", tail(known, "Bergen"), f"Alex's token is {secret}")
    assert all(secret.encode() not in raw for raw in known.truth().values())


def test_the_editor_is_opened_on_a_terminal(known: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typer.edit", lambda text: text.replace("Bergen", "Bergen, Norway"))
    assert "Bergen, Norway" in known.ok("edit", tail(known, "Bergen"), tty=True, stdin_tty=True).out


def test_a_pin_is_set_and_taken_off(known: Mem) -> None:
    chosen = tail(known, "Bergen")
    assert "(pinned)" in known.ok("pin", chosen).out
    assert "(pinned)" not in known.ok("pin", chosen, "--off").out


def test_the_digest_tells_what_was_learnt_changed_and_is_in_conflict(known: Mem) -> None:
    out = known.ok("digest").out
    assert len(out.splitlines()) <= 10
    assert "Alex lives in Bergen. (before: Alex lives in Oslo.)" in out
    assert out.index("learnt") < out.index("changed") < out.index("in conflict")
    known.ok("conflicts", "--both", tail(known, "loves tea"))
    assert known.run("digest", "--since", "2031-01-01").code == 1


def test_the_log_tells_what_happened_newest_first_and_what_was_taken_back(known: Mem) -> None:
    known.ok("ask", "Where does Alex live?")
    known.ok("pin", tail(known, "Bergen"))
    known.ok("undo")
    words = [event["what"] for event in known.ok("log", "--json").json["events"]]
    assert words[:2] == ["taken back", "pinned"]
    assert {"asked", "learnt", "replaced", "in conflict", "added"} <= set(words)
    assert "(taken back)" in known.ok("log", "--only", "pinned").out
    assert known.run("log", "--only", "purged").code == 1


def test_stats_count_what_is_visible(known: Mem) -> None:
    value = known.ok("stats", "--json").json
    assert (value["entries"], value["memories"], value["replaced"], value["in_conflict"]) == (4, 4, 1, 2)
    assert value["by_class"] == {"semantic": 2, "preference": 2}


def test_undo_of_an_older_decision_is_refused_while_later_ones_build_on_it(known: Mem) -> None:
    chosen = tail(known, "Bergen")
    known.ok("edit", chosen, "Alex lives in Bergen now.")
    first = known.ok("undo", "--list", "--json").json["runs"][0]["run"]
    known.ok("pin", chosen)
    result = known.run("undo", first)
    assert result.code == 2
    assert "build on" in result.err


@pytest.mark.parametrize("command", ["timeline", "conflicts", "digest", "log", "stats"])
def test_without_a_home_each_says_so(mem: Mem, command: str) -> None:
    assert mem.run(command).code == 1
