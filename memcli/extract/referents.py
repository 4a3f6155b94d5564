"""What he, she, it and they may mean: the last person, thing and group that was named in the window (B2, B4)."""

from __future__ import annotations

import re

from memcli.extract.context import Context
from memcli.extract.english import words as w
from memcli.extract.person import Cast, possessive
from memcli.extract.sentences import clean
from memcli.extract.tokens import Token, tokenise
from memcli.types import Entry, Quote

_NEEDED = re.compile(r"\b(?:he|she|him|his|her|they|them|their|it|its)\b", re.IGNORECASE)
_PLACED = frozenset("in at from to near into".split())
_READ = 600
"""Characters of an earlier turn that are looked through."""


def needs_referents(text: str) -> bool:
    """Whether a text has a pronoun of the third person."""
    return _NEEDED.search(text) is not None


def cast_of(context: Context) -> tuple[Cast, dict[str, Quote]]:
    """Whom an entry's pronouns mean when it begins, and the words of earlier turns that named them."""
    cast = Cast(context.speaker or "", context.listener)
    last = next((entry for entry in reversed(context.before) if entry.speaker != context.entry.speaker), None)
    if context.listener is None and last is not None:
        cast.addressed = _name(last, context)
    sources: dict[str, Quote] = {}
    if not needs_referents(context.entry.text):
        return cast, sources
    people = lowered(context)
    note = context.entry.speaker is None
    for entry in context.before:
        if entry.trust in ("tool", "web", "mail"):
            continue
        earlier = Cast(_name(entry, context), None)
        text, _ = clean(entry.text[:_READ])
        tokens = tokenise(text, 0, len(text), people)
        observe(tokens, earlier, context)
        asked = entry is context.before[-1] and entry.text.rstrip().endswith("?")
        for name in (earlier.person, earlier.group, earlier.thing if asked else ""):
            if name:
                sources[name] = Quote(entry.id, entry.text[:_READ].strip())
        if len(earlier.persons) > 1 or (earlier.person and cast.person not in ("", earlier.person) and note):
            cast.person = ""
        else:
            cast.person = earlier.person or cast.person
        cast.thing = earlier.thing if asked else ""
        cast.group = earlier.group or cast.group
    return cast, sources


def _name(entry: Entry, context: Context) -> str:
    if entry.trust == context.entry.trust == "self" or entry.speaker == context.entry.speaker:
        return context.speaker or ""
    return entry.speaker or context.listener or ""


def lowered(context: Context) -> frozenset[str]:
    """Known names of people in lower case, and their first names."""
    return frozenset(part for name in context.people for part in (name.lower(), name.lower().split()[0]) if part)


def observe(tokens: list[Token], cast: Cast, context: Context) -> None:
    """Take note of whom and what these tokens name."""
    index = 0
    speakers = {(context.speaker or "").lower(), (context.listener or "").lower()}
    while index < len(tokens):
        token = tokens[index]
        before = tokens[index - 1] if index else None
        if token.tag == "N" or token.low in w.TITLES:
            stop = index + 1
            while stop < len(tokens) and tokens[stop].tag in "N" or (stop < len(tokens) and tokens[stop].low == "&"):
                stop += 1
            name = _spelt(tokens[index:stop])
            if name.lower() not in speakers and token.low not in w.CALENDAR and name.split()[0].lower() not in speakers:
                if before is None or before.low not in _PLACED:
                    cast.person = name
                    cast.persons.add(name)
                if "&" in name or (before is not None and before.low in ("to", "at", "take", "from")):
                    cast.group = name
            index = stop
            continue
        if token.tag in "ds" and token.low not in ("no", "any", "some", "both", "all"):
            index = _phrase(tokens, index, cast)
            continue
        if token.low in w.KIN and (before is None or before.tag not in "ds'w"):
            cast.person = f"{possessive(cast.speaker)} {token.low}"
        elif token.tag == "w" and token.low.endswith("s") and not token.low.endswith(("ss", "us")) and len(token.low) > 3:
            modified = before is not None and before.tag in "wv" and before.base not in ("be", "have")
            cast.group = f"{before.text} {token.text}" if modified and before is not None else token.text
        index += 1


def _phrase(tokens: list[Token], index: int, cast: Cast) -> int:
    """A noun phrase with its article or possessive."""
    stop = index + 1
    while stop < len(tokens) and stop < index + 5 and tokens[stop].tag in "wvN#'":
        if tokens[stop].tag == "v" and stop > index + 1 and ("d" in tokens[stop].forms or "z" in tokens[stop].forms):
            break
        stop += 1
    if stop == index + 1:
        return stop
    first = tokens[index]
    body = _spelt(tokens[index + 1 : stop])
    last = tokens[stop - 1]
    if first.low == "my" or first.low == "our":
        phrase = f"{possessive(cast.speaker)} {body}"
    elif first.tag == "s":
        return stop
    else:
        phrase = f"the {body}"
    named = first.tag == "s" or first.low == "the" or last.tag == "N"
    kin = next((at for at in range(index + 1, stop) if tokens[at].low in w.KIN or tokens[at].low in w.ROLE), None)
    if kin is not None and not named:
        return stop
    if kin is not None and (kin == stop - 1 or last.tag == "N"):
        name = _spelt(tokens[kin + 1 : stop])
        if last.low.endswith("s") and not name:
            cast.group = phrase
        else:
            cast.person = name or phrase
    elif last.low.endswith("s") and not last.low.endswith("ss"):
        cast.group = phrase
    elif last.low not in w.VAGUE and last.low not in w.CALENDAR:
        cast.thing = phrase
    return stop


def _spelt(tokens: list[Token]) -> str:
    out = ""
    for at, token in enumerate(tokens):
        out += (" " if at and token.start > tokens[at - 1].end else "") + token.text
    return out
