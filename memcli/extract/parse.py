"""The skeleton of a clause: its subject, its verb and what follows (B2).

No grammar of English: the verb is the first word that can be one where a verb
may stand, the subject what stands before it. Where that does not work out
there is no clause, and nothing is claimed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from memcli.extract.english import words as w
from memcli.extract.tokens import Token

Tense = Literal["past", "present", "future", "perfect", "imperative"]
_LONGEST_SUBJECT = 10
_PERIODICAL = frozenset("nightly daily weekly monthly yearly hourly early quarterly".split())
"""Adverbs that are adjectives before a noun."""
_UNDER_WAY = frozenset("plan move go work learn fly head leave switch".split())


@dataclass(slots=True)
class Verb:
    """A verb group: `first` is its finite word, `head` the word that means something, `end` what comes after."""

    first: int
    head: int
    end: int
    base: str
    tense: Tense
    negated: bool = False
    modal: str = ""
    progressive: bool = False
    passive: bool = False


@dataclass(slots=True)
class Clause:
    """Tokens with the places of the subject (`begin` to `stop`, empty when it is left out) and of the verb."""

    tokens: list[Token]
    begin: int
    stop: int
    verb: Verb

    def moved(self, tokens: list[Token], start: int) -> Clause:
        """The same clause in tokens that begin so many later."""
        verb = replace(self.verb, first=self.verb.first - start, head=self.verb.head - start, end=self.verb.end - start)
        return Clause(tokens, self.begin - start, self.stop - start, verb)

    @property
    def elided(self) -> bool:
        """Whether the subject is left out: "cancelled Netflix"."""
        return self.begin == self.stop

    @property
    def subject(self) -> list[Token]:
        """The tokens of the subject."""
        return self.tokens[self.begin : self.stop]

    @property
    def rest(self) -> list[Token]:
        """What follows the verb."""
        return self.tokens[self.verb.end :]


def parse(tokens: list[Token], begin: int = 0, imperative: bool = True) -> Clause | None:
    """The clause whose subject, or verb, begins here; None where none does."""
    stop = subject_end(tokens, begin)
    if stop is None or (stop == begin and tokens[begin].tag == "w"):
        stop = _before_unknown(tokens, begin)
    if stop is None:
        return None
    verb = verb_group(tokens, stop, elided=stop == begin, imperative=imperative)
    if verb is None or (verb.tense == "imperative" and not imperative):
        return None
    return Clause(tokens, begin, stop, verb)


def _before_unknown(tokens: list[Token], begin: int) -> int | None:
    """Where a short subject ends before a verb that no list has: "lighthouse ingests about 4 million rows"."""
    for at in range(begin + 1, min(len(tokens) - 1, begin + 4)):
        token, after = tokens[at], tokens[at + 1]
        if tokens[at - 1].tag not in "wN" or tokens[begin].tag not in "dsNw":
            return None
        shaped = token.tag == "w" and token.text.islower() and re.fullmatch(r"[a-z]{3,}[^su\W]s", token.low) is not None
        if shaped and (after.tag in "ds#i" or after.low in ("about", "only")) and after.low not in ("of", "and", "for"):
            if any(later.tag in "bhmo" or (later.tag == "v" and "d" in later.forms) for later in tokens[at + 1 :]):
                return None
            token.base, token.forms, token.tag = token.low.removesuffix("s"), "z", "v"
            return at
    return None


def finite(tokens: list[Token], at: int, plural: bool) -> bool:
    """Whether the verb of a clause can stand here, after a subject that is plural or not."""
    token = tokens[at]
    if token.tag in "bmo":
        return token.low not in ("be", "been", "being")
    if token.tag == "h":
        return token.low != "having"
    if token.tag != "v" or (at and tokens[at - 1].tag in "ds"):
        return False
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if after is not None and after.tag == "'":
        return False
    if "d" in token.forms:
        return True
    if "z" in token.forms:
        return after is None or after.tag not in "bmo"
    return "b" in token.forms and plural


def subject_end(tokens: list[Token], begin: int) -> int | None:
    """Where the subject that begins here ends; `begin` itself where there is none before a verb."""
    if begin >= len(tokens):
        return None
    first = tokens[begin]
    if first.tag == "p":
        if first.low == "me":
            return _joined(tokens, begin)
        if first.low not in w.SUBJECT or begin + 1 >= len(tokens):
            return None
        stop = begin + 1
        if tokens[stop].low in ("all", "both") or (first.low == "you" and tokens[stop].low in ("guys", "two")):
            stop += 1
        odd = first.low == "i" and stop < len(tokens) and tokens[stop].tag == "w" and _object_ahead(tokens, stop + 1)
        return stop if odd or _verb_ahead(tokens, stop) else _joined(tokens, begin)
    if first.low in ("being", "having", "be", "doing"):
        return None
    if first.tag in "bhomn" or (first.tag == "r" and first.low in ("just", "never", "always", "still", "finally")):
        return begin
    if first.tag == "t" and begin + 1 < len(tokens) and _verb_ahead(tokens, begin + 1, strict=True):
        return begin + 1
    if first.low in _PERIODICAL and begin + 1 < len(tokens) and tokens[begin + 1].tag in "wvN":
        return _noun_phrase(tokens, begin)
    if first.tag not in "dsNwv#at'":
        return None
    return _noun_phrase(tokens, begin)


def _joined(tokens: list[Token], begin: int) -> int | None:
    """He and Ben went …"""
    if begin + 2 < len(tokens) and tokens[begin + 1].low in ("and", "&"):
        return _noun_phrase(tokens, begin)
    return None


def _verb_ahead(tokens: list[Token], at: int, strict: bool = False) -> bool:
    """Whether a verb stands here, adverbs passed over."""
    while at < len(tokens) and tokens[at].tag in ("r", "n"):
        at += 1
    if at >= len(tokens):
        return False
    token = tokens[at]
    if token.tag in "bhmo":
        return True
    if token.tag != "v":
        return False
    return "d" in token.forms or "z" in token.forms or (not strict and "b" in token.forms)


def _noun_phrase(tokens: list[Token], begin: int) -> int | None:
    first = tokens[begin]
    if first.tag == "v" and "d" in first.forms and "b" not in first.forms and begin == 0:
        if len(tokens) > 2 and tokens[1].tag == "w" and tokens[2].tag == "b":
            return 2  # "Mixed emotions are rough"
        return begin
    plural = False
    last = min(len(tokens), begin + _LONGEST_SUBJECT)
    for at in range(begin, last):
        token = tokens[at]
        if at > begin and _here(tokens, at, plural):
            return at
        if token.low in ("and", "&"):
            if at == begin or at + 1 >= last or tokens[at + 1].tag not in "dsNwp":
                break
            plural = True
        elif token.tag == "p":
            if at == begin and begin + 1 < last and tokens[begin + 1].low in ("and", "&"):
                continue
            if token.low not in ("i", "me") or at == begin or tokens[at - 1].low not in ("and", "&"):
                break
        elif token.tag == "t" and tokens[at - 1].tag == "i":
            pass
        elif (
            token.tag not in "dsNwv#'ir"
            or (token.tag == "i" and at == begin)
            or (
                token.tag in "ds"
                and at > begin
                and tokens[at - 1].tag not in "id"
                and tokens[at - 1].low not in ("and", "&")
            )
        ):
            break
        elif token.tag in "wNv" and token.low.endswith("s") and not token.low.endswith("ss"):
            plural = plural or not (at + 1 < last and tokens[at + 1].tag == "'")
        elif token.low in ("people", "kids", "children", "folks", "men", "women", "both", "parents", "family", "many"):
            plural = True
    starts_as_verb = first.tag == "v" and ("d" in first.forms or "b" in first.forms or "z" in first.forms)
    after = tokens[begin + 1] if begin + 1 < len(tokens) else None
    starts_as_verb = starts_as_verb or (
        first.base in _UNDER_WAY and after is not None and after.tag == "i" and begin == 0
    )
    return begin if starts_as_verb else None


def _here(tokens: list[Token], at: int, plural: bool) -> bool:
    """Whether the verb of the noun phrase before it stands here, after adverbs."""
    token = tokens[at]
    if token.tag == "r" and at + 1 < len(tokens) and tokens[at + 1].tag in "vbhmor":
        return finite(tokens, at + 1, plural) and tokens[at + 1].tag == "v"
    if tokens[at - 1].tag in "i'" or tokens[at - 1].low == "and":
        return False
    return finite(tokens, at, plural)


def verb_group(tokens: list[Token], at: int, elided: bool, imperative: bool = True) -> Verb | None:
    """The verb group that begins here, adverbs before it passed over."""
    count = len(tokens)
    first = at
    negated = False
    while first < count and tokens[first].tag in "rn":
        negated = negated or tokens[first].low in ("never", "not", "hardly", "rarely")
        first += 1
    if first >= count:
        return None
    token = tokens[first]
    if token.tag == "w" and first and tokens[first - 1].low == "i" and _object_ahead(tokens, first + 1):
        token.base, token.forms, token.tag = token.low, "b", "v"
    if token.tag not in "bhmov":
        return None
    verb = Verb(first, first, first + 1, token.base, "present", negated)
    if token.tag == "m":
        verb.modal = token.low
        verb.tense = "future" if token.low in ("will", "'ll", "shall") else "present"
        return _head(tokens, verb, "b") or None
    if token.tag == "o":
        verb.tense = "past" if token.low == "did" else "present"
        if _head(tokens, verb, "b") is None:
            verb.base = "do"
        elif elided and token.low == "do":
            if not verb.negated:
                return None
            verb.tense = "imperative"
        return verb
    if token.tag == "h":
        return _have(tokens, verb)
    if token.tag == "b":
        return _be(tokens, verb)
    return _plain(tokens, verb, elided, imperative)


def _object_ahead(tokens: list[Token], at: int) -> bool:
    """Whether an unknown word behind "I" is a verb after all: something it acts on follows."""
    return at < len(tokens) and tokens[at].tag in "wNds#"


def _plain(tokens: list[Token], verb: Verb, elided: bool, imperative: bool) -> Verb | None:
    token = tokens[verb.first]
    before = tokens[verb.first - 1].low if verb.first else ""
    after = tokens[verb.end] if verb.end < len(tokens) else None
    if token.low == "got" and after is not None and after.low == "to" and after.start == token.end:
        if verb.end + 1 >= len(tokens) or not tokens[verb.end + 1].base:
            return None
        verb.modal, verb.head, verb.end, verb.base = "have to", verb.end + 1, verb.end + 2, tokens[verb.end + 1].base
        return verb
    moved = token.low == "moved" and after is not None and after.tag == "i"
    if elided and "b" not in token.forms and ((token.low in w.PRAISE and not moved) or before == "not"):
        return None
    if token.low == "going" and elided and after is not None and after.low == "to" and verb.end + 1 < len(tokens):
        target = tokens[verb.end + 1]
        if not target.base or target.low in ("be",):
            return None
        verb.tense, verb.head, verb.end, verb.base = "future", verb.end + 1, verb.end + 2, target.base
        return verb
    if elided:
        if "d" in token.forms and "b" not in token.forms:
            verb.tense = "past"
        elif "b" in token.forms:
            liked = token.base in ("hate", "love", "miss", "prefer", "need", "owe")
            verb.tense = "present" if liked else "imperative"
        elif "z" in token.forms:
            verb.tense = "present"
        elif token.forms == "g" and token.base in _UNDER_WAY:
            verb.progressive = True
        elif "n" in token.forms and token.low == "been":
            verb.tense = "perfect"
        else:
            return None
    elif "d" in token.forms:
        repeated = before == "always" or any(later.low in w.FREQUENCY for later in tokens[verb.end :])
        verb.tense = "present" if "b" in token.forms and repeated else "past"
    elif "b" not in token.forms and "z" not in token.forms:
        return None
    return verb


def _head(tokens: list[Token], verb: Verb, forms: str) -> Verb | None:
    """The word after the auxiliaries that carries the meaning, in one of these forms."""
    at = verb.end
    while at < len(tokens) and tokens[at].tag in "rn":
        verb.negated = verb.negated or tokens[at].tag == "n" or tokens[at].low in ("never", "hardly", "rarely")
        at += 1
    if at < len(tokens) and forms == "b" and _unknown_verb(tokens, at):
        tokens[at].base, tokens[at].forms, tokens[at].tag = tokens[at].low, "b", "v"
    if at >= len(tokens) or not tokens[at].base:
        return None
    token = tokens[at]
    if token.tag in "bho" or (token.tag in "vN" and any(form in token.forms for form in forms)):
        if token.tag in "bho" and token.low not in (
            "be",
            "been",
            "being",
            "have",
            "had",
            "having",
            "do",
            "done",
            "doing",
        ):
            return None
        verb.head, verb.end, verb.base = at, at + 1, token.base
        return verb
    return None


def _unknown_verb(tokens: list[Token], at: int) -> bool:
    """Whether a word behind "can" or "didn't" must be a verb though no list has it."""
    token = tokens[at]
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return (
        token.tag == "w" and token.low.isalpha() and token.text.islower() and (after is None or after.tag not in "bhmo")
    )


def _have(tokens: list[Token], verb: Verb) -> Verb:
    word = tokens[verb.first].low
    verb.tense = "past" if word == "had" else "present"
    after = _skip(tokens, verb.end)
    if after < len(tokens) and tokens[after].low == "to" and after + 1 < len(tokens) and tokens[after + 1].base:
        verb.modal, verb.head, verb.end = "have to", after + 1, after + 2
        verb.base = tokens[after + 1].base
        return verb
    if _head(tokens, verb, "n") is None or tokens[verb.head].low in ("have", "having", "do", "be", "being", "doing"):
        verb.base, verb.head = "have", verb.first
        verb.end = max(verb.first + 1, after if verb.negated else verb.first + 1)
        return verb
    if tokens[verb.head].low == "got":
        verb.base = "have"
        return verb
    verb.tense = "perfect"
    if tokens[verb.head].low == "been":
        inner = Verb(verb.first, verb.head, verb.end, "be", "perfect", verb.negated)
        if _head(tokens, inner, "gn") is not None and tokens[inner.head].tag == "v":
            inner.progressive = "g" in tokens[inner.head].forms
            inner.passive = not inner.progressive
            return inner
    return verb


def _be(tokens: list[Token], verb: Verb) -> Verb:
    verb.tense = "past" if tokens[verb.first].low in ("was", "were") else "present"
    verb.base = "be"
    inner = Verb(verb.first, verb.first, verb.end, "be", verb.tense)
    if _head(tokens, inner, "gn") is None or tokens[inner.head].tag != "v":
        after = _skip(tokens, verb.end)
        verb.negated = inner.negated
        if any(token.tag == "n" for token in tokens[verb.end : after]):
            verb.end = after
        return verb
    word = tokens[inner.head]
    moved = word.low == "moved" and inner.end < len(tokens) and tokens[inner.end].low in ("from", "to", "up", "back")
    if word.low in w.PRAISE and "g" not in word.forms and not moved:
        verb.negated = inner.negated
        return verb
    inner.progressive = "g" in word.forms
    inner.passive = not inner.progressive
    if word.low == "going" and inner.end + 1 < len(tokens) and tokens[inner.end].low == "to":
        target = tokens[inner.end + 1]
        if target.base and ("b" in target.forms or target.low in ("be", "have", "do")):
            inner.tense, inner.head, inner.end, inner.base = "future", inner.end + 1, inner.end + 2, target.base
            inner.modal = "going to"
    return inner


def _skip(tokens: list[Token], at: int) -> int:
    while at < len(tokens) and tokens[at].tag in "rn":
        at += 1
    return at
