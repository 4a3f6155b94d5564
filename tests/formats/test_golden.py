"""Every parser against the tables that were written by hand before it existed."""

from __future__ import annotations

from collections import Counter

import pytest

from memcli.formats import registry
from memcli.formats.source import Source

from . import golden

TABLES = [
    name
    for name in golden.tables()
    if golden.load(name)["format"] in registry.NAMES and not (golden.SAMPLES / name).is_dir()
]


@pytest.mark.parametrize("name", TABLES)
def test_a_sample_becomes_its_golden_table(name: str) -> None:
    table = golden.load(name)
    source = Source.from_path(golden.SAMPLES / name)
    rows, skips = golden.as_rows(golden.read(source, table["format"]))
    assert rows == golden.table_rows(table)
    assert skips == Counter(skip["reason"] for skip in table["skips"])


@pytest.mark.parametrize("name", TABLES)
def test_a_sample_is_recognised_by_its_content(name: str) -> None:
    table = golden.load(name)
    if table["format"] in registry.ASKED_FOR:
        pytest.skip("read only when asked for by name")
    source = Source.from_bytes("mislabelled.bin", (golden.SAMPLES / name).read_bytes())
    assert registry.detect(source).name == table["format"]


@pytest.mark.parametrize("name", [name for name in TABLES if "titles" in golden.load(name)])
def test_titles_are_the_sources_own(name: str) -> None:
    table = golden.load(name)
    titles = [title for title in table["titles"] if title is not None]
    drafts = golden.read(Source.from_path(golden.SAMPLES / name), table["format"])
    found = dict.fromkeys(draft.title for draft in drafts if hasattr(draft, "title") and draft.title)
    assert list(found) == titles
