"""What a new statement is to one that is kept: the same, its successor, its predecessor, against it, or apart (C7).

A tie is worked out from the two sides alone, and the same from both ends: what
is "replaces" one way is "replaced" the other. What follows from the ties of
many statements together is decided in `govern/course.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memcli.clock import DAY_MS
from memcli.extract.gist import TIMED, Gist, figures, gist, hard, numbers_differ, spelled
from memcli.govern.doubtful import corrects, lasts, names_begin, plans_instead, unsure
from memcli.govern.rank import worth
from memcli.lang.words import stem
from memcli.memories import Statement
from memcli.types import Trust

Tie = Literal["same", "replaces", "replaced", "against", "apart"]

ALIKE = 0.75
"""The share of the words that two sayings of one thing have in common, at least (twice the common over the sum)."""
ALIKE_ELSEWHERE = 0.85
"""The same where they were filed under different relations."""
_SAME_VALUE = 0.5
"""The same where relation and value are the same already."""
_OUTSIDER = 1.0
LEAD = "attribute lead"
INSTRUCTION = "instruction"
"""The relation of what is kept in the person's own words."""
_LISTED = frozenset(
    stem(word) for word in "todo task note idea tip reminder question link quote fact thing item".split()
)
"""Labels of which there are many on one day."""
LONG_MS = 365 * DAY_MS
_OF_PEOPLE = frozenset("job works_at lives_in partner studies address".split())
_AHEAD = frozenset("plan goal decision instruction".split())
_MEASURED = frozenset(
    "weight height age size price number time deadline appointment until version birthday name".split()
)
"""What is read off at one time and holds until it is read off again."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two statements, with what decides between them.

    `said_ms` is when it was said and `since_ms` from when it is true (wall
    clock; None unknown). `own` says that it was said by the one it is about.
    `words` are those that it was said in: they tell a correction, a joke or
    a passing state from news. `about_me` that it is about the person.
    """

    statement: Statement
    scope: str
    trust: Trust
    said_ms: int | None
    since_ms: int | None = None
    words: str = ""
    own: bool = False
    about_me: bool = False

    @property
    def weight(self) -> float:
        """Whose word goes before whose: the person's own, then people about themselves or of others, then the rest.

        What another person says of the person ranks below what they say of
        themselves, and nothing that was not said by a person ranks above 0.
        """
        if self.trust == "self":
            return 3.0 if self.own or self.about_me else 2.0
        if self.trust == "other":
            return _OUTSIDER if self.about_me else 2.0
        return 0.5 if worth(self.trust) else 0.0

    @property
    def corrects(self) -> bool:
        """Whether it says that what was said before was never so."""
        return corrects(self.words or self.statement.text)


def tie(new: Side, old: Side) -> Tie:
    """How two statements stand to each other. In doubt nothing is retired that might still be true."""
    if new.scope != old.scope:
        return "apart"
    if INSTRUCTION in (new.statement.relation, old.statement.relation):
        return "same" if _said_alike(new.statement, old.statement) else "apart"
    a, b = gist(new.statement), gist(old.statement)
    if a.subject != b.subject:
        return "apart"
    if same(new, old):
        return "same"
    if not clash(new, old):
        return "apart"
    return _newer(new, old)


def _said_alike(a: Statement, b: Statement) -> bool:
    """Whether two instructions are one word for word: "pnpm, not npm" is not "npm, not pnpm"."""
    return (a.relation, a.subject.casefold(), a.value.casefold()) == (
        b.relation,
        b.subject.casefold(),
        b.value.casefold(),
    )


def _newer(new: Side, old: Side) -> Tie:
    """Which of two that cannot both hold goes before: the later said, where its word counts as much."""
    later = _order(new, old)
    if min(new.weight, old.weight) <= 0 and new.weight != old.weight:
        return "apart" if _loses(later, new, old) else ("replaces" if later > 0 else "replaced")
    if later == 0:
        return "against"
    if _loses(later, new, old):
        return "against"
    if unsure((new if later > 0 else old).words):
        return "apart"
    if _namesake(*((new, old) if later > 0 else (old, new))):
        return "against"
    return "replaces" if later > 0 else "replaced"


def _namesake(later: Side, earlier: Side) -> bool:
    """Whether it may be another of the same name: somebody else, a bare first name, and years in between."""
    statement = later.statement
    if later.about_me or later.own or later.trust != "self" or statement.change or statement.begin_ms is not None:
        return False
    bare = " " not in statement.subject and statement.subject[:1].isupper()
    of_people = gist(statement).relation in _OF_PEOPLE
    gap = 0 if later.said_ms is None or earlier.said_ms is None else later.said_ms - earlier.said_ms
    return bare and of_people and gap > LONG_MS


def _loses(later: int, new: Side, old: Side) -> bool:
    """Whether the later one has not the weight to retire the earlier."""
    if later == 0:
        return True
    return new.weight < old.weight if later > 0 else old.weight < new.weight


def _order(new: Side, old: Side) -> int:
    """1 where the new one was said later, -1 where earlier, 0 where nobody knows; at one instant a correction is."""
    if new.said_ms is not None and old.said_ms is not None and new.said_ms != old.said_ms:
        return 1 if new.said_ms > old.said_ms else -1
    if new.said_ms == old.said_ms and new.corrects != old.corrects:
        return 1 if new.corrects else -1
    return 0


def same(new: Side, old: Side) -> bool:
    """Whether two statements say the same: subject, relation and value; numbers, times, days and "not" exactly.

    Of something that a subject has many of, the words around must name the
    same days and numbers too: a statement may have left them out.
    """
    a, b = new.statement, old.statement
    x, y = gist(a), gist(b)
    if x.subject != y.subject or x.denies != y.denies or x.ends != y.ends or (x.ended != y.ended and x.slot is None):
        return False
    if numbers_differ(x.numbers, y.numbers) or x.hard != y.hard or x.negations != y.negations:
        return False
    if x.slot is not None and x.slot == y.slot:
        if x.relation in TIMED and not _same_time(a, b):
            return False
        return x.head == y.head if x.head or y.head else _same_time(a, b)
    if not _same_time(a, b):
        return False
    if x.value and x.value == y.value and x.relation == y.relation and x.key == y.key:
        enough = _SAME_VALUE
    else:
        enough = ALIKE if x.relation == y.relation else ALIKE_ELSEWHERE
    return _alike(x.terms, y.terms) >= enough and _same_around(new.words, old.words)


def _same_around(one: str, other: str) -> bool:
    if not one or not other:
        return True
    return hard(one) == hard(other) and not numbers_differ(figures(spelled(one)), figures(spelled(other)))


def _same_time(a: Statement, b: Statement) -> bool:
    return (a.begin_ms, a.end_ms) == (b.begin_ms, b.end_ms)


def _alike(a: frozenset[str], b: frozenset[str]) -> float:
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0


def clash(new: Side, old: Side) -> bool:
    """Whether two statements of one subject that are not the same cannot both hold at one time."""
    a, b = gist(new.statement), gist(old.statement)
    if any(_passes(side, found) for side, found in ((new, a), (old, b))):
        return False
    if a.slot is not None and a.slot == b.slot and not (a.denies or b.denies):
        return _other_value(new, old, a, b) and (a.slot != LEAD or _tells_change(new, old))
    if _noted_at_once(new, old, a, b):
        return True
    if _denies(new, old, a, b) or _denies(old, new, b, a):
        return True
    return _instead(new, old)


def _tells_change(new: Side, old: Side) -> bool:
    """Whether the later one says that it is otherwise from then on: two can lead at once."""
    later = new if _order(new, old) >= 0 else old
    return later.statement.change or later.statement.begin_ms is not None or names_begin(later.words)


def _noted_at_once(new: Side, old: Side, a: Gist, b: Gist) -> bool:
    """Two notes of one thing ("spare key: …") that differ and were made at one time: nobody can tell which is right."""
    if a.relation != "note" or b.relation != "note" or not a.key or a.key != b.key or a.key & _LISTED:
        return False
    return new.said_ms is not None and new.said_ms == old.said_ms and not (a.head <= b.value or b.head <= a.value)


def _instead(new: Side, old: Side) -> bool:
    """Another plan for the same time, which says that it is one instead."""
    if new.statement.kind != "plan" or old.statement.kind != "plan" or new.statement.begin_ms is None:
        return False
    order = _order(new, old)
    later = new if order > 0 else old
    return order != 0 and _same_time(new.statement, old.statement) and plans_instead(later.words)


def _passes(side: Side, found: Gist) -> bool:
    """Whether it tells only how things are for some days."""
    return not (found.denies or found.ends or found.relation in _MEASURED) and not lasts(side.words)


def _other_value(new: Side, old: Side, a: Gist, b: Gist) -> bool:
    """Another value of the same single-valued relation, neither of which only makes the other finer."""
    if a.relation in TIMED:
        times = [(side.statement.begin_ms, side.statement.end_ms) for side in (new, old)]
        if times[0][0] is not None and times[1][0] is not None:
            if _within(times[0], times[1]) or _within(times[1], times[0]):
                return numbers_differ(a.numbers, b.numbers) and bool(a.numbers) and bool(b.numbers)
            return True
        if not (a.head and b.head):
            return False
    if a.counted and b.counted and numbers_differ(a.counted, b.counted):
        return bool(a.head and b.head)
    if bool(a.counted) != bool(b.counted) and "attribute" in (a.slot or ""):
        return False
    if not a.head or not b.head:
        return False
    return not (a.head <= b.value or b.head <= a.value)


def _within(inner: tuple[int | None, int | None], outer: tuple[int | None, int | None]) -> bool:
    if None in inner or None in outer:
        return inner[0] == outer[0]
    return outer[0] <= inner[0] and inner[1] <= outer[1]  # type: ignore[operator]


def _denies(denial: Side, claim: Side, no: Gist, yes: Gist) -> bool:
    """Whether one says of what the other claims that it is not so, or no longer."""
    if not no.ended or yes.denies or yes.ends:
        return False
    if yes.relation == "feels" or (no.relation == "feels" and no.slot != yes.slot):
        return False
    denies = no.denies or no.ends
    if denies and no.counted and not {number for number, _ in no.counted} <= {number for number, _ in yes.numbers}:
        return False
    if denies and not no.named <= yes.hard | yes.named:
        return False
    if not no.ended <= yes.value | yes.key:
        return False
    if no.ends and yes.relation in _AHEAD:
        return False
    if no.denies and not no.ends and no.verb != yes.verb:
        return False
    if yes.happened and (no.relation, no.key) != (yes.relation, yes.key):
        return False
    if denial.statement.begin_ms is not None and claim.statement.begin_ms is not None and yes.happened:
        return _same_time(denial.statement, claim.statement)
    return True
