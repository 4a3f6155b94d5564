"""Every command: its exit codes, its JSON as documented, its help, and what it says where there is nothing."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from llm.fakes import HashingEmbedder, ScriptedGenerator

from memcli.cli.app import COMMANDS
from memcli.errors import ModelFailed
from memcli.recall.question import Query
from memcli.recall.search import recall
from memcli.store.store import Reading

from .harness import REPOSITORY, Mem

DEMO = REPOSITORY / "examples" / "demo-chat.txt"
ENTRY = (
    "id text said_at precision offset imported_at speaker role trust session title ordinal scope source origin"
    " source_key status pin blob run"
).split()
EVIDENCE = (
    "n id text said_at precision speaker session title scope trust source source_key score superseded_by valid_until"
).split()
IMPORTED = (
    "version run dry_run new known sessions speakers formats first last undated skipped hidden own_answers".split()
)
SHAPES: dict[str, list[str]] = {
    "ask": ("version question asked_as answer abstained kind cited before open evidence indexed pending plan".split()),
    "add": "version run entries hidden".split(),
    "search": "version query entries".split(),
    "list": "version entries".split(),
    "list --sessions": "version sessions".split(),
    "show": "version entry".split(),
    "import": IMPORTED,
    "add <": IMPORTED,
    "tidy": (
        "version run embedded cached pending replaced read changes refused unread read_by_model unread_by_model rules"
        " held over events placed worded next_hours problem"
    ).split(),
    "events": "version events".split(),
    "events ID": "version event".split(),
    "topics": "version topics".split(),
    "topics PATH": "version events memories".split(),
    "undo": "version undone".split(),
    "undo --list": "version runs".split(),
    "verify": (
        "version healthy lines entries bad unknown torn index_problems vectors cached cache_damaged loose"
        " damaged_originals purged unfinished".split()
    ),
    "forget": "version run forgotten memories".split(),
    "forget --dry-run": ("version dry_run entries sessions first mentioned originals memories named resting".split()),
    "forget --purge": "version run purged proof kept beyond".split(),
    "restore": "version run restored memories".split(),
    "rebuild": "version entries pending digest".split(),
    "doctor": "version healthy checks".split(),
}


@pytest.fixture
def demo(mem: Mem) -> Mem:
    """The demo conversation, indexed by meaning, and one typed note."""
    mem.ok("import", str(DEMO))
    mem.ok("add", "--pin", "The boiler service is due every October")
    mem.embedder = HashingEmbedder()
    mem.ok("tidy")
    return mem


def _event(mem: Mem) -> Any:
    return mem.ok("events", "--json").json["events"][0]


def as_json(mem: Mem, command: str) -> Any:
    entry_id = mem.rows("id")[0][0]
    args = {
        "ask": ["ask", "What is Priya allergic to?"],
        "add": ["add", "text"],
        "search": ["search", "walnuts"],
        "list": ["list"],
        "list --sessions": ["list", "--sessions"],
        "show": ["show", entry_id],
        "events": ["events"],
        "events ID": ["events", _event(mem)["id"] if command == "events ID" else ""],
        "topics": ["topics"],
        "topics PATH": ["topics", _event(mem)["topic"] if command == "topics PATH" else ""],
        "import": ["import", str(DEMO)],
        "forget": ["forget", entry_id, "--yes"],
        "forget --dry-run": ["forget", entry_id, "--dry-run"],
        "forget --purge": ["forget", entry_id, "--purge", "--yes"],
        "restore": ["restore", entry_id],
        "undo": ["undo"],
        "undo --list": ["undo", "--list"],
        "add <": ["add"],
    }.get(command, [command])
    if command == "restore":
        mem.ok("forget", entry_id, "--yes")
    stdin = (
        b"".join(f"[2026-09-0{n} 10:00] Bo: line {n}\n".encode() for n in range(1, 6)) if command == "add <" else b""
    )
    result = mem.run(*args, "--json", stdin=stdin)
    assert result.code in (0, 65 if command == "doctor" else 0), result
    return result.json


@pytest.mark.parametrize("command", SHAPES)
def test_its_json_has_exactly_the_documented_keys(demo: Mem, command: str) -> None:
    value = as_json(demo, command)
    assert sorted(value) == sorted(SHAPES[command])
    assert value["version"] == 1
    for entry in value.get("entries", []) if command in ("add", "search", "list") else []:
        assert sorted(entry) == sorted(ENTRY + (["score"] if command == "search" else []))
    if command == "show":
        assert sorted(value["entry"]) == sorted(ENTRY)
    for evidence in value.get("evidence", []):
        assert sorted(evidence) == sorted(EVIDENCE)
    for session in value.get("sessions", []) if command == "list --sessions" else []:
        assert sorted(session) == sorted("session title entries first_ms last_ms".split())
    for run in [*value.get("runs", []), *([value["undone"]] if command == "undo" else [])]:
        assert sorted(run) == sorted("run kind at entries memories origin".split())
    for check in value.get("checks", []):
        assert sorted(check) == sorted("name level text step".split())


def test_the_document_names_every_one_of_these_keys() -> None:
    text = (REPOSITORY / "docs" / "json.md").read_text(encoding="utf-8")
    for name, keys in SHAPES.items():
        assert all(re.search(rf"\b{key}\b", text) for key in keys if key != "query"), name
    assert all(re.search(rf"\b{key}\b", text) for key in [*ENTRY, *EVIDENCE])


def test_times_in_json_are_iso_with_a_zone_or_the_wall_clock_without_one(demo: Mem) -> None:
    entries = demo.ok("list", "-n", "1000", "--json").json["entries"]
    typed = [entry for entry in entries if entry["source"] == "note"]
    assert typed[0]["said_at"].endswith("Z")
    chat = [entry for entry in entries if entry["source"] != "note"]
    assert re.fullmatch(r"2026-\d\d-\d\dT\d\d:\d\d:\d\d", chat[0]["said_at"])


EXITS: dict[str, tuple[list[str], int]] = {
    "a question that is answered": (["ask", "What is Priya allergic to?"], 0),
    "a question that is not": (["ask", "Which submarine has Zorblax bought?"], 1),
    "no question": (["ask", ""], 66),
    "a question from an empty pipe": (["ask", "-"], 66),
    "words that are there": (["search", "walnuts"], 0),
    "words that are not": (["search", "zorblax"], 1),
    "signs that are no words": (["search", "???"], 1),
    "quotes and operators": (["search", '"(', "*", "^:-"], 1),
    "an id that is not": (["show", "ZZZZZZ"], 1),
    "what is no id": (["show", "a b"], 2),
    "too little of an id": (["show", "0"], 2),
    "a run that is not": (["undo", "ZZZZZZ"], 1),
    "no such command": (["frobnicate"], 2),
    "no such option": (["list", "--frobnicate"], 2),
    "a number that is none": (["list", "-n", "x"], 2),
    "a number too small": (["list", "-n", "0"], 2),
    "too many": (["ask", "-k", "51", "x"], 2),
    "no command": ([], 2),
    "no argument": (["show"], 2),
    "no path": (["import"], 2),
    "no such format": (["import", "--as", "novel", __file__], 2),
    "no such model": (["model", "use", "novel"], 1),
    "a speaker who is not": (["list", "--speaker", "Nobody"], 1),
    "a session that is not": (["list", "--session", "none"], 1),
    "a range that is empty": (["search", "x", "--since", "2026-02-01", "--until", "2026-01-31"], 2),
    "help": (["--help"], 0),
    "the version": (["--version"], 0),
    "verify": (["verify"], 0),
    "formats": (["import", "--list-formats"], 0),
}


@pytest.mark.parametrize("name", EXITS)
def test_exit_codes(demo: Mem, name: str) -> None:
    args, code = EXITS[name]
    with demo.unchanged():
        result = demo.run(*args)
    assert result.code == code, result
    if code >= 2:
        assert result.out == ""
    if code and not (args[:1] == ["ask"] and code == 1) and args:
        assert result.err.startswith("mem: ")
        assert len(result.err.splitlines()) >= 2, "a next step"


@pytest.mark.parametrize(
    "command",
    [
        ["list"],
        ["search", "x"],
        ["show", "ABCDEF"],
        ["ask", "x"],
        ["undo"],
        ["events"],
        ["topics"],
        ["tidy"],
        ["verify"],
        ["rebuild"],
    ],
)
def test_without_a_memory_every_command_says_how_to_begin(mem: Mem, command: list[str]) -> None:
    result = mem.run(*command)
    assert (result.code, result.out) == (1, "")
    assert result.err == 'mem: There is no memory here yet.\n     Run `mem init`, or just `mem add "…"`.\n'
    assert not mem.home.exists()


@pytest.mark.parametrize(
    "command",
    [["list"], ["list", "--sessions"], ["list", "--json"], ["list", "--sessions", "--json"], ["search", "x"], ["undo"]],
    ids=" ".join,
)
def test_an_empty_memory_is_nothing_found(mem: Mem, command: list[str]) -> None:
    mem.ok("init")
    result = mem.run(*command)
    assert result.code == 1, result
    assert result.err.startswith("mem: ")
    if "--json" in command:
        assert result.json[{True: "sessions", False: "entries"}["--sessions" in command]] == []


def test_bare_mem_and_bare_mem_model_show_their_help(mem: Mem) -> None:
    for args in ([], ["model"]):
        result = mem.run(*args)
        assert result.code == 2
        assert result.err.startswith("Usage: mem")
        assert "mem: " not in result.err


def test_help_is_narrow_and_names_every_command_and_what_its_module_says(mem: Mem) -> None:
    result = mem.ok("--help")
    assert all(len(line) <= 80 for line in result.out.splitlines())
    for name, (_, summary) in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(summary)}$", result.out, re.MULTILINE)
        own = mem.ok(name, "--help").out
        assert " ".join(own.split()).count(summary) == 1, name
        assert all(len(line) <= 80 for line in own.splitlines())
        assert mem.ok(name, "-h").out == own


def test_every_module_of_a_command_is_in_the_table() -> None:
    folder = REPOSITORY / "memcli" / "cli"
    registering = {path.stem for path in folder.glob("*.py") if "\ndef register(" in path.read_text(encoding="utf-8")}
    assert registering == {module for module, _ in COMMANDS.values()}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("mem ", set(COMMANDS)),
        ("mem i", {"import", "init"}),
        (
            "mem add --",
            {
                "--scope",
                "--source",
                "--speaker",
                "--at",
                "--session",
                "--pin",
                "--as",
                "--date-order",
                "--keep-secrets",
                "--json",
                "--help",
            },
        ),
        ("mem ask --no", {"--no-llm", "--no-dialogue", "--no-record"}),
        ("mem model ", {"list", "use", "test"}),
    ],
)
def test_the_shell_completes_commands_and_options(mem: Mem, words: str, expected: set[str]) -> None:
    done = mem.process(_MEM_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(len(words.split(" ")) - 1))
    assert {line.split(",")[1] for line in done.stdout.decode().splitlines()} == expected
    assert not mem.home.exists()


def test_the_generated_documents_are_what_would_be_generated() -> None:
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_head_ends_a_list_in_silence(mem: Mem, tmp_path: Path) -> None:
    chat = tmp_path / "chat.txt"
    chat.write_text(
        "".join(
            f"[2026-01-{1 + n // 1440:02d} {n // 60 % 24:02d}:{n % 60:02d}] Bo: {'word ' * 30}{n}\n"
            for n in range(1500)
        )
    )
    mem.ok("import", str(chat))
    done = subprocess.run(
        f'"{sys.executable}" -m memcli list -n 100000 | head -1; echo "${{PIPESTATUS[0]}}"',
        shell=True,
        executable="/bin/bash",
        env=mem.full_environ({}),
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[1:] == ["141"]


def test_closed_streams_are_no_reason_to_lose_a_note(mem: Mem) -> None:
    for redirect in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        done = subprocess.run(
            f'"{sys.executable}" -m memcli add kept {redirect}',
            shell=True,
            executable="/bin/bash",
            env=mem.full_environ({}),
            cwd=REPOSITORY,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done
    assert mem.texts() == ["kept"] * 4
    assert mem.run("verify").code == 0


def test_an_encoding_without_our_letters_shows_them_escaped(mem: Mem) -> None:
    mem.ok("add", "naïve — 花生")
    done = mem.process("list", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert rb"na\xefve \u2014 \u82b1\u751f" in done.stdout


@pytest.mark.slow
def test_an_interrupt_is_one_line_and_what_was_read_is_kept(mem: Mem, tmp_path: Path) -> None:
    chat = tmp_path / "chat.txt"
    chat.write_text("".join(f"[2026-01-01 10:{n % 60:02d}] Bo: message {n}\n" for n in range(15_000)))
    process = mem.start("import", str(chat))
    deadline = time.monotonic() + 30
    while not (mem.home / "mem.db").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, (out, err)
    assert b"Traceback" not in err
    assert err.strip() == b"mem: stopped; what was acknowledged is kept."
    assert mem.run("verify").code == 0
    mem.ok("import", str(chat))
    assert len(mem.rows("id")) == 15_000


def test_a_command_that_was_meant_is_named(mem: Mem) -> None:
    assert "--scope" in mem.run("list", "--scop", "user").err
    assert mem.run("serch", "x").err.startswith("mem: No such command 'serch'. Did you mean `mem search`?\n")
    assert mem.run("model", "lst").err.count("list") == 1
    assert "Did you" not in mem.run("qqqq").err


def test_help_is_a_command_too(mem: Mem) -> None:
    assert mem.ok("help").out == mem.ok("--help").out
    assert mem.ok("help", "ask").out == mem.ok("ask", "--help").out
    assert mem.run("help", "qqqq").code == 2


@pytest.mark.parametrize(
    ("since", "until", "texts"),
    [
        (None, None, ["a", "b", "c", "d"]),
        ("2026-05-20", None, ["b", "c", "d"]),
        (None, "2026-05-20", ["a", "b", "c"]),
        ("2026-05-20", "2026-05-20", ["b", "c"]),
        ("2026-05-20T10:00", "2026-05-20T23:59", ["b"]),
        ("2026-05-20T10:01", "2026-05-21T00:00", ["c"]),
        ("2026-05-21", "2026-05-21", ["d"]),
    ],
)
@pytest.mark.parametrize("zone", ["", "+09:00", "-11:00"])
def test_since_and_until_are_half_open_by_the_wall_clock_where_it_was_said(
    mem: Mem, since: str | None, until: str | None, texts: list[str], zone: str
) -> None:
    moments = {"a": "2026-05-19T23:59", "b": "2026-05-20T10:00", "c": "2026-05-20T23:59", "d": "2026-05-21T00:00"}
    for text, at in moments.items():
        mem.ok("add", "--at", at + zone, f"boat {text}")
    options = [*(["--since", since] if since else []), *(["--until", until] if until else [])]
    for command in ("search", "ask"):
        value = mem.run(command, "boat", "--json", *options).json
        found = value["entries"] if command == "search" else value["evidence"]
        assert sorted(entry["text"][-1] for entry in found) == texts, command


def test_a_scope_narrows_search_ask_and_list(mem: Mem) -> None:
    for scope in ("user", "project:boat", "domain:law"):
        mem.ok("add", "--scope", scope, f"a fact of {scope}")
    assert len(mem.ok("list", "--json").json["entries"]) == 3
    for command in (["search", "fact"], ["ask", "which fact?"], ["list"]):
        value = mem.run(*command, "--scope", "project:boat", "--json").json
        found = value.get("entries") or value["evidence"]
        assert [entry["scope"] for entry in found] == ["project:boat"]


def test_ask_hands_on_what_seems_worth_reading_or_exactly_as_many_as_are_asked_for(mem: Mem) -> None:
    for number in range(30):
        mem.ok("add", f"the boat number {number} lies in the harbour")

    def pieces(*options: str) -> int:
        return len(mem.run("ask", "Where does the boat lie?", "--json", *options).json["evidence"])

    assert 3 <= pieces() <= 20
    assert [pieces("-k", str(count)) for count in (1, 2, 8, 25)] == [1, 2, 8, 25]


def test_list_narrows_by_session_speaker_source_and_pin(demo: Mem) -> None:
    assert {e["speaker"] for e in demo.ok("list", "--speaker", "Priya", "--json").json["entries"]} == {"Priya"}
    assert [e["text"] for e in demo.ok("list", "--pinned", "--json").json["entries"]] == [
        "The boiler service is due every October"
    ]
    assert {e["source"] for e in demo.ok("list", "--source", "transcript", "--json").json["entries"]} == {"transcript"}
    sessions = demo.ok("list", "--sessions", "--json").json["sessions"]
    first = sessions[0]["session"]
    inside = demo.ok("list", "--session", first, "-n", "1000", "--json").json["entries"]
    assert len(inside) == sessions[0]["entries"]
    assert [e["ordinal"] for e in inside] == sorted(e["ordinal"] for e in inside)


def test_any_unique_tail_of_an_id_shows_its_entry(demo: Mem) -> None:
    entry_id = demo.rows("id")[10][0]
    for tail in (entry_id, entry_id[-6:], entry_id[-8:].lower()):
        assert demo.ok("show", tail, "--json").json["entry"]["id"] == entry_id


def test_undo_takes_back_run_after_run_and_then_says_so(mem: Mem) -> None:
    digests = []
    for text in ("one", "two", "three"):
        mem.ok("init") if not digests else None
        digests.append(mem.digest())
        mem.ok("add", text)
    for digest in reversed(digests):
        mem.ok("undo")
        assert mem.digest() == digest
    result = mem.run("undo")
    assert result.code == 1
    assert result.err.startswith("mem: ")


@pytest.mark.parametrize("question", ["answered", "abstained"])
def test_a_model_that_fails_is_told_and_the_quote_stands_in(demo: Mem, question: str) -> None:
    demo.generator = ScriptedGenerator([ModelFailed("The model process is not running any more.", "Run `mem doctor`.")])
    result = demo.run("ask", {"answered": "What is Priya allergic to?", "abstained": "Who is Zorblax?"}[question])
    if question == "answered":
        assert result.code == 0
        assert result.err == "mem: Quoted instead: The model process is not running any more. Run `mem doctor`.\n"
        assert result.out.startswith("Quoted: “")
    else:
        assert (result.code, result.err) == (1, "")


def test_a_model_whose_file_is_bad_is_told_and_the_answer_comes_all_the_same(demo: Mem) -> None:
    demo.embedder, demo.problems = None, ("The file of the model x is not the one that was registered.",)
    for options in ([], ["--json"]):
        result = demo.run("ask", "What is Priya allergic to?", *options)
        assert result.code == 0
        assert result.err == "mem: The file of the model x is not the one that was registered.\n"


def test_an_embedder_that_fails_is_told_and_words_find_it(demo: Mem) -> None:
    class Broken(HashingEmbedder):
        def embed(self, texts: Any) -> Any:
            raise ModelFailed("The model failed: nothing came.", "Run `mem doctor`.")

    demo.embedder = Broken()
    result = demo.run("ask", "What is Priya allergic to?")
    assert result.code == 0
    assert "The model failed: nothing came. Searched by words only." in result.err


@pytest.fixture
def questions() -> list[str]:
    """Two hundred questions: the demo's own, and some made of its words."""
    asked = [item["question"] for item in json.loads((REPOSITORY / "examples" / "demo-questions.json").read_text())]
    lines = DEMO.read_text(encoding="utf-8").splitlines()
    made = []
    for number, line in enumerate(lines):
        words = re.findall(r"[a-z]{4,}", line.split(": ", 1)[-1])
        if len(words) >= 3:
            made.append(f"What about {words[0]} {words[len(words) // 2]} {words[-1]} {number}?")
    return (asked + made)[:200]


def ids(mem: Mem, questions: list[str]) -> list[list[str]]:
    """What each question finds, in order; with the vectors where there is an embedder."""
    vectors = list(mem.embedder.embed(questions)) if mem.embedder else [None] * len(questions)

    def use(reading: Reading) -> list[list[str]]:
        return [
            [item.entry.id for item in recall(reading.db, Query(question), vector)]
            for question, vector in zip(questions, vectors, strict=True)
        ]

    return mem.store.consult(use)


@pytest.mark.slow
def test_without_the_index_two_hundred_questions_find_the_same_in_the_same_order(
    demo: Mem, questions: list[str]
) -> None:
    assert len(questions) == 200
    embedder = demo.embedder
    for demo.embedder, asked in ((None, questions), (embedder, questions[::8])):
        before = ids(demo, asked)
        (demo.home / "mem.db").unlink()
        assert ids(demo, asked) == before
    assert demo.run("verify").code == 0


def test_a_hundred_questions_leave_the_order_of_evidence_as_it_was(
    mem: Mem, questions: list[str], tmp_path: Path
) -> None:
    demo, part = mem, tmp_path / "part.txt"
    part.write_text("".join(DEMO.read_text(encoding="utf-8").splitlines(keepends=True)[:40]), encoding="utf-8")
    demo.ok("import", str(part))
    demo.embedder = HashingEmbedder()
    demo.ok("tidy")
    before = ids(demo, questions[:10])
    digest = demo.digest()
    for number in range(100):
        demo.run("ask", questions[number % 5])
    assert ids(demo, questions[:10]) == before
    assert demo.digest() == digest


def test_questions_are_noted_but_for_no_record(demo: Mem) -> None:
    def noted() -> int:
        return sum(path.read_bytes().count(b'"kind":"question"') for path in (demo.home / "journal").glob("*.jsonl"))

    demo.run("ask", "What is Priya allergic to?", "--no-record")
    assert noted() == 0
    demo.run("ask", "What is Priya allergic to?")
    assert noted() == 1


def test_a_question_may_come_from_a_pipe(demo: Mem) -> None:
    typed = demo.run("ask", "What is Priya allergic to?")
    piped = demo.run("ask", "-", stdin=b"What is Priya allergic to?\n")
    assert (piped.code, piped.out) == (typed.code, typed.out)


def test_the_home_is_private_whatever_the_umask(mem: Mem) -> None:
    old = os.umask(0)
    try:
        mem.ok("add", "x")
        mem.ok("init")
    finally:
        os.umask(old)
    for path in [mem.home, *mem.home.rglob("*")]:
        if not path.is_symlink():
            assert path.stat().st_mode & 0o077 == 0, path


def test_an_index_that_is_damaged_inside_is_told_by_doctor_and_by_a_dry_run(mem: Mem, tmp_path: Path) -> None:
    chat = tmp_path / "chat.txt"
    chat.write_text("".join(f"Ada: message {number} about boats\nBo: answer {number}\n" for number in range(100)))
    mem.ok("import", str(chat))
    whole = (mem.home / "mem.db").read_bytes()
    codes = set()
    for start in range(4096, len(whole), 4096):
        (mem.home / "mem.db").write_bytes(whole[:start] + b"\xff" * 4096 + whole[start + 4096 :])
        codes |= {("doctor", mem.run("doctor").code), ("dry run", mem.run("import", "--dry-run", str(chat)).code)}
    assert codes == {("doctor", 0), ("doctor", 65), ("dry run", 0), ("dry run", 74)}
