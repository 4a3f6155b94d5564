"""Again, longer, shorter, by another route, two at once, taken back: nothing doubled, nothing lost."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest
from cli.harness import REPOSITORY, Mem

from memcli.importing.importer import CHUNK

SAMPLES = Path(REPOSITORY, "tests", "samples")
DEMO = REPOSITORY / "examples" / "demo-chat.txt"
PEOPLE = ("Alex", "Kenji", "Priya")


def chat(lines: int, dated: bool = True) -> str:
    """A transcript in which some lines are the same word for word, some even at the same minute."""
    out = []
    for number in range(lines):
        when = f"[2026-02-{1 + number // 200:02d} {9 + number // 60 % 12:02d}:{number % 60:02d}] " if dated else ""
        words = "ok" if number % 7 == 0 else f"message {number} about the boat"
        out.append(f"{when}{PEOPLE[number % 3]}: {words}")
        if number % 11 == 0:
            out.append(out[-1])
    return "\n".join(out) + "\n"


def exported(messages: int) -> str:
    """The same with the source's own ids, as ChatGPT exports it."""
    mapping: dict[str, object] = {"root": {"id": "root", "message": None, "parent": None, "children": ["m0"]}}
    for number in range(messages):
        mapping[f"m{number}"] = {
            "id": f"m{number}",
            "parent": f"m{number - 1}" if number else "root",
            "children": [f"m{number + 1}"] if number + 1 < messages else [],
            "message": {
                "id": f"m{number}",
                "author": {"role": "assistant" if number % 2 else "user"},
                "create_time": 1_770_000_000 + number,
                "content": {"content_type": "text", "parts": [f"message {number} about the boat"]},
            },
        }
    value = [
        {
            "title": "Boats",
            "id": "c1",
            "conversation_id": "c1",
            "create_time": 1_770_000_000,
            "update_time": 1_770_000_999,
            "current_node": f"m{messages - 1}",
            "mapping": mapping,
        }
    ]
    return json.dumps(value)


def note(messages: int) -> str:
    """A Markdown note with one section a message."""
    return "# Boats\n\n" + "\n\n".join(f"## Day {number}\n\nWe saw {number} boats." for number in range(messages))


MAKERS = {
    "dated transcript": chat,
    "undated transcript": lambda count: chat(count, dated=False),
    "export with ids": exported,
    "note": note,
}
every_source = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def counted(mem: Mem) -> Counter[tuple[object, ...]]:
    return Counter(mem.rows("text, speaker, said_ms, source"))


def file(tmp_path: Path, text: str, name: str = "source.txt") -> str:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@every_source
def test_the_same_again_by_file_or_by_pipe_brings_nothing(make: object, mem: Mem, tmp_path: Path) -> None:
    text = make(60)  # type: ignore[operator]
    path = file(tmp_path, text)
    first = mem.ok("import", path, "--json").json
    assert first["new"] > 0
    before = counted(mem)
    with mem.unchanged():
        again = mem.ok("import", path, "--json").json
        assert (again["new"], again["known"]) == (0, first["new"])
        mem.ok("import", file(tmp_path, text, "another name.txt"))
        if make is not note:  # a note from a pipe is a typed note
            mem.ok("add", stdin=text.encode())
    assert counted(mem) == before


@every_source
def test_a_longer_one_brings_the_rest_and_a_shorter_one_removes_nothing(make: object, mem: Mem, tmp_path: Path) -> None:
    short, long = make(40), make(90)  # type: ignore[operator]
    mem.ok("import", file(tmp_path, short))
    mem.ok("import", file(tmp_path, long))
    grown = counted(mem)
    mem.ok("import", file(tmp_path, short))
    assert counted(mem) == grown
    whole = Mem(tmp_path / "whole", environ=mem.environ)
    whole.ok("import", file(tmp_path, long))
    assert grown == counted(whole)


@pytest.mark.parametrize("make", [chat, exported], ids=["dated transcript", "export with ids"])
def test_overlapping_parts_in_any_order_are_the_whole(make: object, mem: Mem, tmp_path: Path) -> None:
    lines = chat(120).splitlines(keepends=True)
    parts = ["".join(lines[0:70]), "".join(lines[40:110]), "".join(lines[90:])]
    listed = None
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        other = Mem(tmp_path / f"home-{order}")
        for index in order:
            other.ok("import", file(tmp_path, parts[index], f"part-{index}.txt"))
        texts = sorted(other.rows("text, speaker, said_ms"))
        listed = listed or texts
        assert texts == listed
    mem.ok("import", file(tmp_path, "".join(lines)))
    assert sorted(mem.rows("text, speaker, said_ms")) == listed


def test_the_order_of_imports_does_not_change_what_list_shows(mem: Mem, tmp_path: Path) -> None:
    paths = [
        file(tmp_path, chat(30).replace("boat", word).replace("2026-02", f"2026-{month}"), f"{word}.txt")
        for word, month in (("boat", "02"), ("house", "03"), ("garden", "04"))
    ]
    shown = set()
    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
        other = Mem(tmp_path / f"home-{order}")
        for index in order:
            other.ok("import", paths[index])
        entries = other.ok("list", "-n", "1000", "--json").json["entries"]
        keys = ("text", "said_at", "speaker", "session", "title", "ordinal", "source", "source_key")
        shown.add(json.dumps([sorted((entry["said_at"], entry["text"]) for entry in entries)]))
        assert [entry["said_at"] for entry in entries] == sorted((e["said_at"] for e in entries), reverse=True)
        assert all(key in entries[0] for key in keys)
    assert len(shown) == 1


@every_source
def test_undo_takes_an_import_back_whole_and_the_next_brings_all_of_it(make: object, mem: Mem, tmp_path: Path) -> None:
    mem.ok("add", "something that was here before")
    digest = mem.digest()
    path = file(tmp_path, make(50))  # type: ignore[operator]
    new = mem.ok("import", path, "--json").json["new"]
    after = counted(mem)
    mem.ok("undo")
    assert mem.digest() == digest
    again = mem.ok("import", path, "--json").json
    assert (again["new"], again["known"]) == (new, 0)
    assert counted(mem) == after


def test_undo_of_the_longer_one_leaves_the_shorter_one(mem: Mem, tmp_path: Path) -> None:
    mem.ok("import", file(tmp_path, chat(40)))
    digest = mem.digest()
    mem.ok("import", file(tmp_path, chat(90)))
    mem.ok("undo")
    assert mem.digest() == digest


def test_a_dry_run_writes_nothing_and_says_what_would_be_new(mem: Mem, tmp_path: Path) -> None:
    path = file(tmp_path, chat(40))
    mem.ok("add", "first")
    with mem.unchanged():
        would = mem.ok("import", "--dry-run", path, "--json").json
    assert would["dry_run"] is True
    did = mem.ok("import", path, "--json").json
    assert (did["new"], did["sessions"], did["speakers"]) == (would["new"], would["sessions"], would["speakers"])


def test_a_dry_run_on_nothing_makes_no_memory(mem: Mem, tmp_path: Path) -> None:
    mem.ok("import", "--dry-run", file(tmp_path, chat(5)))
    assert mem.run("list").code == 1


def test_more_messages_than_fit_one_chunk_are_as_many_again(mem: Mem, tmp_path: Path) -> None:
    text = "".join(f"[2026-03-01 10:{n % 60:02d}] Alex: line {n % 5}\n" for n in range(2 * CHUNK + 7))
    path = file(tmp_path, text)
    assert mem.ok("import", path, "--json").json["new"] == 2 * CHUNK + 7
    assert mem.ok("import", path, "--json").json["new"] == 0


@pytest.mark.slow
def test_two_imports_at_once_double_nothing_and_lose_nothing(mem: Mem, tmp_path: Path) -> None:
    one, other = file(tmp_path, chat(600), "one.txt"), file(tmp_path, chat(800), "other.txt")
    running = [mem.start("import", path) for path in (one, other, one)]
    for process in running:
        assert process.wait(60) == 0, process.communicate()
    whole = Mem(tmp_path / "whole")
    whole.ok("import", other)
    assert counted(mem) == counted(whole)


def test_a_typed_note_is_new_every_time(mem: Mem) -> None:
    for _ in range(3):
        mem.ok("add", "the same words")
    assert mem.texts() == ["the same words"] * 3


def test_a_random_walk_of_growing_files_and_undos_ends_where_a_fresh_import_does(mem: Mem, tmp_path: Path) -> None:
    walk = random.Random(7)
    for _ in range(12):
        if walk.random() < 0.3 and mem.run("undo").code in (0, 1):
            continue
        mem.ok("import", file(tmp_path, chat(walk.randrange(1, 60))))
    mem.ok("import", file(tmp_path, chat(70)))
    whole = Mem(tmp_path / "whole")
    whole.ok("import", file(tmp_path, chat(70)))
    assert counted(mem) == counted(whole)


@pytest.mark.skipif(not DEMO.exists(), reason="the demo is not here")
def test_the_demo_conversation_comes_once(mem: Mem, tmp_path: Path) -> None:
    copy = tmp_path / "copy.txt"
    shutil.copy(DEMO, copy)
    lines = sum(line.startswith("[2026-") for line in DEMO.read_text(encoding="utf-8").splitlines())
    assert mem.ok("import", str(DEMO), "--json").json["new"] == lines
    assert mem.ok("import", str(copy), "--json").json["new"] == 0
