"""When a recording began: said, in its file's name, asked for on a terminal, or unknown and said so. How far it is."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from memcli.cli import progress
from memcli.cli.meter import Meter
from memcli.formats.source import Source

from .harness import REPOSITORY, Mem

VTT = "WEBVTT\n\n00:00:05.000 --> 00:00:08.000\nAda: The launch moves to June.\n"
SRT = "1\n00:00:05,000 --> 00:00:08,000\nAda: The launch moves to June.\n"
OTTER = "Ada Demo  0:05\nThe launch moves to June.\n\nBo Demo  0:09\nGood.\n"
KINDS = {"vtt": VTT, "srt": SRT, "otter.txt": OTTER}
every_kind = pytest.mark.parametrize("kind", KINDS)


def file(folder: Path, name: str, text: str = VTT) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def times(mem: Mem) -> list[str | None]:
    return [entry["said_at"] for entry in reversed(mem.ok("list", "--json").json["entries"])]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """What the person answers; gives the questions."""

    def script(*said: str) -> list[str]:
        left, asked = list(said), []

        def prompt(question: str, **options: Any) -> str:
            assert options["err"] is True  # results stay alone on the standard output
            asked.append(question)
            return left.pop(0)

        monkeypatch.setattr(click, "prompt", prompt)
        return asked

    return script


@every_kind
def test_without_a_terminal_the_time_is_unknown_and_the_option_is_named(kind: str, mem: Mem, tmp_path: Path) -> None:
    result = mem.ok("import", file(tmp_path, f"talk.{kind}", KINDS[kind]))
    assert "talk." in result.err and "--date" in result.err
    assert set(times(mem)) == {None}
    assert "undated" in result.out


@every_kind
def test_a_pipe_is_told_of_its_own_option(kind: str, mem: Mem) -> None:
    result = mem.ok("add", stdin=KINDS[kind].encode())
    assert "--at 2026" in result.err
    assert set(times(mem)) == {None}


@every_kind
def test_on_a_terminal_it_is_asked_for(kind: str, mem: Mem, tmp_path: Path, answers: Any) -> None:
    asked = answers("2026-05-20T13:00")
    result = mem.ok("import", file(tmp_path, f"talk.{kind}", KINDS[kind]), tty=True, stdin_tty=True)
    assert len(asked) == 1 and "talk." in asked[0]
    assert "--date" not in result.err
    assert times(mem)[0] == "2026-05-20T13:00:05Z"


def test_an_empty_answer_leaves_it_unknown_and_a_wrong_one_is_asked_again(
    mem: Mem, tmp_path: Path, answers: Any
) -> None:
    asked = answers("last week", "")
    result = mem.ok("import", file(tmp_path, "talk.vtt"), tty=True, stdin_tty=True)
    assert len(asked) == 2
    assert "last week" in result.err
    assert times(mem) == [None]


def test_a_day_for_an_answer_says_no_more_than_its_day(mem: Mem, tmp_path: Path, answers: Any) -> None:
    answers("2026-05-20")
    mem.ok("import", file(tmp_path, "talk.vtt"), tty=True, stdin_tty=True)
    entry = mem.ok("list", "--json").json["entries"][0]
    assert (entry["said_at"], entry["precision"]) == ("2026-05-20T00:00:00", "day")


def test_each_recording_is_asked_for_and_nothing_else(mem: Mem, tmp_path: Path, answers: Any) -> None:
    asked = answers("2026-05-20T13:00", "")
    paths = [file(tmp_path, "one.vtt"), file(tmp_path, "note.md", "# Shed\n\npaint"), file(tmp_path, "two.srt", SRT)]
    mem.ok("import", *paths, tty=True, stdin_tty=True)
    assert ["one.vtt" in asked[0], "two.srt" in asked[1], len(asked)] == [True, True, 2]


@pytest.mark.parametrize(
    ("name", "said_at"),
    [
        ("GMT20260520-130000_Recording.transcript.vtt", "2026-05-20T13:00:05Z"),
        ("2026-05-20 standup.vtt", "2026-05-20T00:00:00"),
        ("standup_20260520.srt", "2026-05-20T00:00:00"),
    ],
)
def test_the_file_s_name_comes_before_a_question(
    name: str, said_at: str, mem: Mem, tmp_path: Path, answers: Any
) -> None:
    asked = answers()
    text = SRT if name.endswith("srt") else VTT
    result = mem.ok("import", file(tmp_path, name, text), tty=True, stdin_tty=True)
    assert asked == [] and "recorded" not in result.err
    assert times(mem) == [said_at]


def test_what_is_said_comes_before_the_file_s_name(mem: Mem, tmp_path: Path, answers: Any) -> None:
    asked = answers()
    path = file(tmp_path, "2026-05-20 standup.vtt")
    mem.ok("import", "--date", "2026-06-01T09:00", path, tty=True, stdin_tty=True)
    assert asked == []
    assert times(mem) == ["2026-06-01T09:00:05Z"]


def test_on_a_real_terminal_the_question_is_not_among_the_results(mem: Mem, tmp_path: Path) -> None:
    own, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "memcli", "import", file(tmp_path, "talk.vtt"), "--json"],
        stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, env=mem.full_environ({"TERM": "xterm"}), cwd=REPOSITORY,
        start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    os.write(own, b"2026-05-20T13:00\n")
    out, _ = process.communicate(timeout=60)
    os.close(own)
    assert process.returncode == 0
    assert out.startswith(b'{"version"') and b"When" not in out
    assert times(mem) == ["2026-05-20T13:00:05Z"]


def test_the_bar_shows_how_many_how_fast_and_how_long_still(
    mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE_S", 0)
    begun = 100.0

    def monotonic() -> float:
        nonlocal begun
        begun += 2
        return begun

    monkeypatch.setattr("memcli.cli.progress.time.monotonic", monotonic)
    lines = "".join(f"[2026-05-20 {n // 60 % 24:02d}:{n % 60:02d}] Ada: I saw {n} boats\n" for n in range(9_000))
    result = mem.ok("import", file(tmp_path, "chat.txt", lines), tty=True)
    shown = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", result.err)
    assert "Importing" in shown and "messages" in shown
    assert re.search(r"[\d,]+/s", shown)
    assert "9,000 messages" in shown


def test_without_a_terminal_there_is_no_bar(mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE_S", 0)
    assert mem.ok("import", file(tmp_path, "chat.txt", "Ada: hi\nBo: hi you\nAda: ok\nBo: bye\n")).err == ""


def test_a_meter_judges_the_whole_by_what_was_read(tmp_path: Path) -> None:
    paths = [Path(file(tmp_path, name, "x" * size)) for name, size in (("a.txt", 300_000), ("b.txt", 700_000))]
    meter = Meter(paths)
    first, second = (Source.from_path(path) for path in paths)
    with meter.watch(first).opener() as stream:
        stream.read()
    assert meter.expected(30) == 100
    with meter.watch(second).opener() as stream:
        stream.read(1)
        assert (meter.expected(30) or 100) < 100
        stream.read()
    assert meter.expected(95) == 95
    whole = Meter([tmp_path])
    with whole.watch(Source.from_path(paths[0])).opener() as stream:
        stream.read()
    assert whole.expected(30) == 100
    (tmp_path / "z.zip").write_bytes(b"PK\x03\x04")
    assert Meter([*paths, tmp_path / "z.zip"]).expected(30) is None
