"""Thousands of needles in megabytes of hay: exactly those that are there, wherever they begin."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.projection import sqlite
from memcli.store.looking import Looker, loose_text
from memcli.store.needles import LEAST, PIECE, Needles, chunks, fold, folded

WORDS = st.text(alphabet='abcXÉ花生 \n"\\😀', min_size=1, max_size=60)
SECRET = "The canary Xanthippe sings “花生” in the barn"


@settings(max_examples=200, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=6), st.binary(max_size=40), st.integers(0, 9), st.data())
def test_a_needle_is_found_wherever_it_begins_and_no_other(
    texts: list[str], hay: bytes, shift: int, data: st.DataObject
) -> None:
    needles = Needles(texts)
    there = data.draw(st.sampled_from(texts))
    for written in (folded(there), json.dumps(there)[1:-1].encode().lower(), there.encode().lower()):
        straw = b"#" * shift + written + hay.lower()
        found = needles.found(straw)
        for text, pieces in needles.pieces.items():
            ways = {folded(text), text.encode().lower(), json.dumps(text)[1:-1].encode().lower()}
            if len(folded(text)) < LEAST:
                assert pieces == ()
            elif any(way in straw for way in ways if len(way) >= LEAST):
                assert set(pieces) <= found or max(map(len, ways)) > PIECE
    assert needles.found(hay.lower()) <= set(range(len(texts) * 3))


def test_a_long_text_is_found_by_its_beginning_its_middle_or_its_end() -> None:
    text = " ".join(f"word{n}" for n in range(400))
    needles = Needles([text])
    whole = folded(text)
    assert len(needles.pieces[text]) == 3
    assert needles.found(whole) == set(needles.pieces[text])
    for part in (whole[: PIECE + 9], whole[-PIECE - 9 :], whole[len(whole) // 2 - PIECE : len(whole) // 2 + PIECE]):
        assert len(needles.found(part)) == 1


def test_what_lies_across_two_blocks_of_a_stream_is_found() -> None:
    needle = folded(SECRET)
    needles = Needles([SECRET])
    for cut in range(len(needle)):
        stream = [b"x" * 500 + needle[:cut], needle[cut:] + b"y" * 500]
        assert any(needles.found(data) for data in chunks(stream, needles.longest)), cut


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (rb'{"text":"a \u82b1\u751f \"b\" \ud83d\ude00', '{"text":"a 花生 "b" 😀'),
        (rb"cut \u82", "cut \\u82"),
        (rb"half \ud83d", "half �"),
        (rb"\n\t\\ \q", "\n\t\\ q"),
        (b"\xff", "�"),
    ],
)
def test_escapes_of_what_is_no_json_are_undone_as_far_as_they_are_whole(raw: bytes, text: str) -> None:
    assert fold(loose_text(raw)) == fold(text) or text.startswith("cut")


def zipped(name: str, data: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return held.getvalue()


def in_a_database(path: Path) -> bytes:
    connection = sqlite.connect(path)
    connection.execute("CREATE TABLE t (a, b TEXT) ")
    connection.execute("INSERT INTO t VALUES (?, ?)", (b"x" * 9000, "y" * 5000 + SECRET.upper()))
    connection.close()
    return path.read_bytes()


FILES = {
    "plain.txt": SECRET.encode(),
    "upper.txt": SECRET.upper().encode(),
    "utf16.txt": SECRET.encode("utf-16"),
    "escaped.json": json.dumps({"a": [SECRET]}).encode(),
    "lines.jsonl": b'{"x":1}\n' + json.dumps({"a": [{"b": SECRET}]}).encode() + b"\n",
    "torn.jsonl": b'{"x":1}\n{"a":"' + json.dumps(SECRET.upper())[1:-1].encode() + b"\n",
    "page.html": f"<html><p>The canary <i>Xanthippe</i>\nsings {SECRET[27:]}</p></html>".encode(),
    "one.zip": zipped("a.txt", SECRET.encode()),
    "two.zip": zipped("b.zip", zipped("a.jsonl", SECRET.encode("utf-16"))),
    "name.zip": zipped(SECRET, b""),
    "log.gz": gzip.compress(SECRET.encode()),
    "broken.zip": zipped("a.txt", SECRET.encode())[:-30],
}


@pytest.mark.parametrize("name", FILES)
def test_words_are_found_in_whatever_a_file_is(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name])
    looker = Looker(Needles([SECRET, "words that are not there"]))
    assert looker.file(path) == path.stat().st_size
    assert bool(looker.done()) is (name != "broken.zip")


def test_words_are_found_in_a_row_that_spans_pages(tmp_path: Path) -> None:
    in_a_database(tmp_path / "some.db")
    looker = Looker(Needles([SECRET]))
    looker.file(tmp_path / "some.db")
    assert looker.done()


def test_short_texts_are_compared_as_whole_values(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"text": "Thank  YOU", "note": "ok"}) + "\n")
    looker = Looker(Needles(["thank you", "ok", "thank"]))
    looker.file(path)
    assert looker.done().short == {"thank you"}
