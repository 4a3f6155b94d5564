"""What in a question points back at what was said before, and what it points at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memcli.recall.followup.choice import Found, choose_items, is_noun_of
from memcli.recall.followup.frame import Frame
from memcli.recall.followup.manner import Pronoun
from memcli.recall.followup.naming import is_auxiliary
from memcli.recall.followup.persons import Past, all_of, one_of


def references(frame: Frame, past: Sequence[Past]) -> Found:
    """Everything in a question that points back, resolved where the dialogue tells what it means."""
    found = Found()
    choose_items(frame, past, found)
    taken = {at for first, last, _ in found.edits for at in range(first, last)}
    for at, pronoun in _open_pronouns(frame):
        if at in taken:
            continue
        if pronoun.role in ("person", "people"):
            _resolve_person(frame, at, pronoun, past, found)
        elif pronoun.role == "place":
            _resolve_place(frame, at, past, found)
        else:
            _resolve_thing(frame, at, pronoun, past, found)
    return found


def is_thin(frame: Frame, found: Found) -> bool:
    """Whether a question has at most one word of its own to be found by, and that names no thing: "what did he write?"

    A thing shows by what stands before it: an article, an owner, a preposition, or "have".
    """
    replaced = {at for first, last, _ in found.edits for at in range(first, last)}
    own = [at for at in frame.content if at not in replaced]
    if len(own) != 1:
        return not own
    before = frame.tokens[own[0] - 1].low if own[0] else ""
    manner = frame.manner
    case = manner.pronouns[before].case if before in manner.pronouns else ""
    things = before in manner.determiners or before in manner.prepositions or before in manner.having
    return not (things or case == "possessive" or before == "'s")


def _open_pronouns(frame: Frame) -> Iterator[tuple[int, Pronoun]]:
    """The pronouns that nothing in the question itself explains, with the case they stand in."""
    tokens, manner = frame.tokens, frame.manner
    for at, token in enumerate(tokens):
        pronoun = manner.pronouns.get(token.low)
        if pronoun is None or token.quoted or not manner.refers(tokens, at):
            continue
        if token.low in manner.either and not _owns(frame, at):
            pronoun = Pronoun(pronoun.role, "object", pronoun.gender)
        if not _is_settled(frame, at, pronoun):
            yield at, pronoun


def _owns(frame: Frame, at: int) -> bool:
    """Whether a noun follows: "her umbrella", not "told her about it"."""
    if at + 1 == len(frame.tokens):
        return False
    after, manner = frame.tokens[at + 1], frame.manner
    grammar = after.low in manner.prepositions or after.low in manner.breaks or after.low in manner.determiners
    return after.is_word and not grammar and not is_auxiliary(frame.tokens, at + 1, manner)


def _is_settled(frame: Frame, at: int, pronoun: Pronoun) -> bool:
    """Whether what a pronoun means stands before it in the question.

    An object is never the subject of its own clause: "Did Ada call her?" is about
    another, "Did Ada say that she called?", "… cook to please her?" and "Did Ada's
    brother call her?" need not be.
    """
    tokens, manner = frame.tokens, frame.manner
    breaks = [place for place in range(frame.asking, at) if tokens[place].low in manner.breaks]
    other_clause = bool(breaks)
    if pronoun.role in ("person", "people"):
        named = [name for name in frame.persons if name.last <= at]
        deep = other_clause or any(name.owner for name in named) or _repeats(frame, at)
        deep = deep or any(tokens[place].low in manner.infinitive for place in range(frame.asking, at - 1))
        if named and (pronoun.case != "object" or deep):
            return True
        return pronoun.role == "people" and other_clause and _has_noun(frame, at)
    if pronoun.role == "place":
        return other_clause and any(name.last <= at and name.after for name in frame.names)
    if pronoun.case == "object" and frame.tokens[at].low in manner.pointing:
        return any(token.low in (":", ";", ",") for token in frame.tokens[frame.begin : at]) and _has_verb(frame, at)
    joined = [place for place in breaks if tokens[place].low in manner.joins]
    if joined and any(place < joined[0] for place in _nouns(frame)):
        return True
    return (other_clause or pronoun.case == "possessive") and _has_noun(frame, at)


def _repeats(frame: Frame, at: int) -> bool:
    """Whether the same pronoun stands before: the two mean one."""
    return any(token.low == frame.tokens[at].low for token in frame.tokens[:at])


def _nouns(frame: Frame) -> list[int]:
    """The places of words that may name a thing: no grammar, no person."""
    named = {at for name in frame.names for at in range(name.first, name.last)}
    return [at for at in frame.content if at not in named]


def _has_noun(frame: Frame, before: int) -> bool:
    """Whether a thing is named before that place: an article or an owner, and a word that is no person."""
    tokens, manner = frame.tokens, frame.manner
    if any(name.owner and name.last + 1 in frame.content and name.last + 1 < before for name in frame.names):
        return True
    return any(
        tokens[at].low in manner.determiners
        and not manner.plain(tokens[at + 1].low)
        and tokens[at + 1].low not in manner.kin
        for at in range(frame.begin, before - 1)
    )


def _has_verb(frame: Frame, before: int) -> bool:
    return any(is_auxiliary(frame.tokens, at, frame.manner) for at in range(frame.begin, before))


def _resolve_person(frame: Frame, at: int, pronoun: Pronoun, past: Sequence[Past], found: Found) -> None:
    here = [name.text for name in frame.names]
    meant = all_of(past) if pronoun.role == "people" else None
    if meant is None:
        one = one_of(pronoun.gender, past, here)
        alone = pronoun.role == "people"
        if alone and not is_thin(frame, found) and past[0].frame.noun == past[0].frame.asking:
            return  # "why did they drop the plan": whoever did
        if one is None or (alone and not _is_person(one, past)):
            found.leans = found.hangs = True
            return
        meant = [one]
    joined = f" {frame.manner.conjunction} ".join(meant)
    movable = not frame.manner.clitics or pronoun.case == "subject"
    if pronoun.case != "possessive" and movable:
        found.replace(frame, at, at + 1, joined)
    elif pronoun.case == "possessive" and frame.manner.possessive:
        found.replace(frame, at, at + 1, joined + frame.manner.possessive)
    else:
        found.behind.append(joined)
        found.notes.append(f"“{frame.tokens[at].text}” is {joined}")
        found.leans = True


def _is_person(name: str, past: Sequence[Past]) -> bool:
    """Whether "they" may be this one: not the owner of something else that was asked about."""
    return any(name == one.text and not one.owner for exchange in past for _, one in exchange.persons)


def _resolve_place(frame: Frame, at: int, past: Sequence[Past], found: Found) -> None:
    found.leans = True
    for exchange in past[:2]:
        place = _place_of(exchange)
        if place:
            found.replace(frame, at, at + 1, place)
            return
    found.hangs = True


def _place_of(exchange: Past) -> str:
    """The place that an exchange names, with its preposition: the answer to "where", else one in the question."""
    for told in (exchange.answer, exchange.frame):
        tokens, manner = told.tokens, told.manner
        timed = {at for first, last in told.times for at in range(first, last)}
        for at, token in enumerate(tokens[:-1]):
            if token.low not in manner.near or at + 1 in timed or (told is exchange.answer and at):
                continue
            end = at + 1
            while end < len(tokens) and end - at <= _PLACE_WORDS and tokens[end].is_word and end not in timed:
                if tokens[end].low in manner.prepositions or tokens[end].low in manner.breaks:
                    break
                end += 1
            if end > at + 1:
                text = told.slice(at, end)
                return text[0].lower() + text[1:]
    return ""


_PLACE_WORDS = 4


def _resolve_thing(frame: Frame, at: int, pronoun: Pronoun, past: Sequence[Past], found: Found) -> None:
    token = frame.tokens[at]
    pointing = token.low in frame.manner.pointing
    with_noun = pointing and _owns(frame, at) and not _may_be_verb(frame, at + 1)
    if with_noun and not is_noun_of(frame.tokens[at + 1].low, past[0]):  # "that cottage", after another thing
        return
    found.leans = found.hangs = True
    thing = "" if pointing else _thing_of(past[0])
    if thing and frame.manner.possessive:
        found.replace(frame, at, at + 1, thing + (frame.manner.possessive if pronoun.case == "possessive" else ""))


def _may_be_verb(frame: Frame, at: int) -> bool:
    """Whether the word behind "that" may be the verb of "did that happen", or all there is of "was that expensive"."""
    auxiliary = frame.tokens[at - 2].low if at >= 2 else ""
    if auxiliary not in frame.manner.auxiliaries:
        return False
    return auxiliary in frame.manner.modal or at + 1 == frame.end


def _thing_of(exchange: Past) -> str:
    """The thing an exchange is about: what a short answer names, else the noun that the question asks with."""
    frame = exchange.frame
    asks = frame.asks_with in frame.manner.things
    if exchange.gist and asks and exchange.gist.split()[0].lower() not in frame.manner.prepositions:
        return exchange.gist
    if frame.noun < frame.asking and asks:
        return f"the {frame.slice(frame.noun, frame.asking)}"
    nouns = _nouns(frame)
    for at in range(frame.end - 2, frame.begin - 1, -1):
        low = frame.tokens[at].low
        owns = low in frame.manner.determiners and low not in frame.manner.pronouns
        if owns and at + 1 in nouns and frame.tokens[at - 1].low not in frame.manner.near:
            end = at + 2
            while end in nouns:
                end += 1
            return f"the {frame.slice(at + 1, end)}"
    return ""
