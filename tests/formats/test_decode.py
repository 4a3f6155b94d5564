"""Bytes to text: what is assumed, what is refused."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.errors import BadData
from memcli.formats.source import Source
from memcli.lang.decode import decode, guess, open_text, open_utf8

READABLE = [
    ("plain", b"I moved to flat 9.", "I moved to flat 9.", False),
    ("utf-8", "Café 花生".encode(), "Café 花生", False),
    ("utf-8 with BOM", b"\xef\xbb\xbfflat 9", "flat 9", False),
    ("utf-16 le", "flat 9 – Café".encode("utf-16"), "flat 9 – Café", True),
    ("utf-16 be", b"\xfe\xff" + "flat 9".encode("utf-16-be"), "flat 9", True),
    ("windows-1252", "Café crème brûlée à la carte".encode("cp1252"), "Café crème brûlée à la carte", True),
    ("windows-1252, one word", "café".encode("cp1252"), "café", True),
    ("windows quotes", "it’s “fine” — really".encode("cp1252"), "it’s “fine” — really", True),
    ("cyrillic", "Привет, как дела? Я переехал.".encode("cp1251"), "Привет, как дела? Я переехал.", True),
    (
        "shift-jis",
        "花生アレルギーがあります。飲みません。".encode("shift_jis"),
        "花生アレルギーがあります。飲みません。",
        True,
    ),
    (
        "czech",
        "Příliš žluťoučký kůň úpěl ďábelské ódy".encode("cp1250"),
        "Příliš žluťoučký kůň úpěl ďábelské ódy",
        True,
    ),
    ("empty", b"", "", False),
]


@pytest.mark.parametrize(("data", "text", "noted"), [row[1:] for row in READABLE], ids=[row[0] for row in READABLE])
def test_text_is_read_and_assumptions_are_noted(data: bytes, text: str, noted: bool) -> None:
    assert (decode(data)[0], decode(data)[1] is not None) == (text, noted)


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0abc",
        b"GIF89a",
        b"\x7fELF\x02",
        b"\x1f\x8b\x08",
        b"SQLite format 3\x00",
        b"some words\x00and a NUL",
        bytes(range(1, 9)) * 8,
    ],
)
def test_binary_data_is_refused_not_stored(data: bytes) -> None:
    with pytest.raises(BadData):
        decode(data)


def test_one_bad_byte_late_in_a_big_file_costs_no_text() -> None:
    source = Source.from_bytes("x", b"a line\n" * 20_000 + b"caf\xe9\n")
    assert list(source.lines())[-1] == "café"


def test_lines_end_at_lf_and_keep_their_cr() -> None:
    source = Source.from_bytes("x", "a\r\nb\x0bc\u2028d\n".encode())
    assert list(source.lines()) == ["a\r", "b\x0bc\u2028d"]


@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\x00")), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])
)
def test_every_text_comes_back_by_every_route(text: str, name: str) -> None:
    # A text that is mostly control characters is taken for binary data.
    text = "words and words; " * 40 + text
    data = text.encode(name)
    encoding = guess(data)
    assert decode(data)[0] == text
    assert open_text(io.BytesIO(data), encoding).read() == text
    assert open_utf8(io.BytesIO(data), encoding).read().decode() == text


@given(st.binary())
def test_bytes_become_text_or_are_refused(data: bytes) -> None:
    try:
        text, _ = decode(data)
    except BadData:
        return
    assert isinstance(text, str)
