"""`mem forget` and `mem restore` as people use them: what is shown, what is asked, what is found afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from llm.fakes import HashingEmbedder

from .harness import Mem

CHAT = """\
[2026-03-01 10:00] Ann Lee: the spare key lies under the third pot from the left
[2026-03-01 10:01] Bob: thanks Ann Lee, I shall look there
[2026-03-01 10:02] Ann Lee: ok
[2026-03-01 10:03] Bob: the boiler is serviced in October
"""


@pytest.fixture
def talk(mem: Mem) -> Mem:
    Path("chat.txt").write_text(CHAT, encoding="utf-8")
    mem.ok("import", "chat.txt")
    mem.ok("add", "--scope", "project:shed", "花生を食べると息が苦しくなるのでいつも薬を持ち歩いています")
    mem.embedder = HashingEmbedder()
    mem.ok("tidy")
    return mem


def by_text(mem: Mem, words: str) -> str:
    return next(str(row[0]) for row in mem.rows("id, text") if words in str(row[1]))


def everything(home: Path) -> bytes:
    return b"\0".join(path.read_bytes() for path in home.rglob("*") if path.is_file()).lower()


def test_forgotten_it_is_in_no_answer_no_search_no_list_and_comes_back(talk: Mem) -> None:
    key = by_text(talk, "spare key")
    before = talk.digest()
    result = talk.ok("forget", key[-6:].lower(), "--yes")
    assert "forgotten: 1 entry\n" in result.out
    assert "third pot" not in talk.run("ask", "where is the spare key?").out
    assert talk.run("search", "spare").code == 1
    assert "third pot" not in talk.ok("list").out
    assert "third pot" in talk.ok("list", "--forgotten").out
    shown = talk.run("show", key)
    assert shown.code == 1
    assert "mem restore" in shown.err
    assert "third pot" in talk.ok("restore", key[-6:]).out
    assert talk.digest() == before
    assert "third pot" in talk.ok("ask", "where is the spare key?").out
    assert talk.run("list", "--forgotten").code == 1
    assert talk.ok("undo").out.startswith("taken back: restore")
    assert talk.ok("undo").out.startswith("taken back: forget")
    assert talk.digest() == before


CHOICES = [
    (["--query", "BOILER october"], ["the boiler is serviced in October"]),
    (["--query", "花生"], ["花生を食べると息が苦しくなるのでいつも薬を持ち歩いています"]),
    (["--person", "ann lee"], ["the spare key lies under the third pot from the left", "ok"]),
    (
        ["--person", "Ann Lee", "--mentions"],
        ["the spare key lies under the third pot from the left", "thanks Ann Lee, I shall look there", "ok"],
    ),
    (["--scope", "project:shed"], ["花生を食べると息が苦しくなるのでいつも薬を持ち歩いています"]),
    (["--source", "note"], ["花生を食べると息が苦しくなるのでいつも薬を持ち歩いています"]),
    (["--source", "chat.txt", "--person", "Bob", "--query", "look"], ["thanks Ann Lee, I shall look there"]),
]


@pytest.mark.parametrize("purge", [[], ["--purge"]], ids=["forget", "purge"])
@pytest.mark.parametrize(("options", "expected"), CHOICES, ids=lambda value: " ".join(value)[:24])
def test_it_takes_what_was_named_and_nothing_else(
    talk: Mem, options: list[str], expected: list[str], purge: list[str]
) -> None:
    before = set(map(str, talk.texts()))
    told = talk.ok("forget", *options, *purge, "--dry-run", "--json").json
    assert len(told["entries"]) == len(expected)
    assert set(talk.texts()) == before
    talk.ok("forget", *options, *purge, "--yes")
    assert before - set(talk.texts()) == set(expected)
    assert talk.ok("verify").code == 0


def test_mentions_are_told_apart_from_what_the_person_said(talk: Mem) -> None:
    result = talk.ok("forget", "--person", "Ann Lee", "--dry-run")
    assert "would forget: 2 entries of 1 session" in result.out
    assert "1 entry of others with Ann Lee in the words; --mentions:" in result.out
    assert talk.ok("forget", "--person", "Ann Lee", "--dry-run", "--json").json["mentioned"] == 1


def test_on_a_terminal_it_asks_and_anything_but_yes_is_no(talk: Mem) -> None:
    key = by_text(talk, "spare key")
    for answer in (b"", b"\n", b"n\n", b"maybe\n", b"\xff\n"):
        with talk.unchanged():
            result = talk.run("forget", key, stdin=answer, stdin_tty=True, tty=True)
            assert result.code == 1
            assert "[y/N]" in result.err
            assert "nothing was forgotten" in result.err
    assert talk.run("forget", key, stdin=b"Y\n", stdin_tty=True, tty=True).code == 0
    result = talk.run("forget", key, "--purge", stdin=b"yes\n", stdin_tty=True, tty=True)
    assert result.code == 0
    assert "for good? Nothing brings them back." in result.err
    assert b"third pot" not in everything(talk.home)


@pytest.mark.parametrize("more", [[], ["--purge"], ["--json"], ["--purge", "--json"]])
def test_without_a_terminal_it_does_nothing_unless_told(talk: Mem, more: list[str]) -> None:
    with talk.unchanged():
        result = talk.run("forget", by_text(talk, "spare key"), *more, stdin=b"y\n")
    assert result.code == 2
    assert "--yes" in result.err


WRONG = {
    "nothing named": ([], 2, "Nothing to forget is named"),
    "ids and conditions": (["ABCDEF", "--query", "x"], 2, "do not go together"),
    "mentions of nobody": (["--mentions", "--query", "x"], 2, "--mentions needs --person"),
    "no id": (["../../x"], 2, "is not an id"),
    "an id of nothing": (["ZZZZZZ"], 1, "No entry or memory has an id"),
    "an ambiguous id": (["01M"], 1, ""),
    "no words": (["--query", "?!"], 2, "has no word in it"),
    "an empty option": (["--person", " "], 2, "empty"),
    "no scope": (["--scope", "kitchen"], 2, "is not a scope"),
    "words that nobody said": (["--query", "zebra"], 1, "Nothing that is kept fits"),
    "half a name": (["--person", "Ann"], 1, ""),
    "a name like it": (["--person", "Lee"], 1, ""),
    "nobody": (["--person", "Zorblax"], 1, "Nothing that is kept fits"),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("purge", [[], ["--purge"]], ids=["forget", "purge"])
def test_what_cannot_be_meant_is_refused_and_nothing_happens(talk: Mem, name: str, purge: list[str]) -> None:
    args, code, sentence = WRONG[name]
    with talk.unchanged():
        result = talk.run("forget", *args, "--yes", *purge)
    assert result.code == code, result
    assert sentence in result.err
    assert result.err.startswith("mem: ")


def test_a_name_that_is_not_whole_is_pointed_at(talk: Mem) -> None:
    talk.ok("forget", by_text(talk, "thanks Ann"), "--yes")
    result = talk.run("forget", "--person", "Lee", "--yes")
    assert "Names like it: Ann Lee." in result.err


def test_without_a_memory_there_is_nothing_to_forget(mem: Mem) -> None:
    assert mem.run("forget", "ABCDEF", "--yes").code == 1
    assert mem.run("restore", "ABCDEF").code == 1
    assert not mem.home.exists()


def test_a_purge_proves_it_and_says_what_it_cannot_reach(talk: Mem) -> None:
    history = Path("nobody/.zsh_history")
    history.parent.mkdir()
    history.write_text(": 1:0;mem add 花生\n")
    talk.ok("ask", "Who knows about the spare key?")
    result = talk.ok("forget", "--query", "spare key", "--purge", "--yes")
    assert "purged 1 entry, 1 question, 1 decision, 1 vector" in result.out
    assert "none of 1 text left" in result.out
    assert "the files it was imported from: chat.txt" in result.out
    assert "history of your shell" not in result.out
    assert b"third pot" not in everything(talk.home)
    assert b"spare key" not in everything(talk.home)
    result = talk.ok("forget", "--query", "花生", "--purge", "--yes", HOME=str(Path("nobody").resolve()))
    assert str(history) in result.out
    assert talk.ok("verify").out.splitlines()[0].endswith(", 5 purged")


def test_what_is_left_in_a_file_of_the_person_is_told_and_makes_it_fail(talk: Mem) -> None:
    (talk.home / "export.txt").write_text(CHAT)
    (talk.home / "export.txt").chmod(0o600)
    result = talk.run("forget", "--query", "spare key", "--purge", "--yes")
    assert result.code == 65
    assert "words are left in\n  export.txt" in result.out
    shape = talk.run("forget", "--query", "boiler", "--purge", "--yes", "--json")
    assert shape.code == 65
    assert shape.json["proof"]["left"] == ["export.txt"]


def test_a_question_with_the_words_or_the_name_goes_with_a_purge(talk: Mem) -> None:
    for question in ("Does Ann Lee like boilers?", "When is the boiler serviced?", "Is Ann tall?"):
        talk.run("ask", question)
    talk.ok("forget", "--person", "Ann Lee", "--purge", "--yes")
    asked = talk.store.consult(lambda reading: reading.db.rows("SELECT text FROM questions"))
    assert ("Does Ann Lee like boilers?",) not in asked
    assert b"does ann lee" not in everything(talk.home)


def test_the_undo_of_a_purge_is_refused_in_a_sentence(talk: Mem) -> None:
    talk.ok("forget", "--query", "boiler", "--purge", "--yes")
    result = talk.run("undo")
    assert result.code == 2
    assert "A purge cannot be taken back" in result.err
    assert "purge" in talk.ok("undo", "--list").out.splitlines()[0]
    key = by_text(talk, "spare key")
    result = talk.run("restore", key)
    assert (result.code, "is not forgotten" in result.err) == (1, True)


def test_a_purged_id_is_known_to_be_purged(talk: Mem) -> None:
    key = by_text(talk, "spare key")
    talk.ok("forget", key, "--purge", "--yes")
    for command in ("forget", "restore"):
        result = talk.run(command, key)
        assert (result.code, "was purged" in result.err) == (1, True)


def test_stored_text_never_reaches_the_terminal_raw(mem: Mem) -> None:
    mem.ok("add", "evil \x1b]52;c;AAAA\x07 words", "--speaker", "Eve\x1b[31m", "--session", "s\x1b[2J")
    for args in (
        ["--query", "evil", "--dry-run"],
        ["--person", "Eve", "--yes"],
        ["--query", "evil", "--purge", "--yes"],
    ):
        result = mem.run("forget", *args)
        assert "\x1b" not in result.out + result.err
        assert "\x07" not in result.out + result.err


def test_a_home_that_cannot_be_written_says_so(talk: Mem) -> None:
    for path in [talk.home, *talk.home.rglob("*")]:
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        result = talk.process("forget", "--query", "boiler", "--purge", "--yes")
        # As root nothing is refused: then it is simply done.
        assert result.returncode in (0, 73, 74), (result.stdout, result.stderr)
        assert b"Traceback" not in result.stderr
    finally:
        for path in [talk.home, *talk.home.rglob("*")]:
            path.chmod(0o700 if path.is_dir() else 0o600)
