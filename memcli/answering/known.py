"""What is known of the evidence of an answer: which of it is over, what replaced it, what contradicts it (C7).

What a tidy has decided is read; what no tidy has read yet is read now, as the
next tidy would, and written nowhere.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, pairwise

from memcli.answering.passages import overlap
from memcli.extract.gist import gist
from memcli.govern.find import resting_on, select
from memcli.govern.rank import ACTIVE
from memcli.govern.valid import holds, over
from memcli.lang.words import stems, words
from memcli.memories import Memory
from memcli.projection import reduce
from memcli.projection.database import Database
from memcli.projection.memories import COLUMNS, memory_of_row
from memcli.recall.search import Evidence
from memcli.types import Entry

MOST_PLACES = 8


@dataclass(frozen=True, slots=True)
class Over:
    """Why a piece of evidence is stale: the entry that says what replaced it, until when it was true (wall clock)."""

    superseded_by: str
    until_ms: int | None


def fills(memory: Memory, asked: Collection[str], terms: Collection[str]) -> bool:
    """Whether a memory has the single value that a question asks for."""
    seen = gist(memory.statement)
    if seen.slot is None or not set(seen.subject.split()) <= set(asked):
        return False
    place = memory.statement.relation.replace("_", " ").replace(":", " ")
    return bool(overlap(f"{place} {seen.slot}", terms))


@dataclass(frozen=True, slots=True)
class Known:
    """The memories that rest on the evidence, and those that these lead to.

    `at_ms` is the instant of the wall clock for which one asks; `past` that
    another one than now was named. `more` are entries, not among the
    evidence, on which those that are led to rest.
    """

    memories: dict[str, Memory]
    more: dict[str, Entry]
    at_ms: int
    past: bool = False
    _of: dict[str, list[Memory]] = field(default_factory=dict)

    def relevant(self, entry: str, terms: Collection[str]) -> Memory | None:
        """The memory of an entry that is nearest to the words of a question; None where none is, or several are."""
        found = self._of.get(entry, [])
        if not found:
            return None
        shared = [(self._near(memory, terms), memory) for memory in found]
        best = max(value for value, _ in shared)
        nearest = [memory for value, memory in shared if value == best]
        if best == 0 and len(found) > 1:
            closed = [memory for memory in nearest if memory.replaced_by is not None or memory.against]
            return closed[0] if len(closed) == 1 else None
        return min(nearest, key=lambda memory: (memory.replaced_by is None and not memory.against, memory.id))

    def _near(self, memory: Memory, terms: Collection[str]) -> int:
        statement = memory.statement
        return overlap(f"{statement.text} {statement.relation.replace('_', ' ').replace(':', ' ')}", terms)

    def sure(self, entry: str, asked: Collection[str], terms: Collection[str]) -> list[Memory]:
        """The memories of an entry that fill the very place that is asked for, of the one who is asked about.

        `asked` are the stems of the whole question. "Where does Ann live?"
        asks for where Ann lives, and not for where her brother does.
        """
        return [memory for memory in self._of.get(entry, ()) if fills(memory, asked, terms)]

    def line(self, memory: Memory) -> list[Memory]:
        """A memory with all that it replaced or was replaced by, directly or through others, oldest first."""
        found = {memory.id}
        ahead = [memory.id]
        while ahead:
            here = self.memories[ahead.pop()]
            beside = {other.id for other in self.memories.values() if other.replaced_by == here.id}
            if here.replaced_by in self.memories:
                beside.add(str(here.replaced_by))
            ahead += beside - found
            found |= beside
        chosen = [self.memories[name] for name in found]
        return sorted(chosen, key=lambda item: (item.since_ms is not None, item.since_ms or 0, item.id))

    def now(self, memory: Memory) -> Memory | None:
        """What holds, at the instant that is asked for, of what a memory tells of; None where nothing is known to."""
        if holds(memory, self.at_ms):
            return memory
        held = [other for other in self.line(memory) if holds(other, self.at_ms)]
        return held[-1] if held else None

    def before(self, memory: Memory) -> list[Memory]:
        """What a memory replaced."""
        return [other for other in self.line(memory) if other.replaced_by == memory.id]

    def over(self, entry: str, terms: Collection[str]) -> Over | None:
        """Why an entry is stale, as far as the question goes; None where it is not."""
        memory = self.relevant(entry, terms)
        if memory is None or memory.replaced_by is None or not over(memory, self.at_ms):
            return None
        by = self.memories.get(memory.replaced_by)
        if by is None or any(quote.entry == entry for quote in by.quotes):
            return None
        return Over(by.quotes[-1].entry, memory.until_ms)

    def against(self, memory: Memory) -> list[Memory]:
        """What contradicts a memory, where nobody could tell which of them holds."""
        return [self.memories[name] for name in memory.against if name in self.memories]


def known(
    db: Database,
    evidence: Sequence[Evidence],
    me: Sequence[str],
    speakers: Collection[str],
    now_ms: int,
    as_of_ms: int | None = None,
) -> Known:
    """What is known of some evidence. `now_ms` and `as_of_ms` are of the wall clock; None asks for now."""
    entries = {item.entry.id: item.entry for item in evidence}
    memories = {memory.id: memory for memory in resting_on(db, entries)}
    through = reduce.extracted_through(db) or ""
    unread = sorted((entry for entry in entries.values() if entry.id > through), key=lambda entry: entry.id)
    if unread:
        memories |= _read_now(db, unread, me, speakers)
    _follow(db, memories)
    memories = {name: memory for name, memory in memories.items() if memory.standing in ACTIVE}
    of: dict[str, list[Memory]] = {}
    for memory in memories.values():
        for entry in dict.fromkeys(quote.entry for quote in memory.quotes):
            of.setdefault(entry, []).append(memory)
    missing = {memory.quotes[-1].entry for memory in memories.values()} - entries.keys()
    at_ms = now_ms if as_of_ms is None else as_of_ms
    return Known(memories, {entry.id: entry for entry in db.entries_of(missing)}, at_ms, as_of_ms is not None, of)


def _read_now(
    db: Database, unread: Sequence[Entry], me: Sequence[str], speakers: Collection[str]
) -> Mapping[str, Memory]:
    """What the next tidy would make of entries, and of the memories that they touch."""
    # Reading costs a tenth of a second to import: not for evidence that a tidy has read.
    from memcli.govern.ledger import Ledger
    from memcli.govern.propose import propose
    from memcli.govern.write import Writer

    numbers = count()
    writer = Writer(Ledger(db, me), "", "extractor", lambda: f"~{next(numbers):08}")
    for item in propose(db, unread, me, speakers)[0]:
        writer.consider(item)
    return writer.outcome()


def _follow(db: Database, memories: dict[str, Memory]) -> None:
    """Add what the memories replaced, were replaced by or contradict, through as many steps as there are."""
    ahead = set(memories)
    while ahead:
        wanted = {name for one in ahead for name in (memories[one].replaced_by, *memories[one].against) if name}
        rows = db.rows(
            f"SELECT {COLUMNS} FROM memories WHERE id IN (SELECT value FROM json_each(?)) "
            "OR replaced_by IN (SELECT value FROM json_each(?))",
            (json.dumps(sorted(wanted - memories.keys())), json.dumps(sorted(ahead))),
        )
        fresh = {row[0]: memory_of_row(row) for row in rows if row[0] not in memories}
        memories |= fresh
        ahead = set(fresh)


def placed(db: Database, question: str, terms: Collection[str], at_ms: int) -> list[Entry]:
    """The entries behind what has the single value that is asked for at an instant, found by what they are about."""
    subjects = db.rows(
        "SELECT DISTINCT subject, relation FROM memories WHERE subject IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(_subjects(words(question)))),),
    )
    asked = stems(question)
    wanted = [row for row in subjects if overlap(str(row[1]).replace("_", " ").replace(":", " "), terms)]
    found: list[str] = []
    for subject, relation in wanted[:MOST_PLACES]:
        filed = select(db, "subject = ? AND relation = ? ORDER BY id DESC LIMIT ?", (subject, relation, MOST_PLACES))
        held = [memory for memory in filed if holds(memory, at_ms)]
        found += [memory.quotes[-1].entry for memory in held if fills(memory, asked, terms)]
    return db.entries_of(found)


def _subjects(asked: Sequence[str]) -> set[str]:
    """What a question may be about: its words, and two that stand beside each other."""
    return {*asked, *(f"{one} {two}" for one, two in pairwise(asked))}
