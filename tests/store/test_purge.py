"""Invariants 4, 5, 6 and 8 of a purge: gone everywhere, for good, whatever is killed; nothing else is touched."""

from __future__ import annotations

import json
import os
import shutil
import unicodedata
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from memcli.errors import Busy, MemError, NothingFound
from memcli.log.files import all_files
from memcli.log.read import every_line
from memcli.log.record import Change, Question, unpack
from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.store import blobs
from memcli.store.cache import VectorCache, text_key
from memcli.store.forget import forget
from memcli.store.proof import prove
from memcli.store.purge import finish, purge
from memcli.store.rebuild import rebuild
from memcli.store.store import Store
from memcli.store.torn import Beginnings
from memcli.store.undo import Refused, undo
from memcli.store.verify import verify
from store.making import (
    CountedDisk,
    QuickDisk,
    ShortDisk,
    add,
    dump,
    dying_at,
    failing_at,
    in_child,
    note,
    open_store,
    python,
    replayed,
    visible,
)
from store.test_rebuild import SPACE, embed, near, unit

CANARIES = {
    "ascii": "The canary Xanthippe sings in the barn at midnight",
    "cjk": "花生を食べると息が苦しくなるのでいつも薬を持ち歩いています",
    "quoted": 'He said "Zweibrücken\\Süd" and\nleft\tthe 😀 key\x07 behind',
    "astral": "𝔛𝔞𝔫𝔱𝔥𝔦𝔭𝔭𝔢 is her name in the old letters",
    "upper": "DIE ÜBERMÄẞIG GROẞE KRÖTE WOHNT IM TEICH",
}
NEIGHBOURS = ["The boiler is serviced every October", "花生は畑で育てる", 'She said "good morning"\nand left']


def everything(root: Path) -> bytes:
    """Every byte under the home, and every value in it without its escapes, in lower case."""
    found = [path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()]
    for path in root.rglob("*.jsonl"):
        for raw in path.read_bytes().split(b"\n"):
            try:
                found.append(json.dumps(json.loads(raw), ensure_ascii=False).encode("utf-8", "surrogatepass"))
            except ValueError:
                continue
    return b"\x00".join(found).lower()


def ways(text: str) -> list[bytes]:
    """A text in every way in which a file may hold it."""
    plain = [text, text.lower(), text.casefold(), unicodedata.normalize("NFD", text)]
    escaped = [json.dumps(one)[1:-1] for one in plain] + [json.dumps(one, ensure_ascii=False)[1:-1] for one in plain]
    return [one.encode("utf-8", "surrogatepass").lower() for one in plain + escaped]


def is_anywhere(root: Path, text: str) -> bool:
    data = everything(root)
    if any(way in data for way in ways(text)):
        return True
    half = vectors.to_half(unit(text))
    return any(piece.lower() in data for piece in (half, text_key(text)))


def is_right(root: Path, scratch: Path) -> None:
    """The index is the replay, no purge waits, and everything is as it was written."""
    is_replay(root, scratch)
    report = verify(open_store(root))
    assert report.index_problems == ()
    assert report.unfinished == 0


def is_replay(root: Path, scratch: Path) -> None:
    words = ("boiler", "canary", "xanthippe")
    with open_store(root).reading() as reading:
        assert dump(reading.db, words) == replayed(root, scratch, words)
        assert reading.db.rows("SELECT * FROM remains") == []


def ids_of(store: Store, *texts: str) -> list[str]:
    return [entry_id for entry_id, text in visible(store).items() if text in texts]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A memory with canaries in words, a title, vectors, an original, a question; and with neighbours."""
    store = open_store(tmp_path / "home")
    secret = CANARIES["ascii"]
    page = f"<html><body><h1>Barn</h1><p>{secret}</p></body></html>".encode()
    blob = blobs.put(store.home, page, store.disk)
    own = [
        note(store, text, session=f"s:{name}", origin=f"{name}.html", title=f"Title of Xanthippe {name}", blob=blob)
        for name, text in CANARIES.items()
    ]
    others = [note(store, text, session="s:others", origin="others.txt", title="Others") for text in NEIGHBOURS]
    for entry in (*own[:2], *others, *own[2:]):
        store.append_entries([entry])
    embed(store)
    store.append_question(Question("Where does Xanthippe sing?", (own[0].id, others[0].id), (own[0].id,), False))
    store.append_question(Question(f"Is it true: {secret}?", (), (), True))
    store.append_question(Question("When is the boiler serviced?", (others[0].id,), (others[0].id,), False))
    return tmp_path / "home"


def canaries(store: Store) -> list[str]:
    return ids_of(store, *CANARIES.values())


def test_canaries_are_nowhere_after_a_purge_and_their_neighbours_survive(root: Path, tmp_path: Path) -> None:
    store = open_store(root)
    for text in CANARIES.values():
        assert is_anywhere(root, text)
    before = dict(visible(store))
    done = purge(store, canaries(store), "by id")
    assert done.proof.clean, done.proof
    assert (done.cleared.entries, done.cleared.questions, done.cleared.originals) == (5, 2, 1)
    assert done.cleared.vectors == 5
    for text in (*CANARIES.values(), "Xanthippe"):
        assert not is_anywhere(root, text), text
    assert sorted(visible(store).values()) == sorted(NEIGHBOURS)
    assert set(visible(store)) < set(before)
    assert near(store, NEIGHBOURS[0])[0][0] == NEIGHBOURS[0]
    questions = store.consult(lambda reading: reading.db.rows("SELECT text FROM questions"))
    assert questions == [("When is the boiler serviced?",)]
    is_right(root, tmp_path / "replay.db")
    report = verify(store)
    assert report.healthy
    assert report.purged == 7
    rebuild(store)
    assert near(store, NEIGHBOURS[0])[0][0] == NEIGHBOURS[0]
    assert not is_anywhere(root, "Xanthippe")


def test_a_line_keeps_its_place_its_length_and_its_id(root: Path) -> None:
    store = open_store(root)
    (log,) = all_files(root / "log")
    inode, before = log.stat().st_ino, log.read_bytes()
    gone = canaries(store)
    purge(store, gone, "by id")
    after = log.read_bytes()
    assert log.stat().st_ino == inode
    assert len(after) == len(before)
    for old, new in zip(before.split(b"\n"), after.split(b"\n"), strict=True):
        assert len(old) == len(new)
        if old != new:
            tombstone = unpack(new)
            assert tombstone.kind == "tombstone"
            assert tombstone.id in gone
            assert set(tombstone.rec) <= {"key", "words"}
            assert unpack(old).at == tombstone.at


def test_the_journal_keeps_no_word_of_it(root: Path) -> None:
    store = open_store(root)
    forget(store, canaries(store)[:2], "by query")
    ids = [row[0] for row in store.consult(lambda r: r.db.rows("SELECT id FROM entries WHERE title LIKE 'Title%'"))]
    purge(store, ids, "by query")
    journal = b"".join(path.read_bytes() for path in all_files(root / "journal")).lower()
    for word in (b"xanthippe", b"canary", "花生".encode(), b"\\u82b1", b"krote", b"barn"):
        assert word not in journal
    assert b'"reason":"mem forget --purge by query"' in journal


def test_purging_twice_changes_nothing(root: Path) -> None:
    store = open_store(root)
    gone = canaries(store)
    purge(store, gone, "by id")
    files = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    with pytest.raises(NothingFound):
        purge(store, gone, "by id")
    disk = CountedDisk()
    with store.tidying(), store.alone(0.0):
        again = open_store(root, disk)
        again._tidying = again._alone = True
        finish(again)
    assert disk.calls == []
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == files


def test_a_purge_takes_what_is_forgotten_and_what_was_taken_back(tmp_path: Path) -> None:
    root = tmp_path / "home"
    store = open_store(root)
    forgotten, _, taken_back = add(store, "forgotten words of Xanthippe", "stays", "taken back words of Xanthippe")
    undo(store)
    forget(store, [forgotten], "by id")
    assert purge(store, [forgotten, taken_back], "by id").proof.clean
    assert not is_anywhere(root, "Xanthippe")
    assert list(visible(store).values()) == ["stays"]
    is_right(root, tmp_path / "replay.db")


def test_a_purge_cannot_be_undone_and_older_runs_still_can(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    first, second = add(store, "first", "second, which goes")
    purge(store, [second], "by id")
    with pytest.raises(Refused, match="cannot be taken back") as refused:
        undo(store)
    assert first[-6:] in str(refused.value.hint)
    assert undo(store, first).kind == "add"
    assert visible(store) == {}
    is_right(tmp_path / "home", tmp_path / "replay.db")


# Killed, failing, short of room


def purge_canaries(root: Path, disk: CountedDisk) -> None:
    store = open_store(root, disk)
    # The ids are read from the log: a reading before the purge would take some of the calls.
    ids = [
        line.envelope.id
        for path in all_files(root / "log")
        for line in every_line(path)
        if line.envelope is not None and line.envelope.rec.get("text") in CANARIES.values()
    ]
    purge(store, ids, "by id")


def half_or_nothing(root: Path, before: int) -> None:
    """The next command shows all of the canaries or none, and all of the neighbours."""
    store = open_store(root)
    shown = visible(store)
    there = [text for text in shown.values() if text in CANARIES.values()]
    assert len(there) in (0, before), there
    assert sorted(text for text in shown.values() if text not in CANARIES.values()) == sorted(NEIGHBOURS)
    if not there:
        for text in (*CANARIES.values(), "Xanthippe sing"):
            assert not is_anywhere(root, text), text
        assert near(store, CANARIES["ascii"])[0][0] in NEIGHBOURS


@pytest.mark.slow
def test_killed_at_any_call_the_next_command_finishes_it_or_it_never_began(root: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    shutil.copytree(root, saved)
    ended, number = 1, 0
    finished = 0
    while ended != 0:
        number += 1
        shutil.rmtree(root)
        shutil.copytree(saved, root)
        ended = in_child(lambda number=number: purge_canaries(root, dying_at(number)))
        assert ended in (0, 137)
        half_or_nothing(root, 5)
        is_replay(root, tmp_path / "replay.db")
        finished += not ids_of(open_store(root), *CANARIES.values())
    is_right(root, tmp_path / "replay.db")
    assert number > 8
    assert finished > 6


@pytest.mark.slow
def test_failing_at_any_call_is_told_and_the_next_command_finishes_it(root: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    shutil.copytree(root, saved)
    number = 0
    while True:
        number += 1
        shutil.rmtree(root)
        shutil.copytree(saved, root)
        disk = failing_at({number})
        failed = False
        try:
            purge_canaries(root, disk)
        except MemError:
            failed = True
        half_or_nothing(root, 5)
        is_replay(root, tmp_path / "replay.db")
        if number > len(disk.calls):
            break
    assert not failed
    assert number > 8


@pytest.mark.slow
def test_a_disk_that_fails_from_some_call_on_shows_nothing_of_it(root: Path, tmp_path: Path) -> None:
    """The purge and the command that would finish it both fail: what is purged is hidden all the same."""
    saved = tmp_path / "saved"
    shutil.copytree(root, saved)
    for number in range(3, 12):
        shutil.rmtree(root)
        shutil.copytree(saved, root)
        try:
            purge_canaries(root, failing_at(set(range(number, 200))))
        except MemError:
            pass
        begun = b'"op":"purge"' in b"".join(path.read_bytes() for path in all_files(root / "journal"))
        broken = open_store(root, failing_at(set(range(1, 200))))
        try:
            shown = set(visible(broken).values())
        except MemError:
            continue
        assert begun == (not shown & set(CANARIES.values()))
        half_or_nothing(root, 5)


def test_short_writes_overwrite_all_the_same(root: Path) -> None:
    store = open_store(root, ShortDisk())
    assert purge(store, canaries(store), "by id").proof.clean
    assert not is_anywhere(root, "Xanthippe")
    assert verify(store).healthy


def test_a_line_that_was_overwritten_in_part_is_overwritten_whole(root: Path, tmp_path: Path) -> None:
    """Power lost in the middle of a write: the beginning of the tombstone, then the rest of the words."""
    store = open_store(root)
    (log,) = all_files(root / "log")
    whole = log.read_bytes()
    (gone,) = ids_of(store, CANARIES["ascii"])
    purge(store, [gone], "by id")
    after = log.read_bytes()
    place = next(at for at in range(len(whole)) if whole[at] != after[at])
    log.write_bytes(after[: place + 30] + whole[place + 30 :])
    (root / "mem.db").unlink()
    assert is_anywhere(root, "Xanthippe sings")
    purge(store, ids_of(store, CANARIES["cjk"]), "by id")
    assert not is_anywhere(root, "Xanthippe sings")
    is_right(root, tmp_path / "replay.db")


# Others at the same time


WRITER = """
import sys
from pathlib import Path
from memcli.clock import Clock
from memcli.store.home import Home
from memcli.store.store import Store
from store.making import note
root, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
sys.stdin.readline()
for n in range(count):
    store = Store(Home(root), Clock.system())
    store.append_entries([note(store, f"{name}-{n} some words that are kept")])
    print(f"{name}-{n}", flush=True)
"""


@pytest.mark.slow
def test_sixteen_writers_during_purges_lose_nothing(tmp_path: Path) -> None:
    """Bounded by work: every writer adds its own, purges go on as long as one of them writes."""
    root = tmp_path / "home"
    store = open_store(root, QuickDisk())
    doomed = add(store, *[f"doomed number {n} with Xanthippe in it" for n in range(40)])
    writers = [python(WRITER, root, f"w{n}", 4) for n in range(16)]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    purges = 0
    while doomed and (purges < 6 or any(writer.poll() is None for writer in writers)):
        purge(open_store(root, QuickDisk()), [doomed.pop(), doomed.pop()], "by id")
        purges += 1
    if doomed:
        purge(open_store(root, QuickDisk()), doomed, "by id")
    told: list[str] = []
    for writer in writers:
        out, err = writer.communicate(timeout=100)
        assert writer.returncode == 0, err
        told += out.split()
    assert len(told) == 64
    kept = {text.split()[0] for text in visible(open_store(root)).values()}
    assert set(told) == kept
    assert not is_anywhere(root, "Xanthippe")
    assert verify(open_store(root)).healthy


def test_a_reader_or_a_tidy_that_does_not_end_makes_it_busy(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memcli.store import purge as purging

    monkeypatch.setattr(purging, "ALONE_WAIT_S", 0.1)
    monkeypatch.setattr(purging, "TIDY_WAIT_S", 0.1)
    store, other = open_store(root), open_store(root)
    gone = canaries(store)
    with other.reading(), pytest.raises(Busy):
        purge(store, gone, "by id")
    with other.tidying(), pytest.raises(Busy):
        purge(store, gone, "by id")
    assert len(canaries(store)) == 5
    assert b'"op":"purge"' not in b"".join(path.read_bytes() for path in all_files(root / "journal"))


def test_an_index_that_cannot_be_told_of_a_purge_shows_nothing(root: Path) -> None:
    """Another process writes to the index while the journal has a purge that the index does not know."""
    store = open_store(root)
    gone = canaries(store)
    after = {"entries": {entry_id: [None, None] for entry_id in gone}, "questions": []}
    change = Change("purge", store.ids.new(), "user", "t", after=after)
    other = Database(root / "mem.db", timeout=0.0)
    with other.transaction():
        store.append_change(change)
        with pytest.raises(Busy), open_store(root).reading():
            pass
    other.close()
    assert sorted(visible(open_store(root)).values()) == sorted(NEIGHBOURS)
    assert not is_anywhere(root, "Xanthippe sings")


def test_lines_that_come_back_with_a_file_of_another_device_are_overwritten_again(root: Path, tmp_path: Path) -> None:
    store = open_store(root)
    (log,) = all_files(root / "log")
    whole = log.read_bytes()
    purge(store, canaries(store), "by id")
    log.write_bytes(whole)  # what a sync tool does
    assert sorted(visible(open_store(root)).values()) == sorted(NEIGHBOURS)
    assert not is_anywhere(root, "Xanthippe sings")
    is_right(root, tmp_path / "replay.db")


def test_the_intent_alone_takes_entries_that_come_later(tmp_path: Path) -> None:
    root, other = tmp_path / "home", tmp_path / "other"
    store = open_store(root)
    add(store, "stays")
    elsewhere = open_store(other)
    entry = note(elsewhere, CANARIES["ascii"])
    elsewhere.append_entries([entry])
    after = {"entries": {entry.id: [None, None]}, "questions": []}
    store.append_change(Change("purge", store.ids.new(), "user", "t", after=after))
    (log,) = all_files(other / "log")
    shutil.copy(log, root / "log" / "2026-10-bbbbbb.jsonl")
    assert list(visible(open_store(root)).values()) == ["stays"]
    assert not is_anywhere(root, CANARIES["ascii"])
    is_right(root, tmp_path / "replay.db")


def test_a_question_about_what_was_just_purged_goes_too(root: Path, tmp_path: Path) -> None:
    """It was being answered while the purge ran, and is noted after it."""
    store = open_store(root)
    gone = canaries(store)
    purge(store, gone, "by id")
    store.append_question(Question("and Xanthippe?", (gone[0],), (), True))
    assert len(visible(open_store(root))) == 3
    assert not is_anywhere(root, "Xanthippe")
    is_right(root, tmp_path / "replay.db")


# What else holds the words


@pytest.mark.parametrize(
    ("raw", "is_one"),
    [
        (b'{"rec":{"text":"the canary si', True),
        (b'{"rec":{"text":"The Canary', True),
        (b'{"rec":{"text":"the canary si\0\0\0', True),
        (b'{"rec":{"text":"\\u82b1\\u751f\\u306f\\u82b1\\u30', True),
        (b'{"rec":{"text":"the canary"}', False),
        (b'{"rec":{"text":"the canary sings","x":1}', True),
        (b'{"rec":{"text":"the canary sinks', False),
        (b'{"rec":{"text":"the', False),
        (b'{"rec":{"text":"', False),
        (b'{"rec":{"title":"the canary si', False),
    ],
)
def test_a_line_torn_in_the_middle_of_the_words_is_known(raw: bytes, is_one: bool) -> None:
    beginnings = Beginnings(["the canary sings", "花生は花の名ではない", "zebra"])
    assert beginnings.of(raw) is is_one


def test_torn_and_unreadable_lines_with_the_words_are_blanked(root: Path, tmp_path: Path) -> None:
    store = open_store(root)
    (log,) = all_files(root / "log")
    first = log.read_bytes().split(b"\n")[0]
    cut = first[: first.index(b"sings") + 3]
    flipped = first.replace(b'"crc":"', b'"crc":"0', 1)
    with log.open("ab") as file:
        file.write(cut + b"\n" + flipped + b"\n" + b"not a record\n" + cut[:-4])
    (journal,) = all_files(root / "journal")
    with journal.open("ab") as file:
        file.write(b'{"v":9,"about":"' + json.dumps(CANARIES["cjk"])[1:-1].encode() + b'"}\n')
    assert purge(store, canaries(store), "by id").proof.clean
    for text in ("Xanthippe", CANARIES["cjk"]):
        assert not is_anywhere(root, text)
    assert b"not a record\n" in log.read_bytes()
    assert sorted(visible(store).values()) == sorted(NEIGHBOURS)
    is_right(root, tmp_path / "replay.db")


@pytest.mark.parametrize("kind", ["torn, then closed", "being written"])
def test_what_is_added_while_a_torn_end_is_dropped_stays(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """What the purge saw as a torn end may have been closed since, or have been a line that was being written."""
    from memcli.store import purge as purging

    store = open_store(root)
    (log,) = all_files(root / "log")
    words = CANARIES["ascii"] if kind == "being written" else "added meanwhile"
    line = store._entry_lines([note(store, words)])[1]
    first = log.read_bytes().split(b"\n")[0]
    cut = line[:-20] if kind == "being written" else first[: first.index(b"sings") + 3]
    gone = canaries(store)
    with log.open("ab") as file:
        file.write(cut)
    drop = purging.drop_torn
    dropped = []

    def late(*arguments: object) -> None:
        with log.open("ab") as file:
            file.write(line[-20:] if kind == "being written" else b"\n" + line)
        dropped.append(drop(*arguments))  # type: ignore[arg-type, func-returns-value]

    monkeypatch.setattr(purging, "drop_torn", late)
    assert purge(store, gone, "by id").proof.clean
    assert len(dropped) == 1
    assert sorted(visible(store).values()) == sorted([*NEIGHBOURS, words])
    is_right(root, tmp_path / "replay.db")


def test_what_killed_commands_left_behind_goes_too(root: Path) -> None:
    store = open_store(root)
    shutil.copy(root / "mem.db", root / "mem.db.new")
    cache = next((root / "cache").iterdir())
    gone = os.spawnlp(os.P_WAIT, "true", "true") or 2**22 + 1  # no process has this number
    shutil.copy(cache, cache.with_name(f".{cache.name}.{gone}.new"))
    orphan = blobs.put(store.home, f"<html><p>{CANARIES['ascii']}</p><p>more</p></html>".encode(), store.disk)
    harmless = blobs.put(store.home, b"<html><p>The boiler only</p></html>", store.disk)
    assert purge(store, canaries(store), "by id").proof.clean
    assert not is_anywhere(root, "Xanthippe")
    assert not list(root.glob("mem.db.new*"))
    assert not blobs.path_of(store.home, orphan).exists()
    assert blobs.path_of(store.home, harmless).exists()


def test_a_file_that_is_not_ours_is_told_and_left_alone(root: Path) -> None:
    store = open_store(root)
    with zipfile.ZipFile(root / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("chat.txt", "10:00 Ann: " + CANARIES["ascii"].upper() + "\n")
    (root / "notes.txt").write_text("see: " + CANARIES["cjk"], encoding="utf-16")
    (root / "page.html").write_text("<p>The canary <b>Xanthippe</b> sings&#32;in the barn at midnight</p>")
    (root / "other.txt").write_text("The boiler")
    proof = purge(store, canaries(store), "by id").proof
    assert set(proof.left) == {"export.zip", "notes.txt", "page.html"}
    assert not proof.clean
    assert (root / "export.zip").exists()


def test_the_same_words_in_an_entry_that_stays_are_named(tmp_path: Path) -> None:
    root = tmp_path / "home"
    store = open_store(root)
    first, second, third = add(
        store, "The spare key is under the pot", "Ann: the spare key is under the POT, she says", "something else"
    )
    embed(store)
    done = purge(store, [first], "by id")
    assert done.proof.clean
    assert done.proof.staying == (second,)
    assert set(visible(store)) == {second, third}


def test_a_text_that_another_entry_has_word_for_word_keeps_its_vector(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    first, second = add(store, "word for word the same", "word for word the same")
    embed(store)
    assert purge(store, [first], "by id").cleared.vectors == 0
    assert text_key("word for word the same") in VectorCache(store.home.cache, SPACE).load()
    assert list(visible(store)) == [second]
    assert near(store, "word for word the same")[0][0] == "word for word the same"
    assert verify(store).healthy


@pytest.mark.parametrize("text", ["ok", "x", "花生", "\x00", "?!", " \n ", "thank you", "\ud800 half", "a" * 20_000])
def test_short_long_and_odd_texts_go_and_others_that_say_the_same_stay(tmp_path: Path, text: str) -> None:
    store = open_store(tmp_path / "home")
    made = add(store, text, text, "other words, " + text + ", and more of them")
    done = purge(store, made[:1], "by id")
    assert done.proof.clean, done.proof
    assert set(visible(store)) == set(made[1:])
    assert verify(store).healthy


def test_a_damaged_cache_is_no_place_to_hide(root: Path) -> None:
    store = open_store(root)
    cache = next((root / "cache").iterdir())
    raw = cache.read_bytes()
    shutil.copy(cache, root / "cache" / "vectors-other")
    cache.write_bytes(raw[:-5] + b"\0" + raw[-4:])
    assert purge(store, canaries(store), "by id").proof.clean
    for text in CANARIES.values():
        assert not is_anywhere(root, text)
    assert VectorCache(store.home.cache, SPACE).count()[1] == 0
    assert not (root / "cache" / "vectors-other").exists()


# Derived records


def memory(store: Store, target: str, quotes: Sequence[tuple[str, str]], text: str, op: str = "memory") -> None:
    """A memory, or more evidence of it; `text` is what was read there, "" where nobody wrote that down."""
    statement = {"text": text, "subject": "it", "relation": "is", "value": "so", "kind": "fact", "cls": "semantic"}
    after: dict[str, object] = {"trust": "self", "quotes": [list(pair) for pair in quotes]}
    if op == "memory":
        after |= statement
    elif text:
        after["said"] = statement
    store.append_change(Change(op, store.ids.new(), "extractor", "read", target=target, after=after))


def test_what_is_derived_goes_with_its_evidence_and_loses_its_quotes(tmp_path: Path) -> None:
    root = tmp_path / "home"
    store = open_store(root)
    gone, stays = add(store, "Xanthippe is allergic to walnuts", "The boiler is serviced in October")
    memory(store, "MEMA", [(gone, "allergic to walnuts")], "She is allergic to walnuts")
    memory(store, "MEMB", [(stays, "The boiler is serviced")], "The boiler is serviced in October")
    memory(store, "MEMB", [(gone, "Xanthippe is allergic"), (stays, "in October")], "", "support")
    edit = Change("edit", store.ids.new(), "user", "mem edit", target="MEMA", after={"text": "allergic to all walnuts"})
    store.append_change(edit)
    store.append_change(Change("summary", store.ids.new(), "tidy", "t", "EV", (gone, stays), after={"title": "Nuts"}))
    store.append_change(Change("summary", store.ids.new(), "tidy", "t", "EV2", (stays,), after={"title": "Boilers"}))
    done = purge(store, [gone], "by id")
    assert done.cleared.changes == 4
    assert done.proof.clean
    changes = [
        line.envelope.rec
        for path in all_files(root / "journal")
        for line in every_line(path)
        if line.envelope is not None and line.envelope.kind == "change"
    ]
    assert [(change["op"], change.get("target")) for change in changes] == [
        ("memory", "MEMB"),
        ("support", "MEMB"),
        ("summary", "EV2"),
        ("purge", None),
    ]
    assert changes[1]["after"]["quotes"] == [[stays, "in October"]]
    for words in ("allergic", "Nuts", "Xanthippe"):
        assert not is_anywhere(root, words)
    is_right(root, tmp_path / "replay.db")


def test_a_statement_that_repeats_the_words_goes_though_it_has_other_evidence(tmp_path: Path) -> None:
    root = tmp_path / "home"
    store = open_store(root)
    gone, stays = add(store, "Xanthippe is allergic to walnuts", "no walnuts for her, please")
    memory(store, "MEMA", [(gone, "allergic to walnuts"), (stays, "no walnuts")], "xanthippe is allergic to  WALNUTS")
    memory(store, "MEMA", [(stays, "no walnuts for her")], "", "support")
    memory(store, "MEMB", [(stays, "no walnuts")], "She wants no walnuts")
    done = purge(store, [gone], "by id")
    assert done.proof.clean
    assert done.cleared.changes == 2
    assert not is_anywhere(root, "Xanthippe")
    assert b"MEMB" in everything(root).upper()
    assert b"MEMA" not in everything(root).upper()


@pytest.mark.slow
def test_killed_while_derived_records_go_the_index_is_still_the_replay(tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    store = open_store(saved)
    gone, stays = add(store, "Xanthippe is allergic to walnuts", "The boiler is serviced in October")
    memory(store, "MEMA", [(gone, "allergic to walnuts")], "She is allergic to walnuts")
    memory(store, "MEMB", [(gone, "Xanthippe"), (stays, "October")], "The boiler is serviced in October")
    add(store, "the newest")
    root = tmp_path / "home"
    ended, number = 1, 0
    while ended:
        number += 1
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(saved, root)
        ended = in_child(lambda number=number: purge(open_store(root, dying_at(number)), [gone], "by id") and None)
        shown = visible(open_store(root))
        assert stays in shown
        if gone not in shown:
            assert not is_anywhere(root, "Xanthippe")
            assert not is_anywhere(root, "allergic")
        is_replay(root, tmp_path / "replay.db")
    assert number > 8


def test_vectors_of_past_questions_go_with_a_question(root: Path) -> None:
    """They lie in the cache under words that nobody wrote down; those of entries that stay are kept."""
    store = open_store(root)
    cache = VectorCache(store.home.cache, SPACE)
    asked = "Where do I sing?"
    cache.append([(text_key(asked), vectors.to_half(unit(asked)))], store.disk)
    purge(store, canaries(store), "by id")
    assert set(cache.load()) == {text_key(text) for text in NEIGHBOURS}
    assert vectors.to_half(unit(asked)) not in everything(root)


# The proof itself


def test_the_proof_finds_what_is_left_in_the_index_and_in_the_cache(root: Path) -> None:
    """With entries that say the same out of the way, nothing explains a hit any more."""
    store = open_store(root)
    text = CANARIES["ascii"]
    half = vectors.to_half(unit(text))
    db = Database(root / "mem.db")
    with db.transaction():
        db.execute("DELETE FROM entries")
    db.close()
    assert set(prove(store.home, [text]).left) >= {"mem.db", f"log/{all_files(root / 'log')[0].name}"}
    proof = prove(store.home, [], [half, text_key(text)])
    assert set(proof.left) == {"mem.db", f"cache/vectors-{SPACE.model[:16]}"}
    clean = prove(store.home, ["words that nobody has ever said here"], [vectors.to_half(unit("nobody"))])
    assert clean.clean
    assert clean.files > 5
    assert clean.size > 50_000


def test_models_are_not_searched_and_that_is_said(root: Path) -> None:
    store = open_store(root)
    (root / "models").mkdir(mode=0o700)
    (root / "models" / "tiny.gguf").write_bytes(b"GGUF")
    (root / "models" / "tiny.gguf").chmod(0o600)
    proof = prove(store.home, ["words that nobody has ever said here"])
    assert proof.skipped == ("models/tiny.gguf",)
