"""Who may overrule whom (C8), and what the words of a source are worth (C2, C3)."""

from __future__ import annotations

from memcli.memories import Memory, Standing
from memcli.types import Trust

AUTHORS = ("user", "critic", "planner", "executor", "reflector", "extractor", "importer")
"""From the highest rank to the lowest; an author that is not listed has none."""

OWN: frozenset[Trust] = frozenset(("self",))
"""Whose words may become a rule without being asked about: the person's alone."""

ACTIVE: frozenset[Standing] = frozenset(("memory", "rule"))
"""The standings of what holds: it can be told, replaced and contradicted."""

_WORTH: dict[Trust, int] = {"self": 3, "other": 2, "document": 1, "tool": 1, "assistant": 0, "web": 0, "mail": 0}


def rank(author: str) -> int:
    """A greater number overrules a smaller one."""
    return len(AUTHORS) - AUTHORS.index(author) if author in AUTHORS else 0


def may_change(author: str, memory: Memory) -> bool:
    """Whether this author may change what that one's author wrote: a lower rank may not, an equal one may."""
    return rank(author) >= rank(memory.author)


def worth(trust: Trust) -> int:
    """How far words are believed about others than who said them."""
    return _WORTH[trust]


def weakest(trusts: list[Trust]) -> Trust:
    """The trust of a memory is that of its least trusted evidence."""
    return min(trusts, key=worth)


def strongest(trusts: list[Trust]) -> Trust:
    """The trust of what was said several times is that of who is believed most."""
    return max(trusts, key=lambda trust: (worth(trust), trust))
