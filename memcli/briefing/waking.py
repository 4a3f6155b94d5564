"""What comes back for a task: old memories that matter here, before new ones that do not (D12).

A memory that has faded below the floor is out of sight. It wakes where the
task names a person, place or thing that it names and it was important: then
a shock of ten years ago stands before fifty routine notes in similar words.
What never fades about the person, and about those whom the task names, such
as what they cannot eat, is known whatever the words of the task.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from memcli.govern.decay import Strength
from memcli.lang.words import stems
from memcli.memories import Memory

IMPORTANT = 0.7
"""How important a faded memory must be to wake."""
LASTING = 5
"""How many lasting facts are told at most, where no word of the task asks for them."""


def in_sight(memory: Memory, strengths: Mapping[str, Strength], now_ms: int, task: Collection[str]) -> bool:
    """Whether a memory is a candidate: it has not faded, or it wakes. `task` are the stems of its words."""
    return not strengths[memory.id].archived(now_ms) or wakes(memory, task)


def wakes(memory: Memory, task: Collection[str]) -> bool:
    """Whether a memory matters for a task though it may have faded: it is important, and the two name the same."""
    statement = memory.statement
    named = {stem for name in (*statement.people, *statement.places, *statement.entities) for stem in stems(name)}
    return statement.importance >= IMPORTANT and not named.isdisjoint(task)


def matters(memory: Memory, relevance: float, task: Collection[str]) -> float:
    """What a memory is ranked by: its relevance, raised by its importance where it names what the task names."""
    return relevance * (1.0 + memory.statement.importance) if wakes(memory, task) else relevance


def is_lasting(memory: Memory, me: Collection[str], task: Collection[str]) -> bool:
    """Whether it is a fact that never fades about the person, or about somebody whom the task names."""
    if memory.statement.cls != "permanent":
        return False
    subject = memory.statement.subject.casefold()
    return subject in {"you", *(name.casefold() for name in me)} or not set(stems(subject)).isdisjoint(task)
