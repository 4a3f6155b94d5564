"""Past questions and the order of evidence (D7, invariant 10), through the commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from llm.fakes import HashingEmbedder

from .harness import REPOSITORY, Mem

MANUAL = json.loads((REPOSITORY / "tests" / "cases" / "manual.json").read_text("utf-8"))
LAWN = MANUAL["histories"]["lawn"]
WINTER = "What do I have to do before winter?"
SAID = ("winter is near", "the lawn is wet", "a story about seals", "I like mussels", "the shed is green")
TALK = "".join(f"[2026-03-01 10:0{n}] {'Ann' if n % 2 else 'Bo'}: {words}\n" for n, words in enumerate(SAID))


@pytest.fixture
def manual(mem: Mem, tmp_path: Path) -> Mem:
    """The manual as Markdown, a section a chunk, and a talk; all indexed by meaning."""
    chunks = [
        f"## {part['heading']} {number}\n\n{chunk}\n"
        for part in MANUAL["sections"]
        for number, chunk in enumerate(part["chunks"])
    ]
    (tmp_path / "manual.md").write_text(f"# {MANUAL['title']}\n\n" + "\n".join(chunks))
    (tmp_path / "talk.txt").write_text(TALK)
    mem.ok("import", "manual.md", "talk.txt")
    mem.embedder = HashingEmbedder()
    mem.ok("tidy")
    return mem


def evidence(mem: Mem, question: str = WINTER, k: str = "12") -> list[dict[str, Any]]:
    found = mem.run("ask", question, "-k", k, "--json", "--no-record").json["evidence"]
    return [{name: item[name] for name in ("id", "source", "session", "score")} for item in found]


def test_they_do_nothing_unless_they_are_switched_on(manual: Mem) -> None:
    before = evidence(manual)
    for question in LAWN:
        manual.run("ask", question)
    assert evidence(manual) == before


def test_switched_on_they_choose_chunks_of_the_documents_that_were_found(manual: Mem) -> None:
    before = evidence(manual)
    (manual.home / "config.toml").write_text("[recall]\npast_questions = true\n")
    assert evidence(manual) == before, "no history: no change"
    for question in [WINTER, *LAWN]:
        manual.run("ask", question)
    after = evidence(manual)
    assert [(one["source"], one["session"], one["score"]) for one in after] == [
        (one["source"], one["session"], one["score"]) for one in before
    ]
    assert [one["id"] for one in after] != [one["id"] for one in before]


def test_a_hundred_questions_leave_the_order_of_conversations_as_it_was_even_then(manual: Mem) -> None:
    (manual.home / "config.toml").write_text("[recall]\npast_questions = true\n")
    asked = [WINTER, "Which story is about the lawn?", *LAWN[:2]]

    def talk_of(question: str) -> list[tuple[int, dict[str, Any]]]:
        return [(n, one) for n, one in enumerate(evidence(manual, question)) if one["source"] == "transcript"]

    before = {question: talk_of(question) for question in asked}
    assert any(0 < len(found) < 12 for found in before.values())
    digest = manual.digest()
    for number in range(100):
        manual.run("ask", asked[number % len(asked)], "--no-llm")
    assert {question: talk_of(question) for question in asked} == before
    assert manual.digest() == digest


def test_a_tidy_reads_them_once_and_asking_needs_no_more_than_the_question(manual: Mem) -> None:
    (manual.home / "config.toml").write_text("[recall]\npast_questions = true\n")
    for question in LAWN:
        manual.run("ask", question)
    assert manual.embedder is not None
    manual.embedder.texts.clear()
    manual.ok("tidy")
    assert set(manual.embedder.texts) == set(LAWN)
    manual.embedder.texts.clear()
    manual.ok("tidy")
    assert manual.embedder.texts == []
    evidence(manual)
    assert manual.embedder.texts == [WINTER]
