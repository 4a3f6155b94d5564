"""Several values in one clause, each a statement of its own: "I speak Portuguese and English" (B2)."""

from __future__ import annotations

from memcli.extract.parse import Clause
from memcli.extract.tokens import Token

_LISTED = frozenset("feels speaks allergic_to cannot_eat avoids learns studies".split())
_ITEM = 5
_TOGETHER = frozenset(
    "both between like such together mix combination with than as but to for about because when how".split()
)


def apart(clause: Clause, relation: str) -> list[list[Token]]:
    """The tokens of the clause once for each value of its list; empty where it has one value."""
    if relation.partition(":")[0] not in _LISTED:
        return []
    tokens, start = clause.tokens, clause.verb.end
    if clause.verb.base == "be":
        to = next((at for at in range(start, len(tokens)) if tokens[at].low == "to"), None)
        if to is None:
            return []
        start = to + 1
    while start < len(tokens) and tokens[start].tag == "r":
        start += 1
    items: list[list[Token]] = [[]]
    for token in tokens[start:]:
        if token.tag == "," or token.low in ("and", "or"):
            items.append([])
        else:
            items[-1].append(token)
    items = [item for item in items if item]
    if len(items) < 2 or not all(_is_item(item, items[0]) for item in items):
        return []
    if len(items[-1]) > 1 and any(len(item) == 1 and "g" not in item[0].forms for item in items[:-1]):
        return []  # "action, fantasy and sci-fi movies"
    return [[*tokens[:start], *item] for item in items]


def _is_item(item: list[Token], first: list[Token]) -> bool:
    """Whether a stretch is a value like the first one: short, a thing or a doing as that is, nothing said about it."""
    if len(item) > _ITEM or any(token.low in _TOGETHER or token.tag in "pbhomcqt,." for token in item):
        return False
    if item[0].low in ("the", "these", "those"):
        return False
    doing = "g" in first[0].forms
    return item[0].tag in "wvNd#" and ("g" in item[0].forms) == doing
