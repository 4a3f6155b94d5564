"""Which lines a purge overwrites, and with what; nothing is written here (C11).

Entries are found by their ids, what rests on them through `cascade`, and what
merely holds their words (a question, a line that was torn, a record of a
later version) by looking.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memcli.disk import unreadable
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
from memcli.store.looking import Hits, Looker, loose_text
from memcli.store.needles import Needles, fold
from memcli.types import Entry

_ID = re.compile(rb'\{"v":\d+,"id":"([0-7][0-9A-HJKMNP-TV-Z]{25})"')
_TEXT = re.compile(rb'"text":"((?:[^"\\]|\\.)*)', re.DOTALL)
_HALF_ESCAPE = re.compile(rb"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_RUBBISH = b"\0\xff\xfe"
_FEWEST = 4


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


@dataclass(slots=True)
class Sweep:
    """What is to be overwritten, in this order: `torn` tails cut off, `others`, then `entries`.

    `taken` is what the entry lines still said. `questions` are the ids of the
    question lines among the others; `changed` is true where the others hold
    more than questions and unreadable lines: then the index is made again.
    """

    entries: list[Spot] = field(default_factory=list)
    others: list[Spot] = field(default_factory=list)
    taken: list[Entry] = field(default_factory=list)
    torn: list[tuple[Path, int]] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    changes: int = 0
    changed: bool = False
    _suspects: list[tuple[Place, Envelope | None]] = field(default_factory=list)

    @property
    def files(self) -> set[Path]:
        """The files of which something is to be overwritten."""
        return {spot.path for spot in (*self.entries, *self.others)} | {path for path, _ in self.torn}


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
    about: list[tuple[Place, Envelope, Change]] = []
    lost: set[str | None] = set()
    made: set[str | None] = set()
    for path in all_files(home.journal):
        for place in _places(path):
            envelope = _read(place.raw)
            if envelope is None or envelope.kind == KIND:
                if envelope is None:
                    sweep._suspects.append((place, None))
                continue
            change = _change(envelope)
            if change is None:
                if envelope.id in ids or not _cites(envelope).isdisjoint(ids):
                    _cover_other(sweep, place, envelope)
                else:
                    sweep._suspects.append((place, envelope))
                continue
            left = cascade.left_of(change, ids)
            if change.op == cascade.FOUNDING:
                (lost if left is None else made).add(change.target)
            if left is None:
                _cover_other(sweep, place, envelope)
            elif left is not change:
                _shorten(sweep, place, envelope, left)
            elif change.op in cascade.TRIMMED:
                about.append((place, envelope, change))
            elif change.op not in cascade.KEPT:
                sweep._suspects.append((place, envelope))
    for place, envelope, change in about:
        if change.target in lost - made:
            _cover_other(sweep, place, envelope)
        else:
            sweep._suspects.append((place, envelope))


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


def _shorten(sweep: Sweep, place: Place, envelope: Envelope, left: Change) -> None:
    """The line of a change without what it quoted; a tombstone where that is longer than the line was."""
    again = Envelope(envelope.id, envelope.device, envelope.kind, envelope.at, change_record(left), envelope.v)
    line = pack(again)[:-1]
    if len(line) > len(place.raw):
        _cover_other(sweep, place, envelope)
        return
    sweep.others.append(Spot(place.path, place.start, place.raw, line.ljust(len(place.raw))))
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
    for path in (*all_files(home.log), *all_files(home.journal)):
        size = complete_size(path)
        rest = _rest(path, size)
        if rest:
            looker = Looker(needles)
            looker.line(rest)
            if looker.done().without(staying) or beginnings.of(rest):
                sweep.torn.append((path, size))


def _rest(path: Path, size: int) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(size)
            return file.read()
    except OSError as error:
        raise unreadable(error, str(path)) from error


class Beginnings:
    """Knows a line that was torn in the middle of one of these texts, or that no reader takes for another reason."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._sorted = sorted({fold(text) for text in texts})

    def of(self, raw: bytes) -> bool:
        """Whether the words in an unreadable line are one of the texts, as far as they go."""
        found = _TEXT.search(raw)
        if found is None:
            return False
        words = fold(loose_text(_HALF_ESCAPE.sub(b"", found[1].rstrip(_RUBBISH))))
        at = bisect_left(self._sorted, words)
        if at == len(self._sorted):
            return False
        torn = len(words) >= _FEWEST and found.end() == len(raw)
        return self._sorted[at].startswith(words) if torn else self._sorted[at] == words
