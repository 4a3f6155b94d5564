"""From drafts to entries in the log: once, in chunks, with a summary of what came and what did not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from memcli.clock import Clock
from memcli.errors import MemError
from memcli.importing.buried import REASON, Buried
from memcli.importing.guard import without_answers
from memcli.importing.hiding import Hiding
from memcli.importing.keys import conversation_mark, session_of, source_key
from memcli.importing.terms import Terms
from memcli.projection.database import Database
from memcli.projection.sqlite import Damaged, broken
from memcli.store.store import Store
from memcli.types import Draft, Entry, Role, Skip

CHUNK = 2_000
ASKED_AT_ONCE = 500
SKIPS_SHOWN = 5
UNSIGNED = frozenset({"markdown", "note"})
"""Formats of files that do not say who wrote them."""
OWN_ANSWER = "an answer that mem printed"


@dataclass(slots=True)
class Tally:
    """What an import did, counted as it goes; `damaged` are the first of what could not be read."""

    run: str
    new: int = 0
    known: int = 0
    sessions: set[str] = field(default_factory=set)
    speakers: Counter[str] = field(default_factory=Counter)
    formats: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    hidden: Counter[str] = field(default_factory=Counter)
    damaged: list[Skip] = field(default_factory=list)
    damaged_count: int = 0
    first_ms: int | None = None
    last_ms: int | None = None
    undated: int = 0
    ids: list[str] = field(default_factory=list)

    def count(self, entry: Entry) -> None:
        self.new += 1
        self.sessions.add(entry.session)
        self.formats[entry.source] += 1
        if entry.speaker:
            self.speakers[entry.speaker] += 1
        if entry.moment is None:
            self.undated += 1
            return
        self.first_ms = entry.moment.ms if self.first_ms is None else min(self.first_ms, entry.moment.ms)
        self.last_ms = entry.moment.ms if self.last_ms is None else max(self.last_ms, entry.moment.ms)

    def pass_over(self, count: int, buried: int) -> None:
        """So many messages were not new; `buried` of them because they were purged."""
        self.known += count - buried
        if buried:
            self.skipped[REASON] += buried

    def skip(self, skip: Skip) -> None:
        self.skipped[skip.reason] += 1
        if skip.damaged:
            self.damaged_count += 1
            if len(self.damaged) < SKIPS_SHOWN:
                self.damaged.append(skip)


def import_drafts(
    store: Store,
    drafts: Iterable[Draft | Skip],
    terms: Terms,
    tally: Tally,
    origin: str | None,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Take one source in, a chunk at a time; each chunk is on disk and in the index before the next.

    Killed in the middle, the same import again brings only the rest. A parser
    that raises keeps what came before it. Raises what the parser or the
    store raises.
    """
    failure: MemError | None = None
    with store.batch() as put:
        maker = _Maker(store, terms, origin)
        maker.hiding.counts = tally.hidden
        stream = iter(drafts)
        while True:
            chunk, failure = _chunk(stream, tally)
            if chunk:
                entries = put(partial(maker.choose, drafts=chunk))
                for entry in entries:
                    tally.count(entry)
                tally.pass_over(len(chunk) - len(entries), maker.buried)
                if progress is not None:
                    progress(tally.new + tally.known)
            if failure is not None:
                raise failure
            if not chunk:
                return


def preview_drafts(
    store: Store, drafts: Iterable[Draft | Skip], terms: Terms, tally: Tally, origin: str | None
) -> None:
    """The same without writing anything: what would be new."""
    try:
        with store.reading() as reading:
            maker = _Maker(store, terms, origin)
            maker.hiding.counts = tally.hidden
            stream = iter(drafts)
            while True:
                chunk, failure = _chunk(stream, tally)
                entries = maker.choose(reading.db, chunk)
                for entry in entries:
                    tally.count(entry)
                tally.pass_over(len(chunk) - len(entries), maker.buried)
                if failure is not None:
                    raise failure
                if not chunk:
                    return
    except Damaged as error:
        raise broken(error) from error


def _chunk(stream: Iterator[Draft | Skip], tally: Tally) -> tuple[list[Draft], MemError | None]:
    """The next drafts, and the error of ours that ended the stream behind them, if one did."""
    drafts: list[Draft] = []
    try:
        for item in stream:
            if isinstance(item, Skip):
                tally.skip(item)
                continue
            text, answers = without_answers(item.text)
            if answers and not text:
                tally.skip(Skip(f"message {item.ordinal}", OWN_ANSWER))
                continue
            drafts.append(replace(item, text=text) if answers else item)
            if len(drafts) == CHUNK:
                break
    except MemError as error:
        return drafts, error
    return drafts, None


class _Maker:
    """Makes entries of the drafts of one source that are new to the index. The home has to be there."""

    def __init__(self, store: Store, terms: Terms, origin: str | None) -> None:
        self._ids = store.ids
        self._clock: Clock = store.clock
        self._key = store.home.key(store.disk)
        self._terms = terms
        self._origin = origin
        self._me = {name.casefold() for name in terms.me}
        self._begin = store.ids.new()
        self._mark = ""
        self._conversation: object = self
        self._have: dict[str, list[int]] = {}
        self._purged: dict[str, int] = {}
        self.buried = 0
        self.hiding = Hiding(keep=terms.keep_secrets)

    def choose(self, db: Database, drafts: Sequence[Draft]) -> list[Entry]:
        """The entries of those drafts that are new; the caller holds the locks that keep it so."""
        keyed = list(self._keyed(drafts))
        stored = self._stored(db, {key for _, _, key, own_id in keyed if own_id})
        others = self._others(db, {key for _, _, key, own_id in keyed if not own_id and key not in self._have})
        buried = Buried(db, self._key, secrets_kept=self._terms.keep_secrets)
        purged, purged_words = buried.counts({key for _, _, key, _ in keyed}), buried.words(drafts)
        self.buried = 0
        entries: list[Entry] = []
        for at, (draft, mark, key, own_id) in enumerate(keyed):
            if own_id:
                fate = "known" if key in stored else "buried" if key in purged else "new"
            else:
                fate = self._fate(key, others, purged)
            if fate == "new" and at in purged_words:
                fate = "buried"
            if fate == "new":
                entries.append(self._entry(draft, mark, key))
                if own_id:
                    stored.add(key)
            self.buried += fate == "buried"
        return entries

    def _keyed(self, drafts: Sequence[Draft]) -> Iterator[tuple[Draft, str, str, bool]]:
        """Each draft with the mark of its conversation, its key, and whether that is the source's own id."""
        for draft in drafts:
            if draft.conversation != self._conversation or (draft.conversation is None and draft.ordinal == 0):
                self._conversation = draft.conversation
                self._mark = conversation_mark(draft, self._key)
            yield draft, self._mark, *source_key(draft, self._mark, self._key)

    def _stored(self, db: Database, keys: Collection[str]) -> set[str]:
        """Which of the keys are there, whoever brought them."""
        return {key for key, _ in _counted(db, keys, "", ())}

    def _others(self, db: Database, keys: Collection[str]) -> dict[str, int]:
        """How often others had brought the keys, where they had at all."""
        return dict(_counted(db, keys, "AND NOT (run = ? AND id > ?)", (self._terms.run, self._begin)))

    def _fate(self, key: str, others: Mapping[str, int], purged: Mapping[str, int]) -> str:
        """Whether this source has now shown the key more often than others had brought it, or than it was purged.

        An import brings max(have, seen), and what was purged counts as had.
        """
        counts = self._have.get(key)
        if counts is None:
            if key not in others and key not in purged:
                return "new"
            counts = self._have[key] = [others.get(key, 0), purged.get(key, 0), 0]
        counts[2] += 1
        if counts[2] <= counts[0]:
            return "known"
        return "buried" if counts[2] <= counts[0] + counts[1] else "new"

    def _sender(self, draft: Draft) -> tuple[Role, str | None]:
        """Whom a mail is from, by its address: that of the person makes them its sender, as far as a header can.

        A stranger who goes by the person's name is called by the address as well.
        """
        address = (draft.address or "").casefold()
        if address in self._me:
            return "user", draft.speaker
        if draft.speaker is not None and draft.speaker.casefold() in self._me:
            return "other", f"{draft.speaker} <{draft.address}>" if address else draft.speaker
        return draft.role, draft.speaker

    def _entry(self, draft: Draft, mark: str, key: str) -> Entry:
        terms = self._terms
        label = self.hiding.label
        origin = label(self._origin)
        speaker = draft.speaker if draft.speaker is not None else label(terms.speaker)
        role, trust = draft.role, draft.trust
        if trust == "other" and speaker is not None and speaker.casefold() in self._me:
            role, trust = "user", "self"
        elif trust == "mail":
            role, speaker = self._sender(draft)
        elif trust == "self" and draft.app in UNSIGNED and not terms.mine:
            role, trust = "unknown", "document"
        return Entry(
            id=self._ids.new(),
            run=terms.run,
            session=label(terms.session) or session_of(draft, mark, origin),
            ordinal=draft.ordinal,
            source_key=key,
            text=self.hiding.text(draft.text),
            imported_at=self._clock.now_ms(),
            speaker=speaker,
            role=role,
            trust=trust,
            moment=draft.moment,
            scope=terms.scope,
            source=draft.app,
            origin=origin,
            title=label(draft.title),
            status=draft.status,
            pin=terms.pin,
            blob=terms.blob,
        )


def _counted(db: Database, keys: Collection[str], more: str, values: Sequence[str]) -> Iterator[tuple[str, int]]:
    """(key, how many entries have it that are not taken back), for those that have any; asked for many at a time.

    What is forgotten is there: an import does not bring it again.
    """
    left = list(keys)
    for start in range(0, len(left), ASKED_AT_ONCE):
        some = left[start : start + ASKED_AT_ONCE]
        marks = ",".join("?" * len(some))
        sql = f"SELECT key, COUNT(*) FROM entries WHERE key IN ({marks}) AND state <> 1 {more} GROUP BY key"
        yield from db.each(sql, (*some, *values))
