"""What somebody wants done or has settled: instructions, reminders, refusals, choices (C2)."""

from __future__ import annotations

import re
from dataclasses import replace

from memcli.extract import mood
from memcli.extract.context import Found
from memcli.extract.english import words as w
from memcli.extract.parse import Clause, parse
from memcli.extract.person import Teller, Told, UnresolvedError, possessive
from memcli.extract.relate import Reading, shortened
from memcli.extract.subject import subject_of
from memcli.extract.teller import Line, Scene, found, trimmed
from memcli.extract.tokens import Token
from memcli.extract.worth import EMPTY, weigh


def instruct(scene: Scene, line: Line, tail: bool = False) -> list[Found] | None:
    """The sentence as an instruction, if it is one; an empty list where it is one that is not kept, else None."""
    tokens = line.tokens
    at = 0
    while at < len(tokens) and (
        tokens[at].tag in ",." or tokens[at].low in w.OPENERS or tokens[at].low in ("from", "now", "on")
    ):
        if tokens[at].low == "from" and not line.piece.lower().lstrip(" ,").find("from now on") >= 0:
            break
        at += 1
    start = at
    lead = mood.conditional(line.piece)
    if lead:
        at = _after_condition(tokens, at)
    if at + 1 < len(tokens) and tokens[at + 1].tag == "#" and (scene.is_note or tokens[at].low in w.ATTRIBUTES):
        return None
    clause = parse(tokens, at)
    ordered = clause is not None and clause.elided and clause.verb.tense == "imperative"
    if not ordered and scene.context.entry.trust != "self":
        return None
    if clause is not None and not ordered and (_wants(clause) or _must(clause)):
        ordered = True
    if not ordered or clause is None or clause.verb.base in EMPTY:
        return None
    if scene.is_note and clause.verb.base in _MEETINGS and clause.rest and clause.rest[0].low in ("at", "with", "on"):
        return None
    lasting = mood.lasting(line.piece) or clause.verb.negated or scene.instructed or lead or scene.is_note
    stops = clause.verb.base == "stop" and any(token.forms == "g" for token in clause.rest[:1])
    asked = any(token.low in ("please", "pls") for token in tokens)
    kept = (scene.is_work and (lasting or stops or _must(clause) or _wants(clause))) or (
        asked and mood.lasting(line.piece)
    )
    kept = kept or (scene.context.entry.trust == "self" and clause.verb.base == "remember" and (tail or start == 0))
    if (
        clause.verb.base == "remind"
        and scene.context.entry.trust == "self"
        and len(clause.rest) > 2
        and clause.rest[0].low == "me"
    ):
        told = Teller(scene.cast, line.times).tell(clause.rest[1:], Told(scene.speaker))
        plan = Reading("plan:remind", shortened(told.removeprefix("to ")), "plan", "task_state")
        return found(scene, line, f"{scene.speaker} wants to be reminded {told}", scene.speaker, plan, tokens=tokens)
    if clause.verb.base == "let" and clause.rest and clause.rest[0].low in ("us", "me", "'s"):
        return _proposal(scene, line, clause)
    if not kept:
        return [] if not _wants(clause) and not _must(clause) else None
    cast = scene.cast
    if cast.listener is None and not scene.is_note:
        cast = replace(cast, listener="the assistant")
    teller = Teller(cast, line.times)
    body = trimmed(tokens[start:], frozenset())
    if not scene.is_work or not _wants(clause):
        body = tokens[start:]
    try:
        told = teller.tell(body, Told())
    except UnresolvedError:
        return []
    if weigh(told, scene.leave_out).score < 1:
        return []
    reading = Reading(f"instruction:{clause.verb.base}", shortened(told), "instruction", "preference")
    if line.times and not mood.lasting(line.piece):
        reading = Reading(f"plan:{clause.verb.base}", shortened(told), "plan", "task_state")
    elif clause.verb.base == "forget" and clause.verb.negated:
        reading = Reading("instruction:remember", shortened(told), "instruction", "permanent")
    elif told.lower().startswith("remember to"):
        reading = Reading(f"plan:{clause.verb.base}", shortened(told), "plan", "task_state")
    lowered = (
        told[0].lower() + told[1:]
        if told.split()[0].lower() not in w.SUBJECT and not told.split()[0].isupper()
        else told
    )
    text = f"{possessive(scene.speaker)} instruction: {lowered}"
    return found(scene, line, text, scene.speaker, reading, tokens=tokens, negated=clause.verb.negated, importance=0.7)


_MEETINGS = frozenset("interview call visit meet run walk test check lunch date".split())


def _wants(clause: Clause) -> bool:
    """I want them to fail loudly."""
    return (
        not clause.elided
        and clause.tokens[clause.begin].low == "i"
        and clause.verb.base in ("want", "need")
        and any(token.low == "to" for token in clause.rest[1:5])
        and bool(clause.rest)
        and clause.rest[0].low != "to"
        and clause.rest[0].tag in "pds"
    )


def _must(clause: Clause) -> bool:
    """Tests must not touch the network."""
    return not clause.elided and clause.verb.modal in ("must", "should") and clause.tokens[clause.begin].tag in "wvd"


def _after_condition(tokens: list[Token], at: int) -> int:
    """Where the order begins behind its condition: after the comma, else at the last verb that can be one."""
    for place in range(at, len(tokens)):
        if tokens[place].tag == ",":
            return place + 1
    for place in range(len(tokens) - 1, at + 2, -1):
        token = tokens[place]
        if token.tag == "v" and "b" in token.forms and tokens[place - 1].tag in "wN" and place + 1 < len(tokens):
            return place
    return at


def _proposal(scene: Scene, line: Line, clause: Clause) -> list[Found]:
    """Let's go with Grafana: a decision, where it says for what."""
    rest = clause.rest[1:]
    if not rest or rest[0].base not in ("go", "use", "take", "keep", "say", "pick", "stick", "drop", "switch"):
        return []
    told = Teller(scene.cast, line.times).tell(rest, Told())
    if weigh(told, scene.leave_out).score < 1:
        return []
    chat = scene.context.entry.trust != "self"
    if chat and rest[0].base in ("go", "keep", "take", "say") and (len(rest) < 2 or rest[1].low != "with"):
        return []
    value = shortened(" ".join(told.split()[1:]).removeprefix("with "))
    text = f"{scene.speaker} decided: {told}"
    return found(
        scene, line, text, scene.speaker, Reading("choice", value, "decision", "task_state"), tokens=line.tokens
    )


def rule_out(scene: Scene, line: Line, start: int) -> list[Found]:
    """There is no way we're painting it yellow: what somebody refuses."""
    tokens = [token for token in line.tokens if token.start >= start]
    clause = parse(tokens)
    if clause is None or clause.elided:
        return []
    try:
        subject = subject_of(clause.subject, Teller(scene.cast, line.times))
        told = Told(scene.speaker)
        body = clause.tokens[clause.stop :]
        teller = Teller(scene.cast, line.times)
        rest = teller.tell(
            body, told, clause.verb.first - clause.stop, singular=subject.singular, plural=subject.plural
        )
    except UnresolvedError:
        return []
    if weigh(rest, scene.leave_out).score < 1:
        return []
    text = f"{scene.speaker} refuses that {subject.text} {rest}"
    if clause.verb.progressive:
        text = f"{scene.speaker} is against {rest.split(maxsplit=1)[1]}"
    reading = Reading("decision", shortened(rest), "preference", "preference")
    return found(scene, line, text, scene.speaker, reading, tokens=tokens, negated=True)


_IT_IS = re.compile(
    r"(?:^|[:,] )(?P<what>[A-Z][\w.+-]*(?: [A-Z\d][\w.+-]*){0,3}) it is(?P<rest>, not [^.!]+)?(?=\s*(?:$|[.!]))",
    re.MULTILINE,
)


def settled(scene: Scene, line: Line) -> list[Found]:
    """Grafana it is, not Datadog: a choice."""
    match = _IT_IS.search(line.piece) if " it is" in line.piece else None
    if match is None or match["what"].lower() in w.OPENERS:
        return []
    what = match["what"]
    text = f"{scene.speaker} decided on {what}{match['rest'] or ''}"
    reading = Reading("choice", what.lower(), "decision", "task_state")
    return found(scene, line, text, scene.speaker, reading, tokens=line.tokens, importance=0.6)
