"""One line: what is written byte for byte, what is refused, and that no altered bit gets through."""

from __future__ import annotations

import json
import random
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store.making import NOW, note, open_store

from memcli.log.record import (
    BadLine,
    Change,
    Envelope,
    Question,
    change_of,
    change_record,
    entry_of,
    entry_record,
    kept,
    pack,
    question_of,
    question_record,
    sound,
    unpack,
)
from memcli.types import PRECISIONS, ROLES, STATUSES, TRUSTS, Entry, Moment

ID = "01M49ZVXG0AAAAAAAAAAAAAAAA"
AT = "2026-11-06T21:20:00Z"


def line(rec: object = None, /, **parts: Any) -> bytes:
    """A line with a right check sum, whatever it says."""
    value = {"v": 1, "id": ID, "device": "aaaaaa", "kind": "entry", "at": AT, "rec": rec or {}, **parts}
    body = json.dumps(value, separators=(",", ":")).encode()[:-1]
    return sealed(body)


def sealed(body: bytes) -> bytes:
    return body + b',"crc":"%08x"}' % zlib.crc32(body)


FULL = Entry(
    id=ID,
    run=ID,
    session="s",
    ordinal=3,
    source_key="k",
    text='Grüße, 花生 "x"\n\x00\u2028',
    imported_at=NOW,
    speaker="Ada",
    role="user",
    trust="self",
    moment=Moment(NOW, "second", 60),
    scope="project:x",
    source="chatgpt",
    origin="c.json",
    title="T",
    status="failed",
    pin=True,
)


def test_a_line_is_written_byte_for_byte_as_documented() -> None:
    written = pack(Envelope(ID, "aaaaaa", "entry", AT, entry_record(FULL)))
    assert written == (
        b'{"v":1,"id":"01M49ZVXG0AAAAAAAAAAAAAAAA","device":"aaaaaa","kind":"entry","at":"2026-11-06T21:20:00Z",'
        b'"rec":{"run":"01M49ZVXG0AAAAAAAAAAAAAAAA","session":"s","ordinal":3,"key":"k","role":"user","trust":"self",'
        b'"scope":"project:x","source":"chatgpt","imported_at":"2026-11-06T21:20:00Z",'
        b'"text":"Gr\\u00fc\\u00dfe, \\u82b1\\u751f \\"x\\"\\n\\u0000\\u2028","speaker":"Ada",'
        b'"said_at":"2026-11-06T21:20:00Z","precision":"second","offset":60,"origin":"c.json","title":"T",'
        b'"status":"failed","pin":true},"crc":"' + written[-11:-3] + b'"}\n'
    )
    assert int(written[-11:-3], 16) == zlib.crc32(written[: written.rindex(b',"crc"')])
    assert entry_of(unpack(written[:-1])) == FULL
    assert unpack(written[:-1] + b"   ") == unpack(written[:-1])


texts = st.text(st.characters(exclude_categories=()), min_size=1, max_size=40)
moments = st.none() | st.builds(
    Moment,
    st.integers(-62_135_596_800_000, 253_402_300_799_999),
    st.sampled_from(PRECISIONS),
    st.none() | st.integers(-1439, 1439),
    st.booleans(),
)
entries = st.builds(
    Entry,
    id=st.just(ID),
    run=texts,
    session=texts,
    ordinal=st.integers(0, 2**63 - 1),
    source_key=texts,
    text=texts,
    imported_at=st.integers(0, 4_000_000_000_000),
    speaker=st.none() | texts,
    role=st.sampled_from(ROLES),
    trust=st.sampled_from(TRUSTS),
    moment=moments,
    scope=texts,
    source=texts,
    origin=st.none() | texts,
    title=st.none() | texts,
    status=st.none() | st.sampled_from(STATUSES),
    pin=st.booleans(),
)


@given(entries)
def test_what_is_kept_is_exactly_what_is_read_back(entry: Entry) -> None:
    as_read, record = kept(entry)
    written = pack(Envelope(entry.id, "aaaaaa", "entry", AT, record))
    assert written.isascii()
    assert written.count(b"\n") == 1
    again = entry_of(unpack(written[:-1]))
    assert again == as_read
    assert as_read.text == sound(entry.text)
    as_read.text.encode("utf-8")


@given(
    st.builds(
        Change,
        op=texts.map(sound),
        run=texts.map(sound),
        author=texts.map(sound),
        reason=texts.map(sound),
        target=st.none() | texts.map(sound),
        evidence=st.lists(texts.map(sound), max_size=3).map(tuple),
        before=st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=3), max_size=2),
    )
)
def test_a_change_reads_back_as_it_was_written(change: Change) -> None:
    assert change_of(unpack(pack(Envelope(ID, "a", "change", AT, change_record(change)))[:-1])) == change


@pytest.mark.parametrize("terminal", [None, "0123456789abcdef"])
def test_a_question_reads_back_as_it_was_written(terminal: str | None) -> None:
    question = Question("コーヒー?", (ID, ID), (ID,), False, "user", terminal)
    assert ("terminal" in question_record(question)) == (terminal is not None)
    assert question_of(unpack(pack(Envelope(ID, "a", "question", AT, question_record(question)))[:-1])) == question


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"x",
        b"{}",
        b"null",
        b"\xff\xfe" * 40,
        b"\0" * 4096,
        b'{"v":1}',
        sealed(b"[1"),
        sealed(b"["),
        sealed(b"null"),
        sealed(b'{"v":1'),
        sealed(b"\xff\xfe"),
        sealed('{"v":1,"id":"ü"'.encode()),
        sealed(b'{"v":1,"id":"a","device":"a","kind":"entry","at":"a","rec":{"x":NaN}'),
        sealed(b'{"v":1,"id":"a","device":"a","kind":"entry","at":"a","rec":{"x":-Infinity}'),
        sealed(b'{"v":1,"id":"a","device":"a","kind":"entry","at":"a","rec":{"x":' + b"9" * 5000 + b"}"),
        sealed(b'{"v":1,"id":"a","device":"a","kind":"entry","at":"a","rec":{"x":' + b"[" * 100_000),
        line(v="1"),
        line(v=True),
        line(v=1.0),
        line(id=5),
        line(id="\ud800"),
        line(kind=["entry"]),
        line(kind={}),
        line(at=None),
        line(device=3),
        line([1]),
        line("text"),
    ],
    ids=range(28),
)
def test_what_is_no_envelope_is_a_bad_line_and_nothing_else(raw: bytes) -> None:
    with pytest.raises(BadLine):
        unpack(raw)


GOOD = entry_record(FULL)


@pytest.mark.parametrize("name", ["run", "session", "ordinal", "key", "role", "trust", "source", "imported_at", "text"])
def test_an_entry_without_a_field_it_needs_is_bad(name: str) -> None:
    with pytest.raises(BadLine):
        entry_of(unpack(line({key: value for key, value in GOOD.items() if key != name})))


@pytest.mark.parametrize("name", sorted(GOOD))
@pytest.mark.parametrize("value", [5, 1 << 70, 1.5, True, "", "x", [], {}, [1], {"a": None}, None], ids=repr)
def test_a_field_of_any_other_type_is_read_or_bad_but_never_an_error(name: str, value: object) -> None:
    try:
        entry = entry_of(unpack(line({**GOOD, name: value})))
    except BadLine:
        return
    assert kept(entry)[0] == entry


@pytest.mark.parametrize(
    "wrong",
    [
        {"ordinal": True},
        {"ordinal": 1 << 63},
        {"offset": 1440},
        {"offset": 60.0},
        {"offset": True},
        {"pin": 1},
        {"said_at": "yesterday"},
        {"said_at": "0001-01-01T00:00:00+23:00"},
        {"precision": "century"},
        {"status": "done"},
        {"text": ""},
        {"speaker": ["a", "b"]},
    ],
)
def test_an_entry_whose_row_would_not_be_what_its_hash_says_is_bad(wrong: dict[str, object]) -> None:
    with pytest.raises(BadLine):
        entry_of(unpack(line({**GOOD, **wrong})))


@pytest.mark.parametrize(
    "wrong", [{"op": ["undo"]}, {"run": 1}, {"evidence": "abc"}, {"evidence": [1]}, {"after": [1]}]
)
def test_a_change_of_the_wrong_shape_is_bad(wrong: dict[str, object]) -> None:
    with pytest.raises(BadLine):
        change_of(unpack(line({"op": "undo", "run": "r", "author": "a", "reason": "b", **wrong}, kind="change")))


@pytest.mark.parametrize(
    "wrong", [{"question": 1}, {"evidence": "a"}, {"cited": [None]}, {"abstained": 0}, {"scope": 1}, {"terminal": 1}]
)
def test_a_question_of_the_wrong_shape_is_bad(wrong: dict[str, object]) -> None:
    rec = {"question": "q", "evidence": [], "cited": [], "abstained": True, **wrong}
    with pytest.raises(BadLine):
        question_of(unpack(line(rec, kind="question")))


def test_no_single_altered_bit_gets_through(tmp_path: Path) -> None:
    """3,000 flips over three lines: what is still read is one of the records as it was written."""
    store = open_store(tmp_path)
    written = [
        pack(Envelope(ID, "aaaaaa", "entry", AT, entry_record(note(store, text))))
        for text in ("short", "花生" * 30, "with\nnewlines " * 20)
    ]
    whole = b"".join(written)
    originals = {unpack(raw[:-1]).rec["text"]: unpack(raw[:-1]) for raw in written}
    chance = random.Random(7)
    for _ in range(3000):
        place = chance.randrange(len(whole) * 8)
        altered = bytearray(whole)
        altered[place // 8] ^= 1 << place % 8
        read = []
        for raw in bytes(altered).split(b"\n"):
            try:
                read.append(unpack(raw))
            except BadLine:
                continue
        assert 1 <= len(read) <= 2
        assert all(envelope == originals[envelope.rec["text"]] for envelope in read)
