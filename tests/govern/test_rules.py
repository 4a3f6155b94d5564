"""Rules: the reasons that make one, the person's yes and no, and what takes them back (C2, C3, C8)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.harness import Mem

from memcli.govern.narrow import narrowed

RULE = "From now on answer me in British English."


def rules(mem: Mem, *args: str) -> list[tuple[str, str, str]]:
    """Words, scope and standing of what `mem rules` lists."""
    return [(item["text"], item["scope"], item["standing"]) for item in listed(mem, *args)]


def listed(mem: Mem, *args: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = mem.ok("rules", *args, "--json").json["rules"]
    return found


def chat(path: Path, *turns: str, name: str = "c") -> str:
    """A chat in which the person said these turns."""
    messages = [{"role": "user", "content": turn} for turn in turns]
    path.write_text(json.dumps({"id": name, "messages": messages}), "utf-8")
    return str(path)


def talks(path: Path, words: str, days: int, sessions: int) -> str:
    """Conversations, on some days, in each of which the person says the same."""
    lines = []
    for number in range(sessions):
        at = f"2026-09-{1 + number % days:02d}T10:00:00Z"
        turns = [{"role": "user", "content": words, "timestamp": at}, {"role": "assistant", "content": "Sure."}]
        lines.append(json.dumps({"id": f"talk{number}", "messages": turns}))
    path.write_text("\n".join(lines), "utf-8")
    return str(path)


def test_what_the_person_typed_is_a_rule_after_a_tidy_with_its_reason_and_evidence(mem: Mem) -> None:
    entry = mem.ok("add", RULE, "--json").json["entries"][0]["id"]
    mem.run("tidy")
    (rule,) = listed(mem)
    assert (rule["text"], rule["scope"], rule["reason"]) == (
        RULE,
        "user",
        "an explicit durable instruction, typed by you",
    )
    assert [(item["entry"], item["quotes"]) for item in rule["evidence"]] == [(entry, [RULE])]


def test_tidy_twice_decides_nothing_more(mem: Mem, tmp_path: Path) -> None:
    mem.ok("add", RULE)
    mem.ok("import", chat(tmp_path / "c.json", "Never use the Oxford comma in my texts."))
    mem.run("tidy")
    with mem.unchanged():
        mem.run("tidy")


def test_undo_of_the_tidy_takes_its_rules_back_and_the_next_makes_them_again(mem: Mem) -> None:
    mem.ok("add", RULE)
    before = mem.digest()
    mem.run("tidy")
    mem.ok("undo")
    assert mem.digest() == before
    assert listed(mem) == []
    mem.run("tidy")
    assert rules(mem) == [(RULE, "user", "rule")]


def test_undo_of_the_note_takes_its_rule_with_it(mem: Mem) -> None:
    run = mem.ok("add", RULE, "--json").json["run"]
    mem.run("tidy")
    mem.ok("undo", run)
    assert listed(mem) == []


@pytest.mark.parametrize(
    ("args", "stdin"),
    [(("add", "-", "--as", "note"), RULE.encode()), (("add", "--speaker", "Tom", RULE), b"")],
    ids=["piped", "said by somebody else"],
)
def test_what_the_person_did_not_type_themselves_is_no_rule(mem: Mem, args: tuple[str, ...], stdin: bytes) -> None:
    mem.ok(*args, stdin=stdin)
    mem.run("tidy")
    assert listed(mem) == []


def test_an_imported_instruction_of_the_person_waits_and_shows_where_it_is_from(mem: Mem, tmp_path: Path) -> None:
    mem.ok("import", chat(tmp_path / "talk.json", "Never use the Oxford comma in my texts."))
    mem.run("tidy")
    assert listed(mem) == []
    shown = mem.ok("rules", "review")
    assert "Never use the Oxford comma in my texts." in shown.out
    assert "talk.json" in shown.out
    assert "mem rules accept ID" in shown.err
    assert "1 candidate to decide on" in mem.ok("rules").err


def test_review_on_a_terminal_asks_about_each(mem: Mem, tmp_path: Path) -> None:
    texts = (
        "Never use the Oxford comma in my texts.",
        "From now on always use metric units.",
        "Always cite two sources.",
    )
    mem.ok("import", chat(tmp_path / "c.json", *texts))
    mem.run("tidy")
    shown = mem.ok("rules", "review", stdin=b"y\nwhat?\nn\ns\n", tty=True, stdin_tty=True)
    assert "3 of 3" in shown.out
    assert rules(mem, "--all") == [
        (texts[0], "user", "rule"),
        (texts[2], "user", "held"),
        (texts[1], "user", "refused"),
    ]


def test_review_stops_where_the_input_ends(mem: Mem, tmp_path: Path) -> None:
    mem.ok("import", chat(tmp_path / "c.json", "Always cite two sources.", "Never use the Oxford comma."))
    mem.run("tidy")
    mem.ok("rules", "review", stdin=b"y\n", tty=True, stdin_tty=True)
    assert sorted(item[2] for item in rules(mem, "--all")) == ["held", "rule"]


def test_a_yes_is_a_run_that_undo_takes_back(mem: Mem, tmp_path: Path) -> None:
    mem.ok("import", chat(tmp_path / "c.json", "Always cite two sources."))
    mem.run("tidy")
    before = mem.digest()
    (held,) = listed(mem, "--all")
    mem.ok("rules", "accept", held["id"][-6:])
    assert rules(mem) == [("Always cite two sources.", "user", "rule")]
    assert "review" in mem.ok("undo").out
    assert mem.digest() == before


def test_a_refused_rule_comes_back_only_when_it_is_typed_again(mem: Mem, tmp_path: Path) -> None:
    mem.ok("add", RULE)
    mem.run("tidy")
    mem.ok("rules", "refuse", listed(mem)[0]["id"])
    mem.run("tidy")
    mem.ok("import", chat(tmp_path / "c.json", RULE))
    mem.run("tidy")
    assert rules(mem, "--all") == [(RULE, "user", "refused")]
    mem.ok("add", RULE)
    mem.run("tidy")
    assert [(item["text"], item["reason"]) for item in listed(mem)] == [
        (RULE, "typed by you again after you had refused it")
    ]


@pytest.mark.parametrize(("days", "sessions", "promoted"), [(3, 3, True), (2, 4, True), (1, 5, False), (2, 2, False)])
def test_what_is_said_in_three_conversations_on_two_days_is_a_rule(
    mem: Mem, tmp_path: Path, days: int, sessions: int, promoted: bool
) -> None:
    mem.ok("import", talks(tmp_path / "t.jsonl", "Please always answer in British spelling.", days, sessions))
    mem.run("tidy")
    assert [item["reason"] for item in listed(mem)] == [f"said by you in {sessions} conversations"] * promoted


def test_the_person_decides_in_whose_words_a_rule_stands(mem: Mem, tmp_path: Path) -> None:
    """A note of unknown origin has the same words in another order: the rule is what the person typed."""
    note = tmp_path / "tips.md"
    note.write_text("# My tips\n\nFor me: always use npm, never use pnpm.\n", "utf-8")
    mem.ok("import", str(note))
    mem.run("tidy")
    assert listed(mem) == []
    mem.ok("add", "For me: always use pnpm, never use npm.")
    mem.run("tidy")
    assert [item[0] for item in rules(mem)] == ["For me: always use pnpm, never use npm."]


def test_a_scope_has_as_many_rules_as_configured_and_tidy_says_so(mem: Mem) -> None:
    mem.ok("init")
    (mem.home / "config.toml").write_text("max_rules = 2\n")
    for word in ("tea", "coffee", "water"):
        mem.ok("add", f"Never recommend {word} to me.")
    mem.ok("add", "--scope", "project:atlas", "Always use tabs.")
    value = mem.run("tidy", "--json").json
    assert (value["rules"], value["held"], value["over"]) == (3, 0, {"user": 1})
    assert "stayed a memory" in mem.run("tidy", tty=True).out
    mem.ok("rules", "refuse", listed(mem)[0]["id"])
    mem.run("tidy")
    assert [item[0] for item in rules(mem)] == ["Never recommend coffee to me.", "Never recommend water to me."]


def test_the_configured_number_of_rules_survives_init(mem: Mem) -> None:
    mem.ok("init")
    (mem.home / "config.toml").write_text("max_rules = 7\n")
    mem.ok("init", "--me", "Alex")
    assert "max_rules = 7" in (mem.home / "config.toml").read_text()
    (mem.home / "config.toml").write_text('max_rules = "many"\n')
    assert mem.run("tidy").code == 2


def test_rules_are_those_of_here(mem: Mem, tmp_path: Path) -> None:
    mem.ok("add", RULE)
    mem.ok("add", "--scope", "project:atlas", "Always use tabs.")
    mem.ok("add", "--scope", "project:borealis", "Always use spaces.")
    mem.run("tidy")
    assert [item[0] for item in rules(mem)] == [RULE]
    assert [item[0] for item in rules(mem, "--scope", "project:atlas")] == [RULE, "Always use tabs."]
    assert len(rules(mem, "--all")) == 3
    (tmp_path / ".mem").write_text("project:borealis\n")
    assert [item[0] for item in rules(mem)] == [RULE, "Always use spaces."]


@pytest.mark.parametrize("command", ["accept", "refuse"])
def test_an_id_that_is_none_is_refused_and_nothing_is_decided(mem: Mem, command: str) -> None:
    mem.ok("add", RULE)
    mem.run("tidy")
    known = listed(mem)[0]["id"]
    with mem.unchanged():
        assert mem.run("rules", command, known, "ZZZZZZ").code == 1
        assert mem.run("rules", command, "?!").code == 2


def test_control_characters_of_a_rule_never_reach_the_terminal(mem: Mem) -> None:
    mem.ok("add", "From now on always use \x1b[2Jcolour\x07.")
    mem.run("tidy")
    for args in (("rules",), ("rules", "--all"), ("brief", "colour")):
        assert "\x1b[2J" not in mem.ok(*args).out
        assert "\x07" not in mem.ok(*args).out


LINT = "In the atlas repo, always run make lint before you commit."


def test_a_rule_that_names_a_project_holds_in_it_where_it_exists(mem: Mem) -> None:
    mem.ok("add", "--scope", "project:atlas", "The importer of atlas is written in Go.")
    mem.ok("add", LINT)
    mem.run("tidy")
    assert rules(mem, "--all") == [(LINT, "project:atlas", "rule")]
    assert rules(mem) == []
    assert rules(mem, "--scope", "project:atlas") == [(LINT, "project:atlas", "rule")]


def test_a_rule_that_names_an_unknown_project_stays_with_the_person_until_it_is_known(mem: Mem) -> None:
    mem.ok("add", LINT)
    mem.run("tidy")
    assert rules(mem) == [(LINT, "user", "rule")]
    mem.ok("add", "--scope", "project:atlas", "The importer of atlas is written in Go.")
    mem.run("tidy")
    assert rules(mem, "--all") == [(LINT, "project:atlas", "rule")]
    with mem.unchanged():
        mem.run("tidy")


def test_where_the_person_put_a_rule_it_stays(mem: Mem) -> None:
    mem.ok("add", LINT)
    mem.run("tidy")
    mem.ok("edit", listed(mem)[0]["id"], "--scope", "project:other")
    mem.ok("edit", listed(mem, "--all")[0]["id"], "--scope", "user")
    mem.ok("add", "--scope", "project:atlas", "The importer of atlas is written in Go.")
    mem.run("tidy")
    assert rules(mem, "--all") == [(LINT, "user", "rule")]


@pytest.mark.parametrize(
    ("words", "scope"),
    [
        ("in atlas, never push to main", "project:atlas"),
        ("for project atlas: always squash", "project:atlas"),
        ("atlas: use pnpm, not npm", "project:atlas"),
        ("never use tabs in the atlas codebase", "project:atlas"),
        ("always bring an atlas to the lesson", "user"),
        ("from now on meet Atlas at noon", "user"),
        ("in the atlas repo and in the harbor repo always run make lint", "user"),
        ("always answer in French", "user"),
    ],
)
def test_a_project_is_named_by_its_place_in_the_sentence(words: str, scope: str) -> None:
    assert narrowed("user", words, {"project:atlas", "project:harbor"}) == scope
    assert narrowed("domain:x", words, {"project:atlas"}) == "domain:x"
