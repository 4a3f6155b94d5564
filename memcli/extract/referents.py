"""What he, she, it and they mean: the one person, thing or group that was named last in the window (B2, B4).

Looked up only when a pronoun asks for it. Where two could be meant, nobody
is: a wrong name in a memory is worse than no memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from memcli.extract.context import Context
from memcli.extract.english import words as w
from memcli.extract.person import possessive
from memcli.extract.sentences import clean, sentences
from memcli.extract.tokens import Token, tokenise
from memcli.memories import Quote
from memcli.types import Entry

_PLACED = frozenset("in at from to near into of on for".split())
_TO_PEOPLE = frozenset(
    "tell told ask asked lend lent gave give met meet with and by says said called call visited visit saw see thanked "
    "invited invite helped help taught married dated".split()
)
_OF_THINGS = frozenset(
    "leave join quit use buy watch read play run try install own sell drive deploy build learn study speak reach cross "
    "land fly enter book order cancel".split()
)
"""Verbs behind which a name is hardly a person's."""
_READ = 600
"""Characters of an earlier turn that are looked through."""


_WOMAN = re.compile(
    r"\b(?:mrs|ms|miss|aunt|auntie|mother|mum|mom|mama|sister|daughter|wife|girlfriend|grandma|grandmother|granny|niece|"
    r"landlady|mother-in-law|sister-in-law|frau|signora|madame|queen|midwife)\b",
    re.IGNORECASE,
)
_MAN = re.compile(
    r"\b(?:mr|uncle|father|dad|papa|brother|son|husband|boyfriend|grandpa|grandfather|grandad|nephew|landlord|"
    r"father-in-law|brother-in-law|herr|signor|monsieur|king)\b",
    re.IGNORECASE,
)


def fits(name: str, word: str) -> bool:
    """Whether a pronoun can mean somebody by what their title or kinship says: "he" is not Mrs. Dietz."""
    if word in ("he", "him", "his"):
        return _WOMAN.search(name.rpartition("'s ")[2]) is None
    return not word or _MAN.search(name.rpartition("'s ")[2]) is None


@dataclass(slots=True)
class Mentions:
    """The persons, things and groups that a stretch of text names, in its order."""

    persons: list[str] = field(default_factory=list)
    things: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)


def lowered(people: frozenset[str]) -> frozenset[str]:
    """Known names of people in lower case, and their first names."""
    return _lowered(people)


@lru_cache(maxsize=8)
def _lowered(people: frozenset[str]) -> frozenset[str]:
    return frozenset(part for name in people if name.strip() for part in (name.lower(), name.lower().split()[0]))


class Referents:
    """Answers for one entry whom a pronoun means, and keeps the words of earlier turns that the answer rests on."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._people = lowered(context.people)
        self._speaker = context.speaker or ""
        self._heard: list[list[Token] | tuple[str, int, int]] = []
        self._quotes: list[Quote] = []

    def hear(self, tokens: list[Token]) -> None:
        """A stretch of the entry itself has been read."""
        self._heard.append(tokens)

    def overhear(self, text: str, start: int, end: int) -> None:
        """A stretch of the entry that states nothing itself: it is only looked at where a pronoun asks."""
        self._heard.append((text, start, end))

    def quotes(self) -> list[Quote]:
        """The words of earlier turns that were needed since this was last asked."""
        found, self._quotes = self._quotes, []
        return found

    def person(self, word: str = "") -> str:
        """Who he or she is; "" where nobody or more than one could be, or where what is known of them does not fit."""
        name = self._person()
        return name if fits(name, word) else ""

    def _person(self) -> str:
        for tokens in reversed(self._heard):
            named = self._mentions(tokens).persons
            if named:
                return named[-1] if len(set(named)) == 1 else ""
        for entry in reversed(self._context.before[-3:]):
            named = list(dict.fromkeys(self._earlier(entry).persons))
            if self._context.entry.trust != "self" and len(self._earlier(entry).groups) > 0:
                return ""
            if named:
                return self._cited(named[0], entry) if len(named) == 1 else ""
        return ""

    def thing(self) -> str:
        """What it is: named once, just before, or what the turn before asked about."""
        for tokens in reversed(self._heard[-2:]):
            named = self._mentions(tokens).things
            if named:
                return named[-1] if len(set(named)) == 1 else ""
        return self.asked() if not self._heard else ""

    def asked(self) -> str:
        """What the turn before asked about: "what about the piano?" """
        if not self._context.before:
            return ""
        last = self._context.before[-1]
        asked = last.text.rstrip().rpartition("bout ")[2]
        if last.text.rstrip().endswith("?") and asked != last.text and len(asked.split()) <= 4:
            named = self._earlier(last).things
            return self._cited(named[-1], last) if named else ""
        return ""

    def group(self) -> str:
        """Who or what they are."""
        chat = self._context.entry.trust != "self"
        for tokens in reversed(self._heard[-2:]):
            named = self._mentions(tokens).groups
            if chat:
                named = [name for name in named if all(part[0].isupper() or part == "&" for part in name.split())]
            if named:
                return named[-1] if len(set(named)) == 1 else ""
        for entry in reversed(self._context.before[-2:]):
            named = [name for name in self._earlier(entry).groups if name[0].isupper() and "'s " not in name]
            if named:
                return self._cited(named[-1], entry)
        return ""

    def _cited(self, name: str, entry: Entry) -> str:
        self._quotes.append(Quote(entry.id, entry.text[:_READ].strip()))
        return name

    def _mentions(self, heard: list[Token] | tuple[str, int, int]) -> Mentions:
        tokens = tokenise(*heard, self._people) if isinstance(heard, tuple) else heard
        return mentions(tokens, self._speaker, self._context.listener or "", self._people)

    def _earlier(self, entry: Entry) -> Mentions:
        if entry.trust in ("tool", "web", "mail"):
            return Mentions()
        own = entry.speaker == self._context.entry.speaker and entry.trust == self._context.entry.trust
        speaker = self._speaker if own else entry.speaker or ""
        other = (self._context.listener or "") if own else self._speaker
        return _said(entry.text[:_READ], speaker, other, self._people)


@lru_cache(maxsize=512)
def _said(text: str, speaker: str, listener: str, people: frozenset[str]) -> Mentions:
    cleaned, _ = clean(text)
    whole = Mentions()
    for sentence in sentences(cleaned):
        found = mentions(tokenise(cleaned, sentence.start, sentence.end, people), speaker, listener, people)
        whole.persons += found.persons
        whole.things += found.things
        whole.groups += found.groups
    return whole


def mentions(tokens: list[Token], speaker: str, listener: str, people: frozenset[str]) -> Mentions:
    """Whom and what these tokens name."""
    found = Mentions()
    named = any(token.low in ("called", "named", "name") for token in tokens)
    talkers = {part for name in (speaker, listener) for part in (name.lower(), name.lower().partition(" ")[0])}
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.tag == "N" or (token.low in w.TITLES and index + 1 < len(tokens) and tokens[index + 1].tag == "N"):
            index = _name(tokens, index, found, talkers, people)
        elif token.tag in "ds" and token.low not in ("no", "any", "some", "both", "all", "that", "this"):
            index = _phrase(tokens, index, found, speaker)
        else:
            before = tokens[index - 1] if index else None
            if (
                token.low in w.KIN
                and token.tag == "w"
                and (before is None or before.tag not in "dst'wN")
                and token.low != "family"
            ):
                kin = f"{possessive(speaker)} {token.low}"
                (found.groups if _many(token.low) else found.persons).append(kin)
            elif (
                token.tag == "w"
                and _many(token.low)
                and before is not None
                and before.tag in "wv"
                and before.base not in ("be", "have")
            ):
                found.groups.append(f"{before.text} {token.text}")
            index += 1
    if named:
        found.persons = found.persons[-1:]  # "my sister is called Marit"
    return found


def _many(low: str) -> bool:
    return (low.endswith("s") and not low.endswith(("ss", "us", "is")) and len(low) > 3) or low in (
        "children",
        "people",
    )


def _name(tokens: list[Token], index: int, found: Mentions, talkers: set[str], people: frozenset[str]) -> int:
    """A name: of a person where its place says so, of a group where it is a firm's."""
    before = tokens[index - 1] if index else None
    stop = index + 1
    while stop < len(tokens) and (tokens[stop].tag == "N" or (tokens[stop].low == "&" and stop + 1 < len(tokens))):
        stop += 1
    name = _spelt(tokens[index:stop])
    first = tokens[index].low
    if first in talkers or first in w.CALENDAR or first in w.VAGUE or first in w.PRAISE:
        return stop
    after = tokens[stop] if stop < len(tokens) else None
    if "&" in name or (before is not None and before.low in ("take", "book", "to") and first not in people):
        found.groups.append(name)
    if before is not None and before.low in _PLACED:
        return stop
    acts = (after is None and index == 0) or (after is not None and after.tag in "vbhmo")
    placed = first in people or first in w.TITLES
    if before is not None:
        placed = (
            placed
            or before.low in _TO_PEOPLE | w.KIN | w.ROLE
            or (before.tag in ",v" and before.base not in _OF_THINGS)
            or before.text == ":"
        )
    if name[0].isupper() and not name.isupper() and (placed or acts):
        found.persons.append(name)
    return stop


def _phrase(tokens: list[Token], index: int, found: Mentions, speaker: str) -> int:
    """A noun phrase with its article or possessive."""
    stop = index + 1
    while stop < len(tokens) and stop < index + 5 and tokens[stop].tag in "wvN#'":
        if (
            tokens[stop].tag == "v"
            and stop > index + 1
            and not (stop + 1 < len(tokens) and tokens[stop + 1].tag in "wN" and "g" not in tokens[stop].forms)
            and not ("b" in tokens[stop].forms and (stop + 1 == len(tokens) or tokens[stop + 1].tag == ","))
        ):
            break
        stop += 1
    first = tokens[index]
    if stop == index + 1 or (first.tag == "s" and first.low not in ("my", "our")):
        return stop
    head = tokens[index + 1 : stop]
    body, last = _spelt(head), tokens[stop - 1]
    phrase = f"{possessive(speaker)} {body}" if first.tag == "s" else f"the {body}"
    kin = next((at for at, token in enumerate(head) if token.low in w.KIN or token.low in w.ROLE), None)
    if kin is not None and (first.tag == "s" or first.low == "the" or last.tag == "N" or kin == len(head) - 1):
        name = _spelt([token for token in head[kin + 1 :] if token.tag == "N"])
        if name:
            found.persons.append(name)
        elif _many(last.low):
            found.groups.append(phrase)
        elif kin == len(head) - 1 and last.low != "family" and first.low not in ("a", "an"):
            found.persons.append(phrase)
        return stop
    if (
        last.tag not in "wvN"
        or (last.low in w.VAGUE and last.low != "place")
        or last.low in w.PRAISE
        or last.low in w.CALENDAR
        or last.low.endswith("er")
    ):
        return stop
    (found.groups if _many(last.low) else found.things).append(phrase)
    return stop


def _spelt(tokens: list[Token]) -> str:
    out = ""
    for at, token in enumerate(tokens):
        out += (" " if at and token.start > tokens[at - 1].end else "") + token.text
    return out
