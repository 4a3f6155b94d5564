"""`mem events` and `mem topics`: what happened, on a screen and as JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from llm.fakes import HashingEmbedder

from memcli.render.text import width

from .harness import Mem

CHAT = """\
[2026-01-11 09:37] Priya: the boiler leaks again, did you call the plumber?
[2026-01-11 09:38] Kenji: the plumber says the boiler valve is broken
[2026-01-11 09:41] Priya: a new boiler valve costs 90 euros, says the plumber
[2026-01-11 09:42] Kenji: then the plumber should change the boiler valve
[2026-03-02 18:01] Priya: my cello lesson was lovely, we played the Bach suite
[2026-03-02 18:02] Kenji: the Bach suite on the cello, that is hard
[2026-03-02 18:04] Priya: the cello teacher wants the Bach suite slower
"""
OWN = '[house]\nheating = "heating: boiler plumber valve leaks"\n'


@pytest.fixture
def lived(mem: Mem, tmp_path: Path) -> Mem:
    path = tmp_path / "flat.txt"
    path.write_text(CHAT, encoding="utf-8")
    mem.ok("import", str(path))
    mem.embedder = HashingEmbedder()
    (mem.home / "taxonomy.toml").write_text(OWN, encoding="utf-8")
    mem.ok("tidy")
    return mem


def test_events_are_listed_newest_first_with_date_size_title_category_and_id(lived: Mem) -> None:
    lines = lived.ok("events", columns=100).out.splitlines()
    assert len(lines) == 2
    assert [line.split()[1:3] for line in lines] == [["2026-03-02", "3"], ["2026-01-11", "4"]]
    assert "cello" in lines[0].lower() or "bach" in lines[0].lower()
    assert "boiler" in lines[1].lower()
    assert lines[0].endswith("unsorted")
    assert lines[1].endswith("house/heating")


def test_words_find_events_by_their_entries(lived: Mem) -> None:
    (line,) = lived.ok("events", "euros", "valve").out.splitlines()
    assert "2026-01-11" in line
    assert lived.run("events", "zorblax").code == 1


def test_one_event_is_shown_with_its_facts_and_its_entries(lived: Mem) -> None:
    event = lived.ok("events", "valve", "--json").json["events"][0]
    out = lived.ok("events", event["id"][-6:]).out
    assert out == lived.ok("events", event["id"]).out
    assert out.startswith(event["title"])
    for fact in event["facts"]:
        assert f"[{fact['entry'][-6:]}]" in out
    assert all(line.split("] ")[1][:30] in " ".join(out.split()) for line in CHAT.splitlines()[:4])
    whole = lived.ok("events", event["id"], "--json").json["event"]
    assert [entry["text"] for entry in whole["entries"]] == [line.split(": ", 1)[1] for line in CHAT.splitlines()[:4]]
    assert {key: whole[key] for key in event if key != "entries"} == event


def test_json_names_times_facts_and_topic(lived: Mem) -> None:
    event = lived.ok("events", "valve", "--json").json["events"][0]
    assert (event["first"], event["last"], event["size"]) == ("2026-01-11T09:37:00", "2026-01-11T09:42:00", 4)
    assert event["topic"].startswith("house/heating/")
    texts = dict(lived.rows("id, text"))
    assert all(fact["text"] in texts[fact["entry"]] for fact in event["facts"])


def test_topics_are_a_tree_with_counts_and_a_path_lists_what_lies_under_it(lived: Mem) -> None:
    head, *lines = lived.ok("topics").out.splitlines()
    assert head.split() == ["events", "memories"]
    assert [line.split()[:2] for line in lines] == [["house", "1"], ["heating", "1"], ["unsorted", "1"]]
    for path in ("house", "house/heating", "House/Heating/"):
        label, line = lived.ok("topics", path).out.splitlines()[:2]
        assert label == "Events"
        assert "2026-01-11" in line
    assert lived.ok("events", "--topic", "unsorted").out in lived.ok("topics", "unsorted").out
    counts = lived.ok("topics", "--json").json["topics"]
    assert [(item["topic"].split("/")[0], item["events"], item["entries"]) for item in counts] == [
        ("house", 1, 4),
        ("unsorted", 1, 3),
    ]


def test_a_memory_lies_under_the_topic_of_the_event_that_it_rests_on(lived: Mem) -> None:
    lived.ok("add", "I pay 90 euros for the boiler valve.", "--at", "2026-01-12")
    lived.ok("add", "My sister Mei lives in Lisbon.", "--at", "2026-01-13")
    lived.ok("tidy")
    every = {memory["id"]: memory["text"] for memory in lived.ok("timeline", "--json").json["memories"]}
    shown = {path: lived.ok("topics", path, "--json").json["memories"] for path in ("house", "unsorted")}
    assert sorted(memory["id"] for found in shown.values() for memory in found) == sorted(every)
    assert any("valve" in memory["text"] for memory in shown["house"])
    assert any("Lisbon" in memory["text"] for memory in shown["unsorted"])
    for path, found in shown.items():
        times = [memory["since"] or "" for memory in found]
        assert times == sorted(times, reverse=True)
        out = lived.ok("topics", path).out.partition("Memories\n")[2]
        assert [line[:6] for line in out.splitlines()] == [memory["id"][-6:] for memory in found]
    counts = lived.ok("topics", "--json").json["topics"]
    assert sum(item["memories"] for item in counts) == len(every)


def test_a_dry_run_shows_the_events_that_the_tidy_then_forms_and_writes_nothing(lived: Mem) -> None:
    lived.ok("add", "The gutter is full of leaves", "--session", "roof")
    lived.ok("add", "The gutter leaves are cleared", "--session", "roof")
    lived.ok("add", "a new boiler valve is in, says the plumber", "--session", "flat")
    before = {event["id"] for event in lived.ok("events", "--json").json["events"]}
    digest = lived.digest()
    with lived.unchanged():
        planned = lived.ok("tidy", "--dry-run", "--json").json["events"]
        shown = lived.ok("tidy", "--dry-run")
    assert lived.digest() == digest
    assert [line[:7] for line in shown.out.splitlines() if "event" in line] == ["+ event"] * 2
    assert "form" in shown.err
    lived.ok("tidy")
    formed = {event["id"]: event for event in lived.ok("events", "--json").json["events"]}
    new = sorted((event["title"], event["topic"]) for id_, event in formed.items() if id_ not in before)
    assert sorted((event["title"], event["topic"]) for event in planned if event["new"]) == new


def test_a_dry_run_says_what_stands_in_the_way_of_events(mem: Mem) -> None:
    mem.ok("add", "The gutter is full of leaves")
    result = mem.ok("tidy", "--dry-run")
    assert "no embedder is installed" in result.err
    assert mem.ok("tidy", "--dry-run", "--json").json["events"] == []


@pytest.mark.parametrize(
    "args",
    [
        ["topics", "hous"],
        ["topics", "house/heating/x"],
        ["events", "--topic", "play"],
        ["events", "--scope", "project:x"],
        ["events", "ABCDE7"],
    ],
)
def test_what_is_not_there_is_exit_1_with_a_next_step(lived: Mem, args: list[str]) -> None:
    result = lived.run(*args)
    assert (result.code, result.out) == (1, "")
    assert len(result.err.splitlines()) == 2


def test_before_the_first_tidy_both_say_what_to_do(mem: Mem) -> None:
    mem.ok("add", "a note")
    for command in ("events", "topics"):
        result = mem.run(command)
        assert (result.code, result.out) == (1, "")
        assert "mem tidy" in result.err


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(lived: Mem, columns: int) -> None:
    event = lived.ok("events", "--json").json["events"][0]["id"]
    for args in (["events"], ["topics"], ["events", event], ["topics", "house"]):
        for line in lived.ok(*args, columns=columns).out.splitlines():
            assert width(line) <= columns, line


def test_control_characters_of_an_entry_do_not_reach_the_terminal(mem: Mem) -> None:
    mem.ok("add", "zeppelin\x1b[31m zeppelin hangar", "--session", "x")
    mem.embedder = HashingEmbedder()
    mem.ok("tidy")
    event = mem.ok("events", "--json").json["events"][0]["id"]
    for args in (["events"], ["events", event], ["topics"]):
        assert "\x1b" not in mem.ok(*args).out


def test_where_a_taxonomy_of_ones_own_goes(mem: Mem) -> None:
    result = mem.ok("topics", "--file")
    assert result.out == f"{mem.home / 'taxonomy.toml'}\n"
    assert "copy" in result.err
    assert not mem.home.exists()


def test_a_taxonomy_that_cannot_be_read_stops_the_tidy_before_it_begins(lived: Mem) -> None:
    (lived.home / "taxonomy.toml").write_text("[house", encoding="utf-8")
    with lived.unchanged():
        result = lived.run("tidy")
    assert result.code == 2
    assert "taxonomy.toml" in result.err


def test_undo_of_the_tidy_takes_the_events_back(lived: Mem) -> None:
    lived.ok("undo")
    assert lived.run("events").code == 1
    lived.ok("tidy")
    assert len(lived.ok("events").out.splitlines()) == 2
    assert lived.ok("verify", "--json").json["healthy"]


def test_undo_of_the_import_takes_its_entries_out_of_the_events(lived: Mem) -> None:
    run = lived.rows("run")[0][0]
    lived.ok("undo", run)
    assert lived.run("events").code == 1
    assert lived.ok("verify", "--json").json["healthy"]
