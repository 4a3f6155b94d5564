"""The subject of a clause: how a memory writes it, and under which name it is filed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memcli.extract.english import words as w
from memcli.extract.person import Cast, Teller, Told, UnresolvedError, possessive
from memcli.extract.tokens import Token

_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Subject:
    """`text` begins the sentence, `name` files the statement; `attribute` is the property of `name` that is spoken of.

    `singular` and `plural` say how the verb must be changed, neither that it may stay.
    """

    text: str
    name: str
    person: bool
    singular: bool = False
    plural: bool = False
    attribute: str = ""
    guessed: bool = False
    known: bool = False
    sure: bool = True


def subject_of(tokens: list[Token], teller: Teller) -> Subject:
    """The subject that these tokens name; raises UnresolvedError where it is not known who or what is meant."""
    cast = teller.cast
    first = tokens[0].low
    if len(tokens) <= 2 and tokens[0].tag == "p":
        return _pronoun(first, cast)
    if all(
        token.low in w.PRAISE or token.low in w.VAGUE or token.low in w.ADVERB
        for token in tokens
        if token.tag not in "d"
    ):
        raise UnresolvedError(first)
    if tokens[0].tag == "a" or (len(tokens) == 1 and tokens[0].tag == "t"):
        raise UnresolvedError(first)
    told = Told()
    try:
        text = teller.tell(tokens, told)
    except UnresolvedError:
        if first not in w.ATTRIBUTES:
            raise
        tokens = tokens[:1]
        text = first
    if len(tokens) == 1 and tokens[0].low in w.ATTRIBUTES | w.ROLE | w.BODY:
        text = f"{possessive(cast.speaker)} {first}"
    text = text[0].upper() + text[1:] if text else text
    if any(token.low in ("i", "me") for token in tokens):
        return Subject(text, cast.speaker, True)
    name, attribute = filed(tokens, text, cast)
    known = len(tokens) == 1 and tokens[0].low in teller.people
    sure = known or len(tokens) > 1 or tokens[0].tag != "N"
    return Subject(text, name, is_person(tokens, name, cast), attribute=attribute, known=known, sure=sure)


def _pronoun(low: str, cast: Cast) -> Subject:
    if low == "i":
        return Subject(cast.speaker, cast.speaker, True, singular=True)
    if low == "we":
        return Subject(f"{cast.speaker} and others", cast.speaker, True, plural=True)
    if low in ("he", "she"):
        name = cast.he(low)
        return Subject(_capital(name), name, True)
    if low == "it":
        name = cast.it()
        return Subject(_capital(name), filed_name(name), False, guessed=True)
    if low == "they":
        name = cast.they()
        return Subject(_capital(name), filed_name(name), False, plural=True, guessed=True)
    raise UnresolvedError(low)


def filed(tokens: list[Token], text: str, cast: Cast) -> tuple[str, str]:
    """Under which name a statement about this is kept, and which property of it is spoken of."""
    mark = next((at for at, token in enumerate(tokens) if token.tag == "'" and at), None)
    if tokens[0].tag == "s" and tokens[0].low in ("my", "our", "your"):
        owner = (cast.listener or cast.addressed) if tokens[0].low == "your" else cast.speaker
        return _owned(owner, tokens[1:])
    if mark is not None and (tokens[0].tag == "N" or tokens[0].low in w.KIN):
        return _owned(text.split("'s ")[0] if "'s " in text else tokens[0].text, tokens[mark + 1 :])
    if tokens[0].low in w.KIN and tokens[0].tag == "w":
        return _owned(cast.speaker, tokens)
    last = tokens[-1].low
    if len(tokens) == 1 and last in w.BODY:
        return cast.speaker, last
    of_a_thing = len(tokens) > 1 and last == "job" and tokens[0].tag not in "d"  # "nightly backup job"
    if (
        len(tokens) <= 3
        and last in w.ATTRIBUTES | w.ROLE
        and not of_a_thing
        and not any(token.tag in "iN" for token in tokens)
    ):
        return cast.speaker, " ".join(token.low for token in tokens if token.tag != "d")
    head = next((at for at, token in enumerate(tokens) if token.tag == "i" and at), len(tokens))
    if tokens[0].low in w.ATTRIBUTES:
        return cast.speaker, tokens[0].low
    return filed_name(" ".join(text.split()[: len(text.split()) - (len(tokens) - head)]) or text), ""


def _owned(owner: str, tokens: list[Token]) -> tuple[str, str]:
    """What somebody has: a relative is filed under their own name, a thing under who has it."""
    if not tokens:
        return owner, ""
    at = 0
    while at < len(tokens) and tokens[at].tag in "wv#" and tokens[at].low not in w.KIN | w.ROLE | w.PETS | w.STUDENTS:
        at += 1
    if at < len(tokens) and tokens[at].low in w.KIN | w.ROLE | w.PETS | w.STUDENTS:
        names = []
        for token in tokens[at + 1 :]:
            if token.tag != "N":
                break
            names.append(token.text)
        if names:
            return " ".join(names), ""
        if at + 1 < len(tokens) and tokens[at + 1].tag == "'" and at + 2 < len(tokens):
            return _owned(f"{possessive(owner)} {tokens[at].low}", tokens[at + 2 :])
        if at + 1 == len(tokens) and tokens[at].low in w.ROLE:
            return owner, tokens[at].low
        if at + 1 < len(tokens) and tokens[at + 1].tag in "wv":
            return owner, " ".join(token.low for token in tokens)
        return f"{possessive(owner)} {tokens[at].low}", ""
    return owner, " ".join(token.low for token in tokens)


def filed_name(text: str) -> str:
    """A name without its article."""
    return _ARTICLE.sub("", text).strip()


def is_person(tokens: list[Token], name: str, cast: Cast) -> bool:
    """Whether the subject is somebody, as far as its words tell."""
    if name in (cast.speaker, cast.listener):
        return not any(token.tag == "s" for token in tokens)
    if len(tokens) > 1 and tokens[0].tag == "N" and tokens[1].tag == "#":
        return False  # "Plot 27"
    return (
        any(token.low in w.KIN or token.low in w.ROLE or token.low in w.TITLES for token in tokens)
        or tokens[0].tag == "N"
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
