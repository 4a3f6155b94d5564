"""The packaged MiniLM as a GGUF: the same bytes every time, the same vectors as the original."""

from __future__ import annotations

import hashlib
import shutil
import stat
from pathlib import Path

import pytest

from memcli.errors import CannotWrite, ModelFailed
from memcli.llm.catalog import KNOWN, Catalog
from memcli.llm.client import Worker, WorkerSpec
from memcli.llm.convert import convert_minilm, gguf_name, gguf_word
from memcli.llm.header import read_header

TEXTS = (
    "hello world",
    "Anna moved to Zürich in March 2021, didn't she?",
    "the quick brown fox jumps over the lazy dog",
    "supercalifragilisticexpialidocious antidisestablishmentarianism",
    "花生 and コーヒー",
    "naïve café façade — e-mail: a.b@example.org, $12.50!",
    "I bought apples. " * 6,
    "x",
)


def test_words_are_spelled_as_llama_cpp_reads_them() -> None:
    assert [gguf_word(word) for word in ("the", "##ing", "[CLS]", "##")] == ["▁the", "ing", "[CLS]", ""]


def test_tensors_get_their_gguf_names_and_the_pooler_none() -> None:
    assert gguf_name("encoder.layer.5.attention.output.LayerNorm.bias") == "blk.5.attn_output_norm.bias"
    assert gguf_name("embeddings.word_embeddings.weight") == "token_embd.weight"
    assert gguf_name("pooler.dense.weight") is None
    assert gguf_name("embeddings.position_ids") is None


@pytest.mark.model
def test_the_file_is_the_one_whose_sha256_is_pinned(minilm: Path) -> None:
    assert hashlib.sha256(minilm.read_bytes()).hexdigest() in KNOWN
    assert stat.S_IMODE(minilm.stat().st_mode) == 0o600
    assert [path.name for path in minilm.parent.iterdir()] == [minilm.name]


@pytest.mark.model
def test_the_header_says_what_the_model_is(minilm: Path) -> None:
    header = read_header(minilm)
    assert (header.architecture, header.embedding_length, header.context_length, header.embeds) == (
        "bert",
        384,
        512,
        True,
    )


@pytest.mark.model
def test_the_vectors_are_those_of_the_original_weights(minilm: Path, minilm_source: Path) -> None:
    np = pytest.importorskip("numpy")
    from .reference import Reference

    reference = Reference(minilm_source)
    with Worker.start(WorkerSpec(embedder=minilm)) as worker:
        pairs = zip(TEXTS, worker.embed(TEXTS), strict=True)
        cosines = [float(np.dot(reference.embed(text), vector)) for text, vector in pairs]
    # Eight bits a weight: a single letter comes out worst, at .9988. With 16 bits all are 1.0000.
    assert sum(cosines) / len(cosines) >= 0.999
    assert min(cosines) >= 0.998


@pytest.mark.model
def test_progress_runs_from_nothing_to_all(minilm_source: Path, tmp_path: Path) -> None:
    shares: list[float] = []
    convert_minilm(minilm_source, tmp_path / "m.gguf", shares.append)
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


@pytest.mark.model
def test_what_the_packages_bring_is_registered_once(minilm_source: Path, smollm: Path, tmp_path: Path) -> None:
    catalog = Catalog(tmp_path)
    models = catalog.install()
    assert {(model.kind, model.known) for model in models} == {("embedder", True), ("generator", True)}
    assert catalog.install() == []
    embedder, generator = catalog.active("embedder"), catalog.active("generator")
    assert embedder is not None
    assert generator is not None
    assert embedder.path.parent == catalog.directory
    assert generator.path == smollm


@pytest.mark.model
@pytest.mark.parametrize("missing", ["config.json", "vocab.txt", "model.safetensors"])
def test_a_source_with_a_file_missing_is_refused(minilm_source: Path, tmp_path: Path, missing: str) -> None:
    for name in {"config.json", "vocab.txt", "model.safetensors"} - {missing}:
        (tmp_path / name).symlink_to(minilm_source / name)
    with pytest.raises(ModelFailed):
        convert_minilm(tmp_path, tmp_path / "out" / "m.gguf")
    assert not (tmp_path / "out").exists()


@pytest.mark.model
def test_damaged_weights_are_refused(minilm_source: Path, tmp_path: Path) -> None:
    for name in ("config.json", "vocab.txt"):
        shutil.copy(minilm_source / name, tmp_path)
    weights = tmp_path / "model.safetensors"
    for data in (b"", b"\xff" * 64, (minilm_source / "model.safetensors").read_bytes()[:1_000_000]):
        weights.write_bytes(data)
        with pytest.raises(ModelFailed):
            convert_minilm(tmp_path, tmp_path / "m.gguf")


@pytest.mark.model
def test_a_target_that_cannot_be_written_leaves_nothing(minilm_source: Path, tmp_path: Path) -> None:
    target = tmp_path / "m.gguf"
    target.mkdir()
    with pytest.raises(CannotWrite):
        convert_minilm(minilm_source, target)
    assert list(tmp_path.iterdir()) == [target]
