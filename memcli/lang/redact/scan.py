"""Reading a text: which rules to ask, what they find, and what is written instead."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from itertools import pairwise

from memcli.lang.redact import Redacted, Redaction
from memcli.lang.redact.rule import BARRIER, DIGITS, Rule, compiled

# A hidden stretch: its span in the original, and the rule's name (empty for a placeholder that was there before).
Hidden = tuple[int, int, str]

_RUN = r"[A-Za-z0-9_/+-]{16}"
_DIGITS = r"[0-9][0-9 -]{12}[0-9]"
_ROUNDS = 12


@cache
def _tables() -> tuple[Rule, ...]:
    """All rules, the most telling first: where two overlap, the first gives the name."""
    from memcli.lang.redact import (
        ai,
        cards,
        chat,
        cloud,
        columns,
        commands,
        forge,
        generic,
        keys,
        payment,
        services,
        urls,
    )

    families = (keys, forge, ai, chat, payment, cloud, services, urls, commands, generic, columns, cards)
    return tuple(rule for family in families for rule in family.RULES)


@cache
def _keywords(long: bool, ascii_only: bool) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Each keyword with the numbers of its rules; `long` ones are asked for only beside a long run."""
    by_word: dict[str, list[int]] = {}
    for number, rule in enumerate(_tables()):
        if rule.long == long and rule.keywords != DIGITS:
            for word in rule.keywords:
                if word.isascii() or not ascii_only:
                    by_word.setdefault(word, []).append(number)
    return tuple((word, tuple(numbers)) for word, numbers in by_word.items())


@cache
def _shortest(ascii_only: bool) -> tuple[str, ...]:
    """The keywords without those that contain another one: enough to see that none occurs."""
    words = [word for word, _ in _keywords(False, ascii_only)]
    return tuple(word for word in words if not any(other != word and other in word for other in words))


@cache
def _cards() -> tuple[int, ...]:
    return tuple(number for number, rule in enumerate(_tables()) if rule.keywords == DIGITS)


@cache
def _placeholder() -> str:
    names = sorted({rule.name for rule in _tables()})
    return r"\[secret: (?:" + "|".join(names) + r")\]"


def _lowered(text: str) -> str:
    """Lower case with every character in its place."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


def candidates(text: str, low: str) -> list[int]:
    """The numbers of the rules that one of their keywords calls. No pattern of a rule is compiled here.

    Most texts have none, and pay for some forty searches of a literal and for
    the length of their longest word.
    """
    called: list[tuple[int, ...]] = []
    ascii_only = text.isascii()
    for literal in _shortest(ascii_only):
        if literal in low:
            called = [numbers for word, numbers in _keywords(False, ascii_only) if word in low]
            break
    if len(max(low.split(), key=len, default="")) >= 16 and compiled(_RUN).search(text):
        called += [numbers for word, numbers in _keywords(True, ascii_only) if word in low]
    if compiled(_DIGITS).search(text):
        called.append(_cards())
    return sorted({n for numbers in called for n in numbers}) if called else []


def _merged(hits: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Overlapping spans become one; the first rule of the tables names it."""
    hits.sort()
    out: list[tuple[int, int, int]] = []
    for start, end, number in hits:
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]), min(number, out[-1][2]))
        else:
            out.append((start, end, number))
    return out


def _scan(text: str, low: str, called: list[int]) -> list[tuple[int, int, int]]:
    rules = _tables()
    return _merged([(start, end, n) for n in called for start, end in rules[n].spans(text, low)])


def _folded(text: str, hidden: list[Hidden]) -> tuple[str, list[int], list[int]]:
    """Each hidden stretch as one barrier; where the barriers are, and how much the text shrank up to each."""
    pieces: list[str] = []
    places: list[int] = []
    shrunk = [0]
    at = 0
    for start, end, _ in hidden:
        pieces += [text[at:start], BARRIER]
        places.append(start - shrunk[-1])
        shrunk.append(shrunk[-1] + end - start - 1)
        at = end
    pieces.append(text[at:])
    return "".join(pieces), places, shrunk


def _joined(hidden: list[Hidden]) -> list[Hidden]:
    """In order, overlapping ones made one."""
    hidden.sort()
    out = hidden[:1]
    for start, end, name in hidden[1:]:
        if start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]), out[-1][2] or name)
        else:
            out.append((start, end, name))
    return out


def hide(text: str) -> Redacted:
    """See `redact`. Read until nothing more is found, so that reading the result again finds nothing either."""
    hidden: list[Hidden] = []
    if "[secret: " in text:
        hidden = [(*match.span(), "") for match in compiled(_placeholder()).finditer(text)]
    called: list[int] | None = None
    for _ in range(_ROUNDS):
        folded, places, shrunk = _folded(text, hidden) if hidden else (text, [], [0])
        low = _lowered(folded)
        if called is None:
            # Hiding adds no keyword: what is not called now is not called later.
            called = candidates(folded, low)
        hits = _scan(folded, low, called) if called else []
        if not hits:
            break
        rules = _tables()
        hidden = _joined(
            hidden
            + [
                (start + shrunk[bisect_left(places, start)], end + shrunk[bisect_left(places, end)], rules[n].name)
                for start, end, n in hits
            ]
        )
    found = tuple(Redaction(name, start, end) for start, end, name in hidden if name)
    if not found:
        return Redacted(text, ())
    edges = [0, *(edge for one in found for edge in (one.start, one.end)), len(text)]
    kept = [text[a:b] for a, b in list(pairwise(edges))[::2]]
    pieces = [kept[0]]
    for one, rest in zip(found, kept[1:], strict=True):
        pieces += [f"[secret: {one.rule}]", rest]
    return Redacted("".join(pieces), found)
