"""A plain transcript: `Name: words`, with or without time stamps, pasted from anywhere."""

from __future__ import annotations

from collections.abc import Iterator

from memcli.formats.base import Format, Parsed, ParseOptions
from memcli.formats.calendar import Written
from memcli.formats.labels import role_label, said_by
from memcli.formats.roles import role_of
from memcli.formats.source import Source
from memcli.formats.speakers import Cast, Survey, cast_of, survey
from memcli.formats.stamps import DAY
from memcli.formats.text import clean, name_of
from memcli.formats.turns import Turn, outside_fences, read_date, read_turn
from memcli.types import Draft, Moment, Skip

_APP = "transcript"
_HOUR = 3_600_000


def sniff(source: Source) -> bool:
    """Whether the beginning reads as a conversation."""
    return cast_of(survey(source.start.split("\n"))) is not None


def parse(source: Source, options: ParseOptions) -> Parsed:
    """One entry a turn. Words before the first turn are an entry without a speaker."""
    found = survey(source.lines())
    cast = cast_of(found) or _anybody(found)
    clock = _Clock(found.order or options.date_order, options)
    turns = _Turns(cast)
    opened: Turn | None = None
    moment: Moment | None = None
    words: list[str] = []
    for line, open_ in outside_fences(line.rstrip("\r") for line in source.lines()):
        turn = read_turn(line) if open_ else None
        if turn is not None and cast.opens(turn):
            yield from turns.close(opened, moment, words)
            opened, words = turn, [turn.rest]
            moment = clock.at(turn.stamp) if turn.stamp else None
            continue
        announced = read_date(line) if open_ and cast.pattern == "stamped" else None
        if announced is not None:
            clock.day = announced
        else:
            words.append(line)
    yield from turns.close(opened, moment, words)


def _anybody(found: Survey) -> Cast:
    """Whoever has a label: for a text that the person says is a transcript."""
    if found.stamped.total() >= found.plain.total() and found.stamped:
        return Cast("stamped", frozenset(found.stamped))
    return Cast("names", frozenset(found.plain))


class _Turns:
    """Makes the entries and counts them."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._ordinal = 0

    def close(self, turn: Turn | None, moment: Moment | None, words: list[str]) -> Iterator[Draft | Skip]:
        """The entry of a turn whose last line has been seen."""
        text = clean("\n".join(words))
        if not text:
            if turn is not None:
                yield Skip(f"turn {self._ordinal + 1}, {turn.label}", "empty message")
            return
        label = turn.label if turn else None
        group = role_label(label) if label else None
        if group == "system" and self._cast.pattern == "roles":
            yield Skip(f"turn {self._ordinal + 1}, {label}", "system prompt")
            return
        speaker, role, trust = name_of(label), "other", "other"
        if label and group and (self._cast.pattern == "roles" or group != "tool"):
            role, trust = role_of(label)
            speaker = name_of(label) if label.casefold() == "me" else None
        elif label:
            speaker = name_of(said_by(label))
        status = "unknown" if role == "tool" else None
        yield Draft(_APP, text, self._ordinal, speaker, role, trust, moment, status=status)  # type: ignore[arg-type]
        self._ordinal += 1


class _Clock:
    """Turns stamps into moments. A stamp without a date goes on from the one before it."""

    def __init__(self, order: str | None, options: ParseOptions) -> None:
        self._order = order
        base = options.date
        self.day: int | None = None if base is None else base.ms // DAY * DAY
        self._clock: int | None = None
        self._offset: int | None = None

    def at(self, stamp: Written) -> Moment | None:
        """The moment of the next stamp, in the order of the text."""
        stamp = stamp.resolve(self._order)
        if stamp.day is not None:
            self.day, self._offset = stamp.day, stamp.offset
        elif stamp.fields is not None:
            # A date is written and cannot be read: the day before it must not be taken for it.
            self.day = None
        elif self.day is not None and self._clock is not None and (stamp.clock or 0) < self._clock - _HOUR:
            # A clock that jumps back has passed midnight; one that steps back a little has not.
            self.day += DAY
        if stamp.clock is not None:
            self._clock = stamp.clock
        if stamp.offset is None and self._offset is not None:
            stamp = stamp._replace(offset=self._offset)
        return stamp.moment(self.day)


FORMAT = Format(_APP, "plain transcript", "chat", sniff, parse)
