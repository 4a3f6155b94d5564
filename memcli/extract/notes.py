"""The shorthand of notes: a label with what belongs to it, an appointment, a dose, a ban, a list."""

from __future__ import annotations

import re

from memcli.extract import answers, clauses, mood
from memcli.extract.clauses import Part
from memcli.extract.context import Found
from memcli.extract.english import words as w
from memcli.extract.kinship import bond
from memcli.extract.parse import parse
from memcli.extract.person import Teller, Told, UnresolvedError, possessive
from memcli.extract.relate import Reading, relation_row, shortened
from memcli.extract.sentences import SPEECH
from memcli.extract.subject import filed
from memcli.extract.teller import Line, Scene, found, state, trimmed
from memcli.extract.tokens import Token
from memcli.extract.worth import weigh

_LABEL_WORDS = 7
_DOSE = re.compile(r"\b\d+(?:[.,]\d+)? ?(?:mg|ml|mcg|µg|g|iu|units?|drops?|puffs?)\b", re.IGNORECASE)
_AGE = re.compile(r"^(?P<v>\d{1,3}|\w+) (?:yrs?|years?|months?|weeks?)(?: old)?$", re.IGNORECASE)
_REPEATED = re.compile(r"\b(?:every|each|daily|weekly|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b", re.IGNORECASE)
_CLOCK = re.compile(r"^\d{1,2}(?:[ap]m)?$", re.IGNORECASE)
_LABELS = frozenset(
    "decision decided update note notes problem bug status plan todo result results conclusion summary question answer "
    "idea reason goal fix lesson outcome next change deadline fact background context warning caution address phone "
    "recipe ingredients title subject agenda attendees action actions".split()
)
"""Words before a colon that stand for no person, though they are written with a capital."""
_SUBSCRIPTIONS = frozenset("sub subs subscription subscriptions".split())
_ILL = re.compile(
    r"\b(?:diabetes|glaucoma|asthma|cancer|arthritis|dementia|\w+itis|\w+emia|disease|blood pressure|heart)\b"
)


def labelled(scene: Scene, line: Line) -> list[Found] | None:
    """What a note with a label states: "dentist: Dr. Weber, Tue 14:00"; None where the sentence has no label."""
    tokens = line.tokens
    at = next((place for place, token in enumerate(tokens) if token.text in (":", "=")), None)
    if at is None or not 0 < at <= _LABEL_WORDS or at + 1 >= len(tokens):
        return None
    label = tokens[:at]
    while label and (label[0].low in w.OPENERS or label[0].tag in ",."):
        label = label[1:]
    label = _without_emphasis(label)
    if not label or any(token.tag in "bhomp" and token.low != "you" for token in label) or _stated(label):
        return None
    if _is_person(label):
        return _of_person(scene, line, label, tokens[at + 1 :])
    if scene.context.entry.trust != "self" and label[-1].low != "you":
        return None
    try:
        return _Label(scene, line, label).read(tokens[at + 1 :])
    except UnresolvedError:
        return []


_EMPHASIS = frozenset("hands down far still ever always obviously clearly definitely now again one always".split())


def _without_emphasis(label: list[Token]) -> list[Token]:
    """A label without what only stresses it: "favourite colour scheme, hands down"."""
    comma = next((at for at, token in enumerate(label) if token.tag == ","), None)
    if comma and all(token.low in _EMPHASIS or token.tag == "i" for token in label[comma + 1 :]):
        return label[:comma]
    return label


def _is_person(label: list[Token]) -> bool:
    """A name or a title with a name, alone: "Prof. Adeyemi", "Theo"."""
    named = all(token.tag == "N" or token.low in w.TITLES for token in label) and label[0].low not in w.ROLE
    return (
        named
        and label[0].low not in _LABELS
        and len(label) <= 3
        and not label[0].text.isupper()
        and not label[0].base
        and (len(label) == 1 or label[0].low in w.TITLES)
    )


def _of_person(scene: Scene, line: Line, label: list[Token], rest: list[Token]) -> list[Found]:
    """Prof. Adeyemi: wants violin plots; Theo: walnuts."""
    name = " ".join(token.text for token in label)
    clause = parse(rest)
    verb = rest[0]
    says = (
        clause is not None
        and clause.elided
        and (("z" in verb.forms and "b" not in verb.forms) or verb.low in ("is", "has"))
    )
    told = Teller(scene.cast, line.times).tell(rest, Told(name, True, True, True))
    if weigh(told, scene.leave_out).score < 1:
        return []
    if says and clause is not None:
        pieces = items(rest)
        apart = len(pieces) > 1 and all("z" in piece[0].forms for piece in pieces)
        made: list[Found] = []
        for piece in pieces if apart else [rest]:
            said = Teller(scene.cast, line.times).tell(piece, Told(name, True, True, True))
            reading = Reading(f"state:{piece[0].base}", shortened(said), "fact", "preference")
            made += found(scene, line, f"{name} {said}", name, reading, tokens=piece)
        return made
    reading = Reading("note", shortened(told), "fact", "semantic")
    if label[0].low not in scene.people or scene.is_work:
        return answers.about(scene, line, name, told) or found(
            scene, line, f"About {name}: {told}", name, reading, tokens=rest
        )
    return []


def _stated(label: list[Token]) -> bool:
    clause = parse(label)
    if clause is None or (not clause.elided and clause.verb.end >= len(label) and clause.verb.tense == "present"):
        return False
    return not clause.elided or "d" in label[0].forms


class _Label:
    """A label, and the statements that its items make with it."""

    def __init__(self, scene: Scene, line: Line, label: list[Token]) -> None:
        self._scene = scene
        self._line = line
        self._label = label
        self._teller = Teller(scene.cast, line.times)
        while label and label[0].tag == "s" and label[0].low in ("my", "our"):
            label = label[1:]
        self._word = next((token.low for token in label if token.low in w.ROLE | w.KIN | w.ATTRIBUTES), label[-1].low)
        self._told = self._teller.tell([token for token in label if token.tag != "d"], Told())
        self._name = ""

    def read(self, tokens: list[Token]) -> list[Found]:
        parts = clauses.parts(tokens, [(time.start, time.end) for time in self._line.times])
        made: list[Found] = []
        loose: list[list[Token]] = []
        for part in parts:
            if part.clause is not None and not part.clause.elided:
                made += state(self._scene, self._line, part)
            elif part.tokens:
                loose += items(part.tokens)
        if not loose:
            return made
        if loose[0] and parse(loose[0]) is not None and loose[0][0].forms.startswith("b"):
            return [*made, *self._plain(tokens)]
        if self._label[0].tag == "i":
            return [*made, *(found for item in loose for found in relative(self._scene, self._line, item))]
        if (self._word in w.ROLE and loose[0][0].tag == "N") or loose[0][0].low in w.TITLES:
            return [*made, *self._role(loose)]
        if any(token.low in ("favourite", "favorite") for token in self._label):
            return [*made, *self._favourite(loose[0])]
        if self._word in w.ATTRIBUTES and self._word not in ("plan", "goal"):
            return [*made, *self._attribute(tokens)]
        if self._is_list(loose):
            return [*made, *(found for item in loose for found in self._entry(item))]
        if self._word in w.ATTRIBUTES:
            return [*made, *self._attribute(tokens)]
        dated = [item for item in loose if item[0].low in w.ATTRIBUTES]
        if dated:
            return [*[found for item in dated for found in self._property(item)], *made]
        return [*made, *self._plain(tokens)]

    def _is_list(self, loose: list[list[Token]]) -> bool:
        return (
            len(loose) > 1
            and self._label[-1].low.endswith("s")
            and all(len(item) > 1 and any(token.tag == "#" for token in item) for item in loose)
        )

    def _favourite(self, item: list[Token]) -> list[Found]:
        scene = self._scene
        told = self._teller.tell(item, Told())
        kind = self._told.split(",")[0].lower().replace("favorite", "favourite").partition("favourite ")[2] or "thing"
        text = f"{possessive(scene.speaker)} favourite {kind} is {told}"
        reading = Reading(f"favourite:{kind}", shortened(told), "preference", "preference")
        return found(scene, self._line, text, scene.speaker, reading, tokens=item)

    def _role(self, loose: list[list[Token]]) -> list[Found]:
        scene, line = self._scene, self._line
        names = [item for item in loose if self._is_name(item)]
        if not names:
            return []
        who = ", ".join(self._teller.tell(item, Told()) for item in names)
        text = f"{possessive(scene.speaker)} {self._told} is {who}"
        made = found(scene, line, text, scene.speaker, bond(self._word, who), tokens=names[0])
        for item in loose:
            if item in names:
                continue
            told = self._teller.tell(item, Told())
            if sum(sign.isdigit() for sign in told) >= 6 and all(token.tag in "#." for token in item):
                reading = Reading("number:phone", told, "fact", "semantic")
                made += found(
                    scene, line, f"The phone number of {who} ({self._told}) is {told}", who, reading, tokens=item
                )
                continue
            timed = any(time.start <= token.start < time.end for token in item for time in line.times)
            if timed or _REPEATED.search(told):
                text = f"{possessive(scene.speaker)} appointment with {who} ({self._told}) is {told}"
                reading = Reading(f"appointment:{self._word}", told.lower(), "plan", "task_state")
                made += found(scene, line, text, scene.speaker, reading, tokens=item)
            elif item[0].tag == "v" and "b" in item[0].forms:
                text = f"{possessive(scene.speaker)} instruction for {self._told} ({who}): {told}"
                reading = Reading(f"instruction:{item[0].base}", told.lower(), "instruction", "task_state")
                made += found(scene, line, text, scene.speaker, reading, tokens=item)
            elif item[0].low not in w.PRAISE and weigh(told, scene.leave_out).score >= 1:
                made += found(
                    scene, line, f"{who} is {told}", who, Reading("is", told.lower(), "fact", "semantic"), tokens=item
                )
        return made

    def _is_name(self, item: list[Token]) -> bool:
        timed = any(time.start <= item[0].start < time.end for time in self._line.times)
        return not timed and item[0].low not in w.CALENDAR and (item[0].tag == "N" or item[0].low in w.TITLES)

    def _entry(self, item: list[Token]) -> list[Found]:
        told = self._teller.tell(item, Told())
        scene = self._scene
        text = f"{possessive(scene.speaker)} {self._told}: {told}"
        what = " ".join(token.low for token in item if token.tag != "#")
        figure = " ".join(token.text for token in item if token.tag == "#")
        if self._word in _SUBSCRIPTIONS:
            text = f"{scene.speaker} has a subscription: {told}"
            reading = Reading(f"subscription:{what}", figure, "fact", "semantic")
        else:
            reading = Reading(f"note:{self._told.lower()}", told.lower(), "fact", "observation")
        return found(scene, self._line, text, scene.speaker, reading, tokens=item)

    def _attribute(self, tokens: list[Token]) -> list[Found]:
        told = self._teller.tell(tokens, Told())
        scene = self._scene
        text = f"{possessive(scene.speaker)} {self._told} is {told}"
        reading = relation_row(self._word, shortened(told))
        return found(scene, self._line, text, scene.speaker, reading, tokens=tokens, importance=0.6)

    def _property(self, item: list[Token]) -> list[Found]:
        told = self._teller.tell(item[1:], Told())
        if not told:
            return []
        text = f"The {item[0].low} of the {self._told} is {told}"
        return found(self._scene, self._line, text, self._told, relation_row(item[0].low, told.lower()), tokens=item)

    def _plain(self, tokens: list[Token]) -> list[Found]:
        told = self._teller.tell(tokens, Told())
        scene = self._scene
        if weigh(told, scene.leave_out).score < 1:
            return []
        plan = bool(self._line.times)
        if scene.is_note:
            text = f"{possessive(scene.speaker)} note on {self._told}: {told}"
        else:
            text = f"{possessive(scene.speaker)} {self._told}: {told}"
        key = f"note:{self._told.lower()}"
        reading = Reading(key, shortened(told), "plan" if plan else "fact", "task_state" if plan else "observation")
        return found(scene, self._line, text, scene.speaker, reading, tokens=self._line.tokens)


def items(tokens: list[Token]) -> list[list[Token]]:
    """The stretches between commas."""
    made: list[list[Token]] = [[]]
    for token in tokens:
        if token.tag == ",":
            made.append([])
        elif token.text not in "!.":
            made[-1].append(token)
    return [item for item in made if item]


def relative(scene: Scene, line: Line, item: list[Token]) -> list[Found]:
    """ "father T2 diabetes": what a relative has."""
    kin = next((at for at, token in enumerate(item[:3]) if token.low in w.KIN), None)
    if kin is None or kin + 1 >= len(item):
        return []
    who = " ".join(token.low for token in item[: kin + 1] if token.tag != "s")
    told = Teller(scene.cast, line.times).tell(item[kin + 1 :], Told())
    name = f"{possessive(scene.speaker)} {item[kin].low}"
    reading = Reading("diagnosis" if _ILL.search(told.lower()) else "note", told.lower(), "fact", "permanent")
    return found(scene, line, f"{possessive(scene.speaker)} {who} has {told}", name, reading, tokens=item)


def fragments(scene: Scene, line: Line, parts: list[Part], last: list[Found]) -> list[Found]:
    """What a sentence without a verb states: nothing unless it is a note or hangs on the statement before it."""
    tokens = [token for token in parts[0].tokens if token.text not in "!"]
    at = 0
    while at < len(tokens) and (tokens[at].low in w.OPENERS - {"no"} or tokens[at].tag in ",."):
        at += 1
    tokens = tokens[at:]
    if not tokens:
        return []
    try:
        if SPEECH in scene.text:
            return []
        asked = any(token.low in ("please", "pls") for token in tokens)
        if tokens[0].low == "not" and asked and scene.context.entry.trust == "self":
            return _ban(scene, line, tokens)
        if tokens[0].low == "no" and scene.context.entry.trust == "self":
            return _ban(scene, line, tokens)
        if (scene.is_note or mood.changed(line.piece)) and is_timed(tokens) and (timed := _timed(scene, line, tokens)):
            return timed
        if (last and parts[0].tokens == line.tokens and any(token.tag == "#" for token in tokens)) or (
            last and line.times
        ):
            return joined(scene, line, tokens, last[-1])
        if scene.is_note:
            return _note(scene, line, tokens)
        told = Teller(scene.cast, line.times).tell(tokens, Told())
        whole = not any(token.tag in "pbhom" for token in tokens)
        if whole and _REPEATED.search(told) and weigh(told, scene.leave_out).score >= 2 and len(tokens) <= 9:
            reading = Reading(f"habit:{shortened(told)}", shortened(told), "preference", "preference")
            return found(scene, line, f"{scene.speaker} mentioned: {told}", scene.speaker, reading, tokens=tokens)
    except UnresolvedError:
        return []
    return []


def described(scene: Scene, line: Line, last: list[Found]) -> list[Found] | None:
    """3 yrs old, lurcher mix, scared of brooms: of whom the sentence before named."""
    pieces = items(line.tokens)
    teller = Teller(scene.cast, line.times)
    if not pieces or pieces[0][0].tag not in "#w" or not _AGE.match(" ".join(token.text for token in pieces[0])):
        return None
    name = next((name for item in last for name in (*item.statement.people, *item.statement.entities)), "")
    if not name or name == scene.speaker:
        return []
    made: list[Found] = []
    for piece in pieces:
        told = teller.tell(piece, Told())
        age = _AGE.match(told)
        if age is not None:
            told = told if told.endswith("old") else f"{told} old"
            reading = Reading("age", age["v"].lower(), "fact", "semantic")
        elif piece[0].tag in "wN" and piece[-1].tag in "wN" and piece[0].low not in w.PRAISE:
            told = f"{'an' if told[0].lower() in 'aeiou' else 'a'} {told}"
            reading = Reading("is", shortened(told), "fact", "semantic")
        else:
            reading = Reading(
                "afraid_of" if piece[0].low in ("scared", "afraid") else "is", piece[-1].low, "fact", "semantic"
            )
        made += found(scene, line, f"{name} is {told}", name, reading, tokens=piece, extra=last[-1].quotes)
    return made


def _ban(scene: Scene, line: Line, tokens: list[Token]) -> list[Found]:
    """No prologue; no ibuprofen on top."""
    body = [token for token in tokens if token.low not in ("please", "pls")]
    ended = _without_any_more(body)
    if ended:
        return _no_longer(scene, line, ended)
    told = Teller(scene.cast, line.times).tell(body, Told())
    if (
        weigh(told, scene.leave_out).score < 1
        or len(body) < 2
        or body[1].low in ("problem", "worries", "idea", "way", "lower", "wonder")
    ):
        return []
    reading = Reading("avoids", shortened(told.split(maxsplit=1)[1]), "instruction", "preference")
    told = told[0].lower() + told[1:]
    return found(
        scene, line, f"{possessive(scene.speaker)} rule: {told}", scene.speaker, reading, tokens=body, importance=0.6
    )


def _without_any_more(body: list[Token]) -> list[Token]:
    """What there is no more of: "no gym membership any more"; empty where the words do not end so."""
    low = [token.low for token in body]
    if low[-2:] == ["any", "more"]:
        return body[1:-2]
    return body[1:-1] if low[-1:] in (["anymore"], ["longer"]) else []


def _no_longer(scene: Scene, line: Line, what: list[Token]) -> list[Found]:
    told = Teller(scene.cast, line.times).tell(what, Told())
    if weigh(told, scene.leave_out).score < 1 or any(token.tag in "pbhomqv" for token in what):
        return []
    text = f"{scene.speaker} no longer has {told}"
    reading = Reading("gave_up", shortened(told), "event", "semantic")
    return found(scene, line, text, scene.speaker, reading, tokens=what)


_BILLS = frozenset("invoice bill rent deposit fee quote ticket refund salary fine".split())


def is_timed(tokens: list[Token]) -> bool:
    """Whether words without a verb say when something is: "doors at 19:30", "revision due 6 March"."""
    at = next((at for at, token in enumerate(tokens[:6]) if token.low in ("at", "due")), 0)
    if not at or at + 1 >= len(tokens) or any(token.tag not in "wvNds" for token in tokens[:at]):
        return False
    if any(token.low in w.CALENDAR for token in tokens[:at]):
        return False
    clock = tokens[at + 1].tag == "#" and (":" in tokens[at + 1].text or _CLOCK.match(tokens[at + 1].text) is not None)
    return tokens[at].low == "due" or clock


def _timed(scene: Scene, line: Line, tokens: list[Token]) -> list[Found]:
    at = next(at for at, token in enumerate(tokens) if token.low in ("at", "due"))
    teller = Teller(scene.cast, line.times)
    what, when = teller.tell(tokens[:at], Told()), teller.tell(trimmed(tokens[at:], scene.people), Told())
    if weigh(what, scene.leave_out).score < 1:
        return []
    if tokens[at].low == "due" and not any(t.start <= token.start < t.end for token in tokens for t in line.times):
        return []
    name, _ = filed(tokens[:at], what, scene.cast)
    verb = "are" if tokens[at - 1].low.endswith("s") and not tokens[at - 1].low.endswith("ss") else "is"
    reading = (
        relation_row("deadline", "")
        if tokens[at].low == "due"
        else Reading("time", shortened(when.removeprefix("at ")), "plan", "task_state")
    )
    article = "" if tokens[0].tag in "dsN#" else "The "
    return found(scene, line, f"{article}{what} {verb} {when}", name, reading, tokens=tokens)


def _bill(scene: Scene, line: Line, tokens: list[Token]) -> list[Found]:
    """Invoice Lindqvist 4,200 kr: what it comes to."""
    at = next((at for at, token in enumerate(tokens) if token.tag == "#"), 0)
    if tokens[0].low not in _BILLS or at < 2 or any(token.tag != "N" for token in tokens[1:at]):
        return []
    teller = Teller(scene.cast, line.times)
    who, amount = teller.tell(tokens[1:at], Told()), teller.tell(tokens[at:], Told())
    name = f"{who} {tokens[0].low}"
    return found(
        scene,
        line,
        f"The {name} is {amount}",
        name,
        Reading("price", amount.lower(), "fact", "semantic"),
        tokens=tokens,
    )


def _note(scene: Scene, line: Line, tokens: list[Token]) -> list[Found]:
    teller = Teller(scene.cast, line.times)
    speaker = scene.speaker
    told = teller.tell(tokens, Told())
    weight = weigh(told, scene.leave_out)
    if tokens[0].low in ("note", "notes", "entry", "test"):
        return []
    if tokens[0].low in _BILLS and (billed := _bill(scene, line, tokens)):
        return billed
    if tokens[0].low in w.ATTRIBUTES and len(tokens) >= 2 and tokens[1].tag == "#":
        value = teller.tell(tokens[1:], Told())
        reading = relation_row(tokens[0].low, value.lower())
        return found(scene, line, f"{possessive(speaker)} {tokens[0].low} is {value}", speaker, reading, tokens=tokens)
    at = next((at for at, token in enumerate(tokens) if token.tag == "#"), 0)
    if (
        0 < at <= 5
        and tokens[at - 1].low in w.ATTRIBUTES | {"no"}
        and (tokens[0].tag == "s" or tokens[0].low in w.KIN or at == 1)
    ):
        what, value = teller.tell(tokens[:at], Told()), teller.tell(tokens[at:], Told())
        name, attribute = filed(tokens[:at], what, scene.cast)
        key = attribute.removesuffix(" number").split()[-1] if attribute else "own"
        reading = (
            Reading(f"number:{key}", value.lower(), "fact", "semantic")
            if tokens[at - 1].low == "number"
            else relation_row(tokens[at - 1].low, value.lower())
        )
        return found(scene, line, f"{what} is {value}", name, reading, tokens=tokens)
    if _DOSE.search(told):
        reading = Reading("uses", tokens[0].low, "plan", "task_state")
        return found(scene, line, f"{speaker} takes {told}", speaker, reading, tokens=tokens)
    dated = [item for item in items(tokens) if any(t.start <= k.start < t.end for k in item for t in line.times)]
    if len(dated) > 1 and len(line.times) > 1:
        return _several(scene, line, dated)
    if (weight.content and _REPEATED.search(told)) or re.search(r"\balways\b|\bin the (?:mornings?|evenings?)\b", told):
        reading = Reading(f"habit:{shortened(told)}", shortened(told), "preference", "preference")
        return found(
            scene,
            line,
            f"{speaker} noted: {told if tokens[0].tag == 'N' else told[0].lower() + told[1:]}",
            speaker,
            reading,
            tokens=tokens,
        )
    if weight.score < 2 or (not weight.names and not weight.figures and not line.times and weight.content < 4):
        return []
    ahead = bool(line.times) and scene.anchor is not None and line.times[0].end_ms > _ms(scene)
    reading = Reading("note", shortened(told), "plan" if ahead else "fact", "task_state" if ahead else "observation")
    lowered = told if tokens[0].tag == "N" else told[0].lower() + told[1:]
    return found(scene, line, f"{speaker} noted: {lowered}", speaker, reading, tokens=tokens)


def _several(scene: Scene, line: Line, dated: list[list[Token]]) -> list[Found]:
    """Worming tablet today, next one 2 Jul: each time is a note of its own."""
    made: list[Found] = []
    teller = Teller(scene.cast, line.times)
    head = " ".join(
        token.text
        for token in dated[0]
        if not any(t.start <= token.start < t.end for t in line.times) and token.tag != "i"
    )
    for item in dated:
        told = re.sub(r"\bone\b", head, teller.tell(item, Told()))
        first = next(t for t in line.times if any(t.start <= token.start < t.end for token in item))
        ahead = first.begin_ms > _ms(scene)
        reading = Reading(
            "note", shortened(told), "plan" if ahead else "event", "task_state" if ahead else "observation"
        )
        made += found(scene, line, f"{scene.speaker} noted: {told}", scene.speaker, reading, tokens=item)
    return made


def _ms(scene: Scene) -> int:
    from memcli.extract.dates import milliseconds

    return milliseconds(scene.anchor) if scene.anchor is not None else 0


def joined(scene: Scene, line: Line, tokens: list[Token], last: Found) -> list[Found]:
    """ACME signed! 24 months, 310 seats: what is added to the statement before."""
    told = Teller(scene.cast, line.times).tell(tokens, Told())
    if len(tokens) > 10 or not told:
        return []
    text = f"{last.statement.text.rstrip('.')}: {told}"
    first = last.statement
    reading = Reading(first.relation, first.value, first.kind, first.cls)
    return found(scene, line, text, first.subject, reading, tokens=tokens, negated=first.negated, extra=last.quotes)


__all__ = ["described", "fragments", "items", "labelled", "relative"]
