"""Records of released versions are read as they were meant, and written byte for byte as before."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from memcli.log.record import Envelope, pack, unpack
from memcli.projection import lexical
from memcli.projection.events import entries_of
from memcli.projection.memories import COLUMNS
from memcli.store.verify import verify
from store.making import add, open_store

VERSIONS = sorted((Path(__file__).parents[1] / "fixtures").glob("records-v*"))


@pytest.fixture(params=VERSIONS, ids=lambda path: path.name)
def frozen(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    root = tmp_path / "home"
    for name in ("log", "journal"):
        shutil.copytree(request.param / name, root / name)
    for path in [root, *root.rglob("*")]:
        path.chmod(0o700 if path.is_dir() else 0o600)
    return root, json.loads((request.param / "expected.json").read_text("utf-8"))


@pytest.mark.parametrize("version", VERSIONS, ids=lambda path: path.name)
def test_every_line_is_still_written_byte_for_byte(version: Path) -> None:
    for case in json.loads((version / "lines.json").read_text("utf-8")):
        envelope = Envelope(**case["envelope"])
        line = case["line"].encode("ascii")
        assert unpack(line.rstrip(b"\n")) == envelope
        if envelope.v == 1:
            assert pack(envelope) == line


def test_the_frozen_home_means_what_it_meant(frozen: tuple[Path, dict[str, Any]]) -> None:
    root, expected = frozen
    store = open_store(root)
    with store.reading() as reading:
        db = reading.db
        assert reading.behind_bytes == 0
        assert db.digest() == expected["digest"]
        for state, name in ((0, "visible"), (1, "taken_back"), (2, "forgotten")):
            found = [row[0] for row in db.rows("SELECT id FROM entries WHERE state = ? ORDER BY id", (state,))]
            assert found == expected.get(name, [])
        assert [list(row) for row in db.rows("SELECT * FROM purged ORDER BY id")] == expected.get("purged", [])
        for entry_id, fields in expected["entries"].items():
            columns = ", ".join(fields)
            row = db.one(f"SELECT {columns} FROM entries WHERE id = ?", (entry_id,))
            assert dict(zip(fields, row, strict=True)) == fields
        ids = dict(db.rows("SELECT seq, id FROM entries"))
        for query, hits in expected["found"].items():
            assert sorted(ids[hit.seq] for hit in lexical.search(db, [query], 20)) == hits
        assert [row[0] for row in db.rows("SELECT entry FROM silent ORDER BY entry")] == expected.get("silent", [])
        names = [name.strip() for name in COLUMNS.split(",")]
        memories = {row[0]: dict(zip(names, row, strict=True)) for row in db.rows(f"SELECT {COLUMNS} FROM memories")}
        if "memories" in expected:
            assert memories.keys() == expected["memories"].keys()
        for memory_id, fields in expected.get("memories", {}).items():
            parsed = {name: json.loads(memories[memory_id][name]) for name in ("statement", "quotes", "against")}
            assert memories[memory_id] | parsed | {"id": memory_id} == fields | {"id": memory_id}
        for event_id, fields in expected.get("events", {}).items():
            row = db.one("SELECT title, facts, topic, first_ms, last_ms FROM events WHERE id = ?", (event_id,))
            found = dict(zip(("title", "facts", "topic", "first_ms", "last_ms"), row, strict=True))
            found |= {"facts": json.loads(found["facts"]), "entries": entries_of(db, event_id)}
            assert found == fields
        assert [list(row) for row in db.rows("SELECT * FROM undone ORDER BY 1")] == expected["undone"]
        assert [row[0] for row in db.rows("SELECT text FROM questions ORDER BY id")] == expected["questions"]
        applied = {
            name: {"bad": bad, "unknown": unknown}
            for name, bad, unknown in db.rows("SELECT file, bad, unknown FROM applied")
        }
        assert applied == expected["applied"]


def test_the_frozen_home_goes_on_and_its_bytes_stay(frozen: tuple[Path, dict[str, Any]]) -> None:
    root, expected = frozen
    before = {path: path.read_bytes() for path in root.rglob("*.jsonl")}
    store = open_store(root)
    (made,) = add(store, "a new one")
    assert all(path.read_bytes().startswith(content) for path, content in before.items())
    with store.reading() as reading:
        found = [row[0] for row in reading.db.rows("SELECT id FROM entries WHERE state = 0 ORDER BY id")]
    assert found == sorted([*expected["visible"], made])
    report = verify(store)
    assert report.index_problems == ()
    assert len(report.torn) == 1
    assert report.unknown == sum(counts["unknown"] for counts in expected["applied"].values())
