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


def without_apposition(tokens: list[Token]) -> list[Token]:
    """A subject that is named behind a comma, by its name: "my boss, Karin, lives …" is my boss Karin (B2).

    So too "Liv, that's my daughter, she plays …" and "my daughter Liv, she plays …": the name alone acts.
    """
    tokens = _without_going(tokens)
    tail = [token.tag for token in tokens[-3:]]
    if len(tokens) > 5 and tail[:2] == [",", "s"] and tokens[-1].low in w.KIN and tokens[0].tag == "N":
        tokens = tokens[:-3]
    comma = next((at for at, token in enumerate(tokens[:9]) if token.tag == ","), 0)
    if (
        comma
        and comma + 2 < len(tokens)
        and tokens[comma + 1].low in ("he", "she")
        and tokens[comma + 2].tag in "vbhmor"
    ):
        named = tokens[comma - 1].tag == "N" or tokens[comma - 1].low in w.KIN
        if named and tokens[0].tag in "sN" and not any(token.tag in "bhmopqi" for token in tokens[:comma]):
            return [*tokens[:comma], *tokens[comma + 2 :]]
    if (
        comma
        and tokens[comma - 1].tag == "N"
        and all(token.tag == "N" or token.low in w.TITLES for token in tokens[:comma])
    ):
        return _without_aside(tokens, comma)
    if comma < 2 or tokens[0].tag not in "sd" or any(token.tag in "bhmopq" for token in tokens[:comma]):
        return tokens
    stop = comma + 1
    while stop < len(tokens) and tokens[stop].tag == "N":
        stop += 1
    if not comma + 1 < stop <= comma + 3 or stop + 1 >= len(tokens) or tokens[stop].tag != ",":
        return tokens
    if tokens[stop + 1].tag not in "vbhmor":
        return tokens
    role = next((at for at in range(1, comma) if tokens[at].low in w.KIN | w.ROLE | w.PETS | w.STUDENTS), None)
    kept = tokens[: role + 1] if role is not None and tokens[0].tag == "s" else []
    return [*kept, *tokens[comma + 1 : stop], *tokens[stop + 1 :]]


def _without_going(tokens: list[Token]) -> list[Token]:
    """ "I go and swim" is I swim."""
    for at in range(1, len(tokens) - 2):
        if (
            tokens[at].low == "go"
            and tokens[at + 1].low == "and"
            and "b" in tokens[at + 2].forms
            and tokens[at - 1].tag == "p"
        ):
            return [*tokens[:at], *tokens[at + 2 :]]
    return tokens


def _without_aside(tokens: list[Token], comma: int) -> list[Token]:
    """A name with what it is between commas: "Gerda, the younger sister, still lives …" is Gerda lives."""
    after = comma + 1
    low = [token.low for token in tokens[after : after + 3]]
    if low in (["that", "is", "my"], ["that", "'s", "my"]) and len(tokens) > after + 6 and tokens[after + 4].tag == ",":
        behind = after + 5 + (tokens[after + 5].low in ("he", "she"))
        return [*tokens[:comma], *tokens[behind:]]
    if after >= len(tokens) or tokens[after].tag not in "ds":
        return tokens
    stop = next((at for at in range(after, min(len(tokens), after + 9)) if tokens[at].tag == ","), 0)
    if not stop or stop + 1 >= len(tokens) or any(token.tag in "bhmopq" for token in tokens[after:stop]):
        return tokens
    behind = stop + 1
    while behind < len(tokens) and tokens[behind].tag == "r":
        behind += 1
    acts = behind < len(tokens) and (
        tokens[behind].tag in "bhmo" or (tokens[behind].tag == "v" and tokens[behind].forms != "g")
    )
    return [*tokens[:comma], *tokens[stop + 1 :]] if acts else tokens


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
        ahead = tokens[at + 1] if at + 1 < len(tokens) else token
        return at == 0 or token.start > tokens[at - 1].end or ahead.start > token.end
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
    weekday = tokens[at].low.endswith("days") and tokens[at].low in w.CALENDAR
    if weekday and at + 1 < len(tokens) and tokens[at + 1].tag == "p" and tokens[at + 1].low in w.SUBJECT:
        return at + 1, (tokens[at],)
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
    if tokens[at].tag == "i" or tokens[at].low in ("when", "every", "each", "since"):
        for stop in range(at + 2, min(len(tokens), at + 12)):
            comma = tokens[stop].tag == ","
            named = stop + 2 < len(tokens) and tokens[stop].low in ("my", "our") and tokens[stop + 1].low in w.KIN
            named = named or (tokens[begin].low in ("each", "every") and tokens[stop].low == "the")
            if (comma or named or (tokens[stop].tag == "p" and tokens[stop].low in w.SUBJECT)) and stop + 1 < len(
                tokens
            ):
                after = stop + 1 if comma else stop
                if comma or (tokens[begin].low != "when" and tokens[stop - 1].tag in "wN#v" and stop > begin + 1):
                    clause = parse(tokens, after, imperative=False)
                    if any(token.low in _EMPTY_LEAD for token in tokens[begin:stop]):
                        return after, ()
                    if clause is None and comma and after < len(tokens) and tokens[after].tag == "i":
                        further, more = _led(tokens, after, times)
                        if more:
                            return further, (*tokens[begin:stop], *more)
                    return (
                        (after, tuple(tokens[begin:stop])) if clause is not None and not clause.elided else (begin, ())
                    )
    return begin, ()
