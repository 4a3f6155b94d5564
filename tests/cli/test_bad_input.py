"""Whatever is wrong with what comes in or where it goes: one sentence, a next step, the documented exit code, and
nothing half-written."""

from __future__ import annotations

import errno
import json
import os
import resource
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from store.making import failing_at

from .harness import Mem, Result

Maker = Callable[[Path], Path]


def written(data: bytes, name: str = "input.txt") -> Maker:
    def make(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(data)
        return path

    return make


def folder_without_files(folder: Path) -> Path:
    (folder / "empty" / "deeper").mkdir(parents=True)
    return folder / "empty"


def folder_of_pictures(folder: Path) -> Path:
    (folder / "pictures").mkdir()
    (folder / "pictures" / "a.png").write_bytes(b"\x89PNG\r\n")
    return folder / "pictures"


def broken_zip(folder: Path) -> Path:
    path = folder / "broken.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "words " * 100)
    path.write_bytes(path.read_bytes()[:60])
    return path


def a_pipe_nobody_fills(folder: Path) -> Path:
    return folder / "missing" / "file.txt"


CHATGPT = json.dumps([{"title": "t", "mapping": {"a": {"message": {"content": {"parts": ["hello"]}}}}}] * 3).encode()
UNKNOWN = b'{"temperature": 21, "humidity": [1, 2, 3], "place": "Kitchen"}'
BINARY = bytes(range(256)) * 40

REFUSED: dict[str, tuple[Maker, set[int]]] = {
    "a path that is not there": (a_pipe_nobody_fills, {66}),
    "a folder without files": (folder_without_files, {66}),
    "a folder with nothing to read": (folder_of_pictures, {66}),
    "an empty file": (written(b""), {66}),
    "a file of blanks": (written(b"\n \n\t\n"), {66}),
    "JSON that is cut early": (written(b'[{"title": "abc", "mapp', "conversations.json"), {65}),
    "JSON of no known shape": (written(UNKNOWN, "data.json"), {65}),
    "JSON of no known shape under the name of a note": (written(UNKNOWN, "note.txt"), {65}),
    "JSON lines of no known shape": (written(b'{"a": 1}\n{"a": 2}\n{"a": 3}\n', "data.jsonl"), {65}),
    "a list of numbers": (written(b"[1, 2, 3, 4]", "data.json"), {65}),
    "binary data": (written(BINARY), {65}),
    "text with NULs in it": (written(b"hello\x00world\x00" * 30), {65}),
    "a picture": (written(b"\x89PNG\r\n\x1a\n" + BINARY, "picture.txt"), {65}),
    "a zip that is cut": (broken_zip, {65}),
}
PIPED = [name for name, (maker, _) in REFUSED.items() if maker.__qualname__.startswith("written")]


def sentence(result: Result) -> None:
    """It says what happened and what to do, without a traceback and without a raw control character."""
    assert "Traceback" not in result.err
    lines = result.err.splitlines()
    assert lines[0].startswith("mem: "), result
    assert lines[0].rstrip().endswith((".", "?")), result
    assert any(line.startswith("     ") and line.strip() for line in lines[1:]), result
    assert all(char.isprintable() or char == "\n" for char in result.err)


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_cannot_be_taken_in_is_told_and_nothing_is_added(mem: Mem, tmp_path: Path, name: str) -> None:
    maker, codes = REFUSED[name]
    path = maker(tmp_path)
    mem.ok("add", "before")
    with mem.unchanged():
        result = mem.run("import", str(path))
    assert result.code in codes, result
    sentence(result)


@pytest.mark.parametrize("name", PIPED)
def test_the_same_through_a_pipe(mem: Mem, tmp_path: Path, name: str) -> None:
    maker, codes = REFUSED[name]
    data = maker(tmp_path).read_bytes()
    mem.ok("add", "before")
    with mem.unchanged():
        result = mem.run("add", stdin=data)
    assert result.code in codes, result
    sentence(result)


@pytest.mark.parametrize("name", REFUSED)
def test_the_other_files_of_the_same_import_are_still_taken_in(mem: Mem, tmp_path: Path, name: str) -> None:
    if name == "a path that is not there":
        pytest.skip("a name that is wrong stops the import before it begins")
    if "empty file" in name or "blanks" in name:
        pytest.skip("a file of nothing among others is no matter")
    maker, codes = REFUSED[name]
    (tmp_path / "good.txt").write_text("a good note")
    result = mem.run("import", str(maker(tmp_path)), str(tmp_path / "good.txt"))
    assert result.code in codes
    assert "a good note" in mem.texts()


@pytest.mark.parametrize("way", ["file", "pipe"])
def test_what_is_cut_off_is_told_and_what_is_whole_of_it_is_kept(mem: Mem, tmp_path: Path, way: str) -> None:
    cut, whole = tmp_path / "cut.json", tmp_path / "whole.json"
    cut.write_bytes(CHATGPT[:-30])
    whole.write_bytes(CHATGPT)
    result = mem.run("import", str(cut)) if way == "file" else mem.run("add", stdin=cut.read_bytes())
    assert result.code == 65
    assert "could not be read" in result.err
    assert "only what is missing will come" in result.err
    assert len(mem.texts()) == 2
    mem.ok("import", str(whole))
    assert len(mem.texts()) == 3


TEXT = "Grüße aus Köln – „naïve“ Café"
TAKEN: dict[str, tuple[bytes, str]] = {
    "UTF-16 little-endian": (b"\xff\xfe" + TEXT.encode("utf-16-le"), TEXT),
    "UTF-16 big-endian": (b"\xfe\xff" + TEXT.encode("utf-16-be"), TEXT),
    "UTF-8 with a byte order mark": (b"\xef\xbb\xbf" + TEXT.encode(), TEXT),
    "Windows-1252": (TEXT.encode("cp1252"), TEXT),
    "one line of 300 KB": (b"word " * 60_000, ("word " * 60_000).strip()),
    "one word of 300 KB": (b"x" * 300_000, "x" * 300_000),
    "a few control characters": (b"bell \x07 and escape \x1b[31m in it, and much more text", None or ""),
}


@pytest.mark.parametrize("name", TAKEN)
@pytest.mark.parametrize("way", ["file", "pipe"])
def test_odd_text_is_taken_in_whole(mem: Mem, tmp_path: Path, name: str, way: str) -> None:
    data, text = TAKEN[name]
    path = tmp_path / "odd.txt"
    path.write_bytes(data)
    mem.ok("import", str(path)) if way == "file" else mem.ok("add", stdin=data)
    kept = mem.texts()
    assert len(kept) == 1
    if text:
        assert kept[0] == text
    assert mem.ok("list", tty=True, NO_COLOR="1").out.rstrip("\n").isprintable()
    assert mem.run("verify").code == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read_is_told(mem: Mem, tmp_path: Path) -> None:
    path = tmp_path / "locked.txt"
    path.write_text("secret")
    path.chmod(0)
    result = mem.run("import", str(path))
    assert result.code == 66
    sentence(result)


def test_a_file_that_cannot_be_opened_is_told(mem: Mem, tmp_path: Path) -> None:
    path = tmp_path / "loop"
    path.symlink_to(path)
    result = mem.run("import", str(path))
    assert result.code == 66
    sentence(result)


COMMANDS = (["add", "more"], ["add", "--pin", "more"], ["import", "chat.txt"], ["undo"], ["tidy"])


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk_is_told_and_nothing_is_half_written(mem: Mem, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "chat.txt").write_text("[2026-01-01 10:00] Bo: one\n[2026-01-01 10:01] Al: two\n")
    mem.ok("add", "before")
    for call in range(1, 4):
        with mem.unchanged():
            result = mem.run(*command, disk=failing_at(set(range(call, 50)), errno.ENOSPC))
            if result.code == 69:  # there is no embedder, and nothing had to be written
                continue
            if result.code == 0:
                pytest.fail(f"call {call} of {command} did not matter")
        assert result.code == 73, result
        assert "No room left" in result.err
        sentence(result)
        if call == 1:
            assert result.out == ""
        break


def limited() -> None:
    """No file may grow beyond 2 KB from here on."""
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))


@pytest.mark.parametrize("command", [["add", "x" * 4000], ["add", "-"], ["import", "big.txt"]], ids=lambda c: c[0])
def test_a_file_that_may_not_grow_is_a_full_disk(mem: Mem, tmp_path: Path, command: list[str]) -> None:
    path = tmp_path / "big.txt"
    path.write_text("y" * 4000)
    mem.ok("add", "before")
    args = [str(path) if arg == "big.txt" else arg for arg in command]
    with mem.unchanged():
        done = mem.process(*args, stdin=b"z" * 4000, preexec=limited)
    assert done.returncode == 73, done
    assert b"No room left" in done.stderr
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""
    mem.ok("add", "after")
    assert mem.texts() == ["before", "after"]


def without_privilege() -> None:
    """Let permissions bind even the superuser."""
    if os.geteuid() == 0:
        import ctypes

        for capability in (1, 2):  # to override the permissions to write, and to read and search
            ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)


def shut(home: Path, *, folder: int, file: int) -> None:
    for path in [*home.rglob("*"), home]:
        path.chmod(folder if path.is_dir() else file)


READING = (["list"], ["search", "door"], ["ask", "--no-llm", "blue door?"], ["show", ""], ["verify"], ["doctor"])
WRITING = (["add", "more"], ["add", "--pin", "more"], ["undo"], ["tidy"], ["import", "note.txt"], ["rebuild"])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs to give up privileges")
def test_a_home_that_cannot_be_written_is_read_and_a_command_that_writes_says_so(mem: Mem, tmp_path: Path) -> None:
    mem.ok("add", "the blue door")
    mem.ok("init")
    entry_id = mem.rows("id")[0][0]
    note = tmp_path / "note.txt"
    note.write_text("a note")
    truth = mem.truth()
    shut(mem.home, folder=0o500, file=0o400)
    try:
        for command in READING:
            done = mem.process(*(entry_id if arg == "" else arg for arg in command), preexec=without_privilege)
            assert b"Traceback" not in done.stderr, done
            assert done.returncode == 0, done
        for command in WRITING:
            args = [str(note) if arg == "note.txt" else arg for arg in command]
            done = mem.process(*args, preexec=without_privilege)
            assert b"Traceback" not in done.stderr, done
            assert done.returncode == 73, (command, done)
            assert done.stderr.count(b"\n") == 2, done
            assert done.stdout == b""
    finally:
        shut(mem.home, folder=0o700, file=0o600)
    assert mem.truth() == truth


def test_a_home_that_is_a_file_is_told(mem: Mem) -> None:
    mem.home.write_text("not a folder")
    for command in (["add", "x"], ["init"], ["import", __file__]):
        result = mem.run(*command)
        assert result.code == 73, (command, result)
        sentence(result)
    assert mem.home.read_text() == "not a folder"


@pytest.mark.parametrize("what", ["mem.db", "log", "journal", "device", "home.key", "locks", "cache"])
def test_something_else_in_the_place_of_a_part_is_told_without_a_traceback(mem: Mem, what: str) -> None:
    mem.ok("add", "before")
    mem.ok("init")
    part = mem.home / what
    if part.is_dir():
        part.rename(part.with_name("aside"))
        part.write_text("not a folder")
    else:
        part.rename(part.with_name("aside"))
        part.mkdir()
    for command in (["add", "x"], ["list"], ["search", "before"], ["ask", "before?"], ["tidy"], ["undo"], ["verify"]):
        result = mem.run(*command)
        assert result.code in (0, 1, 65, 69, 73, 74), (command, result)
        assert result.code == 0 or result.err.startswith("mem: ") or command == ["verify"], (command, result)


@pytest.mark.parametrize("toml", [b"me = 3", b"\xff\xfe", b"me = [", b'me = [1, "a"]'])
def test_a_configuration_that_cannot_be_read_is_told(mem: Mem, toml: bytes) -> None:
    mem.ok("add", "before")
    (mem.home / "config.toml").write_bytes(toml)
    result = mem.run("import", __file__)
    assert result.code == 2
    assert "config.toml" in result.err
    sentence(result)
    mem.ok("add", "typing needs no configuration")


def test_an_output_that_is_full_is_told_and_what_was_kept_is_kept(mem: Mem) -> None:
    with Path("/dev/full").open("wb") as full:
        import subprocess
        import sys

        from .harness import REPOSITORY

        for command in (["add", "kept all the same"], ["list"], ["add", "--pin", "kept too"], ["--help"]):
            done = subprocess.run(
                [sys.executable, "-m", "memcli", *command],
                stdout=full,
                stderr=subprocess.PIPE,
                env=mem.full_environ({}),
                cwd=REPOSITORY,
                check=False,
            )
            assert done.returncode == 74, (command, done)
            assert b"Traceback" not in done.stderr
            assert b"Exception ignored" not in done.stderr
            assert done.stderr.startswith(b"mem: The ")
            assert b": No space left on device.\n" in done.stderr
    assert mem.texts() == ["kept all the same", "kept too"]
