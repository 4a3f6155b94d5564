"""What was found: a stretch of the calendar and the words that name it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Grain = Literal["minute", "hour", "part", "day", "weekend", "week", "month", "quarter", "season", "year"]

PARTS = {"morning": (5, 12), "afternoon": (12, 17), "evening": (17, 22), "night": (22, 29)}
"""First hour and hour after the last; hours from 24 on belong to the next day."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A time that a text names, as naive local wall clock: from `start` up to, not including, `end`.

    `grain` is the unit the words named. `phrase` is `text[span[0]:span[1]]`.
    `approximate`: the words themselves were vague ("about", "early June").
    `rule` names the rule of the grammar that read it.
    """

    start: datetime
    end: datetime
    grain: Grain
    phrase: str
    span: tuple[int, int]
    approximate: bool
    rule: str
