"""What a turn's score is made of: one number for every weight (D3).

Score spreading: a turn is lent what its neighbours and its session have. Every
signal is a plain fact about the turn and the question, so that a score can be
explained.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from heapq import nlargest

from memcli.recall.candidates import BACK, Field, Turn
from memcli.recall.question import Plan
from memcli.recall.weights import NAMES, Weights

_BRACKETED = re.compile(r"\s*\[[^\]]*\]\s*$")
_BEST = 3


def measure(field: Field, plan: Plan, need: float = 0.0) -> Iterator[tuple[Turn, dict[str, float]]]:
    """Each turn that is to be ranked, with its signals; those that are zero are left out.

    Shares of the question are shares of all its words, or of `need` where that is more (see `weight`).
    """
    sittings = _shares(field.known, lambda turn: turn.sitting)
    in_events = [turn for turn in field.known if turn.event is not None]
    happened = _shares(in_events, lambda turn: turn.event)
    told = _covers(in_events)
    questions: dict[int, bool] = {}
    whole = max(weight(field), need) or 1.0

    def asks(turn: Turn) -> bool:
        if turn.seq not in questions:
            questions[turn.seq] = _asks(turn.text)
        return questions[turn.seq]

    def covered(near: Sequence[Turn | None]) -> float:
        terms = frozenset[int]().union(*[turn.covers for turn in near if turn is not None])
        return sum(field.rarity[number] for number in terms) / whole

    for turn in field.turns:
        before, after = turn.before, turn.after
        two_before = before.before if before else None
        two_after = after.after if after else None
        words, meaning = sittings[turn.sitting]
        event_words, event_meaning = happened.get(turn.event, (0.0, 0.0))
        asked = before is not None and asks(before)
        values = {
            "words": turn.words,
            "words_before": before.words if before else 0.0,
            "words_two_before": two_before.words if two_before else 0.0,
            "words_sitting": words,
            "words_event": event_words,
            "covered_event": sum(field.rarity[number] for number in told.get(turn.event, ())) / whole,
            "meaning": turn.meaning,
            "meaning_before": before.meaning if before else 0.0,
            "meaning_after": after.meaning if after else 0.0,
            "meaning_sitting": meaning,
            "meaning_event": event_meaning,
            "topic": turn.shelf,
            "speaker": float(turn.speaker in plan.subjects or (plan.of_me and turn.trust == "self")),
            "date": plan.nearness(turn.wall_ms, names_it=turn.names_date),
            "date_told": float(turn.names_date),
            "covered_three": covered((before, turn, after)),
            "covered_five": covered((two_before, before, turn, after, two_after)),
            "covered_before": covered(_with_earlier(turn)),
            "answers_words": before.words if before and asked else 0.0,
            "answers_meaning": before.meaning if before and asked else 0.0,
            "asks": float(asks(turn)),
            "opening": float((turn.opens or (before is not None and before.opens)) and _is_talk(turn)),
            "time": float(turn.names_time),
            "time_asked": float(turn.names_time and plan.when),
        }
        yield turn, {name: value for name, value in values.items() if value}


def weight(field: Field) -> float:
    """How much the words of a question tell: the sum of their rarities."""
    return sum(field.rarity)


def _with_earlier(turn: Turn) -> list[Turn]:
    found = [turn]
    while len(found) <= BACK and found[-1].before is not None:
        found.append(found[-1].before)
    return found


def weigh(signals: Mapping[str, float], weights: Weights) -> dict[str, float]:
    """What each signal adds to the score, in the order of the weights."""
    return {name: getattr(weights, name) * signals[name] for name in NAMES if name in signals}


def _is_talk(turn: Turn) -> bool:
    """Whether somebody else speaks before or after."""
    return any(near is not None and near.speaker != turn.speaker for near in (turn.before, turn.after))


def _asks(text: str) -> bool:
    """Whether the text ends in a question; what stands in brackets behind it (an image) does not count."""
    said = _BRACKETED.sub("", text) if text.rstrip().endswith("]") else text
    return said.rstrip().endswith(("?", "？"))


def _shares(turns: Sequence[Turn], place: Callable[[Turn], Hashable]) -> dict[Hashable, tuple[float, float]]:
    """The mean of the three best turns of every place (a session and day, an event), by words and by meaning."""
    words: dict[Hashable, list[float]] = {}
    meaning: dict[Hashable, list[float]] = {}
    for turn in turns:
        words.setdefault(place(turn), []).append(turn.words)
        meaning.setdefault(place(turn), []).append(turn.meaning)
    return {
        key: (math.fsum(nlargest(_BEST, words[key])) / _BEST, math.fsum(nlargest(_BEST, meaning[key])) / _BEST)
        for key in words
    }


def _covers(turns: Sequence[Turn]) -> dict[str | None, frozenset[int]]:
    """Which terms of the question each event has."""
    found: dict[str | None, frozenset[int]] = {}
    for turn in turns:
        found[turn.event] = found.get(turn.event, frozenset()) | turn.covers
    return found
