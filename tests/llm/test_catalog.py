"""The list of models: what is chosen, and whether its file is still the one it was."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from memcli.errors import MemError, ModelFailed, NothingFound
from memcli.llm import catalog as catalog_module
from memcli.llm.catalog import Catalog

from .ggufs import tiny_gguf


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    return Catalog(tmp_path / "home")


@pytest.fixture
def embedder(tmp_path: Path) -> Path:
    return tiny_gguf(tmp_path / "Tiny Embedder v1.gguf", embedder=True)


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files whose bytes were read for their sha256."""
    seen: list[Path] = []
    original = catalog_module._sha256

    def noting(path: Path) -> str:
        seen.append(path)
        return original(path)

    monkeypatch.setattr(catalog_module, "_sha256", noting)
    return seen


def touch(path: Path) -> None:
    os.utime(path, ns=(1, 1))


def test_an_empty_home_has_no_models_and_nothing_is_written(catalog: Catalog) -> None:
    assert catalog.models() == []
    assert catalog.active("embedder") is None
    assert not catalog.directory.exists()


def test_the_first_model_of_a_kind_is_used_and_the_second_is_not(catalog: Catalog, tmp_path: Path) -> None:
    first = catalog.register(tiny_gguf(tmp_path / "a.gguf", embedder=True), "embedder")
    second = catalog.register(tiny_gguf(tmp_path / "b.gguf", embedder=True, fill=2), "embedder")
    assert catalog.active("embedder") == first
    assert catalog.use(second.name) == second
    assert catalog.active("embedder") == second


def test_a_model_is_described_by_its_header(catalog: Catalog, embedder: Path) -> None:
    model = catalog.register(embedder, "embedder")
    assert (model.name, model.dim, model.size, model.known) == ("tiny-embedder-v1", 8, embedder.stat().st_size, False)


def test_a_generator_has_no_dimension(catalog: Catalog, tmp_path: Path) -> None:
    assert catalog.register(tiny_gguf(tmp_path / "g.gguf", embedder=False), "generator").dim is None


def test_two_files_of_one_name_get_two_names(catalog: Catalog, tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        catalog.register(tiny_gguf(tmp_path / folder / "m.gguf", embedder=True), "embedder")
    assert [model.name for model in catalog.models()] == ["m", "m-2"]


def test_registering_a_file_again_changes_its_entry(catalog: Catalog, embedder: Path) -> None:
    old = catalog.register(embedder, "embedder")
    tiny_gguf(embedder, embedder=True, fill=2)
    new = catalog.register(embedder, "embedder")
    assert new.name == old.name
    assert new.sha256 != old.sha256
    assert catalog.models() == [new]


def test_a_file_is_not_read_again_while_it_looks_the_same(catalog: Catalog, embedder: Path, hashed: list[Path]) -> None:
    catalog.register(embedder, "embedder")
    hashed.clear()
    catalog.active("embedder")
    assert hashed == []


def test_a_touched_file_is_read_once_and_then_trusted(catalog: Catalog, embedder: Path, hashed: list[Path]) -> None:
    catalog.register(embedder, "embedder")
    touch(embedder)
    hashed.clear()
    catalog.active("embedder")
    catalog.active("embedder")
    assert hashed == [embedder]


def test_a_touched_file_in_a_home_that_cannot_be_written_is_still_used(
    catalog: Catalog, embedder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = catalog.register(embedder, "embedder")
    touch(embedder)

    def refuse(*_: object) -> None:
        raise MemError("read-only")

    monkeypatch.setattr("memcli.disk.Disk.replace_file", refuse)
    assert catalog.active("embedder") == model


def test_a_changed_file_is_refused_with_a_next_step(catalog: Catalog, embedder: Path) -> None:
    catalog.register(embedder, "embedder")
    tiny_gguf(embedder, embedder=True, fill=2)
    touch(embedder)
    with pytest.raises(ModelFailed) as caught:
        catalog.active("embedder")
    assert caught.value.hint is not None
    assert "mem model list" in caught.value.hint
    assert "mem init --embedder PATH" in caught.value.hint


def test_a_truncated_file_is_refused_without_reading_it(catalog: Catalog, embedder: Path, hashed: list[Path]) -> None:
    catalog.register(embedder, "embedder")
    hashed.clear()
    os.truncate(embedder, embedder.stat().st_size - 1)
    with pytest.raises(ModelFailed):
        catalog.active("embedder")
    assert hashed == []


def test_a_missing_file_is_refused(catalog: Catalog, embedder: Path) -> None:
    model = catalog.register(embedder, "embedder")
    embedder.unlink()
    for ask in (lambda: catalog.active("embedder"), lambda: catalog.use(model.name), catalog.spec):
        with pytest.raises(ModelFailed, match="cannot be found"):
            ask()
    assert catalog.models() == [model]


def test_a_link_is_followed_and_noticed_when_it_leads_elsewhere(
    catalog: Catalog, embedder: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link.gguf"
    link.symlink_to(embedder)
    model = catalog.register(link, "embedder")
    assert catalog.active("embedder") == model
    assert model.path == link
    link.unlink()
    link.symlink_to(tiny_gguf(tmp_path / "other.gguf", embedder=True, fill=2))
    with pytest.raises(ModelFailed):
        catalog.active("embedder")


@pytest.mark.parametrize("data", [b"", b"no model at all", b"GGUF"])
def test_what_is_no_model_is_not_registered(catalog: Catalog, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(data)
    with pytest.raises(ModelFailed):
        catalog.register(path, "embedder")
    assert catalog.models() == []


def test_a_folder_is_not_registered(catalog: Catalog, tmp_path: Path) -> None:
    with pytest.raises(ModelFailed):
        catalog.register(tmp_path, "embedder")


def test_a_generator_is_not_registered_as_an_embedder(catalog: Catalog, tmp_path: Path) -> None:
    path = tiny_gguf(tmp_path / "g.gguf", embedder=False)
    with pytest.raises(ModelFailed, match="a generator"):
        catalog.register(path, "embedder")


def test_an_unknown_name_is_nothing_found(catalog: Catalog) -> None:
    with pytest.raises(NothingFound):
        catalog.use("nothing")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"v": 2}', '{"v": 1, "active": {}, "models": [{}]}', "[" * 9_999]
)
def test_a_damaged_list_is_said_so(catalog: Catalog, text: str) -> None:
    catalog.directory.mkdir(parents=True)
    (catalog.directory / "models.json").write_text(text)
    with pytest.raises(ModelFailed, match="damaged"):
        catalog.models()


def test_the_list_is_readable_by_its_owner_only_and_leaves_nothing_beside_it(catalog: Catalog, embedder: Path) -> None:
    previous = os.umask(0)
    try:
        catalog.register(embedder, "embedder")
    finally:
        os.umask(previous)
    assert [path.name for path in catalog.directory.iterdir()] == ["models.json"]
    assert stat.S_IMODE((catalog.directory / "models.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(catalog.directory.stat().st_mode) == 0o700


def test_a_list_can_be_read_by_people(catalog: Catalog, embedder: Path) -> None:
    model = catalog.register(embedder, "embedder")
    data = json.loads((catalog.directory / "models.json").read_text())
    assert data["active"] == {"embedder": model.name}
    assert data["models"][0]["sha256"] == model.sha256


def test_a_worker_is_started_with_what_is_in_use(catalog: Catalog, embedder: Path, tmp_path: Path) -> None:
    generator = catalog.register(tiny_gguf(tmp_path / "g.gguf", embedder=False), "generator")
    catalog.register(embedder, "embedder")
    spec = catalog.spec(nice=10)
    assert (spec.embedder, spec.generator, spec.nice) == (embedder, generator.path, 10)
    assert spec.generator_sha256 == generator.sha256
    assert spec.prefix_dir == tmp_path / "home" / "cache"


def test_a_package_that_is_not_what_it_was_is_refused_and_not_registered(
    catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tiny_gguf(tmp_path / "SmolLM2.gguf", embedder=False)
    packaged = catalog_module.Packaged("smollm2", "generator", path)
    monkeypatch.setattr(catalog_module, "discover", lambda: [packaged])
    with pytest.raises(ModelFailed, match="not the file it should be"):
        catalog.install()
    assert catalog.models() == []
