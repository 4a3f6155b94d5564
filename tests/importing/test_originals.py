"""The original of a document is kept beside its words, named by its content, unless a secret is in it."""

from __future__ import annotations

import hashlib
from pathlib import Path

from cli.harness import Mem

from memcli.formats.registry import by_name
from memcli.formats.source import Source
from memcli.importing.originals import keep_original
from memcli.store import blobs
from memcli.store.home import Home
from memcli.types import Draft

PAGE = "<html><head><title>Shed</title></head><body><h1>Paint</h1><p>The shed takes two coats of {}.</p></body></html>"


def page(tmp_path: Path, word: str) -> Path:
    path = tmp_path / "shed.html"
    path.write_text(PAGE.format(word))
    return path


def test_the_original_of_a_document_is_kept_and_its_entries_name_it(mem: Mem, tmp_path: Path) -> None:
    path = page(tmp_path, "cedar stain")
    mem.ok("import", str(path))
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    assert blobs.path_of(Home(mem.home), sha256).read_bytes() == path.read_bytes()
    assert {entry["blob"] for entry in mem.ok("list", "--json").json["entries"]} == {sha256}


def test_an_original_with_a_secret_in_it_is_not_kept_but_its_words_are(mem: Mem, tmp_path: Path) -> None:
    token = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    result = mem.ok("import", str(page(tmp_path, token)))
    assert "the original is not kept" in result.err
    assert not (mem.home / "blobs").exists()
    assert "two coats of [secret" in mem.ok("list", "--json").json["entries"][0]["text"]


def test_an_original_with_a_secret_in_its_title_is_not_kept(mem: Mem) -> None:
    token = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    drafts = [Draft("pdf", "The shed.", 0, title=f"About {token}")]
    assert keep_original(mem.store, Source.from_bytes("a.pdf", b"%PDF"), by_name("pdf"), drafts, False) == (
        None,
        "there is a secret in it",
    )
    assert not (mem.home / "blobs").exists()


def test_an_original_that_changed_by_itself_is_reported(mem: Mem, tmp_path: Path) -> None:
    mem.ok("import", str(page(tmp_path, "cedar stain")))
    (kept,) = (mem.home / "blobs").glob("*/*")
    kept.write_bytes(kept.read_bytes()[:-1])
    assert blobs.damaged(Home(mem.home)) == [str(kept.relative_to(mem.home))]
    assert mem.run("verify").code == 65


def test_a_chat_export_keeps_its_words_alone(mem: Mem, tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("Ada: hello there\nBo: hi\nAda: tea?\nBo: yes please\n")
    mem.ok("import", str(path))
    assert not (mem.home / "blobs").exists()
