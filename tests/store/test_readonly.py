"""A home that cannot be written is read as it is; adding to it is one sentence and exit 73."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memcli.errors import CannotWrite
from memcli.log.record import Question
from memcli.store.rebuild import rebuild
from memcli.store.verify import verify
from store.making import add, note, open_store, visible


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with a memory on it, still writable; `seal` makes it read-only."""
    point = tmp_path / "mount"
    point.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(point)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("mounting is not allowed here")
    yield point
    subprocess.run(["umount", "-l", str(point)], check=False)


def seal(point: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(point)], check=True)


def test_reading_works_and_adding_is_refused(mounted: Path) -> None:
    store = open_store(mounted / "home")
    add(store, "one", "two")
    seal(mounted)
    store = open_store(mounted / "home")
    assert list(visible(store).values()) == ["one", "two"]
    with pytest.raises(CannotWrite):
        add(store, "three")
    with pytest.raises(CannotWrite):
        rebuild(store)
    store.append_question(Question("q", (), (), True))
    report = verify(store)
    assert report.healthy
    assert report.lines == 2


def test_what_is_not_applied_yet_is_said(mounted: Path) -> None:
    store = open_store(mounted / "home")
    add(store, "one")
    store._append(store.home.log, store._entry_lines([note(store, "later")])[1])
    seal(mounted)
    with open_store(mounted / "home").reading() as reading:
        assert reading.behind_bytes > 100
        assert reading.db.visible() == 1


def test_without_lock_files_and_journal_it_is_read_all_the_same(mounted: Path) -> None:
    store = open_store(mounted / "home")
    add(store, "one")
    for path in (mounted / "home" / "locks").iterdir():
        path.unlink()
    (mounted / "home" / "locks").rmdir()
    (mounted / "home" / "mem.db-journal").unlink(missing_ok=True)
    (mounted / "home" / "device").unlink()
    seal(mounted)
    store = open_store(mounted / "home")
    assert list(visible(store).values()) == ["one"]
    store.append_question(Question("q", (), (), True))


def test_without_an_index_it_is_refused_in_our_words(mounted: Path) -> None:
    store = open_store(mounted / "home")
    add(store, "one")
    (mounted / "home" / "mem.db").unlink()
    seal(mounted)
    with pytest.raises(CannotWrite):
        visible(open_store(mounted / "home"))


def test_a_full_disk_refuses_and_works_again_when_there_is_room(mounted: Path) -> None:
    store = open_store(mounted / "home")
    add(store, "before")
    filler = mounted / "filler"
    with filler.open("wb") as file:
        try:
            while True:
                file.write(b"x" * 65536)
                file.flush()
        except OSError:
            pass
    log = next((mounted / "home" / "log").iterdir())
    refused = 0
    for n in range(40):
        size = log.stat().st_size
        try:
            add(store, f"{n} " + "y" * 3000)
        except CannotWrite:
            refused += 1
            assert log.stat().st_size == size
    assert refused > 30
    assert "before" in visible(open_store(mounted / "home")).values()
    filler.unlink()
    add(store, "after")
    assert "after" in visible(store).values()
    assert verify(store).healthy


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folders_without_write_permission_are_read(tmp_path: Path) -> None:
    root = tmp_path / "home"
    add(open_store(root), "one")
    for path in (root, root / "log", root / "locks", root / "journal"):
        if path.exists():
            path.chmod(0o500)
    try:
        store = open_store(root)
        assert list(visible(store).values()) == ["one"]
        with pytest.raises(CannotWrite):
            for path in (root / "log").iterdir():
                path.chmod(0o400)
            add(store, "two")
    finally:
        for path in (root, root / "log", root / "locks", root / "journal"):
            if path.exists():
                path.chmod(0o700)


def test_a_home_that_others_may_write_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "home"
    add(open_store(root), "one")
    root.chmod(0o770)
    with pytest.raises(CannotWrite):
        add(open_store(root), "two")
    assert verify(open_store(root)).loose == (".",)
