"""The real models, where their packages are installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memcli.llm.catalog import Packaged, discover
from memcli.llm.client import Worker, WorkerSpec
from memcli.llm.convert import convert_minilm


def packaged(kind: str) -> Packaged:
    for found in discover():
        if found.kind == kind:
            return found
    pytest.skip(f"no {kind} package of models.txt is installed")


@pytest.fixture(scope="session")
def minilm_source() -> Path:
    """The folder with MiniLM's weights."""
    return packaged("embedder").source


@pytest.fixture(scope="session")
def minilm(minilm_source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """MiniLM as GGUF."""
    pytest.importorskip("gguf", reason="gguf converts the embedder")
    return convert_minilm(minilm_source, tmp_path_factory.mktemp("models") / "minilm.gguf")


@pytest.fixture(scope="session")
def smollm() -> Path:
    """SmolLM2-135M as GGUF."""
    return packaged("generator").source


@pytest.fixture(scope="module")
def worker(minilm: Path, smollm: Path) -> Iterator[Worker]:
    """One worker with both models, for tests that leave it as it was."""
    with Worker.start(WorkerSpec(minilm, smollm, n_ctx=512)) as started:
        yield started
