"""A question and its short answer, told as one statement: neither says it alone (B2)."""

from __future__ import annotations

from dataclasses import dataclass

from memcli.extract.context import Found
from memcli.extract.english import words as w
from memcli.extract.english.verbs import form_of, past_of, third
from memcli.extract.parse import parse
from memcli.extract.person import Cast, Teller, Told, UnresolvedError
from memcli.extract.relate import Reading, shortened
from memcli.extract.sentences import Sentence, clean, sentences
from memcli.extract.teller import Line, Scene, found, trimmed
from memcli.extract.tokens import Token, tokenise
from memcli.extract.worth import weigh
from memcli.memories import Quote
from memcli.types import Entry

_YES = frozenset("yes yeah yep yup sure definitely absolutely totally indeed correct".split())
_NO = frozenset("no nope nah never".split())
_OPEN = frozenset(("someone", "somebody", "anyone", "anybody", "something", "anything", "somewhere", "anywhere"))
_LONGEST = 14


@dataclass(frozen=True, slots=True)
class Question:
    """The question of the turn before: its words, its tokens from the first that counts, and who asked."""

    quote: Quote
    tokens: list[Token]
    asker: str


def answer(scene: Scene, sentence: Sentence, tokens: list[Token], line: Line) -> list[Found] | None:
    """What question and answer state together; None where the sentence is no short answer."""
    begin, sign = _reply(tokens)
    rest = trimmed(tokens[begin:], scene.people) if begin < len(tokens) else []
    if sign and len(rest) == 2 and rest[0].low == "i" and rest[1].tag in "bhom":
        rest = []  # "Yes, I did."
    if len(rest) > _LONGEST or (not rest and sign == 0):
        return None
    if [token.low for token in rest] in (["me"], ["i", "do"], ["i", "am"], ["i", "have"], ["i", "will"]):
        return _it_is_me(scene, line)
    if any(token.tag in "bhmp" or (token.tag == "v" and "d" in token.forms) for token in rest[1:]):
        return None
    clause = parse(rest) if rest else None
    short = (
        clause is not None
        and not clause.elided
        and clause.verb.base in ("do", "be")
        and clause.verb.head == clause.verb.first
    )
    if clause is not None and not (short and _bare(rest, clause.verb.end)):
        return None
    question = _question(scene)
    if question is None:
        return None
    try:
        return _told(scene, line, question, rest, sign, clause.stop if clause is not None else 0)
    except UnresolvedError:
        return None


def _it_is_me(scene: Scene, line: Line) -> list[Found] | None:
    """Who's got the key? Me."""
    question = _question(scene)
    if question is None or question.tokens[0].low != "who" or len(question.tokens) < 4:
        return None
    aux, body = question.tokens[1], trimmed(question.tokens[2:], scene.people)
    if aux.tag not in "bh" or any(token.tag in "pts" for token in body):
        return None
    try:
        does = Teller(Cast(question.asker, scene.speaker, lookup=scene.referents), []).tell(body, Told())
    except UnresolvedError:
        return None
    if weigh(does, scene.leave_out).score < 1:
        return None
    does = f"{'has' if aux.tag == 'h' else 'is'} {does}".replace("has got ", "has ")
    reading = Reading("responsible_for", shortened(does.split(maxsplit=1)[1]), "fact", "semantic")
    return found(
        scene, line, f"{scene.speaker} {does}", scene.speaker, reading, tokens=line.tokens, extra=(question.quote,)
    )


def _reply(tokens: list[Token]) -> tuple[int, int]:
    """Past the yes or no, and which of them it was (1, -1; 0 neither)."""
    at, sign = 0, 0
    while at < len(tokens) and (tokens[at].low in w.OPENERS or tokens[at].tag in ",." or tokens[at].low in _YES):
        if tokens[at].low == "no" and at + 1 < len(tokens) and tokens[at + 1].tag not in ",.":
            break
        sign = 1 if tokens[at].low in _YES else -1 if tokens[at].low in _NO else sign
        at += 1
    return at, sign


def _bare(rest: list[Token], at: int) -> bool:
    return at >= len(rest) or rest[at].tag == ","


def _question(scene: Scene) -> Question | None:
    if not scene.context.before:
        return None
    entry = scene.context.before[-1]
    if "?" not in entry.text or _same_speaker(entry, scene):
        return None
    text, _ = clean(entry.text)
    asked = [item for item in sentences(text) if item.asks]
    if not asked or len(asked) > 2:
        return None
    last = asked[-1]
    tokens = tokenise(text, last.start, last.end, scene.people)
    at = 0
    while at < len(tokens) and (tokens[at].low in w.OPENERS or tokens[at].tag in ",." or _called(tokens, at)):
        at += 1
    if not tokens[at:]:
        return None
    asker = entry.speaker or scene.context.listener or ""
    return Question(Quote(entry.id, entry.text[last.start : last.end]), tokens[at:], asker)


def _called(tokens: list[Token], at: int) -> bool:
    """Words before the question itself: "Al dear, are you …"; "And your partner, what's …"."""
    comma = next((place for place in range(at, min(len(tokens), at + 4)) if tokens[place].tag == ","), None)
    if comma is None or tokens[at].tag in "bhomq":
        return False
    after = tokens[comma + 1] if comma + 1 < len(tokens) else None
    return after is not None and after.tag in "bhomq"


def _same_speaker(entry: Entry, scene: Scene) -> bool:
    own = scene.context.entry
    return entry.speaker == own.speaker or (entry.trust == own.trust == "self")


def _told(scene: Scene, line: Line, question: Question, rest: list[Token], sign: int, named: int) -> list[Found] | None:
    cast = Cast(question.asker, scene.speaker, lookup=scene.referents)
    teller = Teller(cast, [])
    said = Teller(scene.cast, line.times).tell(rest, Told(scene.speaker)) if rest else ""
    if rest and rest[0].tag in "dir" and said:
        said = said[0].lower() + said[1:]
    weight = weigh(said, scene.leave_out)
    first = question.tokens[0]
    if first.tag in "bhom":
        return _yes_or_no(scene, line, question, teller, said, sign)
    if weight.score < 1 or first.tag != "q":
        return None
    return _open(scene, line, question, teller, said, rest, named)


def _yes_or_no(
    scene: Scene, line: Line, question: Question, teller: Teller, said: str, sign: int
) -> list[Found] | None:
    tokens = question.tokens
    stop = _inverted_end(tokens)
    if stop is None:
        return None
    subject = teller.tell(tokens[1:stop], Told())
    own = [token.low for token in tokens[1:stop]] == ["you"]
    chat = scene.context.entry.trust != "self"
    if (
        said
        and sign == 0
        and not (said.split()[0].lower() in _HANGING or any(token.low in _OPEN for token in tokens))
        and chat
    ):
        return None
    if chat and any(token.low in ("any", "ever", "favorite", "favourite", "kind") for token in tokens):
        return None
    name = scene.speaker if own else subject
    if not own and (sign == 0 or tokens[1].tag == "p"):
        return _asked(scene, line, question, teller, said, stop) if weigh(said, scene.leave_out).figures else None
    body = trimmed(tokens[stop:], scene.people)
    if not said and (
        "if" in question.quote.text.lower().split() or not weigh(predicate_of(body), scene.leave_out).names
    ):
        return None
    if not said and (
        any(token.low in ("any", "ever") or token.low in _OPEN for token in body)
        or weigh(predicate_of(body), scene.leave_out).score < 3
    ):
        return None
    open_word = next((token for token in body if token.low in _OPEN), None)
    predicate = _predicate(tokens[0], body, own, sign, teller)
    if not predicate or weigh(predicate, scene.leave_out).score < 1 or tokens[0].tag == "m":
        return _asked(scene, line, question, teller, said, stop) if weigh(said, scene.leave_out).score >= 1.5 else None
    if open_word is not None:
        if not said or any(token.tag in "vbhom" for token in line.tokens):
            return None
        predicate = predicate.replace(open_word.text, said.split(",")[0], 1)
    elif said:
        predicate = (
            f"{predicate}, {said}"
            if said[:1].isupper() or "," in said or said.split()[0] not in _HANGING
            else f"{predicate} {said}"
        )
    base = next((token.base for token in body if token.base), "be")
    kind: Reading = Reading(f"verb:{base}", shortened(predicate), "fact", "semantic")
    if open_word is not None or line.times:
        kind = Reading(f"plan:{base}", shortened(predicate), "plan", "task_state")
    return found(
        scene, line, f"{subject} {predicate}", name, kind, tokens=line.tokens, negated=sign < 0, extra=(question.quote,)
    )


def predicate_of(body: list[Token]) -> str:
    """The words of a question behind its subject, as they stand."""
    return " ".join(token.text for token in body)


_HANGING = w.PREPOSITION | {"every", "each", "twice", "once", "daily", "weekly", "always", "often", "since", "because"}


def _inverted_end(tokens: list[Token]) -> int | None:
    """Where the subject behind the auxiliary of a question ends."""
    if len(tokens) < 3:
        return None
    if tokens[1].tag == "p":
        return 2
    if tokens[1].tag in "dsN":
        stop = 2
        while stop < len(tokens) and tokens[stop].tag in "wN'" and stop < 6:
            stop += 1
        return stop if stop < len(tokens) else None
    return None


def _predicate(aux: Token, body: list[Token], own: bool, sign: int, teller: Teller) -> str:
    """What is said of the subject, in the form of a statement."""
    told = teller.tell(body, Told("", own, True, True))
    no = " not" if sign < 0 else ""
    if aux.tag != "o":
        word = {"are": "is" if own else "are", "have": "has" if own else "have", "were": "was" if own else "were"}.get(
            aux.low, aux.low
        )
        return f"{word}{no} {told}"
    at = next((place for place, token in enumerate(body) if token.base and "b" in token.forms), None)
    if at is None:
        return ""
    if no:
        return f"{'did' if aux.low == 'did' else 'does'} not {told}"
    verb = body[at]
    form = past_of(verb.base) if aux.low == "did" else third(verb.base) if own or aux.low == "does" else verb.base
    return told.replace(verb.text, form, 1)


def _asked(scene: Scene, line: Line, question: Question, teller: Teller, said: str, stop: int) -> list[Found]:
    """Where it cannot be told as one sentence: what was asked and what was answered."""
    tokens = question.tokens
    subject = teller.tell(tokens[1:stop], Told())
    whether = f"{subject} {tokens[0].low} {teller.tell(tokens[stop:], Told('', True, True, True))}"
    text = f"Asked whether {whether}, {scene.speaker} answered: {said}"
    work = scene.is_work and tokens[0].low in ("should", "shall", "can", "may")
    reading = Reading("choice", shortened(said), "decision", "task_state")
    if work:
        reading = Reading(
            f"setting:{shortened(teller.tell(tokens[stop:], Told('', True, True, True)))}",
            shortened(said),
            "instruction",
            "preference",
        )
    return found(scene, line, text, scene.speaker, reading, tokens=line.tokens, extra=(question.quote,))


def _open(
    scene: Scene, line: Line, question: Question, teller: Teller, said: str, rest: list[Token], named: int
) -> list[Found] | None:
    tokens = question.tokens
    word = tokens[0].low
    if word == "who" and len(tokens) > 2 and tokens[1].tag == "v" and "z" in tokens[1].forms and rest[0].tag == "N":
        name = " ".join(token.text for token in (rest[:named] if named else rest[:1]))
        does = trimmed(tokens[1:], scene.people)
        more = Teller(scene.cast, line.times).tell(rest[named + 1 :], Told()).strip(" ,") if named else ""
        told = teller.tell(does, Told()) + (f", {more}" if more else "")
        value = shortened(teller.tell(does[1:], Told()))
        relation = "responsible_for" if tokens[1].base in ("own", "handle", "manage") else f"state:{tokens[1].base}"
        reading = Reading(relation, value, "fact", "semantic")
        return found(scene, line, f"{name} {told}", name, reading, tokens=rest, extra=(question.quote,))
    if word == "where" and len(tokens) > 3 and tokens[1].low in ("are", "'re") and tokens[2].low == "you":
        body = trimmed(tokens[3:], scene.people)
        if len(body) != 1 or "g" not in body[0].forms:
            return None
        joint = "" if said.split()[0].lower() in w.PREPOSITION else "to "
        first = said.split(",")[0]
        text = f"{scene.speaker} is {body[0].low} {joint}{first}"
        reading = Reading(f"plan:{body[0].base}", shortened(first), "plan", "task_state")
        return found(scene, line, text, scene.speaker, reading, tokens=line.tokens, extra=(question.quote,))
    if word in ("what", "who", "where", "when") and len(tokens) > 2 and tokens[1].low in ("is", "'s", "are", "was"):
        return _copula(scene, line, question, teller, said)
    asked_when = word == "when" and len(tokens) > 3 and tokens[1].low in ("can", "will", "do", "shall", "should")
    if asked_when and tokens[2].low == "we" and line.times:
        body = trimmed(tokens[3:], scene.people)
        aux = "" if tokens[1].low in ("do", "shall", "should") else f"{tokens[1].low} "
        text = f"{scene.speaker} and others {aux}{teller.tell(body, Told('', True, True, True))} {said.split(',')[0]}"
        reading = Reading(f"plan:{body[0].base or body[0].low}", shortened(said), "plan", "task_state")
        return found(scene, line, text, scene.speaker, reading, tokens=line.tokens, extra=(question.quote,))
    if word in ("where", "when", "what") and len(tokens) > 3 and tokens[1].tag == "o" and tokens[2].low == "you":
        body = trimmed(tokens[3:], scene.people)
        predicate = _predicate(tokens[1], body, True, 0, teller)
        if not predicate or not body[0].base:
            return None
        joint = "" if word != "where" or said.split()[0].lower() in w.PREPOSITION else "in "
        text = f"{scene.speaker} {predicate} {joint}{said}"
        relation = "lives_in" if (word, body[0].base) == ("where", "live") else f"state:{form_of(body[0].low)[0]}"
        reading = Reading(relation, shortened(said.removeprefix("in ")), "fact", "semantic")
        return found(scene, line, text, scene.speaker, reading, tokens=line.tokens, extra=(question.quote,))
    return None


def _copula(scene: Scene, line: Line, question: Question, teller: Teller, said: str) -> list[Found] | None:
    """What's your partner's name? Emre."""
    body = trimmed(question.tokens[2:], scene.people)
    if body[0].tag not in "dsN" or any(token.tag == "v" and token.low not in w.ATTRIBUTES for token in body):
        return None
    if body[0].low in ("his", "her", "their") and body[-1].low == "name":
        kin = _kin_of(scene, question)
        if not kin:
            return None
        text = f"{scene.speaker}'s {kin} is {said}" if scene.speaker else ""
        from memcli.extract.kinship import bond

        return found(scene, line, text, scene.speaker, bond(kin, said), tokens=line.tokens, extra=(question.quote,))
    what = teller.tell(body, Told())
    own = body[0].low == "your"
    key = " ".join(token.low for token in body[1:]) if own else "is"
    reading = Reading(f"setting:{key}" if own else "is", shortened(said), "fact", "semantic")
    name = scene.speaker if own else what.removeprefix("the ")
    text = f"{what} {question.tokens[1].low if question.tokens[1].low != chr(39) + 's' else 'is'} {said}"
    return found(scene, line, text, name, reading, tokens=line.tokens, extra=(question.quote,))


def _kin_of(scene: Scene, question: Question) -> str:
    """The relative that the question speaks of: "And your partner, what's his name?" """
    words = [word.strip(",.?!").lower() for word in question.quote.text.split()]
    return next(
        (word for at, word in enumerate(words) if word in w.KIN | w.PETS and at and words[at - 1] == "your"), ""
    )


def about(scene: Scene, line: Line, name: str, told: str) -> list[Found]:
    """Any allergies? Theo: walnuts."""
    question = _question(scene)
    if question is None:
        return []
    asked = question.quote.text.rstrip("?")
    text = f"Asked “{asked}?”, {scene.speaker} said of {name}: {told}"
    relation = "allergic_to" if "allerg" in asked.lower() else "note"
    reading = Reading(relation, shortened(told), "fact", "permanent" if relation == "allergic_to" else "semantic")
    return found(scene, line, text, name, reading, tokens=line.tokens, extra=(question.quote,))


def presupposed(scene: Scene, line: Line) -> list[Found]:
    """Why are you learning Turkish? Whoever goes on to say why, does."""
    question = _question(scene)
    if question is None or question.tokens[0].low != "why" or len(question.tokens) < 4 or len(line.tokens) < 4:
        return []
    aux, who = question.tokens[1], question.tokens[2]
    body = trimmed(question.tokens[3:], scene.people)
    if who.low != "you" or aux.tag not in "bo" or not body or any(token.tag == "n" for token in question.tokens):
        return []
    try:
        predicate = _predicate(aux, body, True, 0, Teller(Cast(question.asker, scene.speaker), []))
    except UnresolvedError:
        return []
    if not predicate or weigh(predicate, scene.leave_out).score < 1.5 or not any(token.base for token in body):
        return []
    base = next(token.base for token in body if token.base)
    rule = Reading("learns", shortened(predicate.split(maxsplit=2)[-1]), "fact", "semantic")
    reading = rule if base == "learn" else Reading(f"state:{base}", shortened(predicate), "fact", "semantic")
    return found(
        scene, line, f"{scene.speaker} {predicate}", scene.speaker, reading, tokens=[], extra=(question.quote,)
    )
