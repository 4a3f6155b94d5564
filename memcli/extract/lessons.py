"""Lessons from failures: a tool's check failed, the call was changed, the check passed, and it happened twice (B11).

Pure code, no model. What is learnt is read off the calls, never off what a
tool says in its output: whether a check failed is its status, and the change
is what differs between the failing and the passing call. One case teaches
nothing; two of different sessions are generalised by what they share.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from memcli.extract.context import Found
from memcli.lang.words import STOP, stem, words
from memcli.memories import Quote, Statement
from memcli.types import Entry

LESSON = "lesson"
"""The relation of a lesson."""
SUBJECT = "Lesson"
SHORT = 240
"""Characters of a failing result that are looked at for what the failures share."""
_CALL = re.compile(r"(?P<tool>[\w.:-]{1,80}): (?P<args>[{\[].*)\Z", re.DOTALL)
_GOOD = frozenset({"passed", "pass", "ok", "success", "succeeded", "valid"})
_BAD = frozenset({"failed", "fail", "error", "failure", "rejected", "invalid"})
LONGEST_RUN = 4
"""Words of a tool's output that a lesson may have in it."""
_VERDICTS = ("status", "result", "outcome", "verdict")
_SILENT = _GOOD | _BAD | {*_VERDICTS, "message", "always", "never", "must", "use", "run", "rule", "lesson"}
Kind = Literal["apart", "with", "without"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of a tool and its result; `failed` is what its status says, or the verdict field of a JSON result."""

    tool: str
    args: Mapping[str, Any]
    failed: bool
    call: Entry
    result: Entry


@dataclass(frozen=True, slots=True)
class Case:
    """A failure that a change of the call turned into a pass.

    `apart`: the items of the list `key` failed together and passed one by
    one; `parts` are those that got a call of their own, `unit` is what else
    differs between the passing calls ("day"). `with` and `without`: the words
    `parts` came into or went out of the value `key`.
    """

    kind: Kind
    key: str
    parts: tuple[str, ...]
    unit: str
    failure: Attempt
    passes: tuple[Attempt, ...]
    request: Entry | None


def lessons(sessions: Iterable[Sequence[Entry]]) -> list[Found]:
    """The lessons that two sessions or more teach, each citing its cases. Entries of a session are in their order."""
    alike: dict[tuple[str, ...], list[Case]] = {}
    for entries in sessions:
        seen = set()
        for case in cases(entries):
            mark = _mark(case)
            if mark not in seen:  # a session that fails the same way again is one case
                seen.add(mark)
                alike.setdefault(mark, []).append(case)
    return [_generalised(found) for found in alike.values() if len(found) > 1]


def cases(entries: Sequence[Entry]) -> Iterator[Case]:
    """The cases of one session, in its order."""
    made = list(attempts(entries))
    for at, failure in enumerate(made):
        if not failure.failed:
            continue
        later = [item for item in made[at + 1 :] if item.tool == failure.tool]
        passed: list[Attempt] = []
        for item in later:
            if item.failed and passed:
                break
            if not item.failed:
                passed.append(item)
        request = _request(entries, failure.call)
        case = _split(failure, passed, request) or _reworded(failure, passed, request)
        if case is not None:
            yield case


def attempts(entries: Iterable[Entry]) -> Iterator[Attempt]:
    """Calls with their results. Results come in the order of the calls that they answer."""
    waiting: list[tuple[str, Mapping[str, Any], Entry]] = []
    for entry in entries:
        if entry.role != "tool":
            if entry.role == "user":
                waiting.clear()
            continue
        call = _call(entry)
        if call is not None:
            waiting.append((*call, entry))
        elif waiting:
            tool, args, asked = waiting.pop(0)
            failed = _failed(entry)
            if failed is not None:
                yield Attempt(tool, args, failed, asked, entry)


def _call(entry: Entry) -> tuple[str, Mapping[str, Any]] | None:
    match = _CALL.match(entry.text) if entry.status == "unknown" else None
    value = _json(match["args"]) if match else None
    return (match["tool"], value) if match and isinstance(value, dict) else None


def _failed(entry: Entry) -> bool | None:
    """Whether a result is a failure; None where nobody can tell."""
    if entry.status == "failed":
        return True
    value = _json(entry.text) if entry.text[:1] == "{" else None
    if isinstance(value, dict):
        for key in _VERDICTS:
            said = str(value.get(key, "")).casefold()
            if said in _BAD or said in _GOOD:
                return said in _BAD
        for key in ("ok", "success", "passed", "valid"):
            if isinstance(value.get(key), bool):
                return not value[key]
    return False if entry.status == "passed" else None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _request(entries: Sequence[Entry], call: Entry) -> Entry | None:
    """What the person had asked for: their first words of the session before the call."""
    for entry in entries:
        if entry.id == call.id:
            return None
        if entry.role == "user":
            return entry
    return None


def _split(failure: Attempt, passed: Sequence[Attempt], request: Entry | None) -> Case | None:
    for key, value in failure.args.items():
        whole = _items(value)
        if len(whole) < 2:
            continue
        got = [(attempt, _items(attempt.args.get(key))) for attempt in passed]
        pieces = [(attempt, items) for attempt, items in got if items and not set(whole) <= set(items)]
        covered = {item for _, items in pieces for item in items}
        alone = [items[0] for _, items in pieces if len(items) == 1 and items[0] in whole]
        if not set(whole) <= covered or not alone or len(pieces) < 2:
            continue
        told = " ".join(words(failure.result.text))
        # Who is at fault is what has a call of its own; where all have, what the failure names first.
        if set(alone) == set(whole):
            named = sorted((told.find(" ".join(words(item))), item) for item in alone)
            alone = [item for place, item in named if place >= 0][:1] or alone[-1:]
        attempts = tuple(attempt for attempt, _ in pieces)
        return Case("apart", key, tuple(alone), _unit(attempts, key), failure, attempts, request)
    return None


def _unit(passes: Sequence[Attempt], key: str) -> str:
    """What is different for each of the passing calls, besides the list: a day, a box, a batch."""
    for name in passes[0].args:
        values = [attempt.args.get(name) for attempt in passes]
        single = name != key and not any(isinstance(value, dict | list) for value in values)
        if single and len({str(value) for value in values}) == len(values):
            return name
    return "call"


def _reworded(failure: Attempt, passed: Sequence[Attempt], request: Entry | None) -> Case | None:
    for attempt in passed[:1]:
        changed = [key for key in {**failure.args, **attempt.args} if failure.args.get(key) != attempt.args.get(key)]
        if len(changed) != 1:
            continue
        before, after = (_pieces(args.get(changed[0])) for args in (failure.args, attempt.args))
        more, less = [p for p in after if p not in before], [p for p in before if p not in after]
        if more and not less:
            return Case("with", changed[0], tuple(more), "", failure, (attempt,), request)
        if less and not more:
            return Case("without", changed[0], tuple(less), "", failure, (attempt,), request)
    return None


def _items(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str | int) for item in value):
        return ()
    return tuple(dict.fromkeys(str(item) for item in value))


def _pieces(value: object) -> list[str]:
    return [] if value is None else str(value).split()


def _mark(case: Case) -> tuple[str, ...]:
    """What cases have to share to be of one kind."""
    same = () if case.kind == "apart" else case.parts
    return (case.failure.call.scope, case.failure.tool, case.kind, case.key, *same)


def _generalised(found: Sequence[Case]) -> Found:
    """One statement of the first two cases and their kin, one step above them, with every case as its evidence."""
    first = found[:2]
    quotes = [quote for case in found for quote in _evidence(case)]
    task = _shared([case.request.text for case in first if case.request is not None])
    tool = first[0].failure.tool
    why = _shared_run([case.failure.result.text[:SHORT] for case in first], set(words(tool.replace("_", " "))))
    for_task = f"For “{' '.join(task)}”: " if task else ""
    because = f" (“{why}”)" if why else ""
    text = f"{for_task}{_told(first, because)} {tool} failed before and passed after that in two cases."
    value = " ".join(_mark(first[0])[1:])
    return Found(
        Statement(text, SUBJECT, LESSON, value.casefold(), "fact", "semantic", importance=0.8),
        tuple(dict.fromkeys(quotes)),
    )


def _told(found: Sequence[Case], because: str) -> str:
    case = found[0]
    if case.kind == "apart":
        one = case.key[:-1] if case.key.endswith("s") and len(case.key) > 3 else case.key
        parts = " and ".join(f"“{' + '.join(item.parts)}”" for item in found)
        units = {item.unit for item in found}
        unit = units.pop() if len(units) == 1 else "call"
        return f"what fails together with another {one}{because} gets a {unit} of its own, as did {parts}."
    words_of = f"“{' '.join(case.parts)}”"
    return f"call it {case.kind} {words_of} in {case.key}{because}."


def _evidence(case: Case) -> Iterator[Quote]:
    asked = [] if case.request is None else [case.request]
    for entry in (
        *asked,
        case.failure.call,
        case.failure.result,
        *(part for p in case.passes for part in (p.call, p.result)),
    ):
        yield Quote(entry.id, entry.text)


def _shared(texts: Sequence[str]) -> list[str]:
    """The telling words that all the texts have, in the order and the form of the first."""
    if len(texts) < 2:
        return []
    there = [{stem(word) for word in words(text)} for text in texts]
    telling = (word for word in words(texts[0]) if word not in STOP and not word.isdigit() and len(word) > 1)
    return [word for word in dict.fromkeys(telling) if all(stem(word) in known for known in there)][:8]


def _shared_run(texts: Sequence[str], leave_out: Collection[str]) -> str:
    """The longest few words in a row that both failures have, "" where none tells anything.

    Few, because they are a tool's own: enough to name the trouble, too few to
    give an order.
    """
    if len(texts) < 2:
        return ""
    one, other = (words(text) for text in texts[:2])
    joined = f" {' '.join(other)} "
    silent = _SILENT | set(leave_out)
    best: list[str] = []
    for start in range(len(one)):
        for end in range(start + 1, min(len(one), start + LONGEST_RUN) + 1):
            run = one[start:end]
            if run[-1] in silent or run[-1].isdigit() or f" {' '.join(run)} " not in joined:
                break
            telling = [word for word in run if word not in STOP]
            if (
                telling
                and run[-1] not in STOP
                and (run[0] not in STOP or run[0] in ("too", "not", "no"))
                and len(run) > len(best)
            ):
                best = run
    return " ".join(best)
