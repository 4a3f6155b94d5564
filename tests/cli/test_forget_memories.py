"""Memories that are forgotten or purged: no screen has their words, and each says what became of them."""

from __future__ import annotations

import re

import pytest
from llm.fakes import HashingEmbedder

from .harness import Mem
from .test_forget import everything

TOLD = [
    "I'm allergic to walnuts.",
    "I live in Oslo.",
    "From now on, answer me in short rhymes.",
    "My sister Xanthippe works at the Odeon cinema.",
]


@pytest.fixture
def told(mem: Mem) -> Mem:
    mem.embedder = HashingEmbedder()
    for text in TOLD:
        mem.ok("add", text)
    mem.ok("add", "--scope", "project:shed", "My favourite tool is the spokeshave.")
    mem.ok("tidy")
    return mem


def memory_id(mem: Mem, words: str) -> str:
    found = [one for one in mem.ok("timeline", "--json").json["memories"] if words in one["text"]]
    return str(found[0]["id"])


def entry_id(mem: Mem, words: str) -> str:
    return next(str(row[0]) for row in mem.rows("id, text") if words in str(row[1]))


SCREENS = [
    ["timeline"],
    ["timeline", "--all"],
    ["who", "Xanthippe"],
    ["rules"],
    ["rules", "--all"],
    ["conflicts"],
    ["digest"],
    ["digest", "--since", "2020-01-01"],
    ["stats"],
    ["log", "-n", "99"],
    ["brief", "walnuts for my sister Xanthippe at the Odeon in Oslo, in short rhymes with a spokeshave"],
    ["topics"],
    ["events"],
    ["undo", "--list"],
    ["tidy", "--dry-run"],
]
"""Whatever tells of memories."""

WORDS = ["walnuts", "Oslo", "rhymes", "Xanthippe", "spokeshave"]


def screens(mem: Mem, words: str) -> list[str]:
    """The screens that have these words, also as JSON."""
    found = []
    for args in SCREENS:
        for more in ([], ["--json"]):
            result = mem.run(*args, *more)
            assert result.code in (0, 1), (args, result)
            out = result.out
            if more and result.code == 0:
                out = re.sub(r'"task": ?"[^"]*"', "", out)
            elif args[0] == "brief":
                out = out.replace(args[1], "")
            if words in out:
                found.append(" ".join([args[0], *more]))
    return found


@pytest.mark.parametrize("words", WORDS)
def test_no_screen_shows_what_an_entry_says_that_is_forgotten_and_all_do_again_after_a_restore(
    told: Mem, words: str
) -> None:
    before = told.digest()
    shown = screens(told, words)
    assert {"timeline", "timeline --json", "log"} <= set(shown)
    memory, entry = memory_id(told, words), entry_id(told, words)
    result = told.ok("forget", entry, "--yes")
    assert re.search(r"forgotten: 1 entry, \d memor", result.out)
    assert screens(told, words) == []
    why = told.run("why", memory)
    assert why.code == 1
    assert words not in why.out + why.err
    assert "was forgotten on 2026-11-06, by run" in why.err
    assert f"mem restore {entry[-6:]}" in why.err
    told.ok("restore", entry[-6:])
    assert told.digest() == before
    assert words in told.ok("why", memory).out


@pytest.mark.parametrize("words", WORDS)
def test_a_memory_is_forgotten_by_its_id_its_entry_stays_and_is_named(told: Mem, words: str) -> None:
    before = told.digest()
    memory, entry = memory_id(told, words), entry_id(told, words)
    result = told.ok("forget", memory[-6:], "--yes")
    assert "forgotten: 1 memory" in result.out
    assert re.search(rf"the entry behind it\s+stays, --evidence takes that too: {entry[-6:]}", result.out)
    text = next(line for line in result.out.splitlines() if words in line).split("  ")[-1]
    for args in SCREENS:
        assert text not in told.run(*args).out
    assert words in told.ok("search", words).out
    why = told.run("why", memory[-6:])
    assert why.code == 1
    assert re.search(r"The memory \w{6} was forgotten on 2026-11-06, by run \w{6}\.", why.err)
    assert f"`mem restore {memory[-6:]}` brings it back." in why.err
    assert words in told.ok("list", "--forgotten").out
    assert [one["id"] for one in told.ok("list", "--forgotten", "--json").json["memories"]] == [memory]
    for command in (["pin", memory], ["edit", memory, "Something else."], ["forget", memory, "--yes"]):
        refused = told.run(*command)
        assert refused.code == 1
        assert words not in refused.out + refused.err
        assert "mem restore" in refused.err
    assert words in told.ok("restore", memory[-6:]).out
    assert told.digest() == before
    assert told.ok("undo").out.startswith("taken back: restore")
    assert told.ok("undo").out.startswith("taken back: forget")
    assert told.digest() == before


def test_a_rule_is_in_force_again_with_its_reason_after_a_restore(told: Mem) -> None:
    before = told.ok("rules").out
    rule = memory_id(told, "rhymes")
    told.ok("forget", rule, "--yes")
    assert "rhymes" not in told.run("rules").out
    told.ok("restore", rule)
    assert told.ok("rules").out == before


@pytest.mark.parametrize("words", WORDS)
def test_a_purged_memory_is_nowhere_but_in_the_entry_that_stays(told: Mem, words: str) -> None:
    memory, entry = memory_id(told, words), entry_id(told, words)
    text = next(one["text"] for one in told.ok("timeline", "--json").json["memories"] if one["id"] == memory)
    result = told.ok("forget", memory, "--purge", "--yes")
    assert result.out.startswith("to purge: 1 memory\n")
    assert "purged 1 memory" in result.out
    assert f"the entry behind it stays: {entry[-6:]}" in result.out
    assert text.encode().lower() not in everything(told.home)
    assert words in told.ok("show", entry).out
    why = told.run("why", memory)
    assert why.code == 1
    assert re.search(r"The memory \w+ was purged on 2026-11-06, by run \w{6}; nothing is left of it\.", why.err)
    assert told.run("restore", memory).code == 1
    told.ok("tidy")
    assert text not in told.run("timeline").out
    assert told.ok("verify").code == 0


@pytest.mark.parametrize("words", WORDS)
def test_with_evidence_the_words_are_nowhere(told: Mem, words: str) -> None:
    memory = memory_id(told, words)
    told.run("ask", f"What about {words}?")
    told.ok("forget", memory, "--purge", "--evidence", "--yes")
    assert words.encode().lower() not in everything(told.home)
    assert screens(told, words) == []
    assert "was purged" in told.run("why", memory).err
    assert told.ok("verify").code == 0


CHOICES = [
    (["--query", "walnuts"], 1, ["walnuts"]),
    (["--person", "Xanthippe"], 0, ["Odeon"]),
    (["--person", "Xanthippe", "--mentions"], 1, ["Xanthippe is", "Odeon"]),
    (["--scope", "project:shed"], 1, ["spokeshave"]),
    (["--source", "note", "--query", "Oslo"], 1, ["Oslo"]),
]


@pytest.mark.parametrize("purge", [[], ["--purge"]], ids=["forget", "purge"])
@pytest.mark.parametrize(("options", "entries", "expected"), CHOICES, ids=lambda value: str(value)[:24])
def test_what_memories_have_in_common_takes_them_too(
    told: Mem, options: list[str], entries: int, expected: list[str], purge: list[str]
) -> None:
    def texts() -> set[str]:
        return {str(one["text"]) for one in told.ok("timeline", "--json").json["memories"]}

    before = texts()
    result = told.run("forget", *options, *purge, "--dry-run", "--json")
    assert len(result.json["entries"]) == entries
    told.ok("forget", *options, *purge, "--yes")
    gone = before - texts()
    assert len(gone) == len(expected) == len(result.json["memories"])
    assert all(any(words in text for text in gone) for words in expected)


def test_evidence_needs_an_id(told: Mem) -> None:
    result = told.run("forget", "--query", "walnuts", "--evidence", "--yes")
    assert (result.code, "--evidence needs the id of a memory" in result.err) == (2, True)


def test_memories_that_only_name_the_person_are_told(told: Mem) -> None:
    result = told.ok("forget", "--person", "Xanthippe", "--dry-run")
    assert "1 other memory has Xanthippe in the words; --mentions" in result.out
    assert f"the entry behind it stays: {entry_id(told, 'Xanthippe')[-6:]}" in result.out


def test_a_memory_that_loses_some_of_its_evidence_tells_nothing_of_it(told: Mem) -> None:
    """Also not in what was decided about it."""
    told.ok("add", "I'm allergic to walnuts!")
    told.ok("tidy")
    memory = memory_id(told, "walnuts")
    (first, second) = [str(row[0]) for row in told.rows("id, text") if "allergic" in str(row[1])]
    assert len(told.ok("why", memory, "--json").json["memories"][0]["quotes"]) == 2
    told.ok("forget", first, "--yes")
    (left,) = told.ok("why", memory, "--json").json["memories"]
    assert [quote["entry"] for quote in left["quotes"]] == [second]
    told_of = [decision["after"] for decision in left["decisions"]]
    assert [after.get("quotes") for after in told_of if after.get("quotes")] == [[[second, "I'm allergic to walnuts"]]]
    assert sum("text" in after for after in told_of) == 0


def test_other_screens_know_that_an_entry_was_purged(told: Mem) -> None:
    entry = entry_id(told, "walnuts")
    told.ok("forget", entry, "--purge", "--yes")
    for args in (["show", entry], ["why", entry], ["why-not", entry, "walnuts?"]):
        result = told.run(*args)
        assert (result.code, "was purged on 2026-11-06" in result.err) == (1, True), (args, result)
