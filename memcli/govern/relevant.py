"""Memories for a task, strongest match first; what has faded wakes where the situation is its own (D3, D12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memcli.govern import find
from memcli.govern.decay import HALF_LIVES, Strength, strengths
from memcli.lang.words import content_terms, stem, words
from memcli.memories import Class, Memory
from memcli.projection.database import Database

POOL = 200
FEW = 3
"""With fewer matches in sight than this, everything that faded is looked at too."""
_WAKES_AT = 0.7


@dataclass(frozen=True, slots=True)
class Match:
    """A memory for a task: its score, its strength now, and whether it was archived and woke."""

    memory: Memory
    score: float
    strength: Strength
    woken: bool = False


def relevant(
    db: Database,
    text: str,
    now_ms: int,
    limit: int,
    scopes: Sequence[str],
    half_lives: Mapping[Class, float] = HALF_LIVES,
) -> list[Match]:
    """The memories of these scopes that match the words of a task, best first.

    The score is the share of the task's words that a memory has, raised by
    what it names (people, places, entities) and by its importance, and by its
    strength as long as it is in sight. An archived memory comes back where it
    is important and names what the task names, at its full weight: a shock of
    ten years ago is not outweighed by fifty notes in similar words. It also
    comes back where too little else matches.
    """
    matching = find.with_words(db, text, POOL, ("memory", "rule"))
    pool = [memory for memory in matching if memory.scope in scopes]
    found = strengths(db, pool, now_ms, half_lives)
    terms = {stem(word) for word in content_terms(text)}
    asked = set(words(text))
    seen, asleep = [], []
    for memory in pool:
        power = found[memory.id]
        own = {stem(word) for word in content_terms(memory.statement.text)}
        covered = len(terms & own) / max(1, len(terms))
        named = _named(memory, asked)
        importance = memory.statement.importance
        if not power.archived(now_ms):
            seen.append(Match(memory, covered * (0.6 + 0.2 * power.now + 0.2 * importance) + 0.2 * named, power))
        elif named and importance >= _WAKES_AT:
            seen.append(Match(memory, covered * (0.8 + 0.2 * importance) + 0.2, power, woken=True))
        else:
            asleep.append(Match(memory, covered * 0.5, power, woken=True))
    if len(seen) < FEW:
        seen += asleep
    return sorted(seen, key=lambda match: (-match.score, match.memory.id))[:limit]


def _named(memory: Memory, asked: set[str]) -> bool:
    """Whether the task names somebody or something that the memory names, beside whose memory it is."""
    statement = memory.statement
    named = (*statement.people, *statement.places, *statement.entities)
    return any(set(words(name)) <= asked for name in named if name)
