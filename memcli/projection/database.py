"""`mem.db`, opened: pragmas, schema, transactions, and rows as the types of the design."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from memcli.projection import digest, schema, sqlite
from memcli.projection.sqlite import FAILURES, Damaged, Row
from memcli.types import Entry, Moment

COLUMNS = (
    "seq, id, run, session, ordinal, key, text, imported_at, speaker, role, trust, said_ms, precision, "
    "offset, floating, scope, source, origin, title, status, pin, mark, blob"
)
_DIGEST = re.compile("[0-9a-f]{32}")


class Database:
    """One connection to the projection. Use `transaction()` for every write.

    `words` (row → whether it was in the word index before, and its words from
    now on) and `at_commit` (what is still to be written) are of one transaction.
    """

    def __init__(self, path: Path | str, *, read_only: bool = False, create: bool = True, timeout: float = 0.0) -> None:
        """Open, and make the tables where there are none and `create` says so.

        Raises `Damaged` where the file is no database of this version,
        `Busy` or `CannotWrite` where it cannot be had now.
        """
        self.path = Path(path)
        self._vec = False
        self._digest: int | None = None
        self._visible = 0
        self._undone: set[str] | None = None
        self._filled: dict[str, bool] = {}
        self.words: dict[int, tuple[bool, str | None]] = {}
        self.at_commit: dict[str, Callable[[Database], None]] = {}
        create = create and not read_only
        if not create and not self.path.exists():
            raise Damaged("it is not there")
        try:
            self.raw = sqlite.connect(path, read_only=read_only, create=create, timeout=timeout)
        except FAILURES as error:
            raise sqlite.translate(error, self.path) from error
        try:
            found = self.one("PRAGMA user_version")[0]
            if not read_only:
                for pragma in schema.PRAGMAS.strip().splitlines():
                    self.execute(pragma)
            if found == 0 and create:
                self._create()
            elif found != schema.VERSION:
                raise Damaged(f"made by another version ({found}, this is {schema.VERSION})")
        except BaseException:
            self.raw.close()
            raise

    def _create(self) -> None:
        with self.transaction():
            if self.one("PRAGMA user_version")[0] != 0:
                return
            for statement in schema.SCHEMA.strip().split(";\n"):
                self.raw.execute(statement)

    def close(self) -> None:
        self.raw.close()

    def wait(self, seconds: float) -> None:
        """How long a statement waits for another connection's lock from now on."""
        self.raw.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """BEGIN IMMEDIATE … COMMIT, or nothing at all. Raises `Busy` where another writes longer than the timeout."""
        try:
            self.raw.execute("BEGIN IMMEDIATE")
        except FAILURES as error:
            raise sqlite.translate(error, self.path) from error
        self._forget()
        try:
            yield
            for write in self.at_commit.values():
                write(self)
            self._write_digest()
            self.raw.execute("COMMIT")
        except FAILURES as error:
            self._roll_back()
            raise sqlite.translate(error, self.path) from error
        except BaseException:
            self._roll_back()
            raise
        finally:
            self._forget()

    def _forget(self) -> None:
        """What is known of the index inside one transaction: outside, another may change it."""
        self._digest = self._undone = None
        self._filled = {}
        self.words.clear()
        self.at_commit.clear()

    def _roll_back(self) -> None:
        if self.raw.in_transaction:
            with suppress(*FAILURES):  # what failed before says more; closing rolls back as well
                self.raw.execute("ROLLBACK")

    def execute(self, sql: str, values: Iterable[Any] = ()) -> sqlite.Cursor:
        try:
            return self.raw.execute(sql, tuple(values))
        except FAILURES as error:
            raise sqlite.translate(error, self.path) from error

    def one(self, sql: str, values: Iterable[Any] = ()) -> Row:
        """The first row; None where there is none, as the driver has it."""
        try:
            return cast(Row, self.raw.execute(sql, tuple(values)).fetchone())
        except FAILURES as error:
            raise sqlite.translate(error, self.path) from error

    def each(self, sql: str, values: Iterable[Any] = ()) -> Iterator[Row]:
        """Row by row, where there may be more than fits into memory."""
        try:
            yield from self.raw.execute(sql, tuple(values))
        except FAILURES as error:
            raise sqlite.translate(error, self.path) from error

    def rows(self, sql: str, values: Iterable[Any] = ()) -> list[Row]:
        try:
            return cast(list[Row], self.raw.execute(sql, tuple(values)).fetchall())
        except FAILURES as error:
            raise sqlite.translate(error, self.path) from error

    def meta(self, key: str) -> Any:
        """A value of the `meta` table, None where it is not set."""
        row = self.one("SELECT value FROM meta WHERE key = ?", (key,))
        return None if row is None else row[0]

    def set_meta(self, key: str, value: Any) -> None:
        self.execute(
            "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (key, value),
        )

    def digest(self) -> str:
        """The digest of the visible state. Raises `Damaged` where it is none."""
        value = self.meta("digest")
        if not isinstance(value, str) or not _DIGEST.fullmatch(value):
            raise Damaged("its digest is unreadable")
        return value

    def visible(self) -> int:
        """How many entries are visible. Raises `Damaged`."""
        value = self.meta("visible")
        if not isinstance(value, int):
            raise Damaged("its number of entries is unreadable")
        return value

    def need_vectors(self) -> None:
        """Load sqlite-vec once. Raises `sqlite.NoVectors`."""
        if not self._vec:
            sqlite.load_vec(self.raw)
            self._vec = True

    # The digest lives in memory during a transaction and is written once, before COMMIT.

    def count_in(self, mark: bytes) -> None:
        self._digest = digest.shift(self._loaded_digest(), mark, 1)
        self._visible += 1

    def count_out(self, mark: bytes) -> None:
        self._digest = digest.shift(self._loaded_digest(), mark, -1)
        self._visible -= 1

    def shift_digest(self, mark: bytes, sign: int) -> None:
        """A row that is no entry came (+1) or went (-1)."""
        self._digest = digest.shift(self._loaded_digest(), mark, sign)

    def _loaded_digest(self) -> int:
        if self._digest is None:
            self._digest, self._visible = int(self.digest(), 16), self.visible()
        return self._digest

    def _write_digest(self) -> None:
        if self._digest is not None:
            self.set_meta("digest", digest.text(self._digest))
            self.set_meta("visible", self._visible)

    def undone(self) -> set[str]:
        """The runs that are taken back, read once a transaction; who takes one back adds it."""
        if self._undone is None or not self.raw.in_transaction:
            self._undone = {run for (run,) in self.rows("SELECT run FROM undone")}
        return self._undone

    def has_rows(self, table: str) -> bool:
        """Whether a table has any, read once a transaction; who adds the first says so with `fills`."""
        if not self.raw.in_transaction or table not in self._filled:
            self._filled[table] = self.one(f"SELECT 1 FROM {table} LIMIT 1") is not None
        return self._filled[table]

    def fills(self, table: str) -> None:
        """A row is put into the table."""
        self._filled[table] = True

    def entries_of(self, ids: Collection[str]) -> list[Entry]:
        """The visible entries of these ids, in the order of their ids. Raises `Damaged` as `entry` does."""
        rows = self.rows(
            f"SELECT {COLUMNS} FROM entries WHERE state = 0 AND id IN (SELECT value FROM json_each(?)) ORDER BY id",
            (json.dumps(sorted(ids)),),
        )
        return [self.entry(row) for row in rows]

    def entry(self, row: Row) -> Entry:
        """A row of `COLUMNS` as an entry. Raises `Damaged` where its own hash says that a bit has flipped."""
        entry = entry_of_row(row)
        if digest.mark(entry) != row[21]:
            raise Damaged(f"the row of entry {entry.id} has changed by itself")
        return entry


def entry_of_row(row: Row) -> Entry:
    """A row of `COLUMNS` as an entry, unchecked."""
    moment = None if row[11] is None else Moment(row[11], row[12], row[13], bool(row[14]))
    return Entry(
        id=row[1],
        run=row[2],
        session=row[3],
        ordinal=row[4],
        source_key=row[5],
        text=row[6],
        imported_at=row[7],
        speaker=row[8],
        role=row[9],
        trust=row[10],
        moment=moment,
        scope=row[15],
        source=row[16],
        origin=row[17],
        title=row[18],
        status=row[19],
        pin=bool(row[20]),
        blob=row[22],
    )
