"""Every format through the real command, by each way it may come, read back from the memory: once, whole, as it was."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cli.harness import Mem
from formats import golden

from memcli.clock import to_iso
from memcli.formats.registry import ASKED_FOR
from memcli.projection.database import COLUMNS
from memcli.types import Entry

from . import growing

UNREAD = {"imessage_chat.db"}
"""Refused, with a sentence that says what to do."""

DAY = re.compile(r"/\d{4}-\d\d-\d\d\Z")
TABLES = [name for name in golden.tables() if name not in UNREAD]
PIPED = [name for name in TABLES if (golden.SAMPLES / name).is_file() and not name.endswith(".zip")]
ZIPPED = [name for name in PIPED if golden.load(name)["format"] not in ASKED_FOR]


def as_named(name: str) -> list[str]:
    """What is read only when asked for is asked for."""
    format_ = golden.load(name)["format"]
    return ["--as", format_] if format_ in ASKED_FOR else []


def entries(mem: Mem) -> list[Entry]:
    """Every visible entry, in the order in which they were written."""
    if not mem.home.exists():
        return []
    sql = f"SELECT {COLUMNS} FROM entries WHERE state = 0 ORDER BY id"
    return list(mem.store.consult(lambda reading: [reading.db.entry(row) for row in reading.db.rows(sql)]))


def stored(mem: Mem) -> list[dict[str, Any]]:
    """The entries in the words of a golden table, but for the number of their conversation."""
    return [
        {
            "ordinal": entry.ordinal,
            "speaker": entry.speaker,
            "role": entry.role,
            "trust": entry.trust,
            "said_at": None if entry.moment is None else to_iso(entry.moment),
            "precision": entry.moment.precision if entry.moment else "none",
            "offset": entry.moment.offset if entry.moment else None,
            "status": entry.status,
            "text": entry.text,
        }
        for entry in entries(mem)
    ]


def expected(name: str) -> list[dict[str, Any]]:
    rows = golden.table_rows(golden.load(name))
    return [{key: value for key, value in row.items() if key != "conversation"} for row in rows]


def logical(mem: Mem, *, ordered: bool = False) -> Any:
    """What the entries say, without what a home or an import gives them: ids, runs, keys, where they came from."""
    found = [
        (e.source, e.ordinal, e.text, e.speaker, e.role, e.trust, e.moment, e.scope, e.title, e.status, e.pin)
        for e in entries(mem)
    ]
    return found if ordered else Counter(found)


def take(mem: Mem, path: Path, name: str, *more: str) -> Any:
    return mem.ok("import", *as_named(name), *more, str(path), "--json").json


def zipped(name: str, folder: Path) -> Path:
    """The sample as it comes out of its app: in an archive."""
    path = folder / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(golden.SAMPLES / name, f"export/{name}")
    return path


@pytest.mark.parametrize("name", TABLES)
def test_a_file_is_stored_as_its_golden_table(name: str, mem: Mem) -> None:
    table = golden.load(name)
    summary = take(mem, golden.SAMPLES / name, name, "--mine")
    assert stored(mem) == expected(name)
    found = entries(mem)
    assert {entry.source for entry in found} == {table["format"]} == set(summary["formats"])
    assert summary["new"] == len(found) and summary["known"] == 0
    assert summary["speakers"] == dict(Counter(entry.speaker for entry in found if entry.speaker))
    assert summary["undated"] == sum(entry.moment is None for entry in found)
    assert summary["skipped"] == dict(Counter(skip["reason"] for skip in table["skips"]))
    assert summary["sessions"] == len({entry.session for entry in found})
    titles = [title for title in table.get("titles", []) if title is not None]
    assert list(dict.fromkeys(entry.title for entry in found if entry.title)) == titles
    # One conversation, one session, or one for each of its days.
    pairs = zip(table["entries"], found, strict=True)
    bases = {row["conversation"]: DAY.sub("", entry.session) for row, entry in pairs}
    assert len(set(bases.values())) == len(bases)


@pytest.mark.parametrize("name", PIPED)
def test_a_pipe_is_stored_as_its_golden_table(name: str, mem: Mem) -> None:
    mem.ok("add", *as_named(name), stdin=(golden.SAMPLES / name).read_bytes())
    assert stored(mem) == expected(name)


@pytest.mark.parametrize("name", ZIPPED)
def test_a_zip_is_stored_as_its_golden_table(name: str, mem: Mem, tmp_path: Path) -> None:
    take(mem, zipped(name, tmp_path), name, "--mine")
    assert stored(mem) == expected(name)


@pytest.mark.parametrize("name", TABLES)
def test_again_and_by_every_other_way_nothing_is_doubled(name: str, mem: Mem, tmp_path: Path) -> None:
    path = golden.SAMPLES / name
    first = take(mem, path, name)
    with mem.unchanged():
        again = take(mem, path, name)
        assert (again["new"], again["known"]) == (0, first["new"])
        folder = tmp_path / "another place"
        folder.mkdir()
        if name in PIPED:
            mem.ok("add", *as_named(name), stdin=path.read_bytes())
            shutil.copy(path, folder / f"copy of {name}")
        else:
            other = "slack_export" if name.endswith(".zip") else "slack_export.zip"
            assert take(mem, golden.SAMPLES / other, other)["new"] == 0
        if name in ZIPPED:
            assert take(mem, zipped(name, tmp_path), name)["new"] == 0
            assert take(mem, folder, name)["new"] == 0


@pytest.mark.parametrize("name", growing.NAMES)
def test_longer_brings_the_rest_and_shorter_removes_nothing(name: str, mem: Mem, tmp_path: Path) -> None:
    short = golden.SAMPLES / name
    long = tmp_path / name
    long.write_bytes(growing.grown(name, short.read_bytes()))
    whole = Mem(tmp_path / "whole")
    count = take(whole, long, name)["new"]
    first = take(mem, short, name)["new"]
    assert count == first + 1
    then = take(mem, long, name)
    assert (then["new"], then["known"]) == (1, first)
    assert growing.SAID in entries(mem)[-1].text
    assert logical(mem) == logical(whole)
    with mem.unchanged():
        assert take(mem, short, name)["new"] == 0
        assert take(mem, long, name)["new"] == 0
    with whole.unchanged():
        assert take(whole, short, name)["new"] == 0


@pytest.mark.parametrize("name", TABLES)
def test_a_dry_run_says_the_same_and_writes_nothing(name: str, mem: Mem) -> None:
    would = take(mem, golden.SAMPLES / name, name, "--dry-run")
    assert entries(mem) == []
    mem.ok("add", "something that was here before")
    with mem.unchanged():
        assert take(mem, golden.SAMPLES / name, name, "--dry-run")["new"] == would["new"]
    did = take(mem, golden.SAMPLES / name, name)
    varying = ("run", "dry_run")
    assert {k: v for k, v in did.items() if k not in varying} == {k: v for k, v in would.items() if k not in varying}
    assert did["new"] == len(expected(name))


@pytest.mark.parametrize("name", TABLES)
def test_undo_takes_all_of_it_back_and_the_next_import_brings_all_of_it(name: str, mem: Mem) -> None:
    mem.ok("add", "something that was here before")
    before = mem.digest()
    first = take(mem, golden.SAMPLES / name, name)["new"]
    after = logical(mem, ordered=True)
    mem.ok("undo")
    assert mem.digest() == before
    again = take(mem, golden.SAMPLES / name, name)
    assert (again["new"], again["known"]) == (first, 0)
    assert logical(mem, ordered=True) == after


def test_all_of_them_in_any_order_are_the_same_memory(tmp_path: Path) -> None:
    # Signal's two exporters give the same messages, and so do the folder and the zip of Slack: once each.
    doubles = {"slack_export", "slack_export.zip", "signal_export_chat.md", "signal_export_data.json"}
    names = [name for name in TABLES if not as_named(name)]
    seen = []
    for number, order in enumerate((names, names[::-1], names[1::2] + names[::2])):
        mem = Mem(tmp_path / f"home-{number}")
        mem.ok("import", *(str(golden.SAMPLES / name) for name in order))
        seen.append(logical(mem))
    assert seen[0] == seen[1] == seen[2]
    alone = sum(len(expected(name)) for name in names if name not in doubles)
    assert seen[0].total() >= alone + len(expected("slack_export")) + len(expected("signal_export_data.json"))
    assert all(count == 1 for entry, count in seen[0].items() if entry[0] == "slack")


def test_one_call_and_many_make_the_same_memory(tmp_path: Path) -> None:
    names = [name for name in TABLES if not as_named(name)]
    one, many = Mem(tmp_path / "one"), Mem(tmp_path / "many")
    one.ok("import", *(str(golden.SAMPLES / name) for name in names))
    for name in names:
        many.ok("import", str(golden.SAMPLES / name))
    assert logical(one, ordered=True) == logical(many, ordered=True)
    assert one.ok("verify", "--json").json["healthy"] and many.ok("verify", "--json").json["healthy"]


@pytest.mark.parametrize("name", sorted(UNREAD))
def test_a_database_is_refused_and_nothing_is_written(name: str, mem: Mem) -> None:
    result = mem.run("import", str(golden.SAMPLES / name))
    assert result.code == 65 and "imessage-exporter" in result.err
    assert entries(mem) == []
