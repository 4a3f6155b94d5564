"""A sentence cut into clauses, each with its own verb, and rid of the words before it that state nothing."""

from __future__ import annotations

from dataclasses import dataclass

from memcli.extract.english import words as w
from memcli.extract.parse import Clause, parse
from memcli.extract.tokens import Token

_SPLIT = frozenset(("and", "but", "so", "though", "although", "yet", "plus"))
_REMINDING = frozenset(("remember", "don't", "stop", "ask", "call", "bring"))
_EMPTY_LEAD = frozenset(
    "me note meantime hand end way addition fact words honesty case contrast general least first spoke talked "
    "chatted chat heard".split()
)
_REFERRING = frozenset("it them him her they he she there that this".split())
_MOST = 12


@dataclass(slots=True)
class Part:
    """A stretch of a sentence: its tokens, its clause if it has one, and whether it takes its subject from before."""

    tokens: list[Token]
    clause: Clause | None
    inherits: bool = False
    lead: tuple[Token, ...] = ()


def parts(tokens: list[Token], times: list[tuple[int, int]]) -> list[Part]:
    """The clauses and the verbless stretches of a sentence, in order; `times` are the places of its time phrases."""
    found: list[Part] = []
    begin = 0
    while begin < len(tokens) and len(found) < _MOST:
        part, begin = _part(tokens, begin, times, any(item.clause is not None for item in found))
        if part is not None:
            found.append(part)
    return found


def _part(tokens: list[Token], begin: int, times: list[tuple[int, int]], later: bool) -> tuple[Part | None, int]:
    start = _opened(tokens, begin, called=begin == 0)
    if start >= len(tokens):
        return None, len(tokens)
    start, lead = _led(tokens, start, times)
    clause = parse(tokens, start)
    inherits = later and clause is not None and clause.elided
    first = clause.verb.end if clause is not None else start + 1
    for at in range(first, len(tokens)):
        if _splits(tokens, at, clause is not None):
            return _make(tokens, start, at, clause, inherits, lead), at + 1
    return _make(tokens, start, len(tokens), clause, inherits, lead), len(tokens)


def _make(
    tokens: list[Token], start: int, end: int, clause: Clause | None, inherits: bool, lead: tuple[Token, ...]
) -> Part | None:
    tokens = tokens[start:end]
    while tokens and tokens[-1].tag in ",." and tokens[-1].text not in "\"'”’":
        tokens = tokens[:-1]
    if not tokens:
        return None
    if clause is None or clause.verb.end - start > len(tokens):
        return Part(tokens, None, False, lead)
    return Part(tokens, clause.moved(tokens, start), inherits, lead)


def _splits(tokens: list[Token], at: int, in_clause: bool) -> bool:
    """Whether a new clause begins behind this token."""
    token = tokens[at]
    if token.text == ":" and in_clause and at + 1 < len(tokens) and tokens[at + 1].start > token.end:
        clause = parse(tokens, at + 1, imperative=False)
        return clause is not None and not clause.elided
    if token.tag == "." and token.low not in "-–—":
        return False
    if token.low in ("-", "–", "—"):
        return True
    if token.tag != "," and token.low not in _SPLIT:
        return False
    if token.tag == "," and at + 1 < len(tokens) and tokens[at + 1].low in _SPLIT:
        return False
    after = _opened(tokens, at + 1)
    if after >= len(tokens):
        return False
    clause = parse(tokens, after, imperative=tokens[after].low in _REMINDING)
    if clause is None:
        return False
    if clause.elided and clause.verb.tense == "imperative":
        return token.tag == ","
    head = tokens[clause.verb.first]
    if clause.stop - clause.begin == 1 and tokens[after].tag == "w" and head.tag == "v" and "n" in head.forms:
        return False  # "… and gameplay called Cyberpunk": called is no verb there
    if not clause.elided:
        return not (
            token.low in ("and", "&") and tokens[at - 1].tag == "N" and tokens[at + 1].tag == "N" and not in_clause
        )
    if not in_clause:
        return token.tag == ","
    if token.low == "and" and _told_apart(tokens, after):
        return True
    return (
        token.low in _SPLIT
        and tokens[after].tag in "bhmo"
        and tokens[after].low not in ("be", "been", "being", "having")
    )


def _told_apart(tokens: list[Token], after: int) -> bool:
    """Whether a second thing that somebody did can be told without the first: it refers to nothing before it."""
    verb = next((token for token in tokens[after : after + 3] if token.tag not in "rn"), None)
    rest = tokens[after:]
    past = verb is not None and verb.tag == "v" and "d" in verb.forms and "b" not in verb.forms
    return past and len(rest) >= 4 and not any(token.low in _REFERRING for token in rest)


def _opened(tokens: list[Token], at: int, called: bool = False) -> int:
    """Past the words that open a sentence and add nothing: "ok, so", a name that is called."""
    while at < len(tokens):
        token = tokens[at]
        ahead = tokens[at + 1] if at + 1 < len(tokens) else None
        if token.tag in ",.'" and token.low != "#":
            at += 1
        elif token.low in w.OPENERS and not (token.low in ("no", "right") and ahead is not None and ahead.tag != ","):
            if token.low in ("great", "nice", "cool", "right", "sure", "look") and ahead and ahead.tag in "wvN":
                return at
            at += 1
        elif (called and token.tag == "N" and ahead is not None and ahead.tag == ",") or (
            token.low == "turns" and ahead is not None and ahead.low == "out"
        ):
            at += 2
        elif token.low == "by" and ahead is not None and ahead.low == "the" and _low(tokens, at + 2) == "way":
            at += 3
        else:
            return at
    return at


def _low(tokens: list[Token], at: int) -> str:
    return tokens[at].low if at < len(tokens) else ""


def _led(tokens: list[Token], at: int, times: list[tuple[int, int]]) -> tuple[int, tuple[Token, ...]]:
    """Past a time or another adverbial before the subject: "Last weekend I …", "After work we …"."""
    begin = at
    if tokens[at].tag == "i" and at + 1 < len(tokens):
        timed = any(start <= tokens[at + 1].start < end for start, end in times)
        at += timed
    for start, end in times:
        if start <= tokens[at].start < end:
            while at < len(tokens) and tokens[at].start < end:
                at += 1
            if at < len(tokens) and tokens[at].tag == ",":
                at += 1
            return (at, tuple(tokens[begin:at])) if parse(tokens, at) is not None else (begin, ())
    if tokens[at].tag == "i" or tokens[at].low in ("when", "every", "since"):
        for stop in range(at + 2, min(len(tokens), at + 12)):
            comma = tokens[stop].tag == ","
            if (comma or (tokens[stop].tag == "p" and tokens[stop].low in w.SUBJECT)) and stop + 1 < len(tokens):
                after = stop + 1 if comma else stop
                if comma or (tokens[begin].low != "when" and tokens[stop - 1].tag in "wN#v" and stop > begin + 1):
                    clause = parse(tokens, after, imperative=False)
                    if any(token.low in _EMPTY_LEAD for token in tokens[begin:stop]):
                        return after, ()
                    return (
                        (after, tuple(tokens[begin:stop])) if clause is not None and not clause.elided else (begin, ())
                    )
    return begin, ()
