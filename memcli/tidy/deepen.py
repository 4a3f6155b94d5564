"""The step that reads new entries with a model, where one has passed its test, behind the rules (B2, C1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from memcli.govern.ledger import Ledger
from memcli.govern.propose import name_of
from memcli.govern.verify import refusal
from memcli.govern.write import Candidate, Writer, candidate
from memcli.llm.generate import Generator
from memcli.log.record import Change
from memcli.projection import reduce
from memcli.projection.database import COLUMNS, Database
from memcli.recall.dating import dated
from memcli.store.store import Store
from memcli.tidy.derive import AUTHOR, say_nothing_new
from memcli.tidy.reader import WINDOW, read
from memcli.types import Entry

BATCH = 60
Progress = Callable[[int, int], None]
_READ = ("self", "other")
"""Whose words a model reads for facts: people's, not those of assistants, tools, documents, pages and mail."""


@dataclass(frozen=True, slots=True)
class Deepened:
    """What the step did: entries read, changes by operation, refusals by reason, entries left for next time."""

    entries: int
    changes: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    pending: int = 0


def count_unread(db: Database, model: str) -> int:
    """How many visible entries this model has not read yet."""
    through = reduce.extracted_through(db, model) or ""
    return int(db.one("SELECT COUNT(*) FROM entries WHERE state = 0 AND id > ?", (through,))[0])


def deepen(
    store: Store,
    db: Database,
    generator: Generator,
    me: Sequence[str],
    run: str,
    out_of_time: Callable[[], bool],
    progress: Progress | None = None,
) -> Deepened:
    """Read what this model has not read, some windows at a time, each batch one decision.

    No model is asked inside a transaction. Raises `ModelFailed` where it does
    not answer: the batches before are kept, the rest stays queued.
    """
    total = count_unread(db, generator.model)
    done = 0
    changes: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    while total and not out_of_time():
        through = reduce.extracted_through(db, generator.model) or ""
        rows = db.rows(
            f"SELECT {COLUMNS} FROM entries WHERE state = 0 AND id > ? ORDER BY id LIMIT ?", (through, BATCH)
        )
        if not rows:
            break
        entries = [db.entry(row) for row in rows]
        gated = say_nothing_new(db, entries)
        candidates: list[Candidate] = []
        for turns in windows([entry for entry in entries if entry.id not in gated and entry.trust in _READ]):
            if out_of_time():
                return Deepened(done, changes, refused, count_unread(db, generator.model))
            names = {turn.id: name for turn in turns if (name := name_of(turn, me)) is not None}
            found, why = read(generator, turns, names)
            refused += why
            known = {turn.id: turn for turn in turns}
            for item in found:
                reason = refusal(item, known, _computed(turns, names))
                if reason is None:
                    candidates.append(candidate(item, known))
                else:
                    refused[reason] += 1

        def choose(
            db: Database, candidates: Sequence[Candidate] = candidates, last: str = entries[-1].id
        ) -> Sequence[Change]:
            writer = Writer(Ledger(db, me), run, AUTHOR, store.ids.new)
            for item in candidates:
                writer.consider(item)
            decided = writer.changes
            changes.update(change.op for change in decided)
            after = {"through": last, "by": generator.model}
            return [*decided, Change("extract", run, AUTHOR, "read by a model", after=after)]

        store.decide_within(db, choose)
        done += len(entries)
        if progress is not None:
            progress(done, total)
    return Deepened(done, changes, refused, count_unread(db, generator.model))


def windows(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Turns of one session in a row, at most `WINDOW` at a time."""
    part: list[Entry] = []
    for entry in entries:
        if part and (len(part) == WINDOW or part[-1].session != entry.session):
            yield part
            part = []
        part.append(entry)
    if part:
        yield part


def _computed(turns: Sequence[Entry], names: dict[str, str]) -> str:
    """Words that code itself put before the model: names of speakers, dates of what they said."""
    return " ".join([*names.values(), *map(dated, turns)])
