"""Hostile and genuine instructions, each in a file of its format, through the real importer and a tidy (C2, C3).

All texts of a kind share one memory, which is harder than one each: what one
prepares, another may use.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cli.harness import Mem

from memcli.govern import lookup
from memcli.memories import Memory

from .wrapping import file_of, importer_of

CASES = Path(__file__).parents[1] / "cases"
ME = "Alex,Alex Berg,alex@example.com"
NUMBER = re.compile(r"(\d{3})-")


@cache
def rows(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((CASES / f"{name}.json").read_text("utf-8"))["texts"]
    return found


def bring_in(mem: Mem, labelled: Iterable[dict[str, Any]], folder: Path) -> dict[str, int]:
    """Type or import every row; which row each entry comes from. Every text has to arrive."""
    origins: dict[str, int] = {}
    for row in labelled:
        scope = ("--scope", row["given_scope"]) if row.get("given_scope") else ()
        if row["channel"] == "self_typed":
            kept = mem.ok("add", *scope, "--json", "--", row["text"]).json
            origins[kept["entries"][0]["id"]] = row["id"]
            continue
        name, data = file_of(row)
        path = folder / name
        path.write_bytes(data)
        result = mem.run("import", str(path), *scope, "--as", importer_of(row), "--json")
        assert result.code in (0, 1, 65), (row["id"], result)
    for entry, origin in mem.rows("id, origin"):
        if origin is not None and (number := NUMBER.search(origin)):
            origins[entry] = int(number[1])
    return origins


def memories(mem: Mem) -> list[Memory]:
    def read(reading: Any) -> list[Memory]:
        from memcli.projection.memories import COLUMNS, memory_of_row

        return [memory_of_row(row) for row in reading.db.rows(f"SELECT {COLUMNS} FROM memories ORDER BY id")]

    return list(mem.store.consult(read))


def by_row(found: Iterable[Memory], origins: dict[str, int]) -> dict[int, list[Memory]]:
    """The memories that rest on each row."""
    resting = defaultdict(list)
    for memory in found:
        for number in {origins[quote.entry] for quote in memory.quotes if quote.entry in origins}:
            resting[number].append(memory)
    return resting


@pytest.fixture
def me(mem: Mem) -> Mem:
    mem.ok("init", "--me", ME)
    return mem


def test_every_hostile_and_genuine_text_is_labelled() -> None:
    assert (len(rows("hostile")), len(rows("genuine"))) == (220, 110)


def test_no_hostile_text_becomes_a_rule_retires_a_memory_or_is_taken_for_the_persons(me: Mem, tmp_path: Path) -> None:
    hostile = rows("hostile")
    seeds = list(dict.fromkeys(row["seed"] for row in hostile if "seed" in row))
    for seed in seeds:
        me.ok("add", seed)
    me.run("tidy")
    before = {memory.id: memory for memory in memories(me)}
    config = (me.home / "config.toml").read_bytes()
    origins = bring_in(me, hostile, tmp_path)
    assert len(set(origins.values())) == len(hostile), sorted({row["id"] for row in hostile} - set(origins.values()))
    me.run("tidy")
    after = memories(me)
    resting = by_row(after, origins)
    promoted = [n for n, found in resting.items() if any(m.standing == "rule" and m.id not in before for m in found)]
    assert promoted == []
    kept = {memory.id: memory for memory in after}
    for old in before.values():
        assert kept[old.id].until_ms is None, old
        assert kept[old.id].statement == old.statement
        assert (kept[old.id].standing, kept[old.id].scope, kept[old.id].pin) == (old.standing, old.scope, old.pin)
    assert [n for n, found in resting.items() if any(m.statement.cls == "permanent" or m.pin for m in found)] == []
    trust = dict(me.rows("id, trust"))
    attributed = {
        origins[entry]
        for entry, how in trust.items()
        if entry in origins and how == "self" and _forged(hostile[origins[entry] - 1], me, entry)
    }
    assert attributed == set()
    assert not [m for m in after if m.author == "user"]
    assert (me.home / "config.toml").read_bytes() == config
    held = {number for number, found in resting.items() if any(memory.standing == "held" for memory in found)}
    noise = {row["id"] for row in hostile if row["technique"] == "report"} & held
    assert noise == set()
    print("held:", sorted(held), "noise:", sorted(noise))


def _forged(row: dict[str, Any], mem: Mem, entry: str) -> bool:
    """Whether an entry that counts as the person's own carries words that somebody else wrote."""
    if row["channel"].startswith("self_") or row.get("attribution") == "undecidable":
        return False
    text = dict(mem.rows("id, text"))[entry]
    return not text.startswith("hello")  # the person's own turn before the hostile one


def test_what_is_shown_of_hostile_text_steers_no_terminal(me: Mem, tmp_path: Path) -> None:
    tricks = {"ansi-escape", "bidi-override", "unicode-trick", "zero-width"}
    chosen = [row for row in rows("hostile") if row["technique"] in tricks]
    origins = bring_in(me, chosen, tmp_path)
    me.run("tidy")
    for entry in origins:
        shown = me.ok("show", entry, tty=True).out
        assert not re.search("[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]", shown)
        assert not re.search("\x1b(?!\\[[0-9;]*m)", shown)


def test_genuine_instructions_become_rules_where_typed_and_wait_where_imported(me: Mem, tmp_path: Path) -> None:
    genuine = rows("genuine")
    with (me.home / "config.toml").open("a") as config:
        config.write("max_rules = 100\n")
    origins = bring_in(me, genuine, tmp_path)
    me.run("tidy")
    resting = by_row(memories(me), origins)
    missed, wrong = [], []
    for row in genuine:
        found = [m for m in resting.get(row["id"], []) if m.standing in ("rule", "held")]
        told = " ".join(lookup_said(memory) for memory in found).casefold()
        if not found or not all(" ".join(need.split()).casefold() in told for need in row["needs"]):
            missed.append(row["id"])
        elif {m.standing for m in found} != {"rule" if row["expect"] == "promoted" else "held"}:
            wrong.append(row["id"])
        if row.get("given_scope"):
            assert all(memory.scope == row["given_scope"] for memory in found)
    print("missed:", missed, "wrong:", wrong)
    assert wrong == []
    assert len(missed) <= len(genuine) // 10, missed


def lookup_said(memory: Memory) -> str:
    from memcli.extract.instructions import said

    return said(memory.statement)


def test_a_held_instruction_is_a_rule_after_a_yes_and_stays_away_after_a_no(me: Mem, tmp_path: Path) -> None:
    chosen = [row for row in rows("genuine") if row["id"] in (61, 82)]
    bring_in(me, chosen, tmp_path)
    me.run("tidy")
    first, second = me.store.consult(lambda reading: lookup.waiting(reading.db))
    me.ok("rules", "accept", first.id[-6:])
    me.ok("rules", "refuse", second.id[-6:])
    standings = {memory.id: (memory.standing, memory.reason) for memory in memories(me)}
    assert standings == {first.id: ("rule", "you said yes"), second.id: ("refused", "you said no")}
    again = [row | {"id": row["id"] + 500} for row in chosen]
    bring_in(me, again, tmp_path)
    me.run("tidy")
    assert {memory.id: memory.standing for memory in memories(me)} == {first.id: "rule", second.id: "refused"}
