"""Reading a text: which rules to ask, what they find, and what is written instead."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from memcli.lang.redact import Redacted, Redaction
from memcli.lang.redact.rule import BARRIER, Rule, compiled

# A hidden stretch: its span in the original, and the rule's name (empty for a placeholder that was there before).
Hidden = tuple[int, int, str]

_RUN = r"[A-Za-z0-9_/+-]{16}"
_DIGITS = r"[0-9](?:[ -]?[0-9]){13}"
_ROUNDS = 12


@cache
def _tables() -> tuple[Rule, ...]:
    """All rules, the most telling first: where two overlap, the first gives the name."""
    from memcli.lang.redact import ai, cards, chat, cloud, columns, commands, forge, generic, keys, payment, services, urls

    families = (keys, forge, ai, chat, payment, cloud, services, urls, commands, generic, columns, cards)
    return tuple(rule for family in families for rule in family.RULES)


@cache
def _keywords(long: bool) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Each keyword with the numbers of its rules; `long` ones are asked for only beside a long run."""
    by_word: dict[str, list[int]] = {}
    for number, rule in enumerate(_tables()):
        if rule.long == long:
            for word in rule.keywords:
                by_word.setdefault(word, []).append(number)
    return tuple((word, tuple(numbers)) for word, numbers in by_word.items() if word != "#")


@cache
def _cards() -> tuple[int, ...]:
    return tuple(number for number, rule in enumerate(_tables()) if rule.keywords == ("#",))


@cache
def _placeholder() -> str:
    names = sorted({rule.name for rule in _tables()})
    return r"\[secret: (?:" + "|".join(names) + r")\]"


def candidates(text: str) -> list[int]:
    """The numbers of the rules that one of their keywords calls. No pattern of a rule is compiled here."""
    low = text.lower()
    called: set[int] = set()
    for word, numbers in _keywords(False):
        if word in low:
            called.update(numbers)
    if compiled(_RUN).search(text):
        for word, numbers in _keywords(True):
            if word in low:
                called.update(numbers)
    if compiled(_DIGITS).search(text):
        called.update(_cards())
    return sorted(called)


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


def _scan(text: str) -> list[tuple[int, int, int]]:
    called = candidates(text)
    if not called:
        return []
    rules = _tables()
    return _merged([(start, end, n) for n in called for start, end in rules[n].spans(text)])


def _folded(text: str, hidden: list[Hidden]) -> tuple[str, list[tuple[int, int]]]:
    """The text with each hidden stretch as one barrier, and for each barrier its place and its length before."""
    pieces: list[str] = []
    marks: list[tuple[int, int]] = []
    at = length = 0
    for start, end, _ in hidden:
        pieces += [text[at:start], BARRIER]
        length += start - at
        marks.append((length, end - start))
        length += 1
        at = end
    pieces.append(text[at:])
    return "".join(pieces), marks


def _unfolded(place: int, marks: list[tuple[int, int]]) -> int:
    """Where a place of the folded text is in the original."""
    return place + sum(size - 1 for at, size in marks if at < place)


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
    rules = _tables()
    for _ in range(_ROUNDS):
        folded, marks = _folded(text, hidden) if hidden else (text, [])
        hits = _scan(folded)
        if not hits:
            break
        hidden = _joined(
            hidden + [(_unfolded(start, marks), _unfolded(end, marks), rules[n].name) for start, end, n in hits]
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
