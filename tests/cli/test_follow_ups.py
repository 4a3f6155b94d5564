"""`mem ask` understands a question from those before it (D1), and keeps to itself what it understood."""

from __future__ import annotations

import json
import os
import pty
import select
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from llm.fakes import HashingEmbedder, ScriptedGenerator

from memcli.recall.dialogue import REACH_MS

from .harness import NOW, REPOSITORY, Mem

TALK = """\
[2026-03-01 10:00] Priya: I was at Quayside this morning
[2026-03-01 10:01] Kenji: and is somebody looking after that cat?
[2026-03-01 10:02] Priya: the vet is Dr Hallam, and Dr Hallam says Biscuit eats too many treats
[2026-03-01 10:03] Kenji: my birthday is in May, I want a cello
[2026-03-01 10:04] Priya: mine is in October, I want nothing
[2026-03-01 10:05] Kenji: noted, the boiler man comes on Tuesday
"""
WHO = "Who is the vet of Biscuit?"
THEN = "What did she say about treats?"
UNDERSTOOD = "What did Dr Hallam say about treats?"


@pytest.fixture
def talk(mem: Mem) -> Mem:
    mem.ok("add", stdin=TALK.encode())
    mem.embedder = HashingEmbedder()
    mem.ok("tidy")
    return mem


def asked_as(mem: Mem, *args: str, **options: object) -> str | None:
    result = mem.run("ask", *args, "--json", **options)  # type: ignore[arg-type]
    found = result.json["asked_as"]
    assert result.json["question"] != found
    assert result.err == ""
    return found  # type: ignore[no-any-return]


def test_it_is_understood_from_what_was_asked_in_this_terminal(talk: Mem) -> None:
    talk.ok("ask", WHO, terminal="/dev/pts/1 77 1000")
    assert asked_as(talk, THEN, terminal="/dev/pts/1 77 1000") == UNDERSTOOD
    assert asked_as(talk, THEN, "--no-dialogue", terminal="/dev/pts/1 77 1000") is None
    assert asked_as(talk, THEN, terminal="/dev/pts/1 78 2000") is None, "the same name, another shell"
    assert asked_as(talk, THEN) is None, "no terminal"


def test_for_half_an_hour(talk: Mem) -> None:
    talk.ok("ask", WHO, terminal="a", now=NOW + 1_000)
    assert asked_as(talk, THEN, "--no-record", terminal="a", now=NOW + 1_000 + REACH_MS) == UNDERSTOOD
    assert asked_as(talk, THEN, "--no-record", terminal="a", now=NOW + 2_000 + REACH_MS) is None


def test_a_chain_of_follow_ups_goes_on(talk: Mem) -> None:
    talk.ok("ask", "When is Kenji's birthday?", terminal="a")
    assert asked_as(talk, "And Priya?", terminal="a") == "When is Priya's birthday?"
    assert asked_as(talk, "and kenji?", terminal="a") == "When, is Kenji's birthday?"


def test_the_person_sees_how_it_was_understood_and_gets_what_that_finds(talk: Mem) -> None:
    talk.ok("ask", WHO, terminal="a")
    result = talk.ok("ask", THEN, terminal="a", columns=120)
    assert result.err == f"(asked as: {UNDERSTOOD})\n"
    assert result.out.startswith("Quoted: “the vet is Dr Hallam, and Dr Hallam says Biscuit eats too many treats” [1]")
    on_terminal = talk.ok("ask", THEN, terminal="a", tty=True).err
    assert on_terminal == f"\x1b[2m(asked as: {UNDERSTOOD})\x1b[0m\n"
    assert talk.ok("ask", THEN, terminal="a", tty=True, NO_COLOR="1").err == f"(asked as: {UNDERSTOOD})\n"


def test_control_characters_of_a_dialogue_do_not_reach_the_terminal(talk: Mem) -> None:
    said = b"Q: Who is the vet?\nA: Dr \x1b[31mHallam\n"
    assert "\x1b" not in talk.run("ask", "What did she say about treats?", "--dialogue", "-", stdin=said).err


DIALOGUES = {
    "lines": f"Q: {WHO}\nA: Dr Hallam.\n",
    "messages": json.dumps([{"role": "user", "content": WHO}, {"role": "assistant", "content": "Dr Hallam."}]),
    "a transcript": f"Bo: {WHO}\nAnn: Dr Hallam.\nBo: thanks!\nAnn: sure\n",
}


@pytest.mark.parametrize("name", DIALOGUES)
def test_a_dialogue_may_be_handed_over(talk: Mem, name: str, tmp_path: Path) -> None:
    (tmp_path / "talk").write_text(DIALOGUES[name], encoding="utf-8")
    assert asked_as(talk, THEN, "--dialogue", "talk") == UNDERSTOOD
    assert asked_as(talk, THEN, "--dialogue", "-", stdin=DIALOGUES[name].encode()) == UNDERSTOOD


def test_a_dialogue_that_is_handed_over_counts_instead_of_the_terminal_s(talk: Mem) -> None:
    talk.ok("ask", WHO, terminal="a")
    other = b"Q: When is Kenji's birthday?\nA: In May.\n"
    assert asked_as(talk, "And Priya?", "--dialogue", "-", terminal="a", stdin=other) == "When is Priya's birthday?"
    assert asked_as(talk, THEN, "--dialogue", "-", terminal="a", stdin=b"") is None


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ((THEN, "--dialogue", "missing"), 66),
        ((THEN, "--dialogue", "note"), 65),
        ((THEN, "--dialogue", "note", "--no-dialogue"), 2),
        (("-", "--dialogue", "-"), 2),
    ],
)
def test_what_is_no_dialogue_is_told(talk: Mem, tmp_path: Path, args: tuple[str, ...], code: int) -> None:
    (tmp_path / "note").write_text("The boiler is due in October")
    result = talk.run("ask", *args)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith("mem: ")
    assert len(result.err.splitlines()) == 2, "a next step"


def test_the_question_is_kept_as_asked_and_what_it_was_understood_as_is_kept_nowhere(talk: Mem) -> None:
    talk.ok("ask", WHO, terminal="/dev/pts/1 77 1000")
    assert asked_as(talk, THEN, terminal="/dev/pts/1 77 1000") == UNDERSTOOD
    talk.ok("tidy")
    everything = b"".join(path.read_bytes() for path in talk.home.rglob("*") if path.is_file())
    assert THEN.encode() in everything
    assert UNDERSTOOD.encode() not in everything
    assert b"/dev/pts/1" not in everything
    rows = talk.store.consult(lambda reading: reading.db.rows("SELECT text, terminal FROM questions ORDER BY id"))
    assert [text for text, _ in rows] == [WHO, THEN]
    assert rows[0][1] == rows[1][1]
    assert len(rows[0][1]) == 16


def test_no_past_question_enters_a_prompt(talk: Mem) -> None:
    asked = [WHO, THEN, "Why?", "And Kenji?", "birthday cello", "and when?", "When is Kenji's birthday?", "And Priya?"]
    talk.generator = ScriptedGenerator(["It is Dr Hallam [1]."] * len(asked))
    sent = []
    for question in asked:
        result = talk.run("ask", question, "--json", terminal="a")
        understood = result.json["asked_as"] or question
        for prompt in talk.generator.prompts[len(sent) :]:
            sent.append(prompt)
            assert prompt.question.partition("\n")[0] == f"Question: {understood}"
            everything = "\n".join((prompt.system, prompt.question, prompt.material)).casefold()
            for earlier in asked[: asked.index(question)]:
                assert earlier.casefold() not in everything, (earlier, understood)
    assert len(sent) >= 4


def test_an_answer_that_was_understood_so_is_not_taken_in_again(talk: Mem) -> None:
    talk.ok("ask", WHO, terminal="a")
    for tty in (False, True):
        printed = talk.ok("ask", THEN, terminal="a", tty=tty)
        result = talk.run("add", stdin=(printed.err + printed.out).encode())
        assert "an answer mem itself printed" in result.err
        pasted = f"my own words\n\n(asked as: {UNDERSTOOD})\n{talk.ok('ask', WHO).out}"
        talk.ok("add", stdin=pasted.encode())
    assert [text for text in talk.texts() if "asked as" in text or "own words" in text] == ["my own words"] * 2


def test_it_can_be_switched_off_in_the_settings(talk: Mem) -> None:
    (talk.home / "config.toml").write_text("[recall]\nfollow_ups = false\n")
    talk.ok("ask", WHO, terminal="a")
    assert asked_as(talk, THEN, terminal="a") is None
    for text in ("[recall]\nfrobnicate = true\n", "[recall]\nfollow_ups = 1\n", "recall = 3\n"):
        (talk.home / "config.toml").write_text(text)
        assert talk.run("ask", THEN).code == 2


def test_mem_init_keeps_the_switches(talk: Mem) -> None:
    (talk.home / "config.toml").write_text("[recall]\npast_questions = true\n")
    talk.ok("init", "--me", "Priya")
    text = (talk.home / "config.toml").read_text()
    assert 'me = ["Priya"]' in text
    assert '[recall]\n"past_questions" = true\n' in text
    talk.ok("ask", WHO)


def shell(mem: Mem, *commands: list[str]) -> str:
    """What a terminal of its own shows when one shell runs these commands in it."""
    own, theirs = pty.openpty()
    line = "; ".join(shlex.join([sys.executable, "-m", "memcli", *command]) for command in commands)
    process = subprocess.Popen(
        ["sh", "-c", line],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=mem.full_environ({"TERM": "dumb"}),
        cwd=REPOSITORY,
        start_new_session=True,
    )
    os.close(theirs)
    got = b""
    while select.select([own], [], [], 60)[0]:
        try:
            chunk = os.read(own, 65536)
        except OSError:  # the shell is gone
            break
        if not chunk:
            break
        got += chunk
    os.close(own)
    process.wait(60)
    return got.decode()


def test_on_real_terminals_each_has_a_dialogue_of_its_own(mem: Mem) -> None:
    mem.ok("add", stdin=TALK.encode())
    ask = ["ask", "--no-llm"]
    assert f"(asked as: {UNDERSTOOD})" in shell(mem, [*ask, WHO], [*ask, THEN])
    assert "asked as" not in shell(mem, [*ask, THEN])
