"""Which lines a purge overwrites, and with what; nothing is written here (C11).

Entries are found by their ids, what rests on them through `cascade`, and what
merely holds their words (a question, a line that was torn, a record of a
later version) by looking.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memcli.log.files import all_files
from memcli.log.overwrite import Spot
from memcli.log.read import complete_size, raw_lines
from memcli.log.record import (
    VERSION,
    BadLine,
    Change,
    Envelope,
    change_of,
    change_record,
    entry_of,
    pack,
    question_of,
    unpack,
)
from memcli.log.tombstone import KIND, NO_MARKS, Marks, covering
from memcli.store import cascade
from memcli.store.home import Home
from memcli.store.looking import Hits, Looker
from memcli.store.needles import Needles
from memcli.store.torn import Beginnings, torn_end
from memcli.types import Entry

_ID = re.compile(rb'\{"v":\d+,"id":"([0-7][0-9A-HJKMNP-TV-Z]{25})"')


@dataclass(frozen=True, slots=True)
class Place:
    """A whole line: the file, where it begins, its bytes."""

    path: Path
    start: int
    raw: bytes

    def covered(self, envelope: Envelope, marks: Marks = NO_MARKS) -> Spot:
        """The line with a tombstone in its place."""
        return Spot(self.path, self.start, self.raw, covering(len(self.raw), envelope, marks))

    def blank(self) -> Spot:
        """The line with nothing in its place: it was no record, and stays none."""
        return Spot(self.path, self.start, self.raw, b" " * len(self.raw))


@dataclass(frozen=True, slots=True)
class About:
    """A change about a memory that stays so far; `spot` where it loses what it quotes."""

    place: Place
    envelope: Envelope
    change: Change
    spot: Spot | None

    @property
    def line(self) -> bytes:
        """The line as it would stay."""
        return self.place.raw if self.spot is None else self.spot.new


@dataclass(slots=True)
class Sweep:
    """What is to be overwritten, in this order: `torn` tails cut off, `others`, then `entries` and `memories`.

    `taken` is what the entry lines still said, `stated` the words of the
    `memories` that are purged themselves; `lost` are all memories that go,
    those too of which the evidence does. `questions` are the ids of the
    question lines among the others; `changed` is true where the others hold
    more than questions and unreadable lines: then the index is made again.
    """

    entries: list[Spot] = field(default_factory=list)
    memories: list[Spot] = field(default_factory=list)
    others: list[Spot] = field(default_factory=list)
    taken: list[Entry] = field(default_factory=list)
    torn: list[tuple[Path, int]] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    changes: int = 0
    changed: bool = False
    stated: dict[str, None] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)
    _suspects: list[tuple[Place, Envelope | None]] = field(default_factory=list)
    _about: list[About] = field(default_factory=list)
    _touched: set[str] = field(default_factory=set)


def find(home: Home, gone: Mapping[str, Marks]) -> Sweep:
    """Every line that names what is purged; those that may merely hold its words are kept for `look`."""
    sweep = Sweep()
    for path in all_files(home.log):
        for place in _places(path):
            _in_log(sweep, place, gone)
    _in_journal(sweep, home, gone)
    return sweep


def _places(path: Path) -> Iterator[Place]:
    for end, raw in raw_lines(path):
        if raw:
            yield Place(path, end - 1 - len(raw), raw)


def _in_log(sweep: Sweep, place: Place, gone: Mapping[str, Marks]) -> None:
    named = _ID.match(place.raw)
    marks = gone.get(named[1].decode()) if named else None
    envelope = _read(place.raw)
    if envelope is None:
        if marks is not None and named:  # overwritten in part when the power went
            sweep.entries.append(place.covered(Envelope(named[1].decode(), "", KIND, "", {}), marks))
        else:
            sweep._suspects.append((place, None))
        return
    marks = gone.get(envelope.id)
    if envelope.kind == KIND:
        return
    entry = _entry(envelope)
    if marks is not None:
        sweep.entries.append(place.covered(envelope, marks))
        if entry is not None:
            sweep.taken.append(entry)
    elif entry is None:
        sweep._suspects.append((place, envelope))


def is_record(raw: bytes) -> bool:
    """Whether a line is one that readers take."""
    return _read(raw) is not None


def _read(raw: bytes) -> Envelope | None:
    try:
        return unpack(raw)
    except BadLine:
        return None


def _entry(envelope: Envelope) -> Entry | None:
    if envelope.kind != "entry" or envelope.v != VERSION:
        return None
    try:
        return entry_of(envelope)
    except BadLine:
        return None


def _in_journal(sweep: Sweep, home: Home, gone: Mapping[str, Marks]) -> None:
    ids = frozenset(gone)
    for path in all_files(home.journal):
        for place in _places(path):
            envelope = _read(place.raw)
            if envelope is None:
                sweep._suspects.append((place, None))
            elif envelope.kind != KIND:
                _record(sweep, place, envelope, ids)


def _record(sweep: Sweep, place: Place, envelope: Envelope, ids: frozenset[str]) -> None:
    change = _change(envelope)
    if change is None:
        if envelope.id in ids or not _cites(envelope).isdisjoint(ids):
            _cover_other(sweep, place, envelope)
        else:
            sweep._suspects.append((place, envelope))
        return
    left = cascade.left_of(change, ids)
    if change.op in cascade.TRIMMED and change.target in ids:
        _cover_memory(sweep, place, envelope, change)
    elif left is None:
        _cover_change(sweep, place, envelope, change)
    elif change.op in cascade.TRIMMED:
        _keep_for_now(sweep, place, envelope, change, left)
    elif change.op not in cascade.KEPT:
        sweep._suspects.append((place, envelope))


def _keep_for_now(sweep: Sweep, place: Place, envelope: Envelope, change: Change, left: Change) -> None:
    """A change about a memory stays, whole or shorter; one that is not shorter in bytes cannot."""
    if left is change:
        sweep._about.append(About(place, envelope, change, None))
        return
    if cascade.says(change) and change.target is not None:
        sweep._touched.add(change.target)
    if (about := _shorter(place, envelope, left)) is None:
        _cover_change(sweep, place, envelope, change)
    else:
        sweep._about.append(about)


def _shorter(place: Place, envelope: Envelope, left: Change) -> About | None:
    again = Envelope(envelope.id, envelope.device, envelope.kind, envelope.at, change_record(left), envelope.v)
    line = pack(again)[:-1]
    if len(line) > len(place.raw):
        return None
    return About(place, envelope, left, Spot(place.path, place.start, place.raw, line.ljust(len(place.raw))))


def _change(envelope: Envelope) -> Change | None:
    if envelope.kind != "change" or envelope.v != VERSION:
        return None
    try:
        return change_of(envelope)
    except BadLine:
        return None


def _cites(envelope: Envelope) -> frozenset[str]:
    """The entries that a question was answered from."""
    if envelope.kind != "question" or envelope.v != VERSION:
        return frozenset()
    try:
        question = question_of(envelope)
    except BadLine:
        return frozenset()
    return frozenset((*question.evidence, *question.cited))


def _cover_other(sweep: Sweep, place: Place, envelope: Envelope) -> None:
    sweep.others.append(place.covered(envelope))
    if envelope.kind == "question":
        sweep.questions.append(envelope.id)
    else:
        sweep.changes += envelope.kind == "change"
        sweep.changed = True


def _cover_change(sweep: Sweep, place: Place, envelope: Envelope, change: Change) -> None:
    _cover_other(sweep, place, envelope)
    if change.op in cascade.SAYINGS and change.target is not None:
        sweep._touched.add(change.target)


def _cover_memory(sweep: Sweep, place: Place, envelope: Envelope, change: Change) -> None:
    """A change about a memory that is purged itself. Like the lines of entries these stand until all else is done."""
    sweep.memories.append(place.covered(envelope))
    sweep.stated |= dict.fromkeys(sorted(cascade.statements_of(change)))
    sweep.lost.add(str(change.target))
    sweep.changes += 1
    sweep.changed = True


def look(sweep: Sweep, home: Home, needles: Needles, staying: Hits) -> None:
    """Add the lines that hold words of what is purged and that no entry that stays has too."""
    beginnings = Beginnings(entry.text for entry in sweep.taken)
    for place, envelope in sweep._suspects:
        looker = Looker(needles)
        looker.line(place.raw)
        if not looker.done().without(staying) and not (envelope is None and beginnings.of(place.raw)):
            continue
        if envelope is None:
            sweep.others.append(place.blank())
        else:
            _cover_other(sweep, place, envelope)
    sweep._suspects.clear()
    _look_at_memories(sweep, needles, staying)
    for path in (*all_files(home.log), *all_files(home.journal)):
        size = complete_size(path)
        rest = torn_end(path, size)
        if rest:
            looker = Looker(needles)
            looker.line(rest)
            if looker.done().without(staying) or beginnings.of(rest):
                sweep.torn.append((path, size))


def _look_at_memories(sweep: Sweep, needles: Needles, staying: Hits) -> None:
    """The same for changes about memories; with the last that a memory says goes everything else about it."""
    kept: list[About] = []
    for about in sweep._about:
        looker = Looker(needles)
        looker.line(about.line)
        if not looker.done().without(staying):
            kept.append(about)
            continue
        husk = None
        if about.change.op == cascade.FOUNDING:
            sweep._touched.add(str(about.change.target))
            husk = _shorter(about.place, about.envelope, cascade.husk(about.change, frozenset()))
        if husk is None:
            _cover_change(sweep, about.place, about.envelope, about.change)
        else:
            kept.append(husk)
    lost = sweep._touched - {str(about.change.target) for about in kept if cascade.says(about.change)}
    sweep.lost |= lost
    for about in kept:
        if about.change.target in lost:
            _cover_other(sweep, about.place, about.envelope)
        elif about.spot is not None:
            sweep.others.append(about.spot)
            sweep.changes += 1
            sweep.changed = True
    sweep._about.clear()
