"""One tidy: alone, within its budget, and with a word on when the next one is due (C1)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from memcli.clock import HOUR_MS, from_iso, iso
from memcli.disk import FILE_MODE
from memcli.errors import ModelFailed
from memcli.govern.promote import Promoted
from memcli.lang import taxonomy as taxonomies
from memcli.lang.taxonomy import Taxonomy
from memcli.llm.embed import Embedder
from memcli.llm.generate import Generator
from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.projection.sqlite import NoVectors
from memcli.projection.vectors import Space
from memcli.recall.topics import known_shelves
from memcli.settings import MAX_RULES
from memcli.store.store import Store
from memcli.tidy import events, writing
from memcli.tidy.deepen import Deepened, deepen
from memcli.tidy.derive import Derived, count_unread, derive
from memcli.tidy.events import NOTHING, Formed
from memcli.tidy.index import Indexed, Progress, count_pending, index
from memcli.tidy.lessons import has_news, learn
from memcli.tidy.questions import are_missing, embed_questions
from memcli.tidy.rules import decide_rules
from memcli.tidy.shelving import shelves
from memcli.tidy.writing import Worded

SHORTEST_H, LONGEST_H = 1, 24
BUSY_ENTRIES = 200
READING_S = 60.0
"""How long a model reads where no budget was given."""
SLACK_MS = 5 * 60_000
"""A timer that comes a little early finds it due."""


@dataclass(frozen=True, slots=True)
class Tidied:
    """What one tidy did. `problem` says why entries stay by words only; they stay queued.

    `problem_is_new` is false where the last tidy had the same: nobody wants
    that mail every hour.
    """

    run: str
    indexed: Indexed
    derived: Derived
    deepened: Deepened
    seconds: float
    next_hours: int
    problem: str | None = None
    problem_is_new: bool = True
    promoted: Promoted = field(default_factory=Promoted)
    formed: Formed = NOTHING
    worded: Worded = field(default_factory=Worded)


def tidy(
    store: Store,
    embedder: Callable[[], Iterator[Embedder | None]],
    budget_s: float | None = None,
    progress: Progress | None = None,
    model: str | None = None,
    me: Sequence[str] = (),
    reading: Progress | None = None,
    generator: Callable[[], Iterator[Generator | None]] | None = None,
    max_rules: int = MAX_RULES,
    past_questions: bool = False,
    taxonomy: Taxonomy | None = None,
) -> Tidied:
    """Run every step once. Raises `Busy` (exit 75) at once where another tidy runs.

    `embedder` is a generator function that yields the embedder, or None
    where there is none, and closes it when it is resumed. A model that fails
    does not fail the run. `model` names the embedder in use, so that one that
    was changed is noticed without starting it. `me` are the person's names,
    `max_rules` how many rules one scope may have.
    `generator` is the same as `embedder` for a model that may read entries,
    None where none has passed its test; without a budget it reads for
    `READING_S` seconds and leaves the rest for the next time.
    `past_questions` says whether what was asked is embedded too (D7),
    `taxonomy` what events are filed by, the shipped one by default (B7).
    """
    begin = time.monotonic()
    run = store.ids.new()

    def out_of_time() -> bool:
        return budget_s is not None and time.monotonic() - begin >= budget_s

    filing = taxonomy or taxonomies.load(taxonomies.SHIPPED)
    with store.tidying(), store.writing() as db:
        pending = count_pending(db)
        before = max(pending, count_unread(db))
        asked = past_questions and are_missing(store, db)
        if pending or asked or _changed(db, model):
            indexed, problem = _index(store, db, embedder, run, out_of_time, progress, past_questions)
        else:
            indexed, problem = Indexed(0, 0, 0, False), None
        news = has_news(db)
        derived = derive(store, db, me, run, out_of_time)
        formed = NOTHING
        if events.is_due(db, filing) and not out_of_time():
            formed = _form(store, db, embedder, run, filing, out_of_time, progress)
        deepened, worded, failed = Deepened(0), Worded(), None
        if generator is not None:
            until = time.monotonic() + READING_S

            def enough() -> bool:
                return out_of_time() or (budget_s is None and time.monotonic() >= until)

            deepened, worded, failed = _with_model(store, db, generator, me, run, formed, enough, out_of_time, reading)
        if news:
            derived.changes["lesson"] += learn(store, db, run)
        promoted = decide_rules(store, db, run, max_rules)
    hours = next_interval(before)
    problem = problem or failed
    known = problem is not None and _last_note(store).endswith(f" problem={problem}")
    seconds = time.monotonic() - begin
    result = Tidied(run, indexed, derived, deepened, seconds, hours, problem, not known, promoted, formed, worded)
    _note(store, result)
    return result


def _index(
    store: Store,
    db: Database,
    embedder: Callable[[], Iterator[Embedder | None]],
    run: str,
    out_of_time: Callable[[], bool],
    progress: Progress | None,
    past_questions: bool,
) -> tuple[Indexed, str | None]:
    try:
        db.need_vectors()
        with contextmanager(embedder)() as ready:
            if ready is None:
                return Indexed(0, 0, count_pending(db), False), "No embedder is installed. Run `mem init`."
            done = index(store, db, ready, run, out_of_time, progress)
            if past_questions and not out_of_time():
                embed_questions(store, db, ready)
            return done, None
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


def _with_model(
    store: Store,
    db: Database,
    generator: Callable[[], Iterator[Generator | None]],
    me: Sequence[str],
    run: str,
    formed: Formed,
    enough: Callable[[], bool],
    out_of_time: Callable[[], bool],
    progress: Progress | None,
) -> tuple[Deepened, Worded, str | None]:
    """Read with the model, then let it word the events that were formed; one that fails costs only its own proposals.

    The last is what was wrong with the reading.
    """
    try:
        with contextmanager(generator)() as ready:
            if ready is None:
                return Deepened(0), Worded(), None
            deepened = deepen(store, db, ready, me, run, enough, progress)
            return deepened, writing.write(store, db, run, formed.claims, ready, out_of_time), None
    except ModelFailed as error:
        return Deepened(0), Worded(), f"{error.message} {error.hint or ''}".rstrip()


def _changed(db: Database, model: str | None) -> bool:
    space = vectors.space(db)
    return model is not None and space is not None and space.model != model


def next_interval(new_entries: int) -> int:
    """Hours until the next tidy is worth it: fewer, the more had come since the last."""
    if new_entries >= BUSY_ENTRIES:
        return SHORTEST_H
    return round(LONGEST_H - (LONGEST_H - SHORTEST_H) * new_entries / BUSY_ENTRIES)


@dataclass(frozen=True, slots=True)
class Last:
    """When the last tidy ended (ISO, UTC), what it left behind, and after how many hours it wanted to run again."""

    at: str
    pending: int
    next_hours: int


def last(store: Store) -> Last | None:
    """What the last tidy noted; None where there was none."""
    match = re.match(r"(\S+) .*\bpending=(\d+)\b.*\bnext=(\d+)h", _last_note(store))
    return None if match is None else Last(match[1], int(match[2]), int(match[3]))


def is_due(store: Store) -> bool:
    """Whether the last tidy said that it is time for the next, or left entries behind, or there was none."""
    note = last(store)
    if note is None or note.pending:
        return True
    try:
        ended = from_iso(note.at)[0]
    except ValueError:
        return True
    return not ended <= store.clock.now_ms() < ended + note.next_hours * HOUR_MS - SLACK_MS


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

    done, derived = result.indexed, result.derived
    line = (
        f"{iso(store.clock.now_ms())} run={result.run} embedded={done.embedded} cached={done.cached} "
        f"pending={done.pending} read={derived.entries} memories={derived.changes['memory']} "
        f"by_model={result.deepened.changes['memory']} "
        f"refused={sum(derived.refused.values())} rules={result.promoted.rules} "
        f"held={result.promoted.held} events={result.formed.events} "
        f"seconds={result.seconds:.1f} next={result.next_hours}h"
        + (f" remark={result.worded.remark}" if result.worded.remark else "")
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
