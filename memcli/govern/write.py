"""From proposals to changes: only here is a memory made, supported, retired or put against another (C3, C7, C8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from memcli.extract.context import Found
from memcli.govern.ledger import Ledger
from memcli.govern.rank import OWN, may_change, weakest
from memcli.govern.relate import Side, tie
from memcli.log.memory import quotes_record, statement_record
from memcli.log.record import Change
from memcli.types import Class, Entry, Memory, Quote, Statement, Trust

_MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A verified proposal with what its evidence gives it: scope, trust, and when it was said (wall clock)."""

    found: Found
    scope: str
    trust: Trust
    said_ms: int | None

    @property
    def since_ms(self) -> int | None:
        """From when it is true: as the words say, else from when it was said."""
        begin = self.found.statement.begin_ms
        return self.said_ms if begin is None else begin


def candidate(found: Found, entries: Mapping[str, Entry]) -> Candidate:
    """A verified proposal with the scope, the trust and the time of the entries it cites.

    What it claims of its own weight is cut to what its evidence allows,
    whoever proposed it.
    """
    cited = [entries[quote.entry] for quote in found.quotes]
    found = Found(modest(found.statement, cited), found.quotes)
    times = [wall_ms(entry) for entry in cited]
    known = [ms for ms in times if ms is not None]
    return Candidate(found, cited[0].scope, weakest([entry.trust for entry in cited]), max(known, default=None))


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


class Writer:
    """Decides for one author in one run, against a ledger that follows its own decisions."""

    def __init__(self, ledger: Ledger, run: str, author: str, new_id: Callable[[], str]) -> None:
        self._ledger = ledger
        self._run = run
        self._author = author
        self._new_id = new_id
        self.changes: list[Change] = []

    def consider(self, new: Candidate) -> Memory | None:
        """Keep a candidate: as more evidence of what is known, or as a memory of its own with what follows from it."""
        side = Side(new.found.statement, new.scope, new.trust, new.said_ms)
        kept = list(self._ledger.about(new.found.statement.subject))
        ties = [(tie(side, _side(old)), old) for old in kept]
        for how, old in ties:
            if how == "same":
                return self._support(old, new)
        made = self._make(new)
        for how, old in ties:
            if old.standing in ("refused", "forgotten"):
                continue
            if how == "replaces" and old.until_ms is None:
                if may_change(self._author, old):
                    self._retire(old, made)
                else:
                    self._oppose(old, made)
            elif how == "replaced" and made.until_ms is None:
                made = self._retire(made, old)
            elif how == "against":
                self._oppose(old, made)
        return made

    def _support(self, old: Memory, new: Candidate) -> Memory:
        fresh = tuple(quote for quote in new.found.quotes if quote not in old.quotes)
        if not fresh:
            return old
        self._write("support", old.id, "said again", fresh, {"quotes": quotes_record(fresh)})
        said = [ms for ms in (old.said_ms, new.said_ms) if ms is not None]
        return self._ledger.alter(old, quotes=old.quotes + fresh, said_ms=max(said, default=None))

    def _make(self, new: Candidate) -> Memory:
        found = new.found
        made = Memory(
            id=self._new_id(),
            run=self._run,
            author=self._author,
            scope=new.scope,
            trust=new.trust,
            statement=found.statement,
            quotes=found.quotes,
            said_ms=new.said_ms,
            since_ms=new.since_ms,
        )
        after = statement_record(found.statement) | {
            "scope": new.scope,
            "trust": new.trust,
            "quotes": quotes_record(found.quotes),
        }
        if new.since_ms is not None:
            after["since_ms"] = new.since_ms
        self._write("memory", made.id, "stated in what was kept", found.quotes, after)
        self._ledger.put(made)
        return made

    def _retire(self, old: Memory, by: Memory) -> Memory:
        until = by.since_ms
        after: dict[str, object] = {"by": by.id}
        if until is not None:
            after["until_ms"] = until
        self._write("retire", old.id, "a newer statement of the same", by.quotes, after)
        return self._ledger.alter(old, until_ms=until, replaced_by=by.id)

    def _oppose(self, old: Memory, new: Memory) -> None:
        for one, other in ((old, new), (new, old)):
            self._write("conflict", one.id, "nobody can tell which holds", other.quotes, {"with": other.id})
            self._ledger.alter(one, against=tuple(sorted({*one.against, other.id})))

    def _write(self, op: str, target: str, reason: str, quotes: Sequence[Quote], after: Mapping[str, object]) -> None:
        evidence = tuple(dict.fromkeys(quote.entry for quote in quotes))
        self.changes.append(Change(op, self._run, self._author, reason, target, evidence, after=dict(after)))


def _side(memory: Memory) -> Side:
    return Side(memory.statement, memory.scope, memory.trust, memory.said_ms)
