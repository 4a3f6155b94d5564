"""`mem add`: every way to keep something, the short way and the long one, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .harness import REPOSITORY, Mem

HEAVY = ("numpy", "pydantic", "rich", "dateparser", "sqlite_utils", "sqlite_vec", "llama_cpp")
OF_MEMORIES = (
    "memcli.memories",
    "memcli.projection.memories",
    "memcli.projection.events",
    "memcli.extract",
    "snowballstemmer",
)
"""An add makes no memory, and what makes them costs as much to import as the rest of it."""
TURNS = [
    ("Alex", "are you coming?"),
    ("Kenji", "yes, at eight"),
    ("Alex", "bring the tart"),
    ("Kenji", "the lemon one?"),
]
CHAT = "".join(f"{speaker}: {text}\n" for speaker, text in TURNS)


def test_words_are_one_note(mem: Mem) -> None:
    result = mem.ok("add", "the", "boiler", "is due")
    assert result.out.startswith("kept ")
    assert result.err == ""
    assert mem.rows("text, speaker, role, trust, scope, source, pin") == [
        ("the boiler is due", None, "user", "self", "user", "note", 0)
    ]


def test_the_short_way_and_the_way_through_the_options_keep_the_same(mem: Mem) -> None:
    mem.ok("add", "same words")
    mem.ok("add", "--scope", "user", "same words")
    mem.ok("add", "--", "same words")
    mem.ok("add", "-", stdin=b"same words\n")
    rows = mem.rows("text, speaker, role, trust, session, scope, source, origin, title, status, pin, offset, precision")
    assert len(rows) == 4
    assert len(set(rows)) == 1


@pytest.mark.parametrize("words", [["--", "-x is an option of tar"], ["--", "--json"], ["--", "-"], ["a", "--", "-b"]])
def test_words_behind_two_dashes_are_words(mem: Mem, words: list[str]) -> None:
    mem.ok("add", *words, stdin=b"from the pipe")
    expected = " ".join(word for word in words if word != "--" or words.index(word) > 1)
    assert mem.texts() == [expected if expected != "-" else "from the pipe"]


@pytest.mark.parametrize(
    ("options", "columns", "value"),
    [
        (["--scope", "project:boat"], "scope", "project:boat"),
        (["--scope", "domain:law"], "scope", "domain:law"),
        (["--source", "a letter"], "origin", "a letter"),
        (["--speaker", "Priya"], "speaker", "Priya"),
        (["--session", "dinner"], "session", "dinner"),
        (["--pin"], "pin", 1),
        (["--at", "2026-05-20"], "precision", "day"),
        (["--at", "2026-05-20T15:04"], "said_ms", 1_779_289_440_000),
        (["--at", "2026-05-20T15:04+02:00"], "said_ms", 1_779_282_240_000),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
@pytest.mark.parametrize("way", ["argument", "dash", "pipe"])
def test_every_option_holds_for_words_and_for_pipes(
    mem: Mem, options: list[str], columns: str, value: object, way: str
) -> None:
    words = {"argument": ["text"], "dash": ["-"], "pipe": []}[way]
    mem.ok("add", *options, *words, stdin=b"text")
    assert mem.rows(columns) == [(value,)]


@pytest.mark.parametrize("scope", ["me", "project", "project:", "project:a b", "team:x", "", "user:x", "project:a:b"])
def test_what_is_no_scope_is_refused(mem: Mem, scope: str) -> None:
    for command in (["add", "x"], ["ask", "x"], ["search", "x"], ["list"], ["import", __file__]):
        if command[0] != "add":
            mem.ok("add", "there is something")
        result = mem.run(*command, "--scope", scope)
        assert (result.code, result.out) == (2, ""), command
        assert result.err == f"mem: “{scope}” is not a scope.\n     Use user, project:NAME or domain:NAME.\n"


@pytest.mark.parametrize("time", ["yesterday", "2026-13-01", "20.05.2026", "", "2026-05-20T25:00", "9999999999"])
def test_what_is_no_time_is_refused(mem: Mem, time: str) -> None:
    result = mem.run("add", "--at", time, "x")
    assert (result.code, result.out) == (2, "")
    assert "is not a time" in result.err
    assert "Write 2026-05-20" in result.err


@pytest.mark.parametrize("args", [["add", ""], ["add", " ", "\n"], ["add", "--pin", ""], ["add", "--", " "]], ids=str)
def test_an_empty_note_is_refused_on_either_way(mem: Mem, args: list[str]) -> None:
    result = mem.run(*args)
    assert result.code == 66
    assert result.err == 'mem: The note is empty; nothing was added.\n     Say what to keep: mem add "text".\n'
    assert not mem.home.exists() or mem.texts() == []


@pytest.mark.parametrize("data", [b"", b" \n\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\x00\x00"], ids=repr)
@pytest.mark.parametrize("args", [["add"], ["add", "-"], ["add", "--pin"]], ids=str)
def test_an_empty_pipe_is_refused(mem: Mem, data: bytes, args: list[str]) -> None:
    result = mem.run(*args, stdin=data)
    assert (result.code, result.out) == (66, "")
    assert "pipe was empty" in result.err


def test_a_pipe_that_is_a_transcript_becomes_its_turns_and_says_so(mem: Mem) -> None:
    result = mem.ok("add", stdin=CHAT.encode())
    assert result.err.startswith("Read as ")
    assert "--as note" in result.err
    assert mem.rows("speaker, text") == TURNS


@pytest.mark.parametrize(
    "text",
    [
        "Todo: buy milk\nNote: the blue door\n",
        "Note: one thing\n",
        "Todo: a\nTodo: b\nDone: c\n",
        "Subject: hello\nDate: today\n\nText of it.\n",
        "http://example.org/a\nhttp://example.org/b\n",
        "10:30 dentist\n11:45 lunch\n",
    ],
)
def test_a_note_with_labels_is_a_note_and_says_so(mem: Mem, text: str) -> None:
    result = mem.ok("add", stdin=text.encode())
    assert result.err == "Read as one note. As turns of a conversation instead: mem undo, then --as transcript.\n"
    assert mem.texts() == [text.strip()]


def test_the_person_decides_what_a_pipe_is(mem: Mem) -> None:
    mem.ok("add", "--as", "note", stdin=CHAT.encode())
    assert mem.texts() == [CHAT.strip()]
    mem.ok("undo")
    mem.ok("add", "--as", "transcript", stdin=b"Bo: buy milk\nAnn: the blue door\n")
    assert mem.rows("speaker, text") == [("Bo", "buy milk"), ("Ann", "the blue door")]


def test_a_format_that_is_none_is_refused_with_those_there_are(mem: Mem) -> None:
    result = mem.run("add", "--as", "novel", stdin=b"x")
    assert result.code == 2
    assert "novel" in result.err
    assert "transcript" in result.err


@pytest.mark.parametrize("note", ["typed", "piped"])
def test_its_json_for_a_note(mem: Mem, note: str) -> None:
    result = mem.ok("add", "--json", *(["text"] if note == "typed" else []), stdin=b"text")
    assert result.err == ""
    value = result.json
    assert set(value) == {"version", "run", "entries", "hidden"}
    assert value["entries"][0]["text"] == "text"
    assert value["run"] == value["entries"][0]["run"]


def editor(tmp_path: Path, body: str) -> str:
    path = tmp_path / "editor.sh"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def test_a_bare_terminal_opens_the_editor(mem: Mem, tmp_path: Path) -> None:
    program = editor(tmp_path, 'printf "written at length\\n\\nin two parts\\n" > "$1"')
    mem.ok("add", stdin_tty=True, EDITOR=program)
    mem.ok("add", "--pin", stdin_tty=True, EDITOR=program)
    assert mem.rows("text, pin") == [("written at length\n\nin two parts", 0), ("written at length\n\nin two parts", 1)]


@pytest.mark.parametrize("body", ["true", ': > "$1"', 'printf "  \\n" > "$1"'])
def test_an_editor_that_leaves_nothing_adds_nothing(mem: Mem, tmp_path: Path, body: str) -> None:
    result = mem.run("add", stdin_tty=True, EDITOR=editor(tmp_path, body))
    assert (result.code, result.out) == (66, "")
    assert "nothing was added" in result.err


@pytest.mark.parametrize("body", ["exit 3", None])
def test_an_editor_that_fails_is_told(mem: Mem, tmp_path: Path, body: str | None) -> None:
    program = editor(tmp_path, body) if body else str(tmp_path / "no such editor")
    result = mem.run("add", stdin_tty=True, EDITOR=program)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("mem: The editor failed, nothing was added: ")
    assert "Set EDITOR" in result.err


def test_a_marker_in_a_folder_above_decides_the_scope(
    mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / "boat" / "sails"
    inside.mkdir(parents=True)
    (tmp_path / "boat" / ".mem").write_text("project:boat\n")
    monkeypatch.chdir(inside)
    mem.ok("add", "typed")
    mem.ok("add", stdin=b"piped")
    mem.ok("add", "--scope", "user", "decided")
    monkeypatch.chdir(tmp_path)
    mem.ok("add", "outside")
    assert mem.rows("text, scope") == [
        ("typed", "project:boat"),
        ("piped", "project:boat"),
        ("decided", "user"),
        ("outside", "user"),
    ]


@pytest.mark.parametrize("content", [b"nonsense", b"\xff\xfe\x00", b"project:a b"])
def test_a_marker_that_is_no_scope_is_refused_by_its_name(mem: Mem, tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".mem").write_bytes(content)
    result = mem.run("add", "x")
    assert result.code == 2
    assert str(tmp_path / ".mem") in result.err
    assert "project:NAME" in result.err


@pytest.mark.parametrize("content", [b"", b"\n\n"])
def test_an_empty_marker_means_nothing(mem: Mem, tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".mem").write_bytes(content)
    mem.ok("add", "x")
    assert mem.rows("scope") == [("user",)]


@pytest.mark.parametrize(
    ("args", "stdin"),
    [
        (["add", "a few words"], b""),
        (["add", "--pin", "--scope", "project:x", "words"], b""),
        (["add"], b"a note from a pipe"),
        (["add"], CHAT.encode()),
        (["add", "--json", "words"], b""),
    ],
    ids=str,
)
def test_it_imports_nothing_heavy(mem: Mem, args: list[str], stdin: bytes) -> None:
    mem.ok("add", "the home is there")
    code = (
        "import sys; from memcli.cli.main import main; code = main(sys.argv[1:]); "
        f"print([name for name in {HEAVY + OF_MEMORIES!r} if name in sys.modules], file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *args],
        input=stdin,
        capture_output=True,
        env=mem.full_environ({}),
        cwd=REPOSITORY,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done
    assert done.stderr.decode().splitlines()[-1] == "[]"


def test_what_is_kept_is_what_was_said_to_the_byte(mem: Mem) -> None:
    for text in ("naïve — café 花生 🥜", "e\u0301 stays as it was typed", "tab\tand\n  indent", 'quote " and \\ slash'):
        mem.ok("add", text)
        assert mem.texts()[-1] == text


def test_a_transcript_that_brings_nothing_new_advises_no_undo(mem: Mem) -> None:
    assert "mem undo" in mem.ok("add", stdin=CHAT.encode()).err
    assert mem.ok("add", stdin=CHAT.encode()).err == ""


def test_a_day_before_the_calendar_begins_is_its_first(mem: Mem) -> None:
    chat = "".join(f"[0001-01-01 01:0{number}] {line}\n" for number, line in enumerate(CHAT.splitlines()))
    mem.ok("add", stdin=chat.encode())
    assert len(mem.texts()) == 4


def test_the_name_of_a_file_is_kept_and_told_to_be_only_that(mem: Mem, tmp_path: Path) -> None:
    name = tmp_path / "list.txt"
    name.write_text("eggs")
    assert "mem import" in mem.ok("add", str(name)).err
    assert not mem.ok("add", "eggs").err


def test_a_format_for_typed_words_is_refused_unless_it_is_a_note(mem: Mem) -> None:
    assert mem.run("add", "--as", "transcript", "Ann: hello").code == 2
    assert mem.ok("add", "--as", "note", "Ann: hello").out.startswith("kept ")


def test_a_note_from_the_editor_that_cannot_be_kept_is_shown(mem: Mem, tmp_path: Path) -> None:
    program = editor(tmp_path, 'printf "written at length" > "$1"')
    mem.home.parent.mkdir(parents=True, exist_ok=True)
    mem.home.write_text("a file stands where the memory should be")
    result = mem.run("add", stdin_tty=True, EDITOR=program)
    assert result.code == 73
    assert "written at length" in result.err
