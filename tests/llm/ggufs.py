"""A tiny GGUF, made by hand: a header, a vocabulary and one tensor."""

from __future__ import annotations

import struct
from pathlib import Path


def _text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def _pair(key: str, value: str | int | bool | list[str]) -> bytes:
    if isinstance(value, bool):
        return _text(key) + struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return _text(key) + struct.pack("<II", 4, value)
    if isinstance(value, str):
        return _text(key) + struct.pack("<I", 8) + _text(value)
    return _text(key) + struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(_text, value))


def tiny_gguf(path: Path, *, embedder: bool, fill: int = 1) -> Path:
    """Write one to `path`. `fill` makes files that differ only in a tensor."""
    arch = "bert" if embedder else "llama"
    pairs: dict[str, str | int | bool | list[str]] = {
        "general.architecture": arch,
        "general.name": "tiny",
        f"{arch}.embedding_length": 8,
        f"{arch}.context_length": 16,
        "tokenizer.ggml.tokens": ["a", "b", "▁c"],
    }
    if embedder:
        pairs[f"{arch}.pooling_type"] = 1
    tensor = _text("token_embd.weight") + struct.pack("<I2QIQ", 2, 8, 3, 0, 0)
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, len(pairs))
    head += b"".join(_pair(key, value) for key, value in pairs.items()) + tensor
    head += b"\0" * (-len(head) % 32)
    path.write_bytes(head + bytes([fill]) * (8 * 3 * 4))
    return path
