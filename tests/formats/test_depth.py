"""A file of a hundred thousand brackets must not take gigabytes; brackets in strings are no nesting."""

from __future__ import annotations

import io
import json
import random

import pytest

from memcli.formats import registry
from memcli.formats.base import ParseOptions
from memcli.formats.depth import DEEPEST, Shallow
from memcli.formats.source import Source
from memcli.types import Draft, Skip


def through(data: bytes, size: int) -> tuple[bytes, bool]:
    stream = Shallow(io.BytesIO(data))
    pieces = []
    while piece := stream.read(size):
        pieces.append(piece)
    return b"".join(pieces), stream.too_deep


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 100_000])
def test_what_is_flat_goes_through_whatever_its_strings_hold(size: int) -> None:
    chance = random.Random(size)
    texts = ["".join(chance.choices('[{]}"\\\n:a', k=chance.randrange(60))) for _ in range(200)]
    data = json.dumps(
        [{"text": text, "nested": [[text]]} for text in [*texts, "[" * 900, "\\" * 51, '"' * 50]]
    ).encode()
    assert through(data, size) == (data, False)


@pytest.mark.parametrize("size", [1, 5, 64, 100_000])
@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"]":'])
def test_it_ends_where_it_grows_too_deep(size: int, opening: bytes) -> None:
    begun = b'[{"text": "one [["}, '
    got, too_deep = through(begun + opening * 5_000, size)
    assert too_deep
    assert got.startswith(begun)
    assert got.count(b"[") + got.count(b"{") <= DEEPEST + 3


@pytest.mark.parametrize("name", ["sharegpt", "openai", "telegram"])
def test_what_stands_before_it_is_kept_and_it_is_said(name: str) -> None:
    said = {
        "sharegpt": b'[{"id": "a", "conversations": [{"from": "human", "value": "flat 9"}]}, ',
        "openai": b'[{"role": "user", "content": "flat 9"}, ',
        "telegram": b'{"name": "Bo", "type": "personal_chat", "id": 4, "messages": [{"id": 1, "type": "message", '
        b'"date": "2026-05-20T15:00:00", "from": "A", "from_id": "user1", "text": "flat 9"}, ',
    }[name]
    source = Source.from_bytes("export.json", said + b'{"a":' * 100_000)
    items = list(registry.parse(source, registry.by_name(name), ParseOptions()))
    assert [item.text for item in items if isinstance(item, Draft)] == ["flat 9"]
    assert [item.reason for item in items if isinstance(item, Skip)] == ["the JSON is nested too deeply here"]
