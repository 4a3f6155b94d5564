"""What becomes a rule, what is held for the person, and why: every promotion has a recorded reason (C2, C3).

Two reasons promote without asking, and both need the person's own words: an
explicit durable instruction that they typed, and a statement that they made
in several conversations. Their own instruction that came in by a file waits
for their yes, because a file can be written by anybody. Words of others are
never promoted, however often and however urgently they are repeated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from memcli.clock import DAY_MS
from memcli.extract.context import Context
from memcli.extract.instructions import instructions, stated
from memcli.govern.find import select
from memcli.govern.lookup import evidence, in_force
from memcli.govern.narrow import named_scopes, narrowed
from memcli.govern.rank import OWN
from memcli.govern.write import wall_ms
from memcli.lang.words import words
from memcli.log.record import Change
from memcli.memories import Memory, Quote
from memcli.projection.database import Database
from memcli.settings import MAX_RULES
from memcli.types import Entry

SESSIONS, DAYS = 3, 2
"""In how many conversations, and on how many days, something has to be said to become a rule."""
AUTHOR = "tidy"
EXPLICIT = "an explicit durable instruction, typed by you"
AGAIN = "typed by you again after you had refused it"
PROJECT = "its words name that project"
IMPORTED = "reads as your own durable instruction, but came in by a file"
YES, NO = "you said yes", "you said no"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to become of one memory: its standing, why, and how strong its case is.

    `words` are those of the person where the memory was first written in the
    words of somebody else.
    """

    memory: Memory
    standing: str
    reason: str
    strength: tuple[int, int, int] = (0, 0, 0)
    words: Quote | None = None


@dataclass(slots=True)
class Promoted:
    """What one look at the candidates decided. `over` counts, by scope, those for which there was no room."""

    changes: list[Change] = field(default_factory=list)
    rules: int = 0
    held: int = 0
    over: Counter[str] = field(default_factory=Counter)


def promote(db: Database, run: str, max_rules: int = MAX_RULES) -> Promoted:
    """Decide on every memory that may become a rule. Twice in a row decides nothing the second time."""
    result = Promoted()
    wanted: list[Verdict] = []
    ruling = _in_their_projects(db, in_force(db), run, result)
    for memory in _in_their_projects(db, candidates(db), run, result):
        verdict = judge(memory, evidence(db, memory), partial(_last_decided, db, memory.id))
        if verdict is None or verdict.standing == memory.standing:
            continue
        if verdict.standing == "rule":
            wanted.append(verdict)
        else:
            result.held += 1
            result.changes += _changes(verdict, run, AUTHOR)
    room = {scope: max_rules - count for scope, count in Counter(rule.scope for rule in ruling).items()}
    for verdict in sorted(wanted, key=lambda item: (*(-part for part in item.strength), item.memory.id)):
        scope = verdict.memory.scope
        if room.setdefault(scope, max_rules) <= 0:
            result.over[scope] += 1
            continue
        room[scope] -= 1
        result.rules += 1
        result.changes += _changes(verdict, run, AUTHOR)
    return result


def _in_their_projects(db: Database, memories: Sequence[Memory], run: str, result: Promoted) -> list[Memory]:
    """These memories, where each holds: what the person typed about one project is narrowed to it, once it exists."""
    known = named_scopes(db)
    found = []
    for memory in memories:
        said = memory.quotes[0].text if memory.quotes else ""
        own = memory.trust in OWN and memory.statement.kind == "instruction"
        scope = narrowed(memory.scope, said, known) if own else memory.scope
        if scope != memory.scope and not _placed_by_hand(db, memory.id):
            before, after = {"scope": memory.scope}, {"scope": scope}
            cited = tuple(dict.fromkeys(quote.entry for quote in memory.quotes))
            result.changes.append(Change("edit", run, AUTHOR, PROJECT, memory.id, cited, before, after))
            memory = replace(memory, scope=scope)
        found.append(memory)
    return found


def _placed_by_hand(db: Database, memory_id: str) -> bool:
    """Whether the person has said themselves where it holds."""
    row = db.one(
        "SELECT COUNT(*) FROM changes WHERE target = ? AND op = 'edit' AND author = 'user' "
        "AND json_extract(body, '$.after.scope') IS NOT NULL AND run NOT IN (SELECT run FROM undone)",
        (memory_id,),
    )
    return bool(row[0])


def candidates(db: Database) -> list[Memory]:
    """The memories that promotion looks at: instructions and preferences that stand and are no rule yet."""
    return select(
        db,
        "standing IN ('memory', 'held', 'refused') AND kind IN ('instruction', 'preference') "
        "AND until_ms IS NULL AND expired_ms IS NULL AND against = '[]' ORDER BY id",
        (),
    )


def judge(memory: Memory, entries: Sequence[Entry], last_decided: Callable[[], str]) -> Verdict | None:
    """What one memory deserves by its visible evidence; None where there is no reason to change anything.

    `last_decided` gives the id of the last change of its standing, "" where
    there is none.
    """
    own = [entry for entry in entries if entry.trust in OWN]
    explicit = [entry for entry in own if memory.statement.kind == "instruction" and _instructs(memory, entry)]
    typed = [entry for entry in explicit if entry.source_key.startswith("typed:")]
    sessions = len({entry.session for entry in own})
    days = len({ms // DAY_MS for entry in own if (ms := wall_ms(entry)) is not None})
    strength = (len(typed), sessions, len(own))
    if memory.standing == "refused":
        after = last_decided()
        again = [entry for entry in typed if entry.id > after]
        return Verdict(memory, "rule", AGAIN, strength, _words_of(memory, again)) if again else None
    if typed:
        return Verdict(memory, "rule", EXPLICIT, strength, _words_of(memory, typed))
    if sessions >= SESSIONS and days >= DAYS:
        return Verdict(memory, "rule", f"said by you in {sessions} conversations", strength, _words_of(memory, own))
    if memory.standing == "memory" and _may_wait(memory, entries):
        return Verdict(memory, "held", IMPORTED)
    return None


def answer(db: Database, memory: Memory, yes: bool, run: str) -> list[Change]:
    """The person's own word on a candidate or a rule. Nothing where it has that standing already."""
    verdict = Verdict(memory, "rule" if yes else "refused", YES if yes else NO)
    return [] if memory.standing == verdict.standing else _changes(verdict, run, "user")


def may_be_answered(memory: Memory) -> bool:
    """Whether the person can say yes or no to it: anything but what they forgot and what is no longer true."""
    return memory.standing != "forgotten" and memory.until_ms is None


def _instructs(memory: Memory, entry: Entry) -> bool:
    """Whether code finds a durable instruction in the words that the memory cites: a model's claim is not enough."""
    cited = [_folded(quote.text) for quote in memory.quotes if quote.entry == entry.id]
    found = [_folded(item.quotes[0].text) for item in instructions(Context(entry, None))]
    return any(mine and (mine in theirs or theirs in mine) for mine in found for theirs in cited)


def _may_wait(memory: Memory, entries: Iterable[Entry]) -> bool:
    return memory.statement.kind == "instruction" and any(_instructs(memory, entry) for entry in entries)


def _words_of(memory: Memory, entries: Sequence[Entry]) -> Quote | None:
    """The words of the person, where the statement has others: nobody else writes the person's rules."""
    ids = {entry.id for entry in entries}
    theirs = [quote for quote in memory.quotes if quote.entry in ids]
    told = _folded(memory.statement.text)
    if not theirs or any(_folded(quote.text) in told for quote in theirs) or memory.trust in OWN:
        return None
    return theirs[-1]


def _folded(text: str) -> str:
    return f" {' '.join(words(text))} "


def _last_decided(db: Database, memory_id: str) -> str:
    row = db.one(
        "SELECT MAX(id) FROM changes WHERE target = ? AND op = 'standing' AND run NOT IN (SELECT run FROM undone)",
        (memory_id,),
    )
    return row[0] or ""


def _changes(verdict: Verdict, run: str, author: str) -> list[Change]:
    memory = verdict.memory
    cited = tuple(dict.fromkeys(quote.entry for quote in memory.quotes))
    changes = []
    if verdict.words is not None:
        text = stated(memory.statement.subject, verdict.words.text)
        after = {"text": text}
        changes.append(Change("edit", run, author, "in your own words", memory.id, (verdict.words.entry,), after=after))
    before = {"standing": memory.standing, "scope": memory.scope}
    after = {"standing": verdict.standing}
    changes.append(Change("standing", run, author, verdict.reason, memory.id, cited, before, after))
    return changes
