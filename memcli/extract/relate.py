"""Which relation a clause states, of what kind and class it is, and its value (B2)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memcli.extract.english import words as w
from memcli.extract.english.rules import RULES, Rule
from memcli.extract.parse import Verb
from memcli.extract.relations import relation_of
from memcli.extract.subject import Subject
from memcli.memories import Class, Kind

_CUT = re.compile(
    r"\s*(?:[,;:](?=\s|$)| by the way\b| though\b| and | but | because | since | so | which | who | when | while "
    r"| on \w+day\b).*$",
    re.DOTALL,
)
_ARTICLE = re.compile(r"^(?:the|a|an|my|our|some)\s+", re.IGNORECASE)
_REPEATED = re.compile(
    r"\b(?:every|each|always|usually|often|never|rarely|daily|weekly|twice a|once a|times? (?:a|per)|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days|in the (?:mornings?|evenings?)|on weekends|regularly)\b",
    re.IGNORECASE,
)
_MOVED = re.compile(r"(?:up |down |back )?(?:from .+? )?to (?P<v>.+)", re.IGNORECASE)
_MUST = re.compile(r"^(?:must|have to|need to)$")
_BY_BASE: dict[str, tuple[Rule, ...]] = {}
for _rule in RULES:
    for _base in _rule.bases:
        _BY_BASE[_base] = (*_BY_BASE.get(_base, ()), _rule)


@dataclass(frozen=True, slots=True)
class Reading:
    """The logical form of a clause: its relation and value, what kind of statement it is, and how it decays."""

    relation: str
    value: str
    kind: Kind
    cls: Class
    ruled: bool = True


def read(subject: Subject, verb: Verb, rest: str, ahead: bool | None) -> Reading:
    """The relation of a clause, by the table or else by its verb.

    `rest` is what follows the verb, already retold. `ahead` says whether the
    time that the clause names was still to come; None where it names none.
    """
    if subject.attribute:
        found = _attribute(subject.attribute, verb, rest)
        if found is not None:
            return found
    facts = _facts(subject, verb, ahead)
    for rule in _BY_BASE.get(verb.base, ()):
        if rule.when <= facts:
            match = rule.rest.match(rest)
            if match is not None:
                return _ruled(rule, match["v"] or rest, verb)
    return _plain(subject, verb, rest, ahead)


def is_ruled(subject: Subject, verb: Verb, rest: str, ahead: bool | None) -> bool:
    """Whether the table knows the relation of a clause; `rest` may be as it was said."""
    if subject.attribute:
        return verb.base in ("be", "run", "become", "start") or _MOVED.match(rest) is not None
    rules = _BY_BASE.get(verb.base)
    if rules is None:
        return False
    facts = _facts(subject, verb, ahead)
    return any(rule.when <= facts and rule.rest.match(rest) is not None for rule in rules)


def _facts(subject: Subject, verb: Verb, ahead: bool | None) -> frozenset[str]:
    tense = {"past": "past", "perfect": "past", "future": "future"}.get(verb.tense, "present")
    if verb.progressive and verb.base in ("move", "go", "relocate"):
        tense = "future"
    facts = {tense, "person" if subject.person else "thing"}
    if subject.person and not subject.sure:
        facts.add("thing")
    if verb.negated:
        facts.add("cannot" if verb.modal in ("can", "cannot") else "negated")
    if ahead:
        facts.add("ahead")
    return frozenset(facts)


def _feeling(verb: Verb) -> str:
    """Loves, likes or dislikes; what is not liked is disliked."""
    if verb.negated or verb.base in ("hate", "dislike", "loathe"):
        return "dislikes"
    return "loves" if verb.base in ("love", "adore") else "likes"


def _ruled(rule: Rule, value: str, verb: Verb) -> Reading:
    row = relation_of(rule.relation)
    short = shortened(value)
    if rule.relation == "feels":
        return Reading(f"feels:{short}", _feeling(verb), row.kind, row.cls)
    name = f"{rule.relation}:{short}" if rule.keyed or row.keyed else rule.relation
    return Reading(name, short, rule.kind or row.kind, rule.cls or row.cls)


def shortened(value: str) -> str:
    """The value without article and without what follows it, in lower case."""
    bare = _CUT.sub("", value.strip()).removesuffix(" now")
    return _ARTICLE.sub("", bare).strip(" .").lower()[:80]


def _attribute(attribute: str, verb: Verb, rest: str) -> Reading | None:
    """My birthday is …, the dentist is …, her favourite tea is …"""
    last = attribute.split()[-1]
    moved = _MOVED.match(rest)
    if verb.base in ("go", "rise", "increase", "drop", "change", "move", "fall") and moved is not None:
        return relation_row(last, shortened(moved["v"]))
    if verb.base not in ("be", "run", "become", "start"):
        return None
    key = next((word for word in ("favourite", "favorite") if word in attribute.split()), "")
    value = shortened(rest)
    if key:
        kind = attribute.split(key, 1)[1].strip() or "thing"
        return _row("favourite", kind, value)
    if attribute in ("birthday", "name", "age", "job", "address", "weight", "height", "deadline", "title", "diet"):
        return _row(attribute, "", value)
    if attribute == "home":
        return _row("lives_in", "", value.removeprefix("in "))
    if last == "address":
        return _row("address", "", value)
    if last in ("goal", "aim"):
        return _row("goal", "", value)
    if last in ("rent", "salary", "budget"):
        return Reading(f"setting:{last}", value, "fact", "semantic")
    if last == "number":
        return _row("number", attribute.removesuffix(" number").split()[-1], value)
    if last in w.ROLE and verb.base == "be":
        return _row("role", last, value)
    return Reading(f"setting:{attribute}", value, "fact", "semantic") if verb.tense == "present" else None


def relation_row(attribute: str, value: str) -> Reading:
    """The relation of a noun for a property: its weight, its deadline."""
    known = (
        attribute
        if attribute in ("weight", "height", "age", "deadline", "birthday", "title", "job", "diet", "name", "address")
        else ""
    )
    if known:
        return _row(known, "", value)
    return (
        _row("goal", "", value)
        if attribute in ("goal", "aim")
        else Reading(f"setting:{attribute}", value, "fact", "semantic")
    )


def _row(name: str, key: str, value: str) -> Reading:
    row = relation_of(name)
    return Reading(f"{name}:{key}" if key else name, value, row.kind, row.cls)


def _plain(subject: Subject, verb: Verb, rest: str, ahead: bool | None) -> Reading:
    value = shortened(rest)
    if _MUST.match(verb.modal) and not subject.person:
        return Reading(f"instruction:{verb.base}", value, "instruction", "preference", False)
    if verb.tense == "future" or verb.modal in ("must", "have to", "need to"):
        return Reading(f"plan:{verb.base}", value, "plan", "task_state", False)
    if verb.tense in ("past", "perfect"):
        return Reading(f"verb:{verb.base}", value, "event", "observation", False)
    if verb.base == "be" and ahead is False and verb.progressive:
        return Reading(f"verb:{verb.base}", value, "event", "observation", False)
    if ahead is False:
        return Reading(f"verb:{verb.base}", value, "event", "observation", False)
    if ahead or (
        verb.progressive and verb.base in ("go", "fly", "leave", "move", "start", "meet", "come", "travel", "visit")
    ):
        return Reading(f"plan:{verb.base}", value, "plan", "task_state", False)
    if verb.base == "be":
        return Reading("is", value, "fact", "semantic", False)
    if verb.progressive:
        return Reading(f"verb:{verb.base}", value, "fact", "observation", False)
    if subject.person and (_REPEATED.search(rest) or verb.base in ("play", "run", "read", "go", "eat", "drink")):
        return Reading(f"habit:{f'{verb.base} {value}'.strip()}", value, "preference", "preference", False)
    return Reading(f"state:{verb.base}", value, "fact", "semantic", False)
