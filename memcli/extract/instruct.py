"""What somebody wants done or has settled: instructions, reminders, refusals, choices (C2)."""

from __future__ import annotations

import re
from dataclasses import replace

from memcli.extract import directives, mood
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
        if tokens[at].low == "on" and (at == 0 or tokens[at - 1].low != "now"):
            break
        if tokens[at].low == "from" and not line.piece.lower().lstrip(" ,").find("from now on") >= 0:
            break
        at += 1
    start = at
    lead = mood.conditional(line.piece)
    if lead:
        at = _after_condition(tokens, at)
    if at + 1 < len(tokens) and tokens[at + 1].tag == "#" and (scene.is_note or tokens[at].low in w.ATTRIBUTES):
        return None
    if scene.is_note and _is_noun(tokens, at):
        return None
    clause = parse(tokens, at)
    if (
        clause is None
        and not lead
        and at < len(tokens)
        and any(token.low in ("must", "have", "has") for token in tokens)
    ):
        clause = _behind_lead(tokens, at)
    ordered = clause is not None and clause.elided and clause.verb.tense == "imperative"
    if not ordered and scene.context.entry.trust != "self":
        return None
    if clause is not None and not ordered and (_wants(clause) or _must(clause)):
        ordered = True
    if not ordered or clause is None or clause.verb.base in EMPTY:
        return None
    if scene.is_note and clause.verb.base in _MEETINGS and clause.rest and clause.rest[0].low in ("at", "with", "on"):
        return None
    lasting = directives.requests(line.piece) or clause.verb.negated or scene.instructed or lead or scene.is_note
    stops = clause.verb.base == "stop" and any(token.forms == "g" for token in clause.rest[:1])
    asked = any(token.low in ("please", "pls") for token in tokens)
    kept = (scene.is_work and (lasting or stops or _must(clause) or _wants(clause))) or (
        asked and directives.requests(line.piece)
    )
    kept = kept or (asked and scene.is_work and _in_general(clause))
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
    if line.times and not directives.requests(line.piece):
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


def _behind_lead(tokens: list[Token], at: int) -> Clause | None:
    """By the 25th of each month the invoices have to be sent: the obligation behind a time."""
    if tokens[at].tag != "i" and tokens[at].low not in ("each", "every"):
        return None
    for place in range(at + 2, min(len(tokens) - 3, at + 9)):
        if tokens[place].low in ("the", "all", "our") and tokens[place - 1].tag in "wN#":
            clause = parse(tokens, place, imperative=False)
            if clause is not None and not clause.elided and _must(clause):
                return clause
    return None


def _is_noun(tokens: list[Token], at: int) -> bool:
    """Whether what looks like an order only names a thing: "invoice Lindqvist 4,200 kr"."""
    behind = at + 1
    while behind < len(tokens) and tokens[behind].tag == "N":
        behind += 1
    return behind > at + 1 and behind < len(tokens) and tokens[behind].tag == "#" and tokens[behind].text[-1].isdigit()


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


_MANNER = frozenset("in with under as without within below using by".split())
_THIS_ONE = frozenset("it this that these those them here there him her me one".split())


def _in_general(clause: Clause) -> bool:
    """Write commit messages in the imperative: how things of a kind are to be done, not what is to be done now."""
    rest = clause.rest
    manner = next((at for at, token in enumerate(rest) if token.low in _MANNER and at), 0)
    if not manner or manner + 1 >= len(rest) or any(token.low in _THIS_ONE for token in rest):
        return False
    thing = rest[:manner]
    return thing[-1].low.endswith("s") and all(token.tag in "wvN" for token in thing)


def _must(clause: Clause) -> bool:
    """Tests must not touch the network."""
    obliged = clause.verb.modal in ("must", "should") or (
        clause.verb.modal == "have to" and clause.tokens[-1].tag != "p"
    )
    first = clause.tokens[clause.begin] if not clause.elided else None
    return first is not None and obliged and (first.tag in "wvd" or (first.tag == "N" and not _acts(clause)))


def _acts(clause: Clause) -> bool:
    """Whether somebody has to do something: not "the invoices have to be sent"."""
    return clause.verb.base != "be" or clause.stop - clause.begin < 2


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
    r"(?:(?:^|[:,] )(?P<what>[A-Z][\w.+-]*(?: [A-Z\d][\w.+-]*){0,3})|,? so (?P<so>[a-z][\w-]*(?: [\w-]+){0,2})) it is"
    r"(?P<rest>, not [^.!]+)?(?=\s*(?:$|[.!]))",
    re.MULTILINE,
)


def settled(scene: Scene, line: Line) -> tuple[list[Found], Line]:
    """Grafana it is, not Datadog: a choice, and what of the sentence stands before it."""
    match = _IT_IS.search(line.piece) if " it is" in line.piece else None
    if match is None or (match["what"] or match["so"]).split()[0].lower() in w.OPENERS:
        return [], line
    what = match["what"] or match["so"]
    text = f"{scene.speaker} decided on {what}{match['rest'] or ''}"
    reading = Reading("choice", what.lower(), "decision", "task_state")
    made = found(scene, line, text, scene.speaker, reading, tokens=line.tokens, importance=0.6)
    start = line.sentence.start + match.start()
    before = [token for token in line.tokens if token.start < start]
    return made, Line(line.sentence, line.piece, before if match["so"] else [], line.times)
