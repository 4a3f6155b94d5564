"""From a clause to a statement: subject, verb and rest told in the third person, and the words that it rests on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memcli.extract import directives, mood
from memcli.extract.clauses import Part
from memcli.extract.context import Context, Found
from memcli.extract.dates import Time, milliseconds
from memcli.extract.english import words as w
from memcli.extract.english.second import YOU, agreeing
from memcli.extract.english.verbs import third
from memcli.extract.lists import apart
from memcli.extract.parse import Clause
from memcli.extract.person import Cast, Teller, Told, possessive
from memcli.extract.referents import Referents
from memcli.extract.relate import Reading, is_ruled, read, shortened
from memcli.extract.sentences import Sentence
from memcli.extract.subject import Subject, subject_of
from memcli.extract.tokens import Token
from memcli.extract.worth import LIGHT, Case, figurative, weigh, worth_keeping
from memcli.memories import Quote, Statement

_FIRST_PERSON = re.compile(r"\b(?:I|I['’](?:m|ve|d|ll)|me|my|mine|myself|we|us|our|ours|ourselves)\b")
_RELATIVE = re.compile(
    r"(?<!['’]s )(?<!their )\b(?:(?:past|last|next|this|these|coming|other) (?:few |couple of |two |three "
    r")?(?:day|week|month|year|"
    r"night|weekend|summer|"
    r"winter|spring|autumn|fall|season|morning|evening|afternoon)s?|(?:days|weeks|months|years|weekends) "
    r"(?:later|earlier)|today|tonight|tomorrow|yesterday|ago)\b(?! of)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|‘[^’]*’|`[^`]*`")
_FILLERS = frozenset(
    "lol btw tho though haha hahaha anyway please pls lmao tbh imo right honestly too okay ok yay x xx xoxo "
    "today guys "
    "everyone ugh thanks folks dude man rn atm yet either".split()
)


@dataclass(slots=True)
class Scene:
    """What is known while an entry is read."""

    context: Context
    cast: Cast
    referents: Referents
    people: frozenset[str]
    anchor: datetime | None
    text: str = ""
    previous: str = ""
    instructed: bool = False
    subject: Subject | None = None
    about_person: bool = False
    complement: str = ""

    @property
    def speaker(self) -> str:
        """Whom "I" means."""
        return self.cast.speaker

    @property
    def is_note(self) -> bool:
        """Whether the person wrote this to nobody but themselves."""
        entry = self.context.entry
        return entry.trust == "self" and (entry.speaker is None or entry.source == "note")

    @property
    def is_work(self) -> bool:
        """Whether the person speaks to an assistant, or to themselves."""
        entry = self.context.entry
        others = [item for item in self.context.before if item.trust != "self"]
        return entry.trust == "self" and (self.is_note or not any(item.trust == "other" for item in others))

    @property
    def leave_out(self) -> frozenset[str]:
        """Names that say nothing new: those of who talks."""
        names = f"{self.cast.speaker} {self.cast.listener or ''}".lower().split()
        return frozenset(names)


@dataclass(slots=True)
class Line:
    """A sentence being told: where it stands, its words, its tokens, and its times (places in the whole text)."""

    sentence: Sentence
    piece: str
    tokens: list[Token]
    times: list[Time] = field(default_factory=list)


def found(
    scene: Scene,
    line: Line,
    text: str,
    subject: str,
    reading: Reading,
    *,
    tokens: list[Token],
    negated: bool = False,
    importance: float = 0.5,
    extra: tuple[Quote, ...] = (),
) -> list[Found]:
    """The statement with its evidence; nothing where a pronoun is left in it after all."""
    text = without_fillers(" ".join(text.split()).strip(" ,;:-"))
    text = text.rstrip(".!") + "."
    if scene.speaker == YOU:
        text = agreeing(text)
    bare = _QUOTED.sub(" ", text)
    if _FIRST_PERSON.search(bare) or _RELATIVE.search(bare):
        return []
    time = next((time for time in line.times if any(time.start <= token.start < time.end for token in tokens)), None)
    if reading.relation == "birthday":
        time = None
    quotes = scene.referents.quotes()
    entry = scene.context.entry
    own = Quote(entry.id, entry.text[line.sentence.start : line.sentence.end])
    people, places, entities = _named(tokens, scene)
    statement = Statement(
        text=text[0].upper() + text[1:],
        subject=agreeing(subject) if scene.speaker == YOU else subject,
        relation=reading.relation,
        value=reading.value,
        kind=reading.kind,
        cls=reading.cls,
        negated=negated,
        begin_ms=time.begin_ms if time else None,
        end_ms=time.end_ms if time else None,
        importance=round(min(importance, 1.0), 2),
        change=mood.changed(line.piece),
        people=people,
        places=places,
        entities=entities,
    )
    return [Found(statement, tuple(dict.fromkeys((*quotes, *extra, own))))]


_FILLER = re.compile(
    r",?\s*\b(?:btw|lol|lmao|haha\w*|tbh|imho|imo|ngl|fwiw|omg|by the way|to be (?:honest|fair)|for what it['’]s worth|"
    r"you know what|you know(?: me)?(?=[,.]|$)|(?:not (?:so|too|that) long|a (?:little |long )?while|some time) "
    r"(?:ago|back)|obviously|basically|literally|honestly|frankly|kinda|sorta|anyways?)\b(?!['’])(?:,(?= ))?",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"(?<!right)(?<!by)(?<!until)(?<!till)(?<!for)(?<!from)(?<!just)(?<!than),? now\b(?! that\b| and then)"
)


_EVEN = re.compile(
    r" (?:even|actually)(?= (?:\w+ed|had|made|got|went|took|saw|did|met|gave|won|found|have|has|is|was)\b)"
)
_LOOK = re.compile(
    r", (?:which (?:looks?|is|was|has been|felt|feels|seems?|seemed|sounds?) (?:really |so |very |pretty )?\w+\W*$|"
    r"(?:so )?(?:please )?(?:take a look|have a look|check (?:it|them|this) out|come (?:visit|see|over)|"
    r"(?:so|and) (?:let|look|see)\b|if (?:\w+|no one) (?:knows?|needs?|wants?|likes?|minds?|cares?|objects?)\b|wish "
    r"\w+ luck|be warned|just saying|mark my words|trust me|believe me)\b)"
)
"""What is only hung on: how it is, what the listener should do."""


def without_fillers(text: str) -> str:
    """A told sentence without "btw", "honestly", "now", but where they stand in somebody's words."""
    if "“" in text or '"' in text or "`" in text:
        return text
    bare = _EVEN.sub("", _NOW.sub("", _FILLER.sub("", text)))
    cut = _LOOK.search(bare)
    bare = bare if cut is None else bare[: cut.start()]
    return bare.strip(" ,;:-") if len(bare.split()) > 2 else text


def _named(tokens: list[Token], scene: Scene) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The people, places and other names of a clause."""
    people: dict[str, None] = {}
    places: dict[str, None] = {}
    entities: dict[str, None] = {}
    at = 0
    while at < len(tokens):
        if tokens[at].tag != "N" or tokens[at].low in w.CALENDAR:
            at += 1
            continue
        stop = at
        while stop < len(tokens) and tokens[stop].tag == "N":
            stop += 1
        name = " ".join(token.text for token in tokens[at:stop])
        before = tokens[at - 1].low if at else ""
        if tokens[at].low in scene.people or before in w.KIN or before in w.TITLES or before in w.ROLE:
            people[name] = None
        elif before in ("in", "to", "from", "near"):
            places[name] = None
        else:
            entities[name] = None
        at = stop
    return tuple(people), tuple(places), tuple(entities)


def trimmed(tokens: list[Token], people: frozenset[str], *, dated: bool = False) -> list[Token]:
    """Without the words at the end that add nothing: "btw", "lol", the name of whom one talks to.

    `dated`: "today" stays, it says when.
    """
    end = len(tokens)
    while end > 1:
        token = tokens[end - 1]
        if token.low == "of" and tokens[end - 2].low == "speaking":
            end -= 2
            continue
        if token.low == "today" and (dated or tokens[end - 2].low in ("of", "from", "since", "until", "till")):
            break
        if (token.tag in ",." and token.text not in "\"'”’") or token.low in _FILLERS:
            end -= 1
        elif tokens[end - 2].tag == "," and token.tag == "N" and token.low in people:
            end -= 2
        else:
            break
    return tokens[:end]


def state(scene: Scene, line: Line, part: Part, after: Found | None = None) -> list[Found]:
    """What a clause states; nothing where it says too little. Raises UnresolvedError where a pronoun is not known.

    `after` is a statement of the same sentence: with it before, a pronoun
    may stand that means something in it.
    """
    clause = part.clause
    if clause is None or clause.verb.tense == "imperative" or mood.open_modal(clause):
        return []
    rest_of = clause.rest
    joined = len(rest_of) > 0 and rest_of[0].low in ("and", "or")
    if joined and clause.elided and not part.inherits and (len(rest_of) < 2 or not rest_of[1].base):
        return []  # "focused and resilient"
    scene.referents.quotes()
    teller = Teller(scene.cast, line.times, scene.people)
    ill = _diagnosed(scene, line, clause, teller)
    if ill is not None:
        return ill
    subject = _subject(scene, clause, teller, part.inherits)
    if subject is None:
        return []
    scene.previous, scene.subject, scene.about_person = subject.text, subject, subject.person
    if (
        after is None
        and not any(token.low in _MEANING for token in clause.rest)
        and _too_little(scene, line, part, subject)
    ):
        return []
    if after is None and _only_pronouns(scene, line, part):
        return []
    told = Told(subject.name if subject.text.startswith(scene.speaker) else "")
    told.person_inside = subject.person and subject.name != scene.speaker
    told.thing_inside = not subject.person and not _means_something(scene, clause)
    told.group_inside = subject.plural and subject.name != scene.speaker
    if after is not None:
        told.thing_inside = told.group_inside = True
    dated = scene.is_note and clause.verb.tense in ("past", "perfect")
    tokens = trimmed(clause.tokens, scene.people, dated=dated)
    if len(tokens) < clause.verb.end:
        tokens = clause.tokens
    singular = subject.singular and not subject.plural
    finite = clause.verb.first - clause.stop
    body = tokens[clause.stop :]
    past = clause.verb.tense == "past"
    rest = teller.tell(tokens[clause.verb.end :], replace(told, named=set())) if tokens[clause.verb.end :] else ""
    sentence = teller.tell(body, told, finite, singular=singular, plural=subject.plural, past=past)
    if singular and clause.verb.tense == "present" and not clause.verb.modal and clause.verb.base != "be":
        sentence = _coordinated(sentence, body, clause)
    first = body[0] if body else None
    if first is not None and first.tag != "N" and first.text.istitle() and clause.elided:
        sentence = sentence[0].lower() + sentence[1:]
    if clause.elided and clause.tokens[clause.verb.first].low in ("been", "going"):
        sentence = ("has " if clause.tokens[clause.verb.first].low == "been" else "is ") + sentence
    elif clause.elided and clause.verb.progressive and clause.tokens[clause.verb.first].tag == "v":
        sentence = "is " + sentence
    if clause.verb.base == "be" and clause.verb.end >= len(tokens) and scene.complement:
        sentence = f"{sentence} {scene.complement}"  # "my husband isn't"
    rest = rest or (scene.complement if clause.verb.base == "be" else "")
    if clause.verb.base == "be":
        scene.complement = rest
    lead = teller.tell(list(part.lead), told) if part.lead else ""
    lead = lead.strip(" ,")
    if subject.attribute in w.ROLE and clause.verb.base != "be":
        subject = replace(subject, name=f"{possessive(subject.name)} {subject.attribute}", attribute="")
    ahead = _ahead(scene, line, (*part.lead, *tokens))
    reading = read(subject, clause.verb, rest, ahead)
    timed = any(time.start <= token.start < time.end for token in (*part.lead, *tokens) for time in line.times)
    weight = weigh(_untimed(f"{rest} {lead}", line), scene.leave_out)
    own = subject.name == scene.speaker and not subject.attribute
    if not worth_keeping(
        Case(
            clause,
            tokens,
            subject,
            weight,
            own,
            timed,
            reading.ruled,
            scene.is_note or scene.is_work,
            line.sentence.start,
            ahead is True,
        )
    ):
        named = subject.person and not own and after is not None
        if not named or reading.relation.startswith("is"):
            return []
    text = f"{subject.text} {sentence}"
    if lead:
        text += (
            " " + lead[0].lower() + lead[1:]
            if lead[:1].isupper() and lead.split()[0].lower() in _LOWERED
            else " " + lead
        )
    if after is not None:
        text = f"{after.statement.text.rstrip('.')}; {text}"
    values = apart(replace_tokens(clause, tokens), reading.relation) if after is None else []
    if values:
        each = [
            state(scene, line, Part(value, replace_tokens(clause, value), part.inherits, part.lead)) for value in values
        ]
        return [item for made in each for item in made]
    if figurative(text.lower()):
        return []
    importance = _importance(scene, reading, rest, line)
    return found(
        scene,
        line,
        text,
        subject.name,
        reading,
        tokens=[*tokens, *part.lead],
        negated=clause.verb.negated and not reading.relation.startswith("feels:"),
        importance=importance,
    )


def _ahead(scene: Scene, line: Line, tokens: Sequence[Token]) -> bool | None:
    """Whether the time that some words name was still to come when they were said; None where they name none."""
    time = next((time for time in line.times if any(time.start <= token.start < time.end for token in tokens)), None)
    if time is None or scene.anchor is None:
        return None
    return time.end_ms > milliseconds(scene.anchor)


_MEANING = frozenset("it its them they him her his their".split())


def _too_little(scene: Scene, line: Line, part: Part, subject: Subject) -> bool:
    """Whether a clause is not worth telling, as its own words show: nothing in it waits to be resolved."""
    clause = part.clause
    assert clause is not None
    if clause.verb.base == "be" and clause.verb.end >= len(clause.tokens):
        return False
    tokens = trimmed(clause.tokens, scene.people)
    if len(tokens) <= clause.verb.end:
        return False
    timed = ahead = False
    words = []
    for token in (*tokens[clause.verb.end :], *part.lead):
        if any(time.start <= token.start < time.end for time in line.times):
            timed = True
        else:
            words.append(token.text)
    if timed:
        ahead = _ahead(scene, line, (*part.lead, *tokens)) is True
    raw = scene.text[tokens[clause.verb.end].start : tokens[-1].end]
    own = subject.name == scene.speaker and not subject.attribute
    ruled = is_ruled(subject, clause.verb, raw, ahead if timed else None)
    working = scene.is_note or scene.is_work
    weight = weigh(" ".join(words), scene.leave_out)
    case = Case(clause, tokens, subject, weight, own, timed, ruled, working, line.sentence.start, ahead)
    return not worth_keeping(case)


def _only_pronouns(scene: Scene, line: Line, part: Part) -> bool:
    """Whether all that follows the verb means what was said before: "I sat with her and we talked"."""
    assert part.clause is not None
    rest = trimmed(part.clause.rest, scene.people)
    if not any(token.low in _MEANING for token in rest) or part.lead or part.clause.verb.negated:
        return False
    if any(time.start <= token.start < time.end for token in rest for time in line.times):
        return False
    light = part.clause.verb.base in LIGHT or part.clause.verb.base in ("sit", "stand", "wait", "chat", "call", "text")
    return light and weigh(" ".join(token.text for token in rest), scene.leave_out).score < 0.5


def replace_tokens(clause: Clause, tokens: list[Token]) -> Clause:
    """The same clause with other words behind its verb."""
    return Clause(tokens, clause.begin, clause.stop, clause.verb)


def _means_something(scene: Scene, clause: Clause) -> bool:
    """Whether an "it" behind the verb means what was named before the clause."""
    return any(token.low == "it" for token in clause.rest) and bool(scene.referents.asked())


def _untimed(text: str, line: Line) -> str:
    """A retold stretch without its times."""
    for time in line.times:
        text = text.replace(time.words, " ")
    return text


_LOWERED = w.PREPOSITION | w.DETERMINER | {"when", "every", "since", "last", "next"}


def _coordinated(sentence: str, body: list[Token], clause: Clause) -> str:
    """ "I paint and sing" → "paints and sings"."""
    first = clause.tokens[clause.verb.first]
    if first.tag != "v" or "b" not in first.forms:
        return sentence
    if clause.rest and clause.rest[0].low == "to":
        return sentence  # "wants to paint and sing"
    for at, token in enumerate(body[:-1]):
        after = body[at + 1]
        if (
            token.low in ("and", "or", "but")
            and after.tag == "v"
            and after.forms.startswith("b")
            and after.low == after.base
        ):
            follows = body[at + 2] if at + 2 < len(body) else None
            if follows is not None and follows.tag in "dspiN":
                sentence = re.sub(
                    rf"\b{token.low} {re.escape(after.low)}\b", f"{token.low} {third(after.base)}", sentence, count=1
                )
    return sentence


def _subject(scene: Scene, clause: Clause, teller: Teller, inherits: bool) -> Subject | None:
    if not clause.elided:
        first = clause.tokens[clause.begin]
        if (
            first.low in ("you", "your", "there", "everyone", "everybody", "someone", "nobody", "let")
            and first.low != "your"
        ):
            return None
        if first.tag == "q":
            return None
        return subject_of(clause.subject, teller)
    verb = clause.tokens[clause.verb.first]
    if inherits:
        return scene.subject
    other = scene.previous and not scene.previous.startswith(scene.speaker)
    other = other and scene.about_person
    third_person = (verb.tag == "v" and "z" in verb.forms and "b" not in verb.forms) or verb.low in (
        "is",
        "has",
        "does",
        "was",
    )
    if other and (third_person or scene.is_note) and verb.low not in ("am", "'m"):
        return Subject(scene.previous, _filed(scene.previous), True)
    if third_person:
        return None
    return Subject(scene.speaker, scene.speaker, True, singular=True)


def _filed(text: str) -> str:
    return re.sub(r"^(?:The|A|An)\s+", "", text)


_GRAVE = frozenset(
    "died death dead killed cancer tumour tumor stroke attack accident crash surgery hospital hospitalised "
    "hospitalized miscarriage divorce divorced separated fired bankrupt burgled assaulted attacked diagnosed collapsed "
    "drowned emergency funeral suicide overdose born birth adopted pregnant engaged married wedding".split()
)
"""Words of what nobody forgets."""


def _importance(scene: Scene, reading: Reading, rest: str, line: Line) -> float:
    weight = weigh(rest, scene.leave_out)
    value = 0.3 + 0.08 * min(weight.content, 3) + 0.1 * min(weight.names, 2) + 0.1 * min(weight.figures, 2)
    if reading.cls == "permanent" or directives.requests(line.piece):
        value += 0.3
    elif reading.ruled or line.times:
        value += 0.1
    return value + 0.3 * (not _GRAVE.isdisjoint(token.low for token in line.tokens))


_DOCTORS = frozenset("dr dr. doctor gp surgeon physio therapist dermatologist specialist".split())


def _diagnosed(scene: Scene, line: Line, clause: Clause, teller: Teller) -> list[Found] | None:
    """Dr. Haddad says it's reactive arthritis: what the speaker has."""
    rest = clause.rest
    if clause.verb.base not in ("say", "think", "confirm") or not any(
        token.low in _DOCTORS for token in clause.subject
    ):
        return None
    if len(rest) < 3 or rest[0].low != "it" or rest[1].tag != "b" or not scene.is_note:
        return None
    who = teller.tell(clause.subject, Told())
    ill = teller.tell(rest[2:], Told())
    reading = Reading("diagnosis", shortened(ill), "identity", "permanent")
    text = f"{who} says that {scene.speaker} has {ill}"
    return found(scene, line, text, scene.speaker, reading, tokens=rest, importance=0.8)
