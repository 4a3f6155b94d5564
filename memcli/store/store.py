"""The store of one home: append to the truth, keep the index in step, open it for reading.

Order of the locks, everywhere: `tidy`, `home`, a database transaction,
`append`. Nobody waits for the database while holding `append`, so `mem add`
waits for milliseconds only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from memcli.clock import Clock, iso
from memcli.disk import Disk
from memcli.errors import Busy, MemError
from memcli.ids import Ids
from memcli.log.append import Span, append
from memcli.log.files import current
from memcli.log.record import (
    Change,
    Envelope,
    Question,
    change_record,
    entry_record,
    pack,
    question_record,
)
from memcli.projection import reduce
from memcli.projection.database import Database
from memcli.projection.sqlite import Damaged
from memcli.store.catchup import advance, apply_within, behind, catch_up, file_name
from memcli.store.home import Home
from memcli.store.locks import Lock
from memcli.types import Entry

SMALL_BACKLOG_BYTES = 1 << 20
QUESTION_BYTES = 1024
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
        self.ids = Ids(clock.now_ms)
        self._device: str | None = None

    # Appending

    def append_entries(self, entries: Sequence[Entry]) -> None:
        """Put entries into the log and return when they are on disk; then bring the index along if it is free.

        Raises `CannotWrite` or `IOFailed`, and then nothing was acknowledged.
        """
        self.home.make(self.disk)
        self._append(self.home.log, self._entry_lines(entries))
        self._apply_if_free()

    def append_change(self, change: Change) -> None:
        """Write one decision to the journal; then bring the index along if it is free."""
        self.home.make(self.disk)
        self._append(self.home.journal, self._line("change", self.ids.new(), change_record(change)))
        self._apply_if_free()

    def append_question(self, question: Question) -> None:
        """Note a question, best effort: a home that cannot be written keeps none, and nothing is synced."""
        line = self._question_line(question)
        try:
            self.home.make(self.disk)
            self._append(self.home.journal, line, sync=False)
        except MemError:
            return
        self._apply_if_free()

    def _question_line(self, question: Question) -> bytes:
        evidence, text = list(question.evidence), question.text
        while True:
            record = question_record(
                Question(text, tuple(evidence), question.cited, question.abstained, question.scope)
            )
            line = self._line("question", self.ids.new(), record)
            if len(line) <= QUESTION_BYTES:
                return line
            if evidence:
                evidence.pop()
            elif len(text) > 16:
                text = text[: len(text) // 2]
            else:
                return line

    @contextmanager
    def batch(self) -> Iterator[Callable[[Callable[[Database], Sequence[Entry]]], Sequence[Entry]]]:
        """Append what is new against the index, atomically: look, append and apply under one lock.

        Gives a function that takes `choose(db) -> entries` and returns them
        when they are on disk and in the index. Two imports at once cannot
        both find the same message missing.
        """
        self.home.make(self.disk)
        self.ensure_index()
        with self._open(timeout=WRITE_WAIT_S) as db:
            catch_up(db, self.home)

            def put(choose: Callable[[Database], Sequence[Entry]]) -> Sequence[Entry]:
                with db.transaction(), self._append_lock().exclusive():
                    apply_within(db, self.home)
                    entries = choose(db)
                    if not entries:
                        return entries
                    span = self._append_locked(self.home.log, self._entry_lines(entries), sync=True)
                    for entry in entries:
                        reduce.apply_entry(db, entry)
                    advance(db, file_name(self.home, span.path), span.end)
                return entries

            yield put

    def _entry_lines(self, entries: Sequence[Entry]) -> bytes:
        return b"".join([self._line("entry", entry.id, entry_record(entry)) for entry in entries])

    def _line(self, kind: str, record_id: str, record: dict[str, object]) -> bytes:
        if self._device is None:
            self._device = self.home.device(self.disk)
        return pack(Envelope(record_id, self._device, kind, iso(self.clock.now_ms()), record))

    def _append_lock(self) -> Lock:
        return Lock(self.home.locks / "append")

    def _append(self, directory: Path, lines: bytes, *, sync: bool = True) -> Span:
        with self._append_lock().exclusive():
            return self._append_locked(directory, lines, sync=sync)

    def _append_locked(self, directory: Path, lines: bytes, *, sync: bool) -> Span:
        if self._device is None:
            self._device = self.home.device(self.disk)
        path = current(directory, self._device, self.clock.now_ms())
        return append(path, lines, self.disk, sync=sync)

    def _apply_if_free(self) -> None:
        """Apply what the log has, unless somebody is at the index or there is much: then the next opener does."""
        try:
            if not self.home.database.exists() and not self._is_new():
                return
            with self._open(timeout=0.0, home_wait=0.0) as db:
                if sum(item.size - item.offset for item in behind(db, self.home)) <= SMALL_BACKLOG_BYTES:
                    catch_up(db, self.home)
        except (MemError, Damaged):
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
        with ExitStack() as stack:
            try:
                db = stack.enter_context(self._open(timeout=0.0))
            except MemError:
                db = stack.enter_context(self._open(timeout=2.0, read_only=True))
            try:
                catch_up(db, self.home)
            except MemError:
                pass
            db.wait(READ_WAIT_S)
            yield Reading(db, sum(item.size - item.offset for item in behind(db, self.home)))

    def consult(self, use: Callable[[Reading], T], progress: Progress | None = None) -> T:
        """What `use` finds in the index. An index that turns out damaged is rebuilt, once, and asked again."""
        from memcli.store.rebuild import rebuild

        try:
            with self.reading(progress) as reading:
                return use(reading)
        except Damaged:
            rebuild(self, progress)
        with self.reading(progress) as reading:
            return use(reading)

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """The index, up to date, for a command that writes to it; waits for others. Raises `Busy`."""
        self.home.make(self.disk)
        self.ensure_index()
        with self._open(timeout=WRITE_WAIT_S) as db:
            catch_up(db, self.home)
            yield db

    @contextmanager
    def _open(self, *, timeout: float, home_wait: float = HOME_WAIT_S, read_only: bool = False) -> Iterator[Database]:
        with Lock(self.home.locks / "home").shared(home_wait):
            db = Database(self.home.database, timeout=timeout, read_only=read_only)
            try:
                yield db
            finally:
                db.close()

    def ensure_index(self, progress: Progress | None = None) -> None:
        """Rebuild the index where it is missing, of another version, or does not fit the log."""
        from memcli.store.rebuild import rebuild

        try:
            if self.home.database.exists():
                with self._open(timeout=WRITE_WAIT_S, read_only=True) as db:
                    behind(db, self.home)
                return
        except Damaged:
            pass
        except Busy:
            return
        rebuild(self, progress)
