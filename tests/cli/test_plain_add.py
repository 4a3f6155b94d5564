"""`mem add WORDS` without the option parser: the same options, and the same notes, as with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest

from memcli.cli.app import load
from memcli.cli.keep import FLAGS, VALUES, plain

from .harness import NOW, Mem


def test_it_knows_the_options_of_add_but_how_to_read_a_pipe() -> None:
    options = [option for option in load("add").params if isinstance(option, click.Option)]
    names = {name: option.is_flag for option in options for name in option.opts}
    assert names == {**dict.fromkeys(FLAGS, True), **dict.fromkeys(VALUES, False), "--as": False, "--date-order": False}


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["list"],
        ["add"],
        ["add", "--pin"],
        ["add", "-"],
        ["add", "--", "x"],
        ["add", "x", "--help"],
        ["add", "x", "-h"],
        ["add", "--scope=user", "x"],
        ["add", "x", "--scope"],
        ["add", "x", "--scope", "--pin"],
        ["add", "x", "--at", "-5"],
        ["add", "x", "--as", "note"],
        ["add", "x", "--pins"],
    ],
)
def test_what_is_not_plain_is_left_to_the_parser(args: list[str]) -> None:
    assert plain(args) is None


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--pin"],
        ["--scope", "project:boat"],
        ["--source", "a book"],
        ["--speaker", "Ada"],
        ["--at", "2026-05-20T15:04"],
        ["--session", "walks", "--pin"],
        ["--speaker", "Ada", "--speaker", "Bo"],
        ["--scope", "nonsense"],
        ["--scope", ""],
        ["--at", "soon"],
        ["--speaker", ""],
    ],
)
def test_the_parser_makes_the_same_note(tmp_path: Path, options: list[str]) -> None:
    at_a_glance = ["add", "two", *options, "words", "--json"]
    parsed = ["add", *options, "--json", "--", "two", "words"]
    assert plain(at_a_glance) is not None
    assert plain(parsed) is None
    ours, theirs = (Mem(tmp_path / name).run(*args, now=NOW) for name, args in (("a", at_a_glance), ("b", parsed)))
    assert (ours.code, ours.err) == (theirs.code, theirs.err)
    assert _without_ids(ours.out) == _without_ids(theirs.out)


def _without_ids(out: str) -> Any:
    value = json.loads(out) if out else {"entries": []}
    return [{name: part for name, part in row.items() if name not in _ITS_OWN} for row in value["entries"]]


_ITS_OWN = {"id", "run", "source_key"}
