"""What `mem ask` printed never becomes a memory, wherever it stands; what stands around it does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.harness import Mem
from llm.fakes import HashingEmbedder, ScriptedGenerator

from memcli.importing.guard import suspect, without_answers

FACTS = (
    "Kenji lives at 14 Tanner's Row, the blue door, second floor, and the bell is broken so text him from outside",
    "Priya is allergic to walnuts, the kind of allergic that has an adrenaline pen in the bag",
    "The grey scarf was at the cinema",
)
BEFORE, AFTER = "A note of my own.\n\nSecond paragraph of it.", "And this came last."


def filled(mem: Mem) -> Mem:
    for fact in FACTS:
        mem.ok("add", fact)
    mem.embedder = HashingEmbedder()
    mem.ok("tidy")
    return mem


GENERATED = "Kenji lives at 14 Tanner's Row, the blue door, second floor [1]"
QUESTIONS = {"answered": "Where does Kenji live?", "abstained": "Where did the submarine park?"}
FORMS = {
    "piped": {},
    "wide": {"columns": 120},
    "narrow": {"columns": 40},
    "terminal": {"tty": True, "columns": 80},
    "terminal without colour": {"tty": True, "columns": 80, "NO_COLOR": "1"},
}


CASES = (("generated", "answered"), ("quote", "answered"), ("none", "abstained"))


@pytest.fixture(params=CASES, ids=str)
def asked(request: pytest.FixtureRequest, mem: Mem) -> tuple[Mem, str]:
    kind, question = request.param
    filled(mem)
    mem.generator = ScriptedGenerator([GENERATED] * 200) if kind == "generated" else None
    assert mem.run("ask", QUESTIONS[question], "--json").json["kind"] == kind
    return mem, QUESTIONS[question]


def answers(mem: Mem, question: str) -> dict[str, str]:
    found = {}
    for name, options in FORMS.items():
        result = mem.run("ask", question, **options)  # type: ignore[arg-type]
        assert result.code in (0, 1)
        found[name] = result.out
        found[f"{name}, with its talk"] = result.err + result.out
    as_json = mem.run("ask", question, "--json").out
    found["json"] = as_json
    found["pretty json"] = json.dumps(json.loads(as_json), indent=2)
    found["sorted json"] = json.dumps(json.loads(as_json), sort_keys=True)
    found["crlf"] = found["piped"].replace("\n", "\r\n")
    found["quoted in a mail"] = "".join(f"> {line}\n" for line in found["piped"].splitlines())
    found["indented"] = "".join(f"  {line}\n" if line else "\n" for line in found["piped"].splitlines())
    return found


def routes(mem: Mem, text: str, tmp_path: Path) -> None:
    path = tmp_path / "answer.txt"
    path.write_text(text, encoding="utf-8", newline="")
    mem.run("add", "-", stdin=text.encode())
    mem.run("add", stdin=text.encode())
    mem.run("add", "--", text)
    mem.run("import", str(path))


def test_a_printed_answer_is_no_new_memory_by_any_route_five_times_in_a_row(
    asked: tuple[Mem, str], tmp_path: Path
) -> None:
    mem, question = asked
    before = mem.texts()
    for text in answers(mem, question).values():
        routes(mem, text, tmp_path)
    for _ in range(5):
        routes(mem, mem.run("ask", question).out, tmp_path)
    assert mem.texts() == before


@pytest.mark.parametrize("format_", ["note", "transcript", "markdown"])
def test_nor_where_the_person_names_the_format(asked: tuple[Mem, str], tmp_path: Path, format_: str) -> None:
    mem, question = asked
    before = mem.texts()
    for text in answers(mem, question).values():
        path = tmp_path / "answer.txt"
        path.write_text(text, encoding="utf-8", newline="")
        mem.run("add", "--as", format_, stdin=text.encode())
        mem.run("import", "--as", format_, str(path))
    assert mem.texts() == before


def test_of_a_longer_text_only_the_answer_is_left_out(asked: tuple[Mem, str]) -> None:
    mem, question = asked
    for name, text in answers(mem, question).items():
        for between in ("\n\n", "\n"):
            if between == "\n" and "talk" in name:
                continue
            whole = f"{BEFORE}{between}{text}{between}{AFTER}\n"
            kept, count = without_answers(whole)
            assert count == 1, (name, whole)
            assert kept.split() == f"{BEFORE} {AFTER}".split(), (name, between, whole)


def test_two_answers_in_one_text_both_go(asked: tuple[Mem, str]) -> None:
    mem, question = asked
    for name, text in answers(mem, question).items():
        kept, count = without_answers(f"{text}\n{BEFORE}\n\n{text}\n{AFTER}")
        assert (count, kept.split()) == (2, f"{BEFORE} {AFTER}".split()), name


def test_an_answer_that_somebody_pasted_into_a_chat_leaves_the_chat(asked: tuple[Mem, str], tmp_path: Path) -> None:
    mem, question = asked
    before = set(mem.texts())
    for number, text in enumerate(answers(mem, question).values()):
        chat = f"Alex: look at this {number}\nKenji: what is it {number}\nAlex: {text}\nKenji: nice {number}\n"
        mem.run("add", "--as", "transcript", stdin=chat.encode())
        new = set(mem.texts()) - before
        assert {f"look at this {number}", f"what is it {number}", f"nice {number}"} <= new
        assert not any("answered from" in one or "Tanner" in one or "[1]" in one for one in new), (text, new)


def test_an_answer_inside_an_export_leaves_its_message(asked: tuple[Mem, str], tmp_path: Path) -> None:
    mem, question = asked
    before = set(mem.texts())
    for number, text in enumerate(answers(mem, question).values()):
        path = tmp_path / f"{number}.json"
        messages = [
            {"role": "user", "content": f"what do you think {number}\n\n{text}"},
            {"role": "assistant", "content": text},
            {"role": "user", "content": f"thanks {number}"},
        ]
        path.write_text(json.dumps(messages), encoding="utf-8")
        result = mem.ok("import", str(path), "--json").json
        assert result["new"] == 2
        assert result["own_answers"] == 1
    new = set(mem.texts()) - before
    assert not any("answered from" in text or "Tanner" in text for text in new)


def test_utf_16_hides_no_answer(mem: Mem, tmp_path: Path) -> None:
    filled(mem)
    before = mem.texts()
    text = mem.ok("ask", QUESTIONS["answered"]).out
    path = tmp_path / "answer.txt"
    for codec in ("utf-16", "utf-8-sig"):
        path.write_bytes(text.encode(codec))
        mem.run("import", str(path))
        mem.run("add", stdin=text.encode(codec))
    assert mem.texts() == before


@pytest.mark.parametrize(
    "text",
    [
        "mem: answered from memory is a phrase of mine",
        "I wrote mem: answered from 3 of 4 entries in the middle of a line",
        'the key "abstained" stands in the documentation',
        '{"version": 1, "abstained": true}',
        "[1] 2026-01-02 Alex: a line that looks like evidence",
        "Quoted: “a word” [1]",
        "I don't have that.",
    ],
)
def test_what_only_looks_like_an_answer_stays(text: str) -> None:
    assert without_answers(text) == (text, 0)


def test_an_ordinary_text_is_not_even_looked_at() -> None:
    assert not suspect("Priya: I'll bring the lemon tart [1]")
