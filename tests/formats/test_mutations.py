"""Ten thousand damaged exports: nothing but an error of ours comes out, and what stands before the damage is kept.

`MEM_MUTATIONS=10000` tries all of them (half a minute); without it a tenth.
"""

from __future__ import annotations

import os
import random
import resource
import sys

import pytest

from memcli.errors import MemError
from memcli.formats import registry
from memcli.formats.base import ParseOptions
from memcli.formats.source import HEAD_BYTES, Source
from memcli.lang.decode import binary_kind
from memcli.types import Draft

from . import made, many
from .test_fuzz import SAMPLES, check

COUNT = int(os.environ.get("MEM_MUTATIONS", "1000"))
PARTS = 10
SEED = 20260520
RECORDS = 12
MOST_MEGABYTES = 60
"""How much more memory all of a part may take: the deepest nesting and the longest number are a megabyte."""

GARBAGE = (
    b"\x00", b"\xff\xfe", b"\xc3", b"\x1b[2J", b"\r", b"\n\n", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"null",
    b"\xe2\x80\xae", b"-->", b"From ", b"---\n", b"<v ", b"WEBVTT\n", b"#1779282000\n", b"\\ud800", b"\xed\xa0\x80",
)  # fmt: skip
HUGE = (b"9" * 5_000, b"1e99999", b"-" + b"9" * 400, b"1" + b"0" * 20_000, b"0." + b"3" * 5_000, b"Infinity", b"NaN")


def mutate(data: bytes, chance: random.Random) -> tuple[bytes, int]:
    """(the data with one to three things done to it, the first byte that is not as it was)."""
    first = len(data)
    for _ in range(chance.choice((1, 1, 2, 3))):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice((1, 3, 20, 200)))
        how = chance.randrange(8)
        if how == 0 and at < len(data):
            data = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        elif how == 1:
            data = data[:at]
        elif how == 2:
            data = data[:end] + data[at:end] * chance.randint(1, 30) + data[end:]
            at = end
        elif how == 3:
            data = data[:at] + chance.choice(GARBAGE) * chance.choice((1, 1, 1, 50)) + data[at:]
        elif how == 4:
            data = data[:at] + chance.randbytes(chance.choice((1, 8, 300))) + data[at:]
        elif how == 5:
            deep = chance.choice((b"[", b'{"a":', b"(", b"> ", b"<b>", b"- ")) * chance.choice((10, 1_000, 50_000))
            data = data[:at] + deep + data[at:]
        elif how == 6:
            data = data[:at] + chance.choice(HUGE) + data[end:]
        else:
            data = data[:at] + data[end:]
        first = min(first, at)
    return data, first


def peak_megabytes() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return usage / (1024 * 1024 if sys.platform == "darwin" else 1024)


def read(data: bytes, name: str | None) -> list[Draft]:
    """What is read before the end, or before an error of ours. Any other error is a failure."""
    source = Source.from_bytes("export", data)
    found = []
    try:
        for item in registry.parse(source, registry.by_name(name) if name else registry.detect(source), ParseOptions()):
            check([item])
            if isinstance(item, Draft):
                found.append(item)
    except MemError as error:
        assert error.message
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_what_stands_before_the_damage_is_kept(part: int) -> None:
    chance = random.Random(SEED + part)
    exports = {name: (format_, make(RECORDS)) for name, (format_, make) in many.MAKERS.items()}
    before = peak_megabytes()
    for _ in range(COUNT // 2 // PARTS):
        name = chance.choice(list(exports))
        format_, export = exports[name]
        data, first = mutate(export.data, chance)
        said = "\n".join(draft.text for draft in read(data, format_))
        # What is no text in its first part is refused whole, with a sentence.
        kept = [] if binary_kind(data[:HEAD_BYTES]) else export.texts[: export.whole_before(first)]
        missing = [text for text in kept if text not in said]
        assert not missing, (name, missing, data)
    assert peak_megabytes() - before < MOST_MEGABYTES


@pytest.mark.parametrize("part", range(PARTS))
def test_a_damaged_sample_is_read_or_refused(part: int) -> None:
    chance = random.Random(SEED + PARTS + part)
    samples = sorted(SAMPLES)
    before = peak_megabytes()
    for _ in range(COUNT // 2 // PARTS):
        data, _ = mutate(SAMPLES[chance.choice(samples)], chance)
        read(data, chance.choice((None, None, *registry.NAMES)))
    assert peak_megabytes() - before < MOST_MEGABYTES


@pytest.mark.parametrize("name", many.MAKERS)
def test_an_export_that_is_whole_is_read_whole(name: str) -> None:
    format_, make = many.MAKERS[name]
    export = make(RECORDS)
    found = read(export.data, format_)
    assert len(found) == RECORDS
    assert all(text in draft.text for text, draft in zip(export.texts, found, strict=True))
    assert format_ in registry.ASKED_FOR or registry.detect(Source.from_bytes("x", export.data)).name == format_


def test_every_format_is_among_them() -> None:
    whole = {format_ for format_, _ in many.MAKERS.values()}
    documents = {"pdf", "html", "eml", "note", "locomo"}
    assert whole | documents == set(registry.NAMES)
    assert made.pdf("x") and made.PAGE
