"""Fifty probes over six scopes: nothing of one scope is seen from another (B8, G4)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli.harness import Mem, script_models
from llm.fakes import HashingEmbedder

from memcli.clock import from_iso
from memcli.types import Entry, Moment

CASE: dict[str, Any] = json.loads((Path(__file__).parents[1] / "cases" / "scopes.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mem]:
    """The store of the case, tidied, with vectors; made once, only read."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("scopes")
        patch.chdir(folder)
        mem = Mem(folder / "home", embedder=HashingEmbedder())
        script_models(mem, patch)
        mem.ok("init", "--me", ",".join(CASE["me"]) if isinstance(CASE["me"], list) else CASE["me"])
        store = mem.store
        store.append_entries([_entry(store.ids.new(), row) for row in CASE["entries"]])
        mem.ok("tidy")
        yield mem


def _entry(number: str, row: dict[str, Any]) -> Entry:
    ms, floating = from_iso(row["said_at"])
    own = row["trust"] == "self"
    return Entry(
        id=number,
        run="0" * 26,
        session=f"day:{row['said_at'][:10]}",
        ordinal=ms,
        source_key=f"typed:{number}" if own else f"k:{row['id']}",
        text=row["text"],
        imported_at=ms,
        speaker=row["speaker"],
        role="user" if own else "other",
        trust=row["trust"],
        moment=Moment(ms, "minute", None, floating),
        scope=row["scope"],
        source="note" if own else "transcript",
        origin=row["id"],
    )


def test_what_is_a_rule_is_labelled_so_and_nothing_else(filled: Mem) -> None:
    listed = filled.ok("rules", "--all", "--json").json["rules"]
    promoted = {item["evidence"][0]["origin"] for item in listed if item["standing"] == "rule"}
    texts = {row["id"]: row["text"] for row in CASE["entries"]}
    assert promoted == set(CASE["rules"]), {texts[one] for one in promoted ^ set(CASE["rules"])}
    assert not promoted & set(CASE["not_rules"])
    scopes = {row["id"]: row["scope"] for row in CASE["entries"]}
    assert all(item["scope"] == scopes[item["evidence"][0]["origin"]] for item in listed)


def asked(mem: Mem, probe: dict[str, Any]) -> str:
    scope = () if probe["scope"] is None else ("--scope", probe["scope"])
    more = ("--no-record", "--no-llm") if probe["command"] == "ask" else ()
    result = mem.run(probe["command"], probe["text"], *scope, *more, "--json")
    assert result.code in (0, 1), result
    if not result.out:
        return ""
    value = result.json
    value.pop("question", None), value.pop("query", None), value.pop("task", None)
    return json.dumps(value, ensure_ascii=False).casefold()


@pytest.mark.parametrize(
    "probe", CASE["probes"], ids=lambda probe: f"{probe['command']} {probe['scope']} {probe['text']}"
)
def test_nothing_leaks(filled: Mem, probe: dict[str, Any]) -> None:
    got = asked(filled, probe)
    assert [word for word in probe["must_not"] if word in got] == []


def test_what_has_to_be_found_is_found(filled: Mem) -> None:
    missed = [
        (probe["command"], probe["scope"], probe["text"], need)
        for probe in CASE["probes"]
        for need in probe.get("must", [])
        if need.casefold() not in asked(filled, probe)
    ]
    needs = sum(len(probe.get("must", [])) for probe in CASE["probes"])
    print(f"{needs - len(missed)} of {needs}; missed: {missed}")
    assert len(missed) <= needs // 10, missed
