"""MiniLM weights (safetensors, BERT names) to a Q8_0 GGUF that llama.cpp loads.

The output is the same bytes every time, so that its sha256 can be pinned.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memcli.disk import Disk, refusal
from memcli.errors import ModelFailed

Progress = Callable[[float], None]

_NAME = "all-MiniLM-L6-v2"

_OUTER = {
    "embeddings.word_embeddings": "token_embd",
    "embeddings.position_embeddings": "position_embd",
    "embeddings.token_type_embeddings": "token_types",
    "embeddings.LayerNorm": "token_embd_norm",
}
_INNER = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}
# llama.cpp wants these in full; they are small.
_FULL = ("position_embd.weight", "token_types.weight")

_NORMAL, _UNKNOWN, _CONTROL, _UNUSED = 1, 2, 3, 5
_SPECIAL = {"[PAD]": _CONTROL, "[UNK]": _UNKNOWN, "[CLS]": _CONTROL, "[SEP]": _CONTROL, "[MASK]": _CONTROL}


def convert_minilm(source: Path, target: Path, progress: Progress | None = None) -> Path:
    """Write the model in directory `source` to `target` as GGUF; returns `target`.

    `source` holds config.json, vocab.txt and model.safetensors. `progress` is
    called with the share done, 0 to 1. Raises ModelFailed when the weights
    are not what they should be, CannotWrite when the target cannot be written.
    `target` appears whole or not at all.
    """
    told = progress or (lambda share: None)
    told(0.0)
    try:
        config = json.loads((source / "config.json").read_text("utf-8"))
        words = (source / "vocab.txt").read_text("utf-8").splitlines()
        tensors = dict(_read_weights(source / "model.safetensors"))
    except (OSError, ValueError) as error:
        raise ModelFailed(
            f"The packaged embedding model in {source} cannot be read: {error}.",
            "Install the packages of models.txt again, then run `mem init`.",
        ) from error
    _check(config, words, tensors, source)
    told(0.3)
    disk = Disk()
    disk.make_dirs(target.parent)
    try:
        with _replacing(target, disk) as temporary:
            _write(temporary, config, words, tensors, lambda share: told(0.3 + 0.7 * share))
    except OSError as error:
        raise refusal(error, str(target)) from error
    told(1.0)
    return target


@contextmanager
def _replacing(target: Path, disk: Disk) -> Iterator[Path]:
    """A path to write to; what is written there becomes `target` when the body succeeds."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        handle = os.open(temporary, os.O_CREAT | os.O_RDWR | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        try:
            yield temporary
            disk.fsync(handle)
        finally:
            os.close(handle)
        disk.rename(temporary, target)
        disk.fsync_dir(target.parent)
    finally:
        disk.unlink(temporary)


def _read_weights(path: Path) -> Iterator[tuple[str, Any]]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            for name in file.keys():  # noqa: SIM118 - not a mapping
                yield name, file.get_tensor(name)
    except SafetensorError as error:
        raise ValueError(str(error)) from error


def _check(config: dict[str, Any], words: list[str], tensors: dict[str, Any], source: Path) -> None:
    """The architecture is BERT's and every tensor of it is there in the right shape."""
    try:
        width = int(config["hidden_size"])
        fits = (
            config["model_type"] == "bert"
            and tensors["embeddings.word_embeddings.weight"].shape == (len(words), width)
            and all(f"encoder.layer.{n}.{part}.weight" in tensors
                    for n in range(int(config["num_hidden_layers"])) for part in _INNER)
        )  # fmt: skip
    except KeyError:
        fits = False
    if not fits:
        raise ModelFailed(
            f"The files in {source} are not a BERT embedding model.",
            "Install the packages of models.txt again, then run `mem init`.",
        )


def gguf_name(name: str) -> str | None:
    """The GGUF name of a BERT tensor, None for one the embedder does not need (the pooler)."""
    stem, _, suffix = name.rpartition(".")
    if stem in _OUTER:
        return f"{_OUTER[stem]}.{suffix}"
    if stem.startswith("encoder.layer."):
        number, _, part = stem.removeprefix("encoder.layer.").partition(".")
        if part in _INNER:
            return f"blk.{int(number)}.{_INNER[part]}.{suffix}"
    return None


def gguf_word(word: str) -> str:
    """A WordPiece entry as llama.cpp spells it: `▁` starts a word, `##` is dropped."""
    if word.startswith("[") and word.endswith("]"):
        return word
    return word[2:] if word.startswith("##") else f"▁{word}"


def _word_type(word: str) -> int:
    return _UNUSED if word.startswith("[unused") else _SPECIAL.get(word, _NORMAL)


def _write(path: Path, config: dict[str, Any], words: list[str], tensors: dict[str, Any], progress: Progress) -> None:
    import gguf
    import numpy as np
    from gguf import quants

    writer = gguf.GGUFWriter(path, "bert")
    writer.add_name(_NAME)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    writer.add_context_length(int(config["max_position_embeddings"]))
    writer.add_embedding_length(int(config["hidden_size"]))
    writer.add_feed_forward_length(int(config["intermediate_size"]))
    writer.add_block_count(int(config["num_hidden_layers"]))
    writer.add_head_count(int(config["num_attention_heads"]))
    writer.add_layer_norm_eps(float(config["layer_norm_eps"]))
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_type_count(int(config["type_vocab_size"]))
    writer.add_token_list([gguf_word(word) for word in words])
    writer.add_token_types([_word_type(word) for word in words])
    place = {word: index for index, word in enumerate(words)}
    writer.add_bos_token_id(place["[CLS]"])
    writer.add_unk_token_id(place["[UNK]"])
    writer.add_sep_token_id(place["[SEP]"])
    writer.add_pad_token_id(place["[PAD]"])
    writer.add_mask_token_id(place["[MASK]"])
    # Sorted, so that the order of the source file does not show in the bytes.
    for done, name in enumerate(sorted(tensors), start=1):
        target = gguf_name(name)
        if target is not None:
            values = np.ascontiguousarray(tensors[name], dtype=np.float32)
            if values.ndim == 2 and target not in _FULL:
                packed = quants.quantize(values, gguf.GGMLQuantizationType.Q8_0)
                writer.add_tensor(target, packed, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
            else:
                writer.add_tensor(target, values)
        progress(done / len(tensors))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
