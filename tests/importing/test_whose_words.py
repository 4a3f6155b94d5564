"""Whose words they are is decided by the way they come in: an address, a named speaker, a bare file (C3)."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.harness import Mem

ME = "Alex,Alex Berg,alex@example.com"


def mail(path: Path, sender: str) -> str:
    path.write_text(f"From: {sender}\nTo: x@example.com\nSubject: a\nMessage-ID: <1@x>\n\nThe boat is blue.\n", "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("sender", "speaker", "role"),
    [
        ("Alex Berg <alex@example.com>", "Alex Berg", "user"),
        ("ALEX@EXAMPLE.COM", "ALEX@EXAMPLE.COM", "user"),
        ("Bo <bo@example.com>", "Bo", "other"),
        ("Alex Berg <notes@mailer.invalid>", "Alex Berg <notes@mailer.invalid>", "other"),
        ("=?utf-8?q?=D0=90lex?= <a1ex@example.com>", "\u0410lex", "other"),
    ],
    ids=["from me", "by address alone", "from another", "another by my name", "a look-alike"],
)
def test_a_mail_is_from_its_address_and_never_trusted_as_typed(
    mem: Mem, tmp_path: Path, sender: str, speaker: str, role: str
) -> None:
    mem.ok("init", "--me", ME)
    mem.ok("import", "--as", "eml", mail(tmp_path / "m.eml", sender))
    assert mem.rows("speaker, role, trust") == [(speaker, role, "mail")]


@pytest.mark.parametrize("name", ["note.md", "note.txt"])
@pytest.mark.parametrize(("more", "role", "trust"), [((), "unknown", "document"), (("--mine",), "user", "self")])
def test_a_text_file_is_the_persons_only_where_they_say_so(
    mem: Mem, tmp_path: Path, name: str, more: tuple[str, ...], role: str, trust: str
) -> None:
    path = tmp_path / name
    path.write_text("# Boat\n\nI painted the boat.\n" if name.endswith("md") else "I painted the boat.\n")
    mem.ok("import", str(path), *more)
    assert mem.rows("role, trust") == [(role, trust)]


@pytest.mark.parametrize(
    ("speaker", "role", "trust"), [("Alex Berg", "user", "self"), ("alex", "user", "self"), ("Tom", "other", "other")]
)
def test_a_note_that_somebody_else_said_is_theirs(mem: Mem, speaker: str, role: str, trust: str) -> None:
    mem.ok("init", "--me", ME)
    mem.ok("add", "--speaker", speaker, "I painted the boat.")
    assert mem.rows("speaker, role, trust") == [(speaker, role, trust)]
