"""What events are formed of: the embedded entries of a session, read once, with their telling words (B4)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memcli.clock import HOUR_MS
from memcli.lang.phrases import names_of, telling, without_captions
from memcli.projection import lexical, vectors
from memcli.projection.database import Database
from memcli.projection.sqlite import Row
from memcli.tidy import grouping
from memcli.tidy.grouping import Group, Piece, Scale
from memcli.tidy.wording import Said, heading

AT_ONCE = 400
"""Entries of one session that are looked at together."""
PAUSE_MS = 6 * HOUR_MS
"""A silence after which a talk begins anew."""
SECTION_PRICE = 0.5
"""How much more a cut costs inside a section of a document, and how much less before one."""
SAMPLE = 48
READ_CHARS = 4000
"""How much of an entry is read for its words: about what an embedder reads too."""
_FITS = "e.state = 0 AND e.embedded = 1 AND e.role NOT IN ('tool', 'system')"
_UNPLACED = f"entries e LEFT JOIN event_entries x USING (seq) WHERE {_FITS} AND x.seq IS NULL"
_AT = "COALESCE(CASE WHEN e.precision <> 'none' THEN e.said_ms + COALESCE(e.offset, 0) * 60000 END, e.imported_at)"
_COLUMNS = f"e.id, e.session, e.text, e.speaker, e.title, {_AT}, e.precision IN ('second', 'minute'), x.event, v.half"
_TABLES = "entries e JOIN vectors v USING (seq) LEFT JOIN event_entries x USING (seq)"
_NOTES = re.compile(r"note:\d{4}-\d\d-\d\d")
_DAYS = re.compile(r"/\d{4}-\d\d-\d\d$")


@dataclass(slots=True, eq=False)
class Turn:
    """An embedded entry. `event` is the one that it is in, None while it waits; `words` are its telling words by stem.

    `at_ms` is when it was said, on the wall clock there, or else when it was
    taken in; `timed` whether its time of day is known.
    """

    id: str
    session: str
    text: str
    speaker: str | None
    title: str | None
    at_ms: int
    timed: bool
    event: str | None
    vector: tuple[float, ...]
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def notes(self) -> bool:
        """Whether it is a note that was typed."""
        return _NOTES.fullmatch(self.session) is not None

    @property
    def asks(self) -> bool:
        return without_captions(self.text).rstrip().endswith(("?", "？"))


@dataclass(frozen=True, slots=True)
class Stream:
    """A session, in one scope, that has entries without an event. Notes of a day follow each other in nothing."""

    scope: str
    session: str
    at_ms: int

    @property
    def notes(self) -> bool:
        return _NOTES.fullmatch(self.session) is not None


def count_unplaced(db: Database) -> int:
    """How many entries could be in an event and are in none."""
    return int(db.one(f"SELECT COUNT(*) FROM {_UNPLACED}")[0])


class Material:
    """Reads entries for the forming of events; remembers how rare words are, so that each is looked up once."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._rarity: dict[str, float] = {}
        self._written: dict[str, str] = {}
        self._visible = db.visible()
        halves = db.rows("SELECT half FROM vectors ORDER BY sample, seq LIMIT ?", (SAMPLE,))
        self.scale: Scale = grouping.scale_of([vectors.from_half(half) for (half,) in halves])

    def streams(self) -> list[Stream]:
        """The sessions with entries that wait, in the order in which they began."""
        rows = self._db.rows(
            f"SELECT e.scope, e.session, MIN({_AT}) AS begin FROM {_UNPLACED} GROUP BY e.scope, e.session "
            "ORDER BY begin, e.session, e.scope"
        )
        return [Stream(*row) for row in rows]

    def stretch(self, stream: Stream) -> list[Turn]:
        """From the first entry that waits, and those that may be cut anew with it, on; empty where none waits."""
        place = (stream.scope, stream.session)
        first = self._db.one(
            f"SELECT e.ordinal, e.id FROM {_UNPLACED} AND e.scope = ? AND e.session = ? "
            "ORDER BY e.ordinal, e.id LIMIT 1",
            place,
        )
        if first is None:
            return []
        here = f"FROM {_TABLES} WHERE {_FITS} AND e.scope = ? AND e.session = ? AND (e.ordinal, e.id)"
        before = self._db.rows(
            f"SELECT {_COLUMNS} {here} < (?, ?) ORDER BY e.ordinal DESC, e.id DESC LIMIT ?",
            (*place, *first, grouping.LONGEST),
        )
        after = self._db.rows(
            f"SELECT {_COLUMNS} {here} >= (?, ?) ORDER BY e.ordinal, e.id LIMIT ?", (*place, *first, AT_ONCE)
        )
        return self._turns([*reversed(before), *after])

    def turns(self, ids: Collection[str]) -> list[Turn]:
        """These entries as they were said, as far as they are embedded and visible."""
        rows = self._db.rows(
            f"SELECT {_COLUMNS} FROM {_TABLES} WHERE {_FITS} AND e.id IN (SELECT value FROM json_each(?)) "
            f"ORDER BY {_AT}, e.session, e.ordinal, e.id",
            (json.dumps(sorted(ids)),),
        )
        return self._turns(rows)

    def _turns(self, rows: Sequence[Row]) -> list[Turn]:
        names = names_of({row[3] for row in rows if row[3]})
        return [self._turn(row, names) for row in rows]

    def _turn(self, row: Row, names: frozenset[str]) -> Turn:
        text = row[2][:READ_CHARS]
        words = telling(text, names)
        self._written.update(words)
        timed, event, half = row[6:]
        entry, session, _, speaker, title, at_ms = row[:6]
        return Turn(entry, session, text, speaker, title, at_ms, bool(timed), event, vectors.from_half(half), words)

    def rarity(self, stem: str) -> float:
        """The logarithm of how few entries of the store have a word of this stem."""
        if stem not in self._rarity:
            count = lexical.frequency(self._db, self._written.get(stem, stem))
            self._rarity[stem] = max(0.1, math.log((self._visible + 5) / (count + 0.5)))
        return self._rarity[stem]

    def group(self, turns: Sequence[Turn]) -> Group:
        """The turns as one."""
        return grouping.group_of([Piece(turn.vector, self._terms(turn)) for turn in turns])

    def pieces(self, turns: Sequence[Turn]) -> list[Piece]:
        """The turns as grouping sees them, with what speaks against a cut before each, or demands one."""
        levels = [found[0] if (found := heading(turn.text)) else None for turn in turns]
        return [
            Piece(
                turn.vector,
                self._terms(turn),
                _price(turns[place - 1] if place else None, turn) + section,
                place > 0 and _paused(turns[place - 1], turn),
            )
            for place, (turn, section) in enumerate(zip(turns, _sections(levels), strict=True))
        ]

    def _terms(self, turn: Turn) -> dict[str, float]:
        return {stem: self.rarity(stem) for stem in turn.words}

    def own_title(self, turns: Sequence[Turn]) -> str | None:
        """What the source itself, or a heading, calls these turns; None where nothing does.

        The title of a chat whose days are sessions names a place, not a subject.
        """
        first = turns[0]
        head = heading(first.text)
        if not self._is_whole(turns):
            return head[1] if head else None
        if first.title is None or _DAYS.search(first.session):
            return head[1] if head else None
        return first.title

    def _is_whole(self, turns: Sequence[Turn]) -> bool:
        """Whether these are all turns of one session."""
        session = turns[0].session
        if any(turn.session != session for turn in turns):
            return False
        return int(self._db.one(f"SELECT COUNT(*) FROM entries e WHERE {_FITS} AND session = ?", (session,))[0]) == len(
            turns
        )


def said(turns: Sequence[Turn], group: Group) -> list[Said]:
    """The turns for wording, each with its nearness to what they are all about."""
    centre = grouping.unit(group.total)
    return [Said(turn.id, turn.text, turn.speaker, max(0.0, grouping.cosine(turn.vector, centre))) for turn in turns]


def _price(before: Turn | None, turn: Turn) -> float:
    price = grouping.ANSWER_PRICE if before is not None and before.asks else 0.0
    return price + (grouping.LIGHT_PRICE if len(turn.words) < 2 else 0.0)


def _paused(before: Turn, turn: Turn) -> bool:
    return before.timed and turn.timed and abs(turn.at_ms - before.at_ms) > PAUSE_MS


def _sections(levels: Sequence[int | None]) -> Iterator[float]:
    """For each part of a document what its heading says about a cut before it; nothing where there are no headings."""
    known = [level for level in levels if level is not None]
    top = next((level for level in sorted(set(known)) if known.count(level) > 1), None)
    for level in levels:
        if top is None:
            yield 0.0
        elif level is None or level > top:
            yield SECTION_PRICE
        else:
            yield -SECTION_PRICE
