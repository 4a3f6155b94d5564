"""An import that is killed at any write, sync or rename, or finds no room there: the next one completes it."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from cli.harness import Mem
from store.making import dying_at, failing_at, in_child

from memcli.importing import importer

CHAT = "".join(f"[2026-03-01 10:0{n}] Alex: line {n} of a chat\n" for n in range(8))


@pytest.fixture
def path(mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A chat that takes three chunks."""
    monkeypatch.setattr(importer, "CHUNK", 3)
    path = tmp_path / "chat.txt"
    path.write_text(CHAT, encoding="utf-8")
    return str(path)


def words(mem: Mem) -> list[tuple[object, ...]]:
    return sorted(mem.rows("text, speaker, said_ms, ordinal, source"))


def test_killed_at_every_call_and_repeated_it_is_as_if_undisturbed(mem: Mem, path: str, tmp_path: Path) -> None:
    mem.ok("import", path)
    undisturbed = words(mem)
    for call in range(1, 200):
        other = Mem(tmp_path / f"killed-{call}")
        code = in_child(lambda other=other, call=call: other.ok("import", path, disk=dying_at(call)) and None)  # type: ignore[misc]
        assert code in (0, 137), call
        listed = other.run("list", "-n", "100", "--json")
        assert listed.code in (0, 1)
        other.ok("import", path)
        assert words(other) == undisturbed, call
        assert other.run("verify").code == 0, (call, other.run("verify"))
        if code == 0:
            assert call > 10
            return
    pytest.fail("the import never came to its end")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO], ids=["no room", "failing disk"])
def test_a_disk_that_fails_at_any_call_is_told_and_the_next_import_brings_the_rest(
    mem: Mem, path: str, tmp_path: Path, code: int
) -> None:
    mem.ok("import", path)
    undisturbed = words(mem)
    for call in range(1, 200):
        other = Mem(tmp_path / f"failed-{call}")
        result = other.run("import", path, disk=failing_at({call}, code))
        assert result.code in ((0, 73) if code == errno.ENOSPC else (0, 74)), (call, result)
        assert (result.code == 0) or result.err.startswith("mem: "), result
        assert "Traceback" not in result.err
        other.ok("import", path)
        assert words(other) == undisturbed, call
        assert other.run("verify").code == 0
        if result.code == 0 and call > 30:
            return


def test_an_add_that_is_killed_at_any_call_is_there_or_not_but_never_in_part(mem: Mem, tmp_path: Path) -> None:
    for call in range(1, 100):
        other = Mem(tmp_path / f"killed-{call}")
        code = in_child(lambda other=other, call=call: other.ok("add", "the one note", disk=dying_at(call)) and None)  # type: ignore[misc]
        assert other.texts() in ([], ["the one note"])
        if code == 0:
            assert other.texts() == ["the one note"]
            return
        other.ok("add", "another")
        assert other.texts() in (["another"], ["the one note", "another"], ["another", "the one note"])
        assert other.run("verify").code == 0
    pytest.fail("the add never came to its end")
