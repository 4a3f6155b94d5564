"""Invariant 1: exit 0 means the line is on disk. Invariant 2: nobody makes an add wait."""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import time
from pathlib import Path

import pytest

from memcli.clock import Clock
from memcli.errors import BadData, CannotWrite, IOFailed, MemError
from memcli.log.append import append
from memcli.log.record import Question
from memcli.projection.database import Database
from memcli.store.home import Home
from memcli.store.locks import Lock
from memcli.store.store import Store
from store.making import (
    NOW,
    CountedDisk,
    QuickDisk,
    ShortDisk,
    add,
    digest,
    failing_at,
    in_child,
    logged_texts,
    names_under,
    note,
    open_store,
    python,
    visible,
)

LONG = "花生 and more " * 40


def test_an_added_entry_is_on_disk_and_found(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    (made,) = add(store, "the key is under the mat")
    assert logged_texts(tmp_path / "home") == ["the key is under the mat"]
    assert visible(store) == {made: "the key is under the mat"}


def test_short_writes_still_write_every_byte(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home", ShortDisk())
    add(store, LONG, "second")
    assert logged_texts(tmp_path / "home") == [LONG, "second"]


@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC, errno.EROFS])
@pytest.mark.parametrize("fresh", [True, False])
def test_a_disk_that_fails_at_any_call_is_never_acknowledged(tmp_path: Path, code: int, fresh: bool) -> None:
    """Each single failing call, and all calls from one on: either an error, or the entry is in the log."""
    for onwards in (False, True):
        for n in range(1, 40):
            root = tmp_path / f"{onwards}-{n}"
            if not fresh:
                add(open_store(root), "before")
            disk = failing_at(set(range(n, n + (100 if onwards else 1))), code)
            store = open_store(root, disk)
            try:
                store.append_entries([note(store, LONG)])
            except MemError as error:
                acknowledged = False
                assert error.exit_code in (CannotWrite.exit_code, IOFailed.exit_code)
            else:
                acknowledged = True
            if acknowledged:
                assert LONG in logged_texts(root)
            after = open_store(root)
            add(after, "after")
            texts = logged_texts(root)
            assert texts[-1] == "after"
            assert ("before" in texts) is not fresh
            assert set(visible(after).values()) == set(texts)
            if n > len(disk.calls):
                break
        else:
            pytest.fail("the failures never ran past the last call")


def test_a_failed_append_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "2026-11-aaaaaa.jsonl"
    append(path, b"first\n", CountedDisk())
    for n in (1, 2):
        with pytest.raises(IOFailed):
            append(path, b"second\n", failing_at({n}))
        assert path.read_bytes() == b"first\n"


def test_the_name_of_a_new_file_lasts_even_where_its_maker_was_killed_before_syncing_it(tmp_path: Path) -> None:
    path = tmp_path / "2026-11-aaaaaa.jsonl"
    path.touch()
    synced: list[int] = []
    disk = CountedDisk()
    disk.fsync_dir = lambda folder: synced.append(folder.stat().st_ino)  # type: ignore[method-assign]
    append(path, b"first\n", disk)
    assert synced == [tmp_path.stat().st_ino]


def test_a_file_size_limit_at_any_byte_is_an_error_and_leaves_no_part(tmp_path: Path) -> None:
    root = tmp_path / "home"
    store = open_store(root)
    add(store, "before")
    log = next((root / "log").iterdir())
    size = log.stat().st_size
    entry = note(store, "x" * 20)
    store.append_entries([entry])
    whole = log.stat().st_size
    os.truncate(log, size)

    def sweep() -> None:
        for limit in range(size, whole + 2):
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
            try:
                append(log, b"y" * (whole - size - 1) + b"\n", CountedDisk())
            except CannotWrite:
                assert limit < whole
                assert log.stat().st_size == size
            else:
                assert limit >= whole
                os.truncate(log, size)

    assert in_child(sweep) == 0
    add(store, "after")
    assert logged_texts(root) == ["before", "after"]


def test_a_full_disk_that_stops_the_index_only_does_not_fail_the_add(tmp_path: Path) -> None:
    root = tmp_path / "home"
    add(open_store(root), "before")
    limit = (root / "mem.db").stat().st_size - 1

    def child() -> None:
        store = open_store(root)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        store.append_entries([note(store, "z" * 3000)])

    assert in_child(child) == 0
    assert len(visible(open_store(root))) == 2


KILLED = """
import sys
from pathlib import Path
from memcli.clock import Clock
from store.making import note
from memcli.store.store import Store
from memcli.store.home import Home
store = Store(Home(Path(sys.argv[1])), Clock.system())
n = 0
while True:
    entry = note(store, f"{sys.argv[2]} {n} " + "x" * (n * 37 % 900))
    store.append_entries([entry])
    print(entry.id, flush=True)
    n += 1
"""


@pytest.mark.slow
def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    root = tmp_path / "home"
    acknowledged: set[str] = set()
    for number in range(8):
        writers = [python(KILLED, root, f"{number}-{k}") for k in range(3)]
        for writer in writers:
            assert writer.stdout is not None
            acknowledged.add(writer.stdout.readline().strip())
        time.sleep(0.017 * number)
        for writer in writers:
            writer.kill()
        for writer in writers:
            out = writer.communicate()[0]
            acknowledged.update(line for line in out.split("\n")[:-1] if line)
        found = visible(open_store(root))
        assert acknowledged <= set(found)
    assert len(acknowledged) > 30


MANY = """
import sys
from pathlib import Path
from memcli.clock import Clock
from store.making import note
from memcli.store.store import Store
from memcli.store.home import Home
for n in range(int(sys.argv[3])):
    store = Store(Home(Path(sys.argv[1])), Clock.system())
    store.append_entries([note(store, f"{sys.argv[2]} {n} " + "x" * (50 if n % 10 else 30_000))])
"""


@pytest.mark.slow
def test_sixteen_processes_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    root = tmp_path / "home"
    processes = [python(MANY, root, name, 50) for name in range(16)]
    for process in processes:
        _, err = process.communicate(timeout=90)
        assert process.returncode == 0, err
    expected = sorted(f"{name} {n}" for name in range(16) for n in range(50))
    assert sorted(text.rstrip("x").strip() for text in logged_texts(root)) == expected
    assert len(list((root / "log").iterdir())) == 1
    store = open_store(root)
    assert sorted(text.rstrip("x").strip() for text in visible(store).values()) == expected


@pytest.mark.parametrize("held", ["transaction", "read", "home", "tidy"])
def test_an_add_does_not_wait_for_the_index(tmp_path: Path, held: str) -> None:
    """While another connection writes or reads, while `home` is held alone, while a tidy runs."""
    root = tmp_path / "home"
    store = open_store(root)
    add(store, "before")
    other = Database(root / "mem.db")
    if held == "transaction":
        other.execute("BEGIN IMMEDIATE")
    if held == "read":
        other.execute("BEGIN")
        other.one("SELECT COUNT(*) FROM entries")
    began = time.monotonic()
    if held in ("home", "tidy"):
        with Lock(root / "locks" / held).exclusive():
            add(store, "meanwhile")
    else:
        add(store, "meanwhile")
    assert time.monotonic() - began < 1.0
    other.close()
    assert logged_texts(root) == ["before", "meanwhile"]
    assert list(visible(store).values()) == ["before", "meanwhile"]


def test_opening_the_index_again_does_not_drop_the_lock_of_a_transaction_of_this_process(tmp_path: Path) -> None:
    """POSIX drops every lock of a process when it closes any descriptor of the file."""
    root = tmp_path / "home"
    add(open_store(root), "before")
    ours = Database(root / "mem.db")
    with ours.transaction():
        Database(root / "mem.db").close()
        add(open_store(root), "within")

        def other() -> None:
            with Database(root / "mem.db").transaction():
                os._exit(9)

        with open(os.devnull, "w") as quiet:  # noqa: PTH123 - the child's traceback is expected
            saved = os.dup(2)
            os.dup2(quiet.fileno(), 2)
            try:
                ended = in_child(other)
            finally:
                os.dup2(saved, 2)
                os.close(saved)
    ours.close()
    assert ended == 1


def test_every_cut_and_every_fill_of_a_torn_tail_costs_no_acknowledged_entry(tmp_path: Path) -> None:
    root = tmp_path / "home"
    store = open_store(root, QuickDisk())
    add(store, "one", "two")
    log = next((root / "log").iterdir())
    acknowledged = log.read_bytes()
    add(store, "torn")
    whole = log.read_bytes()
    record = note(store, "next")
    for cut in range(len(acknowledged), len(whole)):
        for fill in (b"", b"\0" * 7, b"\0" * 4096, b"\xff\xfe"):
            log.write_bytes(whole[:cut] + fill)
            store._append(store.home.log, store._entry_lines([record])[1])
            texts = logged_texts(root)
            assert texts[:2] == ["one", "two"]
            assert texts[-1] == "next"
            assert len(texts) == 3 or (cut == len(whole) - 1 and not fill and texts[2] == "torn")


def test_a_clock_that_steps_back_a_month_appends_to_the_newest_file(tmp_path: Path) -> None:
    root = tmp_path / "home"
    add(open_store(root), "november")
    earlier = open_store(root, clock=Clock(lambda: NOW - 40 * 86_400_000))
    add(earlier, "october by the clock")
    assert [path.name[:7] for path in (root / "log").iterdir()] == ["2026-11"]
    later = open_store(root, clock=Clock(lambda: NOW + 40 * 86_400_000))
    add(later, "december")
    assert sorted(path.name[:7] for path in (root / "log").iterdir()) == ["2026-11", "2026-12"]
    assert list(visible(later).values()).count("december") == 1


def test_everything_is_ours_alone_whatever_the_umask(tmp_path: Path) -> None:
    root = tmp_path / "above" / "home"

    def child() -> None:
        os.umask(0)
        store = open_store(root)
        add(store, "one", "two")
        store.home.key(store.disk)
        store.append_question(Question("what?", (), (), True))
        with store.writing() as db, db.transaction():
            db.execute("UPDATE meta SET value = value")
            assert (root / "mem.db-journal").stat().st_mode & 0o777 == 0o600
        from memcli.store.rebuild import rebuild

        rebuild(store)

    assert in_child(child) == 0
    modes = dict(names_under(tmp_path / "above"))
    assert {name for name, mode in modes.items() if mode not in (0o700, 0o600)} == set()
    assert all(modes[name] == 0o700 for name in (".", "home", "home/log", "home/locks", "home/journal"))


def test_a_symbolic_link_in_place_of_a_log_is_refused(tmp_path: Path) -> None:
    root, outside = tmp_path / "home", tmp_path / "outside"
    store = open_store(root)
    add(store, "one")
    log = next((root / "log").iterdir())
    log.rename(outside)
    log.symlink_to(outside)
    before = outside.read_bytes()
    with pytest.raises(CannotWrite):
        add(store, "two")
    assert outside.read_bytes() == before


@pytest.mark.parametrize("name", ["mem.db", "locks/append"])
def test_a_symbolic_link_in_place_of_the_index_or_a_lock_is_refused(tmp_path: Path, name: str) -> None:
    root, outside = tmp_path / "home", tmp_path / "outside"
    store = open_store(root)
    add(store, "one")
    (root / name).rename(outside)
    (root / name).symlink_to(outside)
    with pytest.raises(CannotWrite):
        add(store, "two")
        visible(store)


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("half \ud800 a pair", "half � a pair"),
        ("\udfff", "�"),
        ("two halves \ud83d\ude00", "two halves 😀"),
        ("nul \x00 inside", "nul \x00 inside"),
        ("lines\u2028and\u0085ends\x0b\r\n", "lines\u2028and\u0085ends\x0b\r\n"),
    ],
)
def test_any_text_that_is_acknowledged_can_be_read_back(tmp_path: Path, text: str, stored: str) -> None:
    store = open_store(tmp_path / "home")
    add(store, text)
    entry = note(store, text, speaker=text, title=text, origin=text, session=text, scope="project:" + text)
    store.append_entries([entry])
    with store.batch() as put:
        (batched,) = put(lambda db: [note(store, text, speaker=text)])
    assert batched.text == stored
    assert list(visible(store).values()) == [stored] * 3
    before = digest(store)
    (tmp_path / "home" / "mem.db").unlink()
    assert digest(store) == before


@pytest.mark.parametrize(
    "fields",
    [
        {"words": ""},
        {"imported_at": 10**18},
        {"ordinal": 1 << 63},
        {"ordinal": True},
        {"role": "boss"},
        {"trust": "nobody"},
        {"status": "maybe"},
        {"run": 5},
        {"speaker": ["a"]},
        {"pin": "yes"},
        {"scope": None},
    ],
)
def test_an_entry_that_no_reader_could_apply_is_refused_before_it_is_written(
    tmp_path: Path, fields: dict[str, object]
) -> None:
    store = open_store(tmp_path / "home")
    add(store, "before")
    bad = note(store, str(fields.pop("words", "fine")), **fields)
    with pytest.raises(BadData):
        store.append_entries([note(store, "good, in the same call"), bad])
    with pytest.raises(BadData), store.batch() as put:
        put(lambda db: [bad])
    assert logged_texts(tmp_path / "home") == ["before"]
    assert list(visible(store).values()) == ["before"]


@pytest.mark.parametrize("broken", [b"", b"../x", b"a b", b"\xff\xfe", b"UPPER"])
def test_a_damaged_device_name_is_refused_and_never_becomes_a_file_that_nobody_reads(
    tmp_path: Path, broken: bytes
) -> None:
    root = tmp_path / "home"
    add(open_store(root), "before")
    device = (root / "device").read_bytes()
    (root / "device").write_bytes(broken)
    with pytest.raises(BadData):
        add(open_store(root), "lost")
    (root / "device").write_bytes(device + b"\n")
    store = open_store(root)
    add(store, "an editor's last newline is no damage")
    assert len(visible(store)) == 2


def test_a_home_that_is_a_file_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(CannotWrite):
        add(open_store(tmp_path / "home"), "one")


def test_no_descriptor_is_left_open_and_none_is_inherited(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    add(store, "one")
    before = set(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else set()  # noqa: PTH208
    if not before:
        pytest.skip("needs /proc")
    for n in range(5):
        add(store, f"more {n}")
        visible(store)
        with pytest.raises(MemError):
            append(tmp_path, b"x\n", store.disk)
    assert set(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
    with Lock(tmp_path / "home" / "locks" / "append").exclusive(), store.reading():
        held = [int(fd) for fd in os.listdir("/proc/self/fd") if fd not in before]  # noqa: PTH208
        inherited = [
            fd for fd in held if _is_ours(fd, tmp_path) and not fcntl.fcntl(fd, fcntl.F_GETFD) & fcntl.FD_CLOEXEC
        ]
        assert inherited == []


def _is_ours(fd: int, root: Path) -> bool:
    try:
        return os.readlink(f"/proc/self/fd/{fd}").startswith(str(root))  # noqa: PTH115
    except OSError:
        return False


def test_a_fresh_home_takes_a_batch_first(tmp_path: Path) -> None:
    """Making the device's name needs the lock that a batch holds."""
    root = tmp_path / "home"

    def child() -> None:
        store = Store(Home(root), Clock.system())
        with store.batch() as put:
            put(lambda db: [note(store, "imported")])

    pid = os.fork()
    if pid == 0:
        child()
        os._exit(0)
    deadline = time.monotonic() + 20
    while os.waitpid(pid, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
            pytest.fail("a batch into a fresh home waits for itself")
        time.sleep(0.02)
    assert list(visible(open_store(root)).values()) == ["imported"]
