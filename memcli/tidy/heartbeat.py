"""One tidy: alone, within its budget, and with a word on when the next one is due (C1)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from memcli.clock import iso
from memcli.disk import FILE_MODE
from memcli.errors import ModelFailed
from memcli.lang import taxonomy as taxonomies
from memcli.lang.taxonomy import Taxonomy
from memcli.llm.embed import Embedder
from memcli.llm.generate import Generator
from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.projection.sqlite import NoVectors
from memcli.projection.vectors import Space
from memcli.recall.topics import known_shelves
from memcli.store.store import Store
from memcli.tidy import events, writing
from memcli.tidy.events import NOTHING, Formed
from memcli.tidy.index import Indexed, Progress, count_pending, index
from memcli.tidy.shelving import shelves

SHORTEST_H, LONGEST_H = 1, 24
BUSY_ENTRIES = 200


@dataclass(frozen=True, slots=True)
class Tidied:
    """What one tidy did. `problem` says why entries stay by words only; they stay queued.

    `worded` is how many of the events that were formed a model has worded,
    `remark` what went wrong with that: the events are there all the same.

    `problem_is_new` is false where the last tidy had the same: nobody wants
    that mail every hour.
    """

    run: str
    indexed: Indexed
    seconds: float
    next_hours: int
    problem: str | None = None
    problem_is_new: bool = True
    formed: Formed = NOTHING
    worded: int = 0
    remark: str | None = None


def tidy(
    store: Store,
    embedder: Callable[[], Iterator[Embedder | None]],
    budget_s: float | None = None,
    progress: Progress | None = None,
    model: str | None = None,
    generator: Callable[[], Iterator[Generator | None]] | None = None,
    taxonomy: Taxonomy | None = None,
) -> Tidied:
    """Run every step once. Raises `Busy` (exit 75) at once where another tidy runs.

    `embedder` is a generator function that yields the embedder, or None
    where there is none, and closes it when it is resumed. A model that fails
    does not fail the run. `model` names the embedder in use, so that one that
    was changed is noticed without starting it. `generator` is the same for
    the model that words events, asked for only where events were formed;
    `taxonomy` is what they are filed by, the shipped one by default.
    """
    begin = time.monotonic()
    run = store.ids.new()

    def out_of_time() -> bool:
        return budget_s is not None and time.monotonic() - begin >= budget_s

    filing = taxonomy or taxonomies.load(taxonomies.SHIPPED)
    formed, worded, remark = NOTHING, 0, None
    with store.tidying(), store.writing() as db:
        before = count_pending(db)
        indexed, problem = Indexed(0, 0, 0, False), None
        if before or _changed(db, model):
            indexed, problem = _index(store, db, embedder, run, out_of_time, progress)
        if events.is_due(db, filing) and not out_of_time():
            formed = _form(store, db, embedder, run, filing, out_of_time, progress)
            if formed.claims and generator is not None and not out_of_time():
                worded, remark = _word(store, db, generator, run, formed, out_of_time)
    hours = next_interval(before)
    known = problem is not None and _last_note(store).endswith(f" problem={problem}")
    result = Tidied(run, indexed, time.monotonic() - begin, hours, problem, not known, formed, worded, remark)
    _note(store, result)
    return result


def _index(
    store: Store,
    db: Database,
    embedder: Callable[[], Iterator[Embedder | None]],
    run: str,
    out_of_time: Callable[[], bool],
    progress: Progress | None,
) -> tuple[Indexed, str | None]:
    try:
        db.need_vectors()
        with contextmanager(embedder)() as ready:
            if ready is None:
                return Indexed(0, 0, count_pending(db), False), "No embedder is installed. Run `mem init`."
            return index(store, db, ready, run, out_of_time, progress), None
    except NoVectors as error:
        return Indexed(0, 0, count_pending(db), False), f"{error}. Run `mem doctor`."
    except ModelFailed as error:
        return Indexed(0, 0, count_pending(db), False), f"{error.message} {error.hint or ''}".rstrip()


def _form(
    store: Store,
    db: Database,
    embedder: Callable[[], Iterator[Embedder | None]],
    run: str,
    taxonomy: Taxonomy,
    out_of_time: Callable[[], bool],
    progress: Progress | None,
) -> Formed:
    """Form events. The embedder is started only where the taxonomy's own vectors are not in the cache yet."""
    space = vectors.space(db)
    shelved = None if space is None else known_shelves(store.home, taxonomy, space)
    if shelved is None and space is not None:
        try:
            with contextmanager(embedder)() as ready:
                if ready is not None and Space(ready.model, ready.dim) == space:
                    shelved = shelves(store, taxonomy, ready)
        except ModelFailed:
            pass  # told by the step before, or by the next tidy; until then events are unsorted
    return events.form(store, db, run, shelved, out_of_time, progress)


def _word(
    store: Store,
    db: Database,
    generator: Callable[[], Iterator[Generator | None]],
    run: str,
    formed: Formed,
    out_of_time: Callable[[], bool],
) -> tuple[int, str | None]:
    """Let a model that has passed its gate word the events; how many, and what went wrong."""
    try:
        with contextmanager(generator)() as ready:
            return (0 if ready is None else writing.write(store, db, run, formed.claims, ready, out_of_time)), None
    except ModelFailed as error:
        return 0, f"{error.message} {error.hint or ''}".rstrip()


def _changed(db: Database, model: str | None) -> bool:
    space = vectors.space(db)
    return model is not None and space is not None and space.model != model


def next_interval(new_entries: int) -> int:
    """Hours until the next tidy is worth it: fewer, the more had come since the last."""
    if new_entries >= BUSY_ENTRIES:
        return SHORTEST_H
    return round(LONGEST_H - (LONGEST_H - SHORTEST_H) * new_entries / BUSY_ENTRIES)


def _last_note(store: Store) -> str:
    """The last line of tidy's log file, empty where there is none."""
    try:
        lines = store.home.tidy_log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return lines[-1] if lines else ""


def _note(store: Store, result: Tidied) -> None:
    """One line in tidy's own log file; where it cannot be written, the run has still succeeded."""
    import os

    done = result.indexed
    line = (
        f"{iso(store.clock.now_ms())} run={result.run} embedded={done.embedded} cached={done.cached} "
        f"pending={done.pending} events={result.formed.events} seconds={result.seconds:.1f} next={result.next_hours}h"
        + (f" remark={result.remark}" if result.remark else "")
        + (f" problem={result.problem}" if result.problem else "")
    )
    try:
        fd = os.open(
            store.home.tidy_log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, FILE_MODE
        )
        try:
            os.write(fd, line.encode() + b"\n")
        finally:
            os.close(fd)
    except OSError:
        return
