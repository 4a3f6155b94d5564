"""`--since`, `--until` and `--as-of` in words, and questions with times reckoned from now."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cli.harness import Mem
from memcli.clock import DAY_MS

NOW = 1_784_368_800_000
"""2026-07-18 10:00 UTC, a Saturday."""


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one note a day: 2026-07-01 to 2026-07-18, and the first of every month before."""
    mem = Mem(tmp_path_factory.mktemp("logged") / "home")
    days = [f"2026-{month:02}-01" for month in range(1, 8)] + [f"2026-07-{day:02}" for day in range(2, 19)]
    for day in days:
        mem.ok("add", "--at", f"{day}T12:00", f"The boat log of {day} says calm.")
    return mem.home


@pytest.fixture
def boats(mem: Mem, logged: Path) -> Mem:
    """A copy of it for every test."""
    shutil.copytree(logged, mem.home)
    return mem


def days_of(mem: Mem, *options: str) -> list[str]:
    value = mem.run("search", "boat", "--json", "-n", "100", *options, now=NOW).json
    return sorted(entry["said_at"][5:10] for entry in value["entries"])


@pytest.mark.parametrize(
    ("options", "first", "last", "count"),
    [
        (["--since", "last week"], "07-06", "07-18", 13),
        (["--since", "last week", "--until", "last week"], "07-06", "07-12", 7),
        (["--until", "in May"], "01-01", "05-01", 5),
        (["--since", "in May", "--until", "in May"], "05-01", "05-01", 1),
        (["--since", "2026-03", "--until", "2026-04"], "03-01", "04-01", 2),
        (["--since", "yesterday"], "07-17", "07-18", 2),
        (["--since", "3 days ago", "--until", "yesterday"], "07-15", "07-17", 3),
        (["--since", "letzte Woche", "--until", "gestern"], "07-06", "07-17", 12),
        (["--since", "2026-07-16", "--until", "2026-07-16"], "07-16", "07-16", 1),
        (["--since", "2026"], "01-01", "07-18", 24),
        (["--as-of", "2026-07-10"], "01-01", "07-10", 16),
        (["--as-of", "last month"], "01-01", "06-01", 6),
        (["--as-of", "2026-07-10", "--since", "yesterday"], "07-09", "07-10", 2),
        (["--as-of", "2026-07-10", "--until", "2026-07-16"], "01-01", "07-10", 16),
        (["--as-of", "2026-07-10T11:00", "--since", "2026-07-09"], "07-09", "07-09", 1),
    ],
)
def test_words_mean_their_start_their_end_and_all_of_them(
    boats: Mem, options: list[str], first: str, last: str, count: int
) -> None:
    found = days_of(boats, *options)
    assert (found[0], found[-1], len(found)) == (first, last, count)


@pytest.mark.parametrize("option", ["--since", "--until", "--as-of"])
@pytest.mark.parametrize("words", ["soonish", "", "05/12/2026", "the wedding", "\x1b[2J"])
@pytest.mark.parametrize("command", ["search", "ask"])
def test_unknown_words_are_refused_with_examples(mem: Mem, command: str, option: str, words: str) -> None:
    mem.ok("add", "The boat is blue.")
    result = mem.run(command, "boat", option, words)
    assert result.code == 2
    assert f"{option} “" in result.err and "is not a time" in result.err
    assert "last week" in result.err and "2026-05" in result.err
    assert "\x1b" not in result.err


def test_a_range_that_as_of_makes_empty_says_so(mem: Mem) -> None:
    mem.ok("add", "The boat is blue.")
    result = mem.run("search", "boat", "--since", "2026-07-01", "--as-of", "2026-06-30")
    assert result.code == 2
    assert "--since is not before --as-of" in result.err


def evidence(mem: Mem, question: str, *options: str, now: int = NOW) -> list[str]:
    value = mem.run("ask", question, "--no-llm", "--json", *options, now=now).json
    return [item["said_at"][:10] for item in value["evidence"]]


def test_a_question_reckons_its_times_from_now(boats: Mem) -> None:
    assert evidence(boats, "What did the boat log say yesterday?")[0] == "2026-07-17"
    assert evidence(boats, "What did the boat log say yesterday?", now=NOW - 3 * DAY_MS)[0] == "2026-07-14"
    assert evidence(boats, "What did the boat log say in April?")[0] == "2026-04-01"
    assert len(evidence(boats, "What did the boat log say yesterday?")) >= 3  # a reason to rank up, no filter


def test_as_of_asks_what_was_true_then_and_reckons_from_then(boats: Mem) -> None:
    boats.ok("add", "--at", "2026-07-18T09:00", "The boat is sold.")
    found = evidence(boats, "What did the boat log say yesterday?", "--as-of", "2026-07-10", "-k", "50")
    assert found[0] == "2026-07-09"
    then = boats.run("ask", "Is the boat sold?", "--no-llm", "--json", "--as-of", "last month", now=NOW).json
    assert "sold" not in then["answer"]


def test_what_has_no_time_is_not_known_to_have_been_said_by_then(mem: Mem, tmp_path: Path) -> None:
    (tmp_path / "talk.txt").write_text("Ann: The boat is red.\nBen: Since when?\nAnn: Ever.\n")
    mem.ok("import", str(tmp_path / "talk.txt"), "--as", "transcript")
    assert mem.run("search", "boat", "--json").json["entries"]
    assert mem.run("search", "boat", "--as-of", "2026-07-10").code == 1


def test_json_tells_how_a_question_was_understood(mem: Mem) -> None:
    mem.ok("add", "--at", "2026-07-08T12:00", "The plumber repaired the sink.")
    plan = mem.run("ask", "What did the plumber repair last week?", "--no-llm", "--json", now=NOW).json["plan"]
    assert plan == {
        "kind": "list",
        "multi": True,
        "about": [],
        "times": [
            {"words": "last week", "from": "2026-07-06T00:00:00", "until": "2026-07-13T00:00:00", "axis": "happened"}
        ],
    }
    plan = mem.run("ask", "Who came since March?", "--no-llm", "--json", now=NOW).json["plan"]
    assert plan["times"] == [{"words": "since March", "from": "2026-03-01T00:00:00", "until": None, "axis": "happened"}]


def test_the_last_one_is_quoted(mem: Mem) -> None:
    for day, place in (("2026-03-01", "Leith"), ("2026-05-01", "Oban"), ("2026-06-01", "Mallaig")):
        mem.ok("add", "--at", day, f"We moored the boat at {place}.")
    assert "Mallaig" in mem.ok("ask", "Where did we last moor the boat?", "--no-llm", now=NOW).out.splitlines()[0]
    assert "Leith" in mem.ok("ask", "Where did we first moor the boat?", "--no-llm", now=NOW).out.splitlines()[0]
