"""The weights of a turn's score: all of them, in one place, fitted by `bench/fit.py` (D3).

A score is the sum over all signals of weight times value, and nothing else.
Values have comparable sizes, most between 0 and 1. "Previous" and "next" are
turns of the same session; nothing crosses a session.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from memcli.recall.switches import Switches


@dataclass(frozen=True, slots=True)
class Weights:
    """One number a signal; the text under each says what it multiplies."""

    words: float = 0.636
    """BM25 of the turn, over the logarithm of the number of entries."""
    words_before: float = -0.457
    """The same of the previous turn; below 0 because its share of the question is counted as covered."""
    words_two_before: float = 0.361
    """The same of the turn before the previous."""
    words_sitting: float = 1.061
    """The mean of the three best in the session, of one day."""
    words_event: float = 0.0
    """The mean of the three best in its event."""
    covered_event: float = 0.0
    """Share of the question's words, weighed by rarity, in its event."""
    meaning: float = 4.053
    """Cosine between the question, as its subject would have said it, and the turn."""
    meaning_before: float = 0.482
    """The same of the previous turn."""
    meaning_after: float = 1.156
    """The same of the next turn."""
    meaning_sitting: float = 1.659
    """The mean of the three best in the session, of one day."""
    meaning_event: float = 0.0
    """The mean of the three best in its event."""
    topic: float = 0.0
    """Its event is filed where the question would be: in the same category 1, in the same domain 0.5."""
    speaker: float = 1.145
    """The question is about who speaks here."""
    date: float = 4.036
    """Said on a date that the question names (1), or some days after (0.5); in a named month 0.6, after it 0.3."""
    date_told: float = 0.828
    """It names a time itself that the question names: "last Friday", said in the week after."""
    covered_three: float = 0.539
    """Share of the question's words, weighed by rarity, in this turn and its two neighbours."""
    covered_five: float = 1.747
    """The same with two neighbours on either side."""
    covered_before: float = 2.302
    """The same of this turn and the four before it: a talk names its subject and goes on without it."""
    answers_words: float = 1.127
    """The previous turn is a question: its BM25. An answer rarely repeats what was asked."""
    answers_meaning: float = 1.301
    """The previous turn is a question: its cosine."""
    asks: float = -0.841
    """The turn itself ends in a question."""
    opening: float = 0.87
    """One of the first two turns of a talk, where people tell their news."""
    time: float = 0.559
    """It names a time."""
    time_asked: float = 1.231
    """It names a time, and the question asks when."""


NAMES = tuple(field.name for field in fields(Weights))
WEIGHTS = Weights()
WITH_EVENTS = Weights(
    words=0.669,
    words_before=-0.41,
    words_two_before=0.386,
    words_sitting=0.827,
    words_event=0.056,
    covered_event=0.705,
    meaning=3.832,
    meaning_before=0.333,
    meaning_after=1.047,
    meaning_sitting=1.294,
    meaning_event=1.256,
    topic=-0.066,
    speaker=1.137,
    date=4.093,
    date_told=0.828,
    covered_three=0.47,
    covered_five=1.48,
    covered_before=2.066,
    answers_words=1.116,
    answers_meaning=1.267,
    asks=-0.827,
    opening=0.843,
    time=0.569,
    time_asked=1.229,
)
"""Fitted with every mechanism on that reads events. They rank no better (`bench/README.md`), so none of it is on."""


def weights_for(switches: Switches) -> Weights:
    """The weights that were fitted with these mechanisms."""
    return WITH_EVENTS if switches.event_signal or switches.topic_route else WEIGHTS
