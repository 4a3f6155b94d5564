"""The course of things: which sayings are one memory, and which memory held when (C7, invariant 9).

Everything here is a function of a set of sayings. In whichever order they
came in, in however many tidies, the outcome is the same: a saying that arrives
late finds its place between those that were there before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import pairwise

from memcli.clock import DAY_MS
from memcli.extract.gist import merely_denies
from memcli.govern.doubtful import corrects
from memcli.govern.relate import Side, Tie, tie
from memcli.log.memory import joined
from memcli.memories import Quote, Statement

SOON_MS = 3 * DAY_MS
"""Within this time "sorry" and "actually" take back what was said; later they only bring news."""
_LATE = 1 << 62


@dataclass(frozen=True, slots=True)
class Said:
    """One saying: what was stated, its words, and the memory that holds it already, if any.

    A saying that is not `active` belongs to a memory that is held, refused or
    forgotten: the same said again joins it, but it retires nothing.
    """

    side: Side
    quotes: tuple[Quote, ...]
    holder: str | None = None
    active: bool = True

    @property
    def order(self) -> tuple[int, str, str, tuple[tuple[str, str], ...]]:
        """The place among others: by time, then by what does not depend on when it came in."""
        at = self.side.said_ms
        return (
            -_LATE if at is None else at,
            self.side.statement.text,
            self.side.statement.relation,
            tuple((quote.text, "") for quote in self.quotes),
        )


@dataclass(slots=True)
class Thread:
    """Sayings of one thing in one stretch of time. What closed it, and from when to when it was true.

    `void` says that it was never so: it was corrected. `by` and `against` are
    other threads of the same course.
    """

    sayings: list[Said]
    since_ms: int | None = None
    until_ms: int | None = None
    void: bool = False
    by: Thread | None = None
    against: list[Thread] = field(default_factory=list)

    @property
    def active(self) -> bool:
        """Whether it takes part in what is true; what is said again of something refused joins it and does not."""
        return all(said.active for said in self.sayings)

    @property
    def statement(self) -> Statement:
        """What all sayings say, in the fewest words."""
        return reduce(joined, [said.side.statement for said in self.sayings])

    @property
    def weight(self) -> float:
        return max(said.side.weight for said in self.sayings)

    @property
    def last_ms(self) -> int | None:
        return max((said.side.said_ms for said in self.sayings if said.side.said_ms is not None), default=None)


Ties = Callable[[Said, Said], Tie]


def plain_tie(one: Said, other: Said) -> Tie:
    """The tie of two sayings, from their sides."""
    return tie(one.side, other.side)


def course(sayings: Sequence[Said], ties: Ties = plain_tie) -> list[Thread]:
    """The threads that some sayings make, in order of time, with what follows from all of them together.

    The sayings must be all that are tied to one another. `ties` gives the tie
    of two of them.
    """
    ordered = sorted(sayings, key=lambda said: said.order)
    threads = [thread for group in _groups(ordered, ties) for thread in _stretches(group, ordered, ties)]
    threads.sort(key=lambda thread: thread.sayings[0].order)
    for thread in threads:
        thread.since_ms = _since(thread)
    live = [thread for thread in threads if thread.active]
    wins = {
        (number, other): _beats(thread, live[other], ties)
        for number, thread in enumerate(live)
        for other in range(len(live))
        if other != number
    }
    _correct(live, wins)
    _close(live, wins)
    return threads


def _groups(sayings: Sequence[Said], ties: Ties) -> list[list[Said]]:
    """Those that say the same, directly or through others. Two memories are not made one over a person's decision."""
    place = list(range(len(sayings)))

    def find(number: int) -> int:
        while place[number] != number:
            place[number] = place[place[number]]
            number = place[number]
        return number

    passive = {said.holder for said in sayings if not said.active}
    holders: dict[int, set[str]] = {n: {said.holder} if said.holder else set() for n, said in enumerate(sayings)}
    for here, said in enumerate(sayings):
        for there in range(here):
            other = sayings[there]
            a, b = find(here), find(there)
            if a == b or ties(said, other) != "same":
                continue
            both = holders[a] | holders[b]
            if len(both) > 1 and both & passive:
                continue
            place[max(a, b)] = min(a, b)
            holders[min(a, b)] = both
    found: dict[int, list[Said]] = {}
    for number, said in enumerate(sayings):
        found.setdefault(find(number), []).append(said)
    return list(found.values())


def _stretches(group: list[Said], everything: Sequence[Said], ties: Ties) -> list[Thread]:
    """The sayings of one thing, parted where something else was so in between: nine, then ten, then nine again.

    A mere "not" in between parts nothing: what is said again afterwards goes on.
    """
    threads = [Thread([group[0]])]
    for before, after in pairwise(group):
        parted = before.side.said_ms is not None and any(
            other.active
            and not merely_denies(other.side.statement)
            and ties(other, before) == "replaces"
            and other.side.said_ms is not None
            and after.side.said_ms is not None
            and other.side.said_ms < after.side.said_ms
            and ties(after, other) == "replaces"
            for other in everything
        )
        if parted:
            threads.append(Thread([after]))
        else:
            threads[-1].sayings.append(after)
    return threads


def _since(thread: Thread) -> int | None:
    """From when it is true: as the weightiest of its sayings have it, the earliest of them."""
    known = [
        said.side.since_ms
        for said in thread.sayings
        if said.side.since_ms is not None and said.side.weight == thread.weight
    ]
    return min(known, default=None)


def _beats(one: Thread, other: Thread, ties: Ties) -> Tie:
    """The tie of two threads: what all their sayings agree on; where they do not, nobody can tell."""
    found = {ties(a, b) for a in one.sayings for b in other.sayings} - {"apart", "same"}
    if len(found) == 1:
        return found.pop()
    if "replaces" in found and "replaced" in found:
        return "replaces" if (one.last_ms or -_LATE) > (other.last_ms or -_LATE) else "replaced"
    if found & {"replaces", "replaced"}:
        return "replaces" if "replaces" in found else "replaced"
    return "against" if found else "apart"


def _correct(threads: list[Thread], wins: dict[tuple[int, int], Tie]) -> None:
    """What was corrected was never so; the correction holds from when the mistake was thought to."""
    by_time = sorted(range(len(threads)), key=lambda number: (threads[number].last_ms or -_LATE, number))
    for number in by_time:
        thread = threads[number]
        wrong = [
            other
            for other in range(len(threads))
            if other != number
            and wins[number, other] == "replaces"
            and not threads[other].void
            and _takes_back(thread, threads[other])
        ]
        if not wrong:
            continue
        latest = threads[max(wrong, key=lambda other: (threads[other].last_ms or -_LATE, other))]
        latest.void, latest.by, latest.until_ms = True, thread, latest.since_ms
        if all(said.side.statement.begin_ms is None for said in thread.sayings):
            thread.since_ms = latest.since_ms


def _takes_back(thread: Thread, other: Thread) -> bool:
    """Whether some saying of a thread corrects another, and does not say from when on something new holds."""
    for said in thread.sayings:
        begin, at = said.side.statement.begin_ms, said.side.said_ms
        if begin is not None and said.side.since_ms == begin and other.since_ms is not None and begin > other.since_ms:
            continue
        soon = at is not None and other.last_ms is not None and at - other.last_ms <= SOON_MS
        if corrects(said.side.words or said.side.statement.text, soon=soon):
            return True
    return False


def _close(threads: list[Thread], wins: dict[tuple[int, int], Tie]) -> None:
    """What is true ends when the first of its successors begins; what nobody can settle stands against each other."""
    for number, thread in enumerate(threads):
        after = [other for index, other in enumerate(threads) if index != number and wins[index, number] == "replaces"]
        after = [other for other in after if not other.void]
        if thread.void or not after:
            continue
        first = min(
            after, key=lambda other: (_LATE if other.since_ms is None else other.since_ms, other.sayings[0].order)
        )
        thread.by, thread.until_ms = first, first.since_ms
        if thread.until_ms is not None and thread.since_ms is not None:
            thread.until_ms = max(thread.until_ms, thread.since_ms)
    for number, thread in enumerate(threads):
        for index, other in enumerate(threads):
            if index != number and wins[number, index] == "against" and thread.by is None and other.by is None:
                thread.against.append(other)
