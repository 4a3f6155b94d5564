"""The order of things in time: of evidence that fits alike, the first or the last, before or after (D6).

Words say what is looked for, not which of ten visits is meant. So among the
candidates whose score is near the best one, those rank up that lie towards the
side that was asked for. "Before the trip" needs the trip first: it is the
candidate that has most of the words of that clause.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from memcli.recall.candidates import Turn
from memcli.recall.question import Plan

Scored = tuple[Turn, float, dict[str, float]]
"""A candidate with its score and the parts of it."""
NEAR = 3.0
"""How far below the best score a turn may stand and still be meant; e to the power of it is the ratio of chances."""
FIRST_OR_LAST = 2.5
"""What the very first, or the very last, of those gains; the others gain less, by their place in time."""
BEFORE_OR_AFTER = 1.5
"""What each gains that lies on the side of the event that was asked for."""
EVENT = 0.5
"""What the event itself gains: often it is told together with what came of it."""
NAME = "order"


def in_order(scored: Sequence[Scored], plan: Plan, rarity: Sequence[float]) -> list[Scored]:
    """The same with what the order in time adds; nothing where the question does not ask for one.

    `rarity` is that of the plan's terms. What has no time stays as it was.
    """
    if plan.kind not in ("first", "last", "before", "after") or not scored:
        return list(scored)
    floor = max(score for _, score, _ in scored) - NEAR
    near = [turn for turn, score, _ in scored if score >= floor and turn.wall_ms is not None]
    if plan.kind in ("first", "last"):
        gain = _by_place([turn.wall_ms for turn in near if turn.wall_ms is not None], last=plan.kind == "last")
    else:
        event = _event([item for item in scored if item[1] >= floor], plan, rarity)
        gain = _by_side(event, after=plan.kind == "after")
    gains = {turn.seq: value for turn in near if (value := gain(turn))}
    return [_lifted(item, gains[item[0].seq]) if item[0].seq in gains else item for item in scored]


def _lifted(item: Scored, gain: float) -> Scored:
    turn, _, parts = item
    parts = {**parts, NAME: gain}
    return turn, math.fsum(parts.values()), parts


def _by_place(times: list[int], *, last: bool) -> Callable[[Turn], float]:
    times.sort()

    def gain(turn: Turn) -> float:
        if turn.wall_ms is None or len(times) < 2:
            return 0.0
        behind = bisect_left(times, turn.wall_ms) if last else len(times) - bisect_right(times, turn.wall_ms)
        return FIRST_OR_LAST * behind / (len(times) - 1)

    return gain


def _by_side(event: Turn | None, *, after: bool) -> Callable[[Turn], float]:
    def gain(turn: Turn) -> float:
        if event is None or event.wall_ms is None or turn.wall_ms is None:
            return 0.0
        if turn is event:
            return EVENT
        right = turn.wall_ms > event.wall_ms if after else turn.wall_ms < event.wall_ms
        return BEFORE_OR_AFTER if right else 0.0

    return gain


def _event(scored: Sequence[Scored], plan: Plan, rarity: Sequence[float]) -> Turn | None:
    """The turn that tells of the event: most of the words of its clause, then the best score."""
    asked = [number for number, term in enumerate(plan.terms) if term in plan.event]

    def worth(item: Scored) -> tuple[float, float, str]:
        turn, score, _ = item
        return sum(rarity[number] for number in asked if number in turn.covers), score, turn.id

    best = max(scored, key=worth)
    return best[0] if worth(best)[0] > 0 else None
