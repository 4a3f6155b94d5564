"""Every parser against the tables that were written by hand before it existed: as a file, and in a zip."""

from __future__ import annotations

import zipfile
from collections import Counter
from pathlib import Path

import pytest

from memcli.clock import from_iso
from memcli.errors import BadData
from memcli.formats import registry
from memcli.formats.base import ParseOptions
from memcli.formats.source import Source
from memcli.formats.walk import expand
from memcli.types import Draft, Moment, Skip

from . import golden

UNREAD = {"imessage_chat.db"}
"""Tables that wait: the database is refused with a sentence that says what to do."""

TABLES = [name for name in golden.tables() if name not in UNREAD]
FILES = [name for name in TABLES if (golden.SAMPLES / name).is_file() and not name.endswith(".zip")]


def read_path(path: Path, name: str) -> list[Draft | Skip]:
    return [item for source in expand(path) for item in golden.read(source, name)]


@pytest.mark.parametrize("name", TABLES)
def test_a_sample_becomes_its_golden_table(name: str) -> None:
    table = golden.load(name)
    rows, skips = golden.as_rows(read_path(golden.SAMPLES / name, table["format"]))
    assert rows == golden.table_rows(table)
    assert skips == Counter(skip["reason"] for skip in table["skips"])


@pytest.mark.parametrize("name", TABLES)
def test_titles_are_the_sources_own(name: str) -> None:
    table = golden.load(name)
    drafts = read_path(golden.SAMPLES / name, table["format"])
    found = dict.fromkeys(draft.title for draft in drafts if isinstance(draft, Draft) and draft.title)
    assert list(found) == [title for title in table.get("titles", []) if title is not None]


@pytest.mark.parametrize("name", FILES)
def test_a_sample_is_recognised_by_its_content(name: str) -> None:
    table = golden.load(name)
    if table["format"] in registry.ASKED_FOR:
        pytest.skip("read only when asked for by name")
    source = Source.from_bytes("mislabelled.bin", (golden.SAMPLES / name).read_bytes())
    assert registry.detect(source).name == table["format"]


@pytest.mark.parametrize("name", FILES)
def test_a_sample_in_a_zip_gives_the_same(name: str, tmp_path: Path) -> None:
    table = golden.load(name)
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(golden.SAMPLES / name, f"export/{name}")
    assert read_path(path, table["format"]) == read_path(golden.SAMPLES / name, table["format"])


@pytest.mark.parametrize("name", [name for name in TABLES if "with_base_date" in golden.load(name)])
def test_a_base_date_gives_times(name: str) -> None:
    table = golden.load(name)
    expected = table["with_base_date"]
    ms, floating = from_iso(expected["date"])
    options = ParseOptions(date=Moment(ms, "second", None, floating))
    items = golden.read(Source.from_path(golden.SAMPLES / name), table["format"], options)
    moments = [item.moment for item in items if isinstance(item, Draft)]
    assert [golden.said_at(moment) for moment in moments] == [golden.same_iso(text) for text in expected["said_at"]]
    assert {moment.precision for moment in moments if moment} == {"second"}


@pytest.mark.parametrize("name", sorted(UNREAD))
def test_a_database_is_refused_with_what_to_do(name: str) -> None:
    with pytest.raises(BadData) as caught:
        registry.detect(Source.from_path(golden.SAMPLES / name))
    assert "imessage-exporter" in (caught.value.hint or "")


@pytest.mark.parametrize("name", FILES)
def test_message_ids_are_unique_within_their_conversation(name: str) -> None:
    drafts = read_path(golden.SAMPLES / name, golden.load(name)["format"])
    keys = [(d.conversation, d.message) for d in drafts if isinstance(d, Draft) and d.conversation and d.message]
    assert len(keys) == len(set(keys))
