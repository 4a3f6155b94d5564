"""The step that reads new entries with a model, where one has passed its test, behind the rules (B2, C1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from memcli.govern.propose import PURGED, name_of
from memcli.govern.verify import refusal
from memcli.govern.write import Candidate, candidate
from memcli.llm.generate import Generator
from memcli.projection.database import Database
from memcli.projection.gone import is_silent
from memcli.recall.dating import dated
from memcli.store.store import Store
from memcli.tidy.derive import Progress, count_unread, decide, say_nothing_new, unread
from memcli.tidy.reader import WINDOW, read
from memcli.types import Entry

BATCH = 60
_READ = ("self", "other")
"""Whose words a model reads for facts: people's, not those of assistants, tools, documents, pages and mail."""


@dataclass(frozen=True, slots=True)
class Deepened:
    """What the step did: entries read, changes by operation, refusals by reason, entries left for next time."""

    entries: int
    changes: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    pending: int = 0


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
        entries = unread(db, BATCH, generator.model)
        if not entries:
            break
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
                if reason is None and any(is_silent(db, quote.entry) for quote in item.quotes):
                    reason = PURGED
                if reason is None:
                    candidates.append(candidate(item, known))
                else:
                    refused[reason] += 1
        after = {"through": entries[-1].id, "by": generator.model}
        changes += decide(store, db, me, run, candidates, "read by a model", after)
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
