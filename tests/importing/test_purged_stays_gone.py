"""Invariant 5: what was purged does not come back, by whatever route; what was not purged still does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.harness import Mem
from hypothesis import given, settings
from hypothesis import strategies as st
from store.making import QuickDisk

from memcli.store.marks import LONG_WORDS, key_mark, words_mark, words_marks
from memcli.types import Moment

from .test_once import MAKERS, chat, exported, file, note

every_source = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
LONG = "the shed is painted in a very particular shade of green that nobody else has"


@every_source
def test_the_same_again_by_file_zip_folder_or_pipe_brings_nothing_back(make: object, mem: Mem, tmp_path: Path) -> None:
    text = make(40)  # type: ignore[operator]
    path = file(tmp_path, text)
    new = mem.ok("import", path, "--json").json["new"]
    ids = [row[0] for row in mem.rows("id")]
    mem.ok("forget", *ids[: new // 2], "--purge", "--yes")
    left = mem.texts()
    again = mem.ok("import", path, "--json").json
    assert (again["new"], again["known"], again["skipped"]["purged earlier"]) == (0, new - new // 2, new // 2)
    folder = tmp_path / "folder"
    folder.mkdir()
    file(folder, text, "other name.txt")
    assert mem.ok("import", str(folder), "--json").json["new"] == 0
    if make is not note:  # a note from a pipe is a typed note
        mem.ok("add", stdin=text.encode())
    assert mem.texts() == left


@every_source
def test_a_longer_one_brings_only_what_is_new(make: object, mem: Mem, tmp_path: Path) -> None:
    mem.ok("import", file(tmp_path, make(30)))  # type: ignore[operator]
    ids = [row[0] for row in mem.rows("id")]
    mem.ok("forget", *ids[5:15], "--purge", "--yes")
    left = mem.texts()
    whole = Mem(tmp_path / "whole")
    more = whole.ok("import", file(tmp_path, make(50)), "--json").json["new"]  # type: ignore[operator]
    grown = mem.ok("import", file(tmp_path, make(50)), "--json").json  # type: ignore[operator]
    assert grown["new"] == more - len(ids)
    assert set(left) <= set(mem.texts())
    assert len(mem.texts()) == more - 10


def test_of_messages_that_are_the_same_as_many_are_missing_as_were_purged(mem: Mem, tmp_path: Path) -> None:
    line = "[2026-02-01 10:00] Alex: ok\n"
    rest = "[2026-02-01 10:01] Kenji: yes\n[2026-02-01 10:02] Alex: so\n"
    mem.ok("import", file(tmp_path, line * 3 + rest))
    same = [row[0] for row in mem.rows("id, text") if row[1] == "ok"]
    mem.ok("forget", *same[:2], "--purge", "--yes")
    assert mem.ok("import", file(tmp_path, line * 3 + rest), "--json").json["skipped"] == {"purged earlier": 2}
    assert mem.texts().count("ok") == 1
    assert mem.ok("import", file(tmp_path, line * 4 + rest), "--json").json["new"] == 1
    assert mem.texts().count("ok") == 2


@settings(max_examples=12, deadline=None)
@given(
    first=st.lists(st.sampled_from("abc"), min_size=3, max_size=8),
    purged=st.lists(st.integers(0, 7), max_size=5),
    then=st.lists(st.sampled_from("abcd"), min_size=3, max_size=10),
)
def test_an_import_brings_as_many_as_it_saw_less_what_was_there_and_what_was_purged(
    tmp_path_factory: pytest.TempPathFactory, first: list[str], purged: list[int], then: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("multiset")
    mem = Mem(folder / "home", disk=QuickDisk())

    def lines(words: list[str]) -> str:
        return "".join(f"[2026-02-01 10:00] Alex: {word}\n" for word in words)

    mem.ok("import", "--as", "transcript", file(folder, lines(first)))
    rows = mem.rows("id, text")
    gone = [rows[at] for at in sorted({at for at in purged if at < len(rows)})]
    if gone:
        mem.ok("forget", *[row[0] for row in gone], "--purge", "--yes")
    mem.ok("import", "--as", "transcript", file(folder, lines(then)))
    for word in "abcd":
        had, lost = first.count(word), [row[1] for row in gone].count(word)
        assert mem.texts().count(word) == had - lost + max(0, then.count(word) - had)


def test_long_words_of_the_same_day_stay_gone_though_another_export_names_them_otherwise(
    mem: Mem, tmp_path: Path
) -> None:
    android = f"15/03/2026, 10:00 - Ann: {LONG}\n15/03/2026, 10:01 - Bob: fine\n15/03/2026, 10:02 - Ann: ok\n"
    ios = f"[15.03.26, 10:00:41] Ann: {LONG}\n[15.03.26, 10:01:07] Bob: fine\n[15.03.26, 10:02:11] Ann: ok\n"
    mem.ok("import", file(tmp_path, android, "android.txt"))
    mem.ok("forget", "--query", "shade of green", "--purge", "--yes")
    mem.ok("import", file(tmp_path, ios, "ios.txt"))
    assert LONG not in mem.texts()
    later = ios.replace("15.03.26", "20.03.26")
    mem.ok("import", file(tmp_path, later, "later.txt"))
    assert mem.texts().count(LONG) == 1


def test_what_was_forgotten_is_there_and_comes_only_by_restore(mem: Mem, tmp_path: Path) -> None:
    path = file(tmp_path, chat(20))
    new = mem.ok("import", path, "--json").json["new"]
    ids = [row[0] for row in mem.rows("id")]
    mem.ok("forget", *ids[:4], "--yes")
    assert mem.ok("import", path, "--json").json["known"] == new
    assert len(mem.texts()) == new - 4
    mem.ok("restore", *ids[:4])
    assert mem.ok("import", path, "--json").json["known"] == new


def test_typed_again_it_is_kept_again(mem: Mem) -> None:
    mem.ok("add", LONG)
    mem.ok("forget", "--query", "shade", "--purge", "--yes")
    assert mem.texts() == []
    mem.ok("add", LONG)
    assert mem.texts() == [LONG]


def test_the_original_of_a_document_some_of_which_was_purged_is_not_kept_again(mem: Mem, tmp_path: Path) -> None:
    path = tmp_path / "shed.html"
    path.write_text(f"<html><body><h1>Paint</h1><p>{LONG}</p><h1>Roof</h1><p>It leaks.</p></body></html>")
    mem.ok("import", str(path))
    assert list((mem.home / "blobs").glob("*/*"))
    result = mem.ok("forget", "--query", "shade of green", "--purge", "--yes")
    assert "1 original document goes too, from which 1 other entry comes" in result.out
    assert not [found for found in (mem.home / "blobs").rglob("*") if found.is_file()]
    entry_id = mem.rows("id")[0][0]
    assert "not kept any more" in mem.ok("show", entry_id).out
    result = mem.ok("import", str(path))
    assert "the original is not kept, some of it was purged" in result.err
    assert not [found for found in (mem.home / "blobs").rglob("*") if found.is_file()]
    assert mem.ok("verify").code == 0


def test_an_edited_message_with_the_same_id_stays_gone(mem: Mem, tmp_path: Path) -> None:
    mem.ok("import", file(tmp_path, exported(6)))
    mem.ok("forget", "--query", "message 3", "--purge", "--yes")
    edited = json.loads(exported(6))
    edited[0]["mapping"]["m3"]["message"]["content"]["parts"] = ["said otherwise"]
    assert mem.ok("import", file(tmp_path, json.dumps(edited)), "--json").json["new"] == 0


def test_marks_tell_nothing_without_the_key_and_agree_where_the_words_do() -> None:
    one, other = b"1" * 32, b"2" * 32
    moment = Moment(1_770_000_000_000, "second", 60)
    text = "x" * LONG_WORDS
    assert key_mark("h:abc", one) != key_mark("h:abc", other)
    assert key_mark("typed:01M6", one) is None
    assert words_mark(text[1:], moment, one) is None
    mark = words_mark(text, moment, one)
    assert mark != words_mark(text, moment, other)
    for again in (moment, Moment(moment.ms + 30_000, "minute", None, True), Moment(moment.ms + 80_000_000, "day")):
        assert mark in words_marks(f"  {text[:20]}\n{text[20:]}", again, one)
    assert mark not in words_marks(text, Moment(moment.ms + 3 * 86_400_000), one)
    assert words_mark(text, None, one) in words_marks(text, moment, one)
