"""From proposals to changes: only here is a memory made, supported, retired or put against another (C3, C7, C8).

A proposal is put among all sayings that it is tied to, and the course of them
is worked out anew (`govern/course.py`). What is written is the difference to
what is stored. So it does not matter in which order proposals come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memcli.extract.context import Found
from memcli.govern.course import Said, Thread, course
from memcli.govern.ledger import Kept, Ledger, since_of
from memcli.govern.rank import OWN, may_change, rank, strongest, weakest
from memcli.govern.relate import tie
from memcli.log.memory import joined, quotes_record, statement_record
from memcli.log.record import Change
from memcli.memories import Class, Memory, Quote, Statement
from memcli.projection.memories import Saying
from memcli.types import Entry, Trust

_MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A verified proposal with what its evidence gives it: scope, trust, when it was said (wall clock), by whom."""

    found: Found
    scope: str
    trust: Trust
    said_ms: int | None
    speaker: str | None = None

    @property
    def since_ms(self) -> int | None:
        """From when it is true: as the words say, else from when it was said."""
        return since_of(self.found.statement, self.said_ms, self.found.quotes[-1].text if self.found.quotes else "")


def candidate(found: Found, entries: Mapping[str, Entry]) -> Candidate:
    """A verified proposal with the scope, the trust and the time of the entries it cites.

    What it claims of its own weight is cut to what its evidence allows,
    whoever proposed it.
    """
    cited = [entries[quote.entry] for quote in found.quotes]
    found = Found(modest(found.statement, cited), found.quotes)
    times = [wall_ms(entry) for entry in cited]
    known = [ms for ms in times if ms is not None]
    return Candidate(
        found,
        cited[0].scope,
        weakest([entry.trust for entry in cited]),
        max(known, default=None),
        cited[-1].speaker,
    )


def modest(statement: Statement, cited: Sequence[Entry]) -> Statement:
    """A statement without claims that its evidence cannot carry (C3, C8).

    Only the person's own words are durable instructions; permanent is what
    the person says, or what others say of themselves.
    """
    if all(entry.trust in OWN for entry in cited):
        return statement
    of_themselves = all(
        entry.trust in OWN or (entry.trust == "other" and entry.speaker == statement.subject) for entry in cited
    )
    cls: Class = "semantic" if statement.cls == "permanent" and not of_themselves else statement.cls
    return replace(statement, cls=cls, durable=False)


def wall_ms(entry: Entry) -> int | None:
    """The wall clock at which an entry was said, in milliseconds; None where it is unknown."""
    moment = entry.moment
    if moment is None or moment.precision == "none":
        return None
    return moment.ms + (moment.offset or 0) * _MINUTE_MS


@dataclass(slots=True)
class _Aim:
    """What a memory is to become: its sayings, and what its course makes of it."""

    sayings: tuple[Said, ...]
    since_ms: int | None = None
    until_ms: int | None = None
    by: str | None = None
    void: bool = False
    into: str | None = None
    against: set[str] = field(default_factory=set)


class Writer:
    """Decides for one author in one run, against a ledger that follows its own decisions."""

    def __init__(self, ledger: Ledger, run: str, author: str, new_id: Callable[[], str]) -> None:
        self._ledger = ledger
        self._run = run
        self._author = author
        self._new_id = new_id
        self._aims: dict[str, _Aim] = {}

    def consider(self, new: Candidate) -> Memory | None:
        """Keep a candidate: as more evidence of what is known, or as a memory of its own with what follows from it.

        Returns the memory that says it, as it is after this; None where that
        is not kept: refused or forgotten before.
        """
        found = new.found
        saying = Saying(found.statement, found.quotes, new.trust, new.since_ms)
        said = Said(self._ledger.side(saying, new.scope, new.said_ms, new.speaker), found.quotes)
        ids, everything = self._tied(said)
        for old in everything:
            if old.quotes == said.quotes and old.holder is not None and _alike(old, said):
                return self._memory(old.holder)
        threads = course([*everything, said])
        names = self._names(threads, ids)
        for thread in threads:
            own = names[id(thread)]
            self._aims[own] = _Aim(
                tuple(thread.sayings),
                thread.since_ms,
                thread.until_ms,
                None if thread.by is None else names[id(thread.by)],
                thread.void,
                None,
                {names[id(other)] for other in thread.against},
            )
            self._ledger.put(own, thread.sayings)
        for gone in set(ids) - set(names.values()):
            into = next(names[id(thread)] for thread in threads if any(s.holder == gone for s in thread.sayings))
            self._aims[gone] = _Aim((), into=into)
            self._ledger.put(gone, ())
        holder = next(names[id(thread)] for thread in threads if any(item is said for item in thread.sayings))
        return self._memory(holder)

    @property
    def changes(self) -> list[Change]:
        """What has to be written so that the stored memories become what was decided."""
        aims = self._respected()
        made = [change for name, aim in aims.items() for change in self._evidence(name, aim)]
        return made + [change for name, aim in aims.items() for change in self._state(name, aim)]

    def _tied(self, said: Said) -> tuple[list[str], list[Said]]:
        """The memories that a saying is tied to, directly or through others, and all their sayings."""
        ids: dict[str, None] = {}
        everything: list[Said] = []
        ahead = [said]
        while ahead:
            here = ahead.pop()
            for name in self._ledger.near(here):
                if name in ids:
                    continue
                theirs = self._ledger.sayings(name)
                if any(tie(here.side, other.side) != "apart" for other in theirs):
                    ids[name] = None
                    everything += theirs
                    ahead += theirs
        return sorted(ids), everything

    def _names(self, threads: Sequence[Thread], ids: Sequence[str]) -> dict[int, str]:
        """Which memory each thread is: the one that has most of its sayings, so that as little as possible moves."""
        names: dict[int, str] = {}
        taken: set[str] = set()
        claims: list[tuple[bool, int, str, int]] = []
        for place, thread in enumerate(threads):
            for name in ids:
                count = sum(said.holder == name for said in thread.sayings)
                if count:
                    kept = self._ledger.kept(name)
                    chosen = kept is not None and (kept.edited_by is not None or kept.memory.standing != "memory")
                    claims.append((not chosen, -count, name, place))
        for _, _, name, place in sorted(claims):
            if name not in taken and id(threads[place]) not in names:
                names[id(threads[place])] = name
                taken.add(name)
        for thread in threads:
            if id(thread) not in names:
                names[id(thread)] = self._new_id()
        return names

    def _respected(self) -> dict[str, _Aim]:
        """The aims, but what somebody of higher rank wrote is put against, not retired (C8)."""
        aims = {name: replace(aim, against=set(aim.against)) for name, aim in self._aims.items()}
        for name, aim in aims.items():
            kept = self._ledger.kept(name)
            if aim.by is None or kept is None or may_change(self._author, kept.memory):
                continue
            if kept.memory.replaced_by is None and kept.memory.until_ms is None:
                other, aim.by, aim.until_ms = aim.by, None, None
                aim.against.add(other)
                if other in aims:
                    aims[other].against.add(name)
        return aims

    def _evidence(self, name: str, aim: _Aim) -> Iterator[Change]:
        """The changes that give a memory its sayings."""
        kept = self._ledger.kept(name)
        if aim.into is not None:
            if kept is not None:
                yield self._change("merge", name, "says the same", (), {"into": aim.into})
            return
        before = set() if kept is None else {_mark(said) for said in kept.sayings}
        now = {_mark(said) for said in aim.sayings}
        fresh = [said for said in aim.sayings if _mark(said) not in before]
        if kept is None or not before <= now:
            yield self._made(name, aim, kept)
            fresh = list(aim.sayings[1:])
        trust = _trust(aim)
        for said in fresh:
            after: dict[str, object] = {
                "quotes": quotes_record(said.quotes),
                "said": statement_record(said.side.statement),
                "said_trust": said.side.trust,
                "trust": trust,
            }
            if said.side.since_ms is not None:
                after["since_ms"] = said.side.since_ms
            yield self._change("support", name, "said again", said.quotes, after)

    def _made(self, name: str, aim: _Aim, kept: Kept | None) -> Change:
        first = aim.sayings[0]
        after: dict[str, object] = {
            **statement_record(first.side.statement),
            "scope": first.side.scope,
            "trust": first.side.trust,
            "quotes": quotes_record(first.quotes),
        }
        if first.side.since_ms is not None:
            after["since_ms"] = first.side.since_ms
        if kept is not None:
            after["standing"] = kept.memory.standing
        reason = "stated in what was kept" if kept is None else "parted: it was otherwise in between"
        return self._change("memory", name, reason, first.quotes, after)

    def _state(self, name: str, aim: _Aim) -> Iterator[Change]:
        """The changes that say from when to when a memory holds, and what it contradicts."""
        if aim.into is not None:
            return
        kept = self._ledger.kept(name)
        old = None if kept is None else kept.memory
        natural = _earliest(aim.sayings)
        if old is not None and kept is not None and old.since_ms != _earliest(kept.sayings):
            natural = old.since_ms
        if aim.since_ms != natural and (kept is None or kept.edited_by is None):
            yield self._change("edit", name, "true since another time", (), {"since_ms": aim.since_ms})
        yield from self._closing(name, aim, kept)
        settled = {} if kept is None else dict(kept.settled)
        now = {other for other in aim.against if rank(settled.get(other, "")) <= rank(self._author)}
        before = set() if old is None else set(old.against)
        for other in sorted(now - before):
            quotes = self._quotes(other)
            yield self._change("conflict", name, "nobody can tell which holds", quotes, {"with": other})
        for other in sorted(before - aim.against):
            if other in self._aims or self._ledger.kept(other) is not None:
                yield self._change("settle", name, "resolved by what was said", (), {"with": other})

    def _closing(self, name: str, aim: _Aim, kept: Kept | None) -> Iterator[Change]:
        if kept is not None and kept.closed_by is not None and rank(kept.closed_by) > rank(self._author):
            return
        before = (None, None) if kept is None else (kept.memory.replaced_by, kept.memory.until_ms)
        if (aim.by, aim.until_ms) == before:
            return
        if aim.by is None:
            yield self._change("revive", name, "what replaced it does not hold", (), {})
            return
        after: dict[str, object] = {"by": aim.by}
        if aim.until_ms is not None:
            after["until_ms"] = aim.until_ms
        reason = "corrected" if aim.void else "a newer statement of the same"
        yield self._change("retire", name, reason, self._quotes(aim.by), after)

    def _quotes(self, name: str) -> tuple[Quote, ...]:
        return tuple(quote for said in self._ledger.sayings(name) for quote in said.quotes)

    def _change(
        self, op: str, target: str, reason: str, quotes: Sequence[Quote], after: Mapping[str, object]
    ) -> Change:
        evidence = tuple(dict.fromkeys(quote.entry for quote in quotes))
        return Change(op, self._run, self._author, reason, target, evidence, after=dict(after))

    def _memory(self, name: str) -> Memory | None:
        """A memory as it is after this; None where it is refused or forgotten."""
        kept = self._ledger.kept(name)
        if kept is not None and kept.memory.standing in ("refused", "forgotten"):
            return None
        aim = self._aims.get(name)
        if aim is None:
            return None if kept is None else kept.memory
        return memory_of(name, aim.sayings, self._run, self._author, kept, aim)

    def outcome(self) -> dict[str, Memory]:
        """Every memory that was touched, as it is after this; merged ones are not there."""
        return {
            name: memory_of(name, aim.sayings, self._run, self._author, self._ledger.kept(name), aim)
            for name, aim in self._respected().items()
            if aim.into is None
        }


def memory_of(name: str, sayings: Sequence[Said], run: str, author: str, kept: Kept | None, aim: _Aim) -> Memory:
    """The memory that these sayings make."""
    statement = sayings[0].side.statement
    for said in sayings[1:]:
        statement = joined(statement, said.side.statement)
    known = [said.side.said_ms for said in sayings if said.side.said_ms is not None]
    blank = Memory(name, run, author, sayings[0].side.scope, "other", statement, ())
    base = blank if kept is None else kept.memory
    return replace(
        base,
        trust=_trust(aim),
        statement=statement,
        quotes=tuple(dict.fromkeys(quote for said in sayings for quote in said.quotes)),
        said_ms=max(known, default=None),
        since_ms=aim.since_ms,
        until_ms=aim.until_ms,
        replaced_by=aim.by,
        against=tuple(sorted(aim.against)),
    )


def _trust(aim: _Aim) -> Trust:
    return strongest([said.side.trust for said in aim.sayings])


def _earliest(sayings: Sequence[Said]) -> int | None:
    known = [said.side.since_ms for said in sayings if said.side.since_ms is not None]
    return min(known, default=None)


def _mark(said: Said) -> tuple[tuple[Quote, ...], str]:
    return said.quotes, said.side.statement.text


def _alike(old: Said, new: Said) -> bool:
    return old.side.statement.text == new.side.statement.text
