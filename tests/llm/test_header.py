"""Reading what a GGUF says about itself, whatever the file holds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memcli.llm.header import BadHeader, Header, read_header

from .ggufs import tiny_gguf


def test_a_header_tells_what_the_model_is(tmp_path: Path) -> None:
    found = read_header(tiny_gguf(tmp_path / "m.gguf", embedder=True))
    assert found == Header("bert", "tiny", 8, 16, embeds=True)


def test_a_generator_has_no_pooling(tmp_path: Path) -> None:
    assert not read_header(tiny_gguf(tmp_path / "m.gguf", embedder=False)).embeds


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    path = tiny_gguf(tmp_path / "m.gguf", embedder=True)
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(BadHeader):
            read_header(path)


def test_a_damaged_header_is_refused_or_read_but_never_anything_else(tmp_path: Path) -> None:
    path = tiny_gguf(tmp_path / "m.gguf", embedder=True)
    whole = path.read_bytes()
    chance = random.Random(7)
    for _ in range(1_000):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            damaged[chance.randrange(len(damaged))] = chance.choice((0, 1, 9, 127, 255, chance.randrange(256)))
        path.write_bytes(damaged)
        try:
            read_header(path)
        except BadHeader:
            pass


@pytest.mark.parametrize("data", [b"", b"GGU", b"PK\x03\x04 a zip", b"GGUF" + b"\xff" * 100])
def test_what_is_no_gguf_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(data)
    with pytest.raises(BadHeader):
        read_header(path)
