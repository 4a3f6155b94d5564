"""The store of one home: append to the truth, keep the index in step, open it for reading.

Order of the locks, everywhere: `tidy`, `home`, a database transaction,
`append`. Nobody waits for the database while holding `append`, so `mem add`
waits for milliseconds only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from memcli.clock import LAST_MS, Clock, iso
from memcli.disk import Disk
from memcli.errors import BadData, Busy, IOFailed, MemError
from memcli.ids import Ids, milliseconds
from memcli.log.append import Span, append
from memcli.log.files import current, newest_files
from memcli.log.read import TAIL, last_id
from memcli.log.record import (
    BadLine,
    Change,
    Envelope,
    Question,
    change_of,
    change_record,
    kept,
    pack,
    question_record,
    sound,
)
from memcli.projection import gone, reduce
from memcli.projection.database import Database
from memcli.projection.sqlite import Damaged, broken
from memcli.store.catchup import advance, apply_within, behind, catch_up, file_name, purge_ahead
from memcli.store.home import Home
from memcli.store.locks import Lock
from memcli.types import Entry

SMALL_BACKLOG_BYTES = 1 << 20
QUESTION_BYTES = 1024
_ID_BYTES = 29
_SHORT_QUESTION = 16
_LONG_SCOPE = 128
WRITE_WAIT_S = 30.0
READ_WAIT_S = 5.0
HOME_WAIT_S = 10.0
Progress = Callable[[int, int], None]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reading:
    """The index, open for reading; `behind_bytes` is what of the log it does not know yet."""

    db: Database
    behind_bytes: int


class Store:
    """What the commands hold: the home, the disk, the clock, and the ids."""

    def __init__(self, home: Home, clock: Clock, disk: Disk | None = None) -> None:
        self.home = home
        self.clock = clock
        self.disk = disk or Disk()
        self.ids = Ids(clock.now_ms, newest_ms=self._newest_ms)
        self._device: str | None = None
        self._tidying = False
        self._alone = False

    def _newest_ms(self) -> int:
        """The time inside the newest id of the log and the journal, 0 where there is none to be read.

        What is made now comes after it, or `mem undo` would take back another
        run once the clock has stepped back.
        """
        try:
            paths = newest_files(self.home.log) + newest_files(self.home.journal)
            times = [milliseconds(found) for found in map(last_id, paths) if found is not None]
        except MemError:
            return 0
        return max((ms for ms in times if ms < LAST_MS), default=0)

    # Appending

    def append_entries(self, entries: Sequence[Entry]) -> None:
        """Put entries into the log and return when they are on disk; then bring the index along if it is free.

        Raises `CannotWrite` or `IOFailed`, and then nothing was acknowledged;
        `BadData` where an entry is one that no reader could apply.
        """
        if not entries:
            return
        self.home.make(self.disk)
        self._append(self.home.log, self._entry_lines(entries)[1])
        self._apply_if_free()

    def append_change(self, change: Change) -> None:
        """Write one decision to the journal; then bring the index along if it is free."""
        self.home.make(self.disk)
        self._append(self.home.journal, self._change_line(change))
        self._apply_if_free()

    def decide(self, choose: Callable[[Database], Sequence[Change]]) -> None:
        """Write what `choose` decides on the newest state, all of it or nothing: look, append and apply under one lock.

        Two at once cannot both decide on the same state. Returns when the
        decision is on disk; an index that cannot take it now follows later.
        """
        with self.writing() as db:
            self.decide_within(db, choose)

    def decide_within(self, db: Database, choose: Callable[[Database], Sequence[Change]]) -> None:
        """The same, by who has the index open for writing."""
        written = False
        try:
            with db.transaction(), self.append_lock.exclusive():
                apply_within(db, self.home)
                lines = b"".join(self._change_line(change) for change in choose(db))
                if not lines:
                    return
                self._append_locked(self.home.journal, lines, sync=True)
                written = True
            catch_up(db, self.home)
        except (MemError, Damaged):
            if not written:
                raise

    def _change_line(self, change: Change) -> bytes:
        record = change_record(change)
        try:
            return self._line("change", self.ids.new(), change_record(change_of(_envelope("change", record))))
        except (ValueError, TypeError, RecursionError) as error:
            raise BadData(f"This change cannot be kept: {error}.") from error

    def append_question(self, question: Question) -> None:
        """Note a question, best effort: a home that cannot be written keeps none, and nothing is synced."""
        try:
            self.home.make(self.disk)
            self._append(self.home.journal, self._question_line(question), sync=False)
        except MemError:
            return
        self._apply_if_free()

    def _question_line(self, question: Question) -> bytes:
        """The line, cut to its size: evidence that was not cited goes first, then words, then what was cited."""
        text, cited = sound(question.text), list(question.cited)
        evidence = list(question.evidence)
        spare = [one for one in evidence if one not in set(cited)]
        scope = sound(question.scope) if question.scope is not None and len(question.scope) <= _LONG_SCOPE else None
        record_id = self.ids.new()
        while True:
            left = Question(text, tuple(evidence), tuple(cited), question.abstained, scope, question.terminal)
            record = question_record(left)
            line = self._line("question", record_id, record)
            over = len(line) - QUESTION_BYTES
            if over <= 0:
                return line
            if spare:
                dropped = {spare.pop() for _ in range(min(len(spare), 1 + over // _ID_BYTES))}
                evidence = [one for one in evidence if one not in dropped]
            elif len(text) > _SHORT_QUESTION:
                text = text[: max(_SHORT_QUESTION, len(text) * 3 // 4)]
            elif cited:
                dropped = {cited.pop() for _ in range(min(len(cited), 1 + over // (2 * _ID_BYTES)))}
                evidence = [one for one in evidence if one not in dropped]
            elif scope is not None:
                scope = None
            else:
                return line

    @contextmanager
    def batch(self) -> Iterator[Callable[[Callable[[Database], Sequence[Entry]]], Sequence[Entry]]]:
        """Append what is new against the index, atomically: look, append and apply in one transaction.

        Gives a function that takes `choose(db) -> entries` and returns them
        when they are on disk and in the index. Two imports at once cannot
        both find the same message missing.
        """
        with self.writing() as db:

            def put(choose: Callable[[Database], Sequence[Entry]]) -> Sequence[Entry]:
                written: Sequence[Entry] = ()
                try:
                    with db.transaction():
                        with self.append_lock.exclusive():
                            apply_within(db, self.home)
                        # Only typed notes, always new, can come now: a batch or an undo needs the transaction.
                        entries, lines = self._entry_lines(choose(db))
                        if not entries:
                            return written
                        with self.append_lock.exclusive():
                            apply_within(db, self.home)
                            span = self._append_locked(self.home.log, lines, sync=True)
                            written = entries
                        # Nobody else can apply meanwhile; what others append now stands behind the span.
                        for entry in entries:
                            reduce.apply_entry(db, entry)
                        advance(db, file_name(self.home, span.path), span.end, lines[-TAIL:], int(span.torn))
                except (MemError, Damaged):
                    if not written:
                        raise  # else they are on disk, and an index that cannot take them now follows later
                return written

            yield put

    def _entry_lines(self, entries: Sequence[Entry]) -> tuple[list[Entry], bytes]:
        """The entries as they will be read back, and their lines."""
        checked: list[Entry] = []
        lines: list[bytes] = []
        for entry in entries:
            try:
                as_read, record = kept(entry)
            except BadLine as error:
                raise BadData(f"This entry cannot be kept: {error}.") from error
            checked.append(as_read)
            lines.append(self._line("entry", as_read.id, record))
        return checked, b"".join(lines)

    def _line(self, kind: str, record_id: str, record: dict[str, object]) -> bytes:
        return pack(Envelope(record_id, self._my_device(), kind, iso(self.clock.now_ms()), record))

    def _my_device(self) -> str:
        """This device's name. Not for the first time under the `append` lock, which making one needs."""
        if self._device is None:
            self._device = self.home.device(self.disk)
        return self._device

    @property
    def append_lock(self) -> Lock:
        """The lock of who appends: the last one to be taken, and held for milliseconds."""
        return Lock(self.home.locks / "append")

    def _append(self, directory: Path, lines: bytes, *, sync: bool = True) -> Span:
        self._my_device()
        with self.append_lock.exclusive():
            return self._append_locked(directory, lines, sync=sync)

    def _append_locked(self, directory: Path, lines: bytes, *, sync: bool) -> Span:
        path = current(directory, self._my_device(), self.clock.now_ms())
        return append(path, lines, self.disk, sync=sync)

    def _apply_if_free(self) -> None:
        """Apply what the log has, unless somebody is at the index or there is much: then the next opener does.

        What is on disk is acknowledged, so nothing that goes wrong here is told.
        """
        try:
            new = not self.home.database.exists()
            if new and not self._is_new():
                return
            with self._open(timeout=0.0, home_wait=0.0, create=new) as db:
                if sum(item.size - item.offset for item in behind(db, self.home)) <= SMALL_BACKLOG_BYTES:
                    catch_up(db, self.home)
        except (MemError, Damaged, OSError):
            return

    def _is_new(self) -> bool:
        """Whether the log is so short, and the cache so empty, that an index can simply be begun."""
        if self.home.cache.is_dir() and any(self.home.cache.glob("vectors-*")):
            return False
        return sum(path.stat().st_size for path in self.home.log.glob("*.jsonl")) <= SMALL_BACKLOG_BYTES

    # Reading

    @contextmanager
    def reading(self, progress: Progress | None = None) -> Iterator[Reading]:
        """The index for reading, brought up to date where that needs no waiting for another writer.

        An index that is missing, of another version or damaged is rebuilt
        first. A home that cannot be written is read as it is.
        """
        self.ensure_index(progress)
        with self.opened() as reading:
            if not self._to_finish(reading.db):
                yield reading
                return
        self._finish_purge()
        with self.opened() as reading:
            yield reading

    @contextmanager
    def opened(self) -> Iterator[Reading]:
        """The same without rebuilding anything. Raises `Damaged` where there is no index that fits.

        Raises `Busy` where what is purged would still be found: the index
        does not know of the purge yet and cannot be told now.
        """
        with self._open(timeout=READ_WAIT_S) as db:
            db.wait(0.0)
            try:
                catch_up(db, self.home)
            except MemError:
                pass
            db.wait(READ_WAIT_S)
            left = behind(db, self.home)
            if purge_ahead(left):
                raise Busy(
                    "A purge is not in the index yet, and the index cannot be written.", "Try again in a moment."
                )
            yield Reading(db, sum(item.size - item.offset for item in left))

    def consult(self, use: Callable[[Reading], T], progress: Progress | None = None) -> T:
        """What `use` finds in the index. An index that turns out damaged is rebuilt, once, and asked again."""
        from memcli.store.rebuild import rebuild

        try:
            with self.reading(progress) as reading:
                return use(reading)
        except Damaged:
            rebuild(self, progress)
        try:
            with self.reading(progress) as reading:
                return use(reading)
        except Damaged as error:
            raise IOFailed(
                f"The index is damaged again right after it was rebuilt: {error}.", "Check the disk with `mem doctor`."
            ) from error

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """The index, up to date, for a command that writes to it; waits for others.

        Raises `Busy`, and `IOFailed` where the index turns out damaged: it is
        then rebuilt by the next command that reads.
        """
        self.home.make(self.disk)
        self._my_device()
        self.ensure_index()
        try:
            with self._open(timeout=WRITE_WAIT_S) as db:
                catch_up(db, self.home)
                if not self._to_finish(db):
                    yield db
                    return
            self._finish_purge()
            with self._open(timeout=WRITE_WAIT_S) as db:
                catch_up(db, self.home)
                yield db
        except Damaged as error:
            raise broken(error) from error

    def _to_finish(self, db: Database) -> bool:
        """Whether lines of what is purged still hold words, and nobody is at them: a purge was killed, or they came
        back with a file of another device."""
        return not self._alone and gone.has_remains(db)

    def _finish_purge(self) -> None:
        """Finish it, where nothing has to be waited for. The index hides what is purged meanwhile."""
        from memcli.store.purge import finish

        try:
            with self.tidying(), self.alone(0.0):
                finish(self)
        except (MemError, Damaged):
            return

    @contextmanager
    def tidying(self, wait: float = 0.0) -> Iterator[None]:
        """Hold the `tidy` lock; inside itself it is had for nothing. Raises `Busy` where another process holds it.

        Whoever tidies takes it here, so that an index that turns out damaged
        meanwhile can still be rebuilt.
        """
        if self._tidying:
            yield
            return
        self.home.make(self.disk)
        with Lock(self.home.locks / "tidy").exclusive(wait):
            self._tidying = True
            try:
                yield
            finally:
                self._tidying = False

    @contextmanager
    def alone(self, wait: float) -> Iterator[None]:
        """Hold `home` alone, for who holds `tidy`: nobody else has the index open. Raises `Busy`."""
        if self._alone:
            yield
            return
        with Lock(self.home.locks / "home").exclusive(wait):
            self._alone = True
            try:
                yield
            finally:
                self._alone = False

    @contextmanager
    def _open(self, *, timeout: float, home_wait: float = HOME_WAIT_S, create: bool = False) -> Iterator[Database]:
        with nullcontext() if self._alone else Lock(self.home.locks / "home").shared(home_wait):
            db = Database(self.home.database, timeout=timeout, create=create)
            try:
                yield db
            finally:
                db.close()

    def ensure_index(self, progress: Progress | None = None) -> None:
        """Rebuild the index where it is missing, of another version, or does not fit the log."""
        if not self._index_fits():
            from memcli.store.rebuild import rebuild

            rebuild(self, progress, lambda: not self._index_fits())

    def _index_fits(self) -> bool:
        try:
            with self._open(timeout=WRITE_WAIT_S) as db:
                behind(db, self.home)
        except Damaged:
            return False
        except Busy:
            return True
        return True


def _envelope(kind: str, record: dict[str, object]) -> Envelope:
    return Envelope("", "", kind, "", record)
