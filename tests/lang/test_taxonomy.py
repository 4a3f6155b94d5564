"""The taxonomy: an editable file, the person's own in place of the shipped one."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.errors import UsageError
from memcli.lang.taxonomy import SHIPPED, load, parse

OWN = '[garden]\nbeans = "growing beans: beans poles"\nsnails = "snails and slugs: copper tape"\n'


def test_the_shipped_one_is_about_twelve_domains_of_about_six_categories(tmp_path: Path) -> None:
    taxonomy = load(tmp_path / "taxonomy.toml")
    domains = [item.domain for item in taxonomy.categories]
    assert 10 <= len(set(domains)) <= 15
    assert all(4 <= domains.count(domain) <= 8 for domain in domains)
    assert len({item.path for item in taxonomy.categories}) == len(domains)
    assert all(len(item.seeds) >= 5 for item in taxonomy.categories)


def test_ones_own_takes_its_place(tmp_path: Path) -> None:
    own = tmp_path / "taxonomy.toml"
    own.write_text(OWN, encoding="utf-8")
    taxonomy = load(own)
    assert [item.path for item in taxonomy.categories] == ["garden/beans", "garden/snails"]
    assert taxonomy.categories[1].seeds >= {"snail", "slug", "copper", "tape"}
    assert taxonomy.edition != load(SHIPPED).edition


def test_a_topic_has_its_place_while_its_category_is_there() -> None:
    taxonomy = parse(OWN)
    assert taxonomy.has("garden/beans")
    assert taxonomy.has("garden/beans/runner")
    assert not taxonomy.has("garden/bean")
    assert not taxonomy.has("garden/beanstalks")
    assert not taxonomy.has("unsorted")


@pytest.mark.parametrize(
    "text",
    ["", "x = 1", "[a]\nb = 1", '[a]\nb = ""', '["A b"]\nc = "d"', '[a]\n"b/c" = "d"', "[a", '[a.b]\nc = "d"'],
)
def test_what_is_no_taxonomy_is_refused_with_a_next_step(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse(text)
    assert refused.value.hint


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    own = tmp_path / "taxonomy.toml"
    own.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError):
        load(own)
