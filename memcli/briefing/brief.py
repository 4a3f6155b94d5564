"""A brief: the rules in force, what is known about the task, dated evidence, within a budget (A4, B8, G4).

Nothing that is held, refused, forgotten or no longer true is in it, nothing
of another scope, and no words of others that tell a reader what to do: who
works by a brief obeys it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from memcli.briefing import waking
from memcli.extract import instructions
from memcli.extract.lessons import LESSON
from memcli.govern import lookup
from memcli.govern.decay import HALF_LIVES, strengths
from memcli.govern.rank import OWN
from memcli.lang.words import content_terms, stem, stems
from memcli.memories import Class, Memory
from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.recall.question import Query
from memcli.recall.search import recall
from memcli.types import Entry

BUDGET = 800
"""Tokens of a brief, where no other number is asked for."""
CHARS_A_TOKEN = 4
FIXED_TOKENS = 20
"""What the headings take."""
MEMORIES, EVIDENCE = 24, 16
"""How many memories and pieces of evidence are looked at, at most."""
LONGEST_CHARS = 320
"""A longer piece of evidence is cut."""
_NEAR = 0.30
"""Cosine from which on a memory whose words differ is about the task."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Item:
    """A memory in a brief: its words, the entries it rests on (visible ones), and how near it is to the task."""

    memory: Memory
    words: str
    entries: tuple[Entry, ...]
    relevance: float


@dataclass(frozen=True, slots=True)
class Brief:
    """The working memory of one task. `left_out` are rules in force for which the budget had no room."""

    task: str
    scopes: tuple[str, ...]
    rules: tuple[Item, ...]
    lessons: tuple[Item, ...]
    memories: tuple[Item, ...]
    evidence: tuple[Entry, ...]
    tokens: int
    budget: int
    left_out: int = 0

    @property
    def empty(self) -> bool:
        """Whether nothing is known for the task."""
        return not (self.rules or self.lessons or self.memories or self.evidence)


def tokens(text: str) -> int:
    """A cautious estimate: four characters of a Latin script a token, one of others."""
    wide = sum(1 for char in text if ord(char) > 0x2E80)
    return -(-(len(text) - wide) // CHARS_A_TOKEN) + wide


def build(
    db: Database,
    task: str,
    scope: str | None = None,
    budget: int = BUDGET,
    vector: Sequence[float] | None = None,
    *,
    now_ms: int,
    me: Sequence[str] = (),
    half_lives: Mapping[Class, float] = HALF_LIVES,
) -> Brief:
    """The brief of a task in a scope; rules first, then lessons and memories, then evidence, each most relevant first.

    `vector` is the unit embedding of the task, None where there is none;
    `now_ms` (UTC) and `half_lives` say what has faded (C4), `me` are the
    person's own names.
    """
    scopes = lookup.scopes_here(scope)
    terms = content_terms(task)
    measure = _Measure(db, {stem(term) for term in terms}, vector)
    rules = measure.items(lookup.in_force(db, scopes), keep_all=True)
    lessons = measure.items(lookup.lessons(db, scopes))
    found = recall(db, Query(task, k=EVIDENCE, within=scopes), vector)
    found = [item for item in found if item.cosine >= _NEAR or measure.shares(item.entry.text)]
    hidden = lookup.not_to_be_told(db, {item.entry.id for item in found})
    entries = [item.entry for item in found if item.entry.id not in hidden and may_be_told(item.entry)]
    known = _memories(db, terms, scopes, [entry.id for entry in entries])
    strength = strengths(db, known, now_ms, half_lives)
    awake = [memory for memory in known if waking.in_sight(memory, strength, now_ms, measure.stems)]
    memories = sorted(
        measure.items(awake),
        key=lambda item: (-waking.matters(item.memory, item.relevance, measure.stems), item.memory.id),
    )
    told = {item.memory.id for item in memories}
    lasting = [
        memory
        for memory in lookup.permanent(db, scopes)
        if memory.id not in told and waking.is_lasting(memory, me, measure.stems) and _may_stand(memory)
    ]
    lasting.sort(key=lambda memory: (-memory.statement.importance, memory.id))
    memories += measure.items(lasting[: waking.LASTING], keep_all=True)
    room = budget - FIXED_TOKENS - tokens(task)
    kept_rules, room = _fit(rules, room, lambda item: item.words)
    kept_lessons, room = _fit(lessons, room, lambda item: item.words)
    kept_memories, room = _fit(memories, room, lambda item: item.words, share=0.6)
    shown = {entry.id for item in (*kept_rules, *kept_lessons, *kept_memories) for entry in item.entries}
    kept_evidence, room = _fit(
        [entry for entry in entries if entry.id not in shown], room, lambda entry: cut(entry.text)
    )
    return Brief(
        task,
        scopes,
        tuple(kept_rules),
        tuple(kept_lessons),
        tuple(kept_memories),
        tuple(kept_evidence),
        budget - room,
        budget,
        len(rules) - len(kept_rules),
    )


def may_be_told(entry: Entry) -> bool:
    """Whether an entry can stand in a brief: words of others that give orders may not (C3)."""
    return entry.trust in OWN or not instructions.reads_as_instruction(entry.text)


def cut(text: str) -> str:
    """The beginning of a piece of evidence, on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST_CHARS else flat[: LONGEST_CHARS - 1].rstrip() + "…"


def _memories(db: Database, terms: Collection[str], scopes: Collection[str], entries: Collection[str]) -> list[Memory]:
    """What shares words with the task, and what the nearest evidence carries; each once."""
    found = {memory.id: memory for memory in lookup.about(db, terms, scopes, MEMORIES)}
    weighty = lookup.weighty(db, terms, scopes, waking.IMPORTANT, MEMORIES)
    for memory in (*weighty, *lookup.citing(db, entries, scopes)):
        found.setdefault(memory.id, memory)
    return [memory for memory in found.values() if memory.statement.relation != LESSON and _may_stand(memory)]


def _may_stand(memory: Memory) -> bool:
    """Whether a memory can stand in a brief: orders of others may not (C3)."""
    statement = memory.statement
    orders = statement.kind == "instruction" or instructions.reads_as_instruction(statement.text)
    return memory.trust in OWN or not orders


class _Measure:
    """How near memories are to the task: by words, and by the vectors of the entries they rest on."""

    def __init__(self, db: Database, stems_of_task: set[str], vector: Sequence[float] | None) -> None:
        self._db = db
        self.stems = stems_of_task
        self._vector = vector

    def shares(self, text: str) -> bool:
        """Whether a text has a word of the task."""
        return not self.stems.isdisjoint(stems(text))

    def items(self, memories: Iterable[Memory], *, keep_all: bool = False) -> list[Item]:
        """The memories, most relevant first; those that have nothing to do with the task only where all are kept."""
        known = list(memories)
        near = self._near(known)
        cited = {quote.entry for memory in known for quote in memory.quotes}
        there = {entry.id: entry for entry in self._db.entries_of(cited)}
        made = [self._item(memory, near.get(memory.id, 0.0), there) for memory in known]
        kept = [item for item in made if keep_all or item.relevance > 0]
        return sorted(kept, key=lambda item: (-item.relevance, item.memory.id))

    def _item(self, memory: Memory, cosine: float, there: Mapping[str, Entry]) -> Item:
        words = instructions.said(memory.statement)
        shared = len(self.stems & set(stems(words))) / (len(self.stems) or 1)
        nearness = cosine if cosine >= _NEAR else 0.0
        entries = tuple(there[entry] for entry in sorted({quote.entry for quote in memory.quotes}) if entry in there)
        return Item(memory, words, entries, round(shared + nearness, 6))

    def _near(self, memories: Sequence[Memory]) -> dict[str, float]:
        if self._vector is None or not memories:
            return {}
        cited = {quote.entry for memory in memories for quote in memory.quotes}
        marks = ", ".join("?" * len(cited))
        rows = self._db.rows(
            f"SELECT id, seq FROM entries WHERE embedded = 1 AND id IN ({marks})", tuple(sorted(cited))
        )
        seq_of: dict[str, int] = dict(rows)
        cosines = vectors.exact(self._db, self._vector, list(seq_of.values()))
        return {
            memory.id: max((cosines.get(seq_of.get(quote.entry, -1), 0.0) for quote in memory.quotes), default=0.0)
            for memory in memories
        }


def _fit(items: Sequence[T], room: int, words: Callable[[T], str], share: float = 1.0) -> tuple[list[T], int]:
    """The first of the items that fit, and the room that is left; `share` of the room at most is taken."""
    least = room - int(room * share)
    kept: list[T] = []
    for item in items:
        cost = tokens(words(item)) + 12  # its date, its author and its id
        if room - cost < least:
            break
        kept.append(item)
        room -= cost
    return kept, room
