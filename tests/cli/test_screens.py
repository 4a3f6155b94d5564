"""The screens as people see them: at 80 and 120 columns, on a terminal and in a pipe, dates and ids masked."""

from __future__ import annotations

from pathlib import Path

import pytest
from llm.fakes import HashingEmbedder, ScriptedGenerator
from syrupy.assertion import SnapshotAssertion

from memcli.render.text import width

from .harness import NOW, OUR_STYLE, Mem, Result, masked

CHAT = """\
[2026-01-11 09:37] Priya: what are you cooking? and the usual reminder: I'm allergic to walnuts. \
adrenaline-pen-in-the-bag allergic, not "I'd rather not" allergic
[2026-01-11 09:38] Kenji: noted, no walnuts anywhere near the kitchen
[2026-01-11 09:41] Kenji: Alex you eat fish, right? thinking grilled mackerel
[2026-01-11 09:42] Alex: yes! no meat, but I eat fish all the time
[2026-01-12 18:01] 健二: 花生を食べると息が苦しくなるので、いつも薬を持ち歩いています。\
次の食事会では必ず確認してください。それから青いドアの前で待っていてください。
"""
COMMANDS = {
    "list": ["list"],
    "list --sessions": ["list", "--sessions"],
    "search": ["search", "walnuts", "fish"],
    "ask, quoted": ["ask", "What is Priya allergic to?", "-k", "1"],
    "ask, generated": ["ask", "What is Priya allergic to?", "-k", "1"],
    "ask, unsupported": ["ask", "What is Priya allergic to?", "-k", "1"],
    "ask, abstained": ["ask", "Which submarine has Zorblax bought?", "-k", "1"],
    "ask, nothing near": ["ask", "Zorblax?", "-k", "1"],
    "ask, Japanese": ["ask", "花生を食べるとどうなる?", "-k", "1"],
    "show": ["show", ""],
    "events": ["events"],
    "events, one": ["events", "EVENT"],
    "topics": ["topics"],
    "forget, dry run": ["forget", "--person", "Priya", "--purge", "--dry-run"],
    "forget, others": ["forget", "--person", "Alex", "--dry-run"],
    "undo --list": ["undo", "--list"],
    "undo": ["undo"],
    "verify": ["verify"],
    "rebuild": ["rebuild"],
    "tidy": ["tidy"],
}
GENERATED = {
    "ask, generated": "Priya is allergic to walnuts [1]",
    "ask, unsupported": "Priya is allergic to 7 cats in Paris [1]",
}


@pytest.fixture
def lived(mem: Mem) -> Mem:
    path = Path("dinner.txt")
    path.write_text(CHAT, encoding="utf-8")
    mem.ok("import", str(path), now=NOW)
    mem.ok(
        "add",
        "--pin",
        "The boiler service is due every October; the number of the firm is on the lid",
        now=NOW + 60_000,
    )
    mem.embedder = HashingEmbedder()
    mem.ok("tidy")
    mem.ok("add", "not indexed yet", now=NOW + 120_000)
    return mem


def screen(lived: Mem, name: str, **options: object) -> Result:
    ids = lived.rows("id")
    args = [arg or ids[0][0] for arg in COMMANDS[name]]
    if "EVENT" in args:
        args[1] = lived.ok("events", "--json").json["events"][-1]["id"]
    lived.generator = ScriptedGenerator([GENERATED[name]]) if name in GENERATED else None
    return lived.run(*args, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", COMMANDS)
def test_in_a_pipe(lived: Mem, name: str, columns: int, snapshot: SnapshotAssertion) -> None:
    result = screen(lived, name, columns=columns)
    text = f"exit {result.code}\n--- out\n{result.out}--- err\n{result.err}"
    assert masked(lived, text) == snapshot


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", COMMANDS)
def test_on_a_terminal(lived: Mem, name: str, columns: int, snapshot: SnapshotAssertion) -> None:
    result = screen(lived, name, columns=columns, tty=True)
    text = f"exit {result.code}\n--- out\n{result.out}--- err\n{result.err}".replace("\x1b", "⎋")
    assert masked(lived, text) == snapshot


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("show", "verify", "rebuild", "tidy")])
def test_no_line_is_wider_than_the_terminal(lived: Mem, name: str, columns: int) -> None:
    result = screen(lived, name, columns=columns, tty=True)
    for line in OUR_STYLE.sub("", result.out).splitlines():
        assert width(line) <= columns or line.startswith("mem: answered from"), (width(line), line)


@pytest.mark.parametrize("name", COMMANDS)
def test_colour_changes_no_word(mem: Mem, lived: Mem, name: str) -> None:
    if name.startswith(("undo", "tidy", "rebuild")):
        pytest.skip("the second time is another time")
    plain, coloured = screen(lived, name, tty=True, NO_COLOR="1"), screen(lived, name, tty=True)
    assert masked(lived, OUR_STYLE.sub("", coloured.out)) == masked(lived, plain.out)


def test_the_evidence_comes_first_on_a_terminal_with_a_model_and_the_answer_first_elsewhere(lived: Mem) -> None:
    on_terminal = screen(lived, "ask, generated", tty=True, NO_COLOR="1").out
    in_pipe = screen(lived, "ask, generated").out
    assert on_terminal.startswith("[1] ")
    assert in_pipe.startswith("walnuts [1]\n")
    assert on_terminal.splitlines()[-1] == in_pipe.splitlines()[-1]
    assert in_pipe.splitlines()[-1].startswith("mem: answered from 1 of 7 entries")


def test_the_summary_of_an_import(mem: Mem, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = tmp_path / "dinner.txt"
    path.write_text(CHAT, encoding="utf-8")
    assert masked(mem, mem.ok("import", "--dry-run", str(path)).out) == snapshot(name="dry run")
    assert masked(mem, mem.ok("import", str(path)).out) == snapshot(name="first")
    assert masked(mem, mem.ok("import", str(path)).out) == snapshot(name="again")


def test_help(mem: Mem, snapshot: SnapshotAssertion) -> None:
    assert mem.ok("--help").out == snapshot
