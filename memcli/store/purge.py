"""Taking entries out for good, with everything that holds their words: one atomic step (C11).

The order makes a kill harmless. First the journal says what goes (ids and
marks): from then on no index shows it. Then everything else that holds the
words is cleared, and the lines of the entries themselves are overwritten last:
as long as one of them stands, whoever opens the home next can tell what is
left to be done and does it (`finish`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memcli.errors import IOFailed, MemError, NothingFound
from memcli.log.overwrite import Spot, cut_torn, overwrite
from memcli.log.read import TAIL, complete_size, raw_lines
from memcli.log.record import Change
from memcli.log.tombstone import NO_MARKS, Marks
from memcli.projection import gone
from memcli.projection.database import COLUMNS, Database
from memcli.projection.sqlite import Damaged, broken
from memcli.store import leavings, sweep
from memcli.store.cache import text_key
from memcli.store.catchup import catch_up, file_name
from memcli.store.locks import ALONE_WAIT_S, Lock
from memcli.store.marks import marks_for
from memcli.store.needles import Needles
from memcli.store.proof import Proof, prove, stated, staying
from memcli.store.rebuild import rebuild, remove
from memcli.store.store import WRITE_WAIT_S
from memcli.types import Entry

if TYPE_CHECKING:
    from memcli.store.store import Progress, Store

TIDY_WAIT_S = 120.0
_MERGED = (
    "SELECT target FROM changes WHERE op = 'merge' AND json_extract(body, '$.after.into') = ? "
    "AND run NOT IN (SELECT run FROM undone) ORDER BY target"
)
_BEGUN = "The purge has begun: what it takes is hidden, and the next command that reads goes on with it."


@dataclass(frozen=True, slots=True)
class Cleared:
    """What was cleared: entries, memories, questions, changes, vectors, and originals; and the words of it.

    `of_memories` are words that only memories said, `texts` all others.
    """

    entries: int
    memories: int
    questions: int
    changes: int
    vectors: int
    originals: int
    texts: tuple[str, ...]
    of_memories: tuple[str, ...]
    bytes: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Purged:
    """A purge that is done: its run, what was cleared, the proof, and where the words came from.

    `kept` are the entries on which purged memories rested and that stay.
    """

    run: str
    cleared: Cleared
    proof: Proof
    origins: tuple[str, ...]
    typed: bool
    devices: tuple[str, ...]
    kept: tuple[str, ...] = ()


def purge(
    store: Store,
    ids: Collection[str],
    how: str,
    questions: Callable[[Database], Sequence[str]] = lambda db: (),
    progress: Progress | None = None,
    memories: Collection[str] = (),
) -> Purged:
    """Take these entries and memories out for good, whatever their state, and prove that their words are gone.

    With entries go the memories that rest on nothing else; with memories go
    those that were merged into them, and none is made of their evidence again.

    `how` says in the journal which way they were chosen, without a word of
    theirs; `questions` names questions that go with them besides those for
    which they were shown. Raises `NothingFound` where none of them is there,
    `Busy` where a tidy, an import or a reader does not end in time.
    """
    with store.tidying(TIDY_WAIT_S), store.alone(ALONE_WAIT_S):
        store.ensure_index()
        run = store.ids.new()
        taken: list[Entry] = []
        rested: dict[str, list[str]] = {}

        def choose(db: Database) -> list[Change]:
            taken[:] = _entries(db, ids)
            rested.update(_memories(db, memories, {entry.id for entry in taken}))
            if not taken and not rested:
                raise NothingFound("There is nothing of this to purge any more.")
            key = store.home.key(store.disk)
            marks = {entry.id: marks_for(entry, key) for entry in taken}
            after: dict[str, object] = {
                "entries": {name: [one.key, one.words] for name, one in marks.items()},
                "questions": list(questions(db)),
            }
            if rested:
                after["memories"] = dict(rested)
            return [Change(op="purge", run=run, author="user", reason=f"mem forget --purge {how}", after=after)]

        store.home.key(store.disk)  # making one needs the lock that `choose` is called under
        try:
            with store._open(timeout=WRITE_WAIT_S) as db:
                catch_up(db, store.home)
                store.decide_within(db, choose)
        except Damaged as error:
            raise broken(error) from error
        try:
            cleared = finish(store)
        except Damaged as error:
            raise IOFailed(f"The index is damaged: {error}.", _BEGUN) from error
        except MemError as error:
            error.hint = _BEGUN
            raise
    try:
        proof = _proof(store, cleared, progress)
    except Damaged as error:
        raise broken(error) from error
    return Purged(
        run,
        cleared,
        proof,
        tuple(sorted({entry.origin for entry in taken if entry.origin})),
        any(entry.source_key.startswith("typed:") for entry in taken),
        tuple(sorted({path.stem[8:] for path in store.home.log.glob("*.jsonl")} - {store.home.device(store.disk)})),
        tuple(sorted({entry for some in rested.values() for entry in some})),
    )


def _proof(store: Store, cleared: Cleared, progress: Progress | None) -> Proof:
    """The proof, while others read; where they may have said the same words meanwhile, once more without them."""
    with store.tidying(TIDY_WAIT_S):
        with Lock(store.home.locks / "home").shared(ALONE_WAIT_S):
            proof = prove(store.home, cleared.texts, cleared.bytes, progress, cleared.of_memories)
        if proof.clean:
            return proof
        with store.alone(ALONE_WAIT_S):
            with store._open(timeout=WRITE_WAIT_S) as db:
                catch_up(db, store.home)
            return prove(store.home, cleared.texts, cleared.bytes, progress, cleared.of_memories)


def _entries(db: Database, ids: Collection[str]) -> list[Entry]:
    """The entries of these ids, whether they are in sight or not, in the order of their ids."""
    rows = db.rows(
        f"SELECT {COLUMNS} FROM entries WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
        (json.dumps(list(ids)),),
    )
    return [db.entry(row) for row in rows]


def _memories(db: Database, ids: Collection[str], entries: Collection[str]) -> dict[str, list[str]]:
    """The memories that go, with the entries each that stay: the named, the merged into them, those left bare."""
    found: dict[str, list[str]] = {}
    ahead = [name for name in ids if db.one("SELECT 1 FROM changes WHERE target = ?", (name,)) is not None]
    while ahead:
        name = ahead.pop()
        if name in found:
            continue
        found[name] = _cited(db, name, entries)
        ahead += [row[0] for row in db.rows(_MERGED, (name,))]
    for (name,) in db.rows(
        "SELECT DISTINCT memory FROM cites WHERE entry IN (SELECT value FROM json_each(?)) ORDER BY memory",
        (json.dumps(sorted(entries)),),
    ):
        if name not in found and not (left := _cited(db, name, entries)):
            found[name] = left
    return dict(sorted(found.items()))


def _cited(db: Database, memory: str, entries: Collection[str]) -> list[str]:
    """The entries on which a memory rests and that are there and stay."""
    rows = db.rows("SELECT entry FROM cites JOIN entries ON id = entry WHERE memory = ? ORDER BY entry", (memory,))
    return [row[0] for row in rows if row[0] not in entries]


def finish(store: Store) -> Cleared:
    """Clear everything that holds words of what is purged, as far as it is not done yet.

    The caller holds `tidy` and `home`, alone. Killed at any point it can be
    called again; where all is done it changes nothing. Raises `CannotWrite`,
    `IOFailed`, `Damaged`.
    """
    home, disk = store.home, store.disk
    with store._open(timeout=WRITE_WAIT_S) as db:
        catch_up(db, home)
        buried = {row[0]: Marks(row[1], row[2]) for row in db.rows("SELECT id, key, words FROM purged")}
        found = sweep.find(home, buried)
        texts = _texts(db, found.taken)
        said = set(texts)
        stated_only = [text for text in found.stated if text not in said]
        needles = Needles([*texts, *stated_only])
        stay, _ = staying(db, needles)
        theirs, _ = stated(db, needles, stated_only)
        stay.pieces |= theirs.pieces
        stay.short |= theirs.short
        sweep.look(found, home, needles, stay)
        keys = {text_key(entry.text) for entry in found.taken} - _shared(db, {entry.text for entry in found.taken})
        # Past questions have vectors under the words as which they were understood: nobody can tell which is whose.
        only = {text_key(text) for (text,) in db.each("SELECT text FROM entries")} if found.questions else None
        as_bytes = leavings.vector_bytes(home, db, keys)
        used = {row[0] for row in db.each("SELECT DISTINCT blob FROM entries WHERE blob IS NOT NULL")}
    again = found.changed or (bool(found.taken) and not _compacted(store))
    leavings.drop_halves(home, disk)
    vectors = leavings.drop_vectors(home, keys, disk, only) if found.taken or found.questions else 0
    originals = leavings.drop_originals(home, (entry.blob for entry in found.taken if entry.blob), disk)
    originals += leavings.drop_unused_originals(home, used, needles, stay, disk) if found.taken else 0
    if again:
        remove(store, home.database)
    else:
        _bury_questions(store, found.questions)
    overwrite(found.others, disk)
    for path, size in found.torn:
        drop_torn(store, path, size)
    overwrite([*found.entries, *found.memories], disk)
    if again:
        rebuild(store)
    else:
        _follow(store, [*found.entries, *found.others])
    return Cleared(
        len(found.entries),
        len(found.lost),
        len(found.questions),
        found.changes,
        vectors,
        originals,
        tuple(texts),
        tuple(stated_only),
        tuple(as_bytes),
    )


def drop_torn(store: Store, path: Path, size: int) -> None:
    """Cut off the torn end that began at `size`; where an append has closed it meanwhile, blank that line alone.

    It may also have been a line that was just being written: then that stays.
    """
    with store.append_lock.exclusive():
        now = complete_size(path)
        if now == size:
            cut_torn(path, size, store.disk)
        if now <= size:  # or it was cut back by who failed to write it
            return
        _, raw = next(raw_lines(path, size))
        if not sweep.is_record(raw):
            overwrite([sweep.Place(path, size, raw).blank()], store.disk)


def _texts(db: Database, taken: Sequence[Entry]) -> list[str]:
    """Everything that the entries said and nobody says any more, each once: words, and labels that no other has."""
    labels: set[str | None] = set()
    for entry in taken:
        labels |= {entry.title, entry.session, entry.origin}
    for column in ("title", "session", "origin") if taken else ():
        labels -= {row[0] for row in db.each(f"SELECT DISTINCT {column} FROM entries")}
    words = dict.fromkeys(entry.text for entry in taken)
    return list(words | dict.fromkeys(sorted(label for label in labels if label)))


def _shared(db: Database, texts: Collection[str]) -> set[bytes]:
    """The keys of those texts that an entry which stays has too, word for word."""
    return {text_key(text) for (text,) in db.each("SELECT text FROM entries") if text in texts}


def _compacted(store: Store) -> bool:
    """Write the word indexes and the file again from what is left: no free page, no merged-away term.

    False where that cannot be done, for want of room: then the index goes and is made again.
    """
    try:
        with store._open(timeout=WRITE_WAIT_S) as db:
            sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%fts5%'"
            with db.transaction():
                for (name,) in db.rows(sql):
                    db.execute(f"INSERT INTO {name} ({name}) VALUES ('optimize')")
            db.execute("VACUUM")
    except MemError:
        return False
    return True


def _bury_questions(store: Store, ids: Sequence[str]) -> None:
    """Let the index lose questions that merely hold the words, before their lines do."""
    if ids:
        with store._open(timeout=WRITE_WAIT_S) as db, db.transaction():
            gone.bury(db, dict.fromkeys(ids, NO_MARKS))


def _follow(store: Store, spots: Sequence[Spot]) -> None:
    """Let the index know that nothing is left to be overwritten, and how the last applied line of each file ends."""
    with store._open(timeout=WRITE_WAIT_S) as db:
        if not spots and not gone.has_remains(db):
            return
        with db.transaction():
            for spot in spots:
                db.execute(
                    "UPDATE applied SET tail = ? WHERE file = ? AND offset = ?",
                    ((spot.new + b"\n")[-TAIL:], file_name(store.home, spot.path), spot.end),
                )
            db.execute("DELETE FROM remains")
