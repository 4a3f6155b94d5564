"""Relations that stand beside the point: "my brother Iker", "Petra from ACME", "Odile (agent)"."""

from __future__ import annotations

from itertools import pairwise

from memcli.extract.context import Found
from memcli.extract.english import words as w
from memcli.extract.person import possessive
from memcli.extract.relate import Reading
from memcli.extract.sentences import Aside, Sentence
from memcli.extract.teller import Line, Scene, found
from memcli.extract.tokens import Token, tokenise


def relatives(scene: Scene, line: Line, tokens: list[Token]) -> list[Found]:
    """Who is whose, and who is of where, as a clause says in passing."""
    made: list[Found] = []
    for at, token in enumerate(tokens):
        if token.tag == "s" and token.low in ("my", "our", "her", "his") and at + 2 < len(tokens):
            made += _kin(scene, line, tokens, at)
        elif token.low in ("a", "an") and at + 1 < len(tokens) and tokens[at + 1].low in w.KIN | w.ROLE:
            made += _introduced(scene, line, tokens, at + 1)
        elif token.tag == "'" and at + 2 < len(tokens) and tokens[at + 1].low in w.KIN and tokens[at - 1].tag == "N":
            made += _of_other(scene, line, tokens, at)
        elif token.tag == "N" and token.text[0].isupper() and at + 2 < len(tokens) and tokens[at + 1].low == "from":
            made += _from(scene, line, tokens, at)
    return made


def _kin(scene: Scene, line: Line, tokens: list[Token], at: int) -> list[Found]:
    kin = at + 1
    while kin < len(tokens) and tokens[kin].tag in "wv" and tokens[kin].low not in w.KIN | w.ROLE | w.PETS | w.STUDENTS:
        kin += 1
        if kin > at + 3:
            return []
    if kin >= len(tokens) or tokens[kin].low not in w.KIN | w.ROLE | w.PETS | w.STUDENTS:
        return []
    name = _name(tokens, kin + 1)
    if not name or name.lower() in scene.leave_out:
        return []
    if tokens[at].low in ("my", "our"):
        owner = scene.speaker
    else:
        owner = scene.referents.person()
        if owner in ("", name):
            return []
    word = " ".join(token.low for token in tokens[at + 1 : kin + 1])
    return found(
        scene,
        line,
        f"{name} is {possessive(owner)} {word}",
        owner,
        bond(tokens[kin].low, name),
        tokens=tokens[kin : kin + 2],
    )


def _introduced(scene: Scene, line: Line, tokens: list[Token], kin: int) -> list[Found]:
    """I have an aunt in Neukölln, Brigitte."""
    comma = next((at for at in range(kin + 1, min(len(tokens), kin + 5)) if tokens[at].tag == ","), None)
    has = any(token.base == "have" and before.low == "i" for before, token in pairwise(tokens))
    name = _name(tokens, comma + 1) if comma is not None and has else ""
    if not name:
        return []
    text = f"{name} is {possessive(scene.speaker)} {tokens[kin].low}"
    return found(scene, line, text, scene.speaker, bond(tokens[kin].low, name), tokens=tokens[kin : kin + 5])


def _of_other(scene: Scene, line: Line, tokens: list[Token], mark: int) -> list[Found]:
    """Lotte's sister Femke."""
    owner, name = tokens[mark - 1].text, _name(tokens, mark + 2)
    if not name:
        return []
    text = f"{name} is {possessive(owner)} {tokens[mark + 1].low}"
    return found(scene, line, text, owner, bond(tokens[mark + 1].low, name), tokens=tokens[mark - 1 : mark + 3])


def bond(word: str, name: str) -> Reading:
    """The relation that a word for a relative, a pet or a role makes."""
    value = name.lower()
    if word in w.PARTNER:
        return Reading("partner", value, "fact", "semantic")
    if word in w.PETS:
        return Reading("pet", f"{word} {value}", "fact", "semantic")
    if word in w.FRIENDS:
        return Reading("friend", value, "fact", "semantic")
    return Reading(f"{'relative' if word in w.KIN else 'role'}:{word}", value, "fact", "semantic")


def _name(tokens: list[Token], at: int) -> str:
    names = []
    while (
        at < len(tokens) and tokens[at].tag == "N" and tokens[at].text[0].isupper() and tokens[at].low not in w.CALENDAR
    ):
        names.append(tokens[at].text)
        at += 1
    return " ".join(names)


def _from(scene: Scene, line: Line, tokens: list[Token], at: int) -> list[Found]:
    where = _name(tokens, at + 2)
    name = tokens[at].text
    if not where or name.lower() in scene.leave_out or tokens[at].low in w.CALENDAR:
        return []
    reading = Reading("works_at" if where.isupper() else "comes_from", where.lower(), "fact", "semantic")
    return found(scene, line, f"{name} is from {where}", name, reading, tokens=tokens[at : at + 3])


def aside(scene: Scene, item: Aside) -> list[Found]:
    """Odile (agent): what somebody is, in parentheses behind the name."""
    words = scene.context.entry.text[item.start : item.end].split()
    before = scene.text[: item.opened].rstrip()
    tokens = tokenise(before, max(0, len(before) - 40), len(before), scene.people)
    if not tokens or (tokens[-1].tag != "N" and not tokens[-1].text[0].isupper()):
        return []
    at = len(tokens) - 1
    while at and tokens[at - 1].tag == "N":
        at -= 1
    name = " ".join(token.text for token in tokens[at:])
    if not 1 <= len(words) <= 3 or not words[-1].isalpha() or not words[-1].islower():
        return []
    role = " ".join(words)
    begin = tokens[at].start
    line = Line(Sentence(begin, item.end + 1, False), role, tokens[at:])
    if words[-1] in w.ROLE | w.KIN:
        text = f"{name} is {possessive(scene.speaker)} {role}"
        return found(scene, line, text, name, bond(words[-1], name), tokens=tokens[at:])
    if len(words) > 1 or words[-1].endswith(("ly", "ing", "ed")):
        return []
    reading = Reading("is", role, "fact", "semantic")
    article = "an" if role[0] in "aeiou" else "a"
    return found(scene, line, f"{name} is {article} {role}", name, reading, tokens=tokens[at:])
