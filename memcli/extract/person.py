"""Who is meant: the first and second person told in the third, pronouns replaced by what they stand for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Protocol

from memcli.extract.dates import Time
from memcli.extract.english import words as w
from memcli.extract.english.second import YOU
from memcli.extract.english.verbs import third
from memcli.extract.tokens import Token


class UnresolvedError(Exception):
    """A pronoun or a pointing word whose meaning is not known: the clause is not kept."""


class Lookup(Protocol):
    """Where the meaning of a pronoun of the third person is found; "" where it is not known."""

    def person(self, word: str = "") -> str:
        """Who he or she is; `word` is the pronoun."""

    def thing(self) -> str:
        """What it is."""

    def asked(self) -> str:
        """What the turn before asked about."""

    def group(self) -> str:
        """Who they are."""


@dataclass(frozen=True, slots=True)
class Cast:
    """Whom the pronouns of an entry mean.

    `addressed` is who spoke last before, in a talk of more than two: whose
    father "your father" is. `lookup` knows he, she, it and they.
    """

    speaker: str
    listener: str | None = None
    addressed: str = ""
    lookup: Lookup | None = None

    def he(self, word: str = "") -> str:
        """Who he or she is; raises UnresolvedError where nobody knows."""
        return _known(self.lookup.person(word) if self.lookup else "")

    def it(self) -> str:
        """What it is, at the beginning of a sentence."""
        return _known(self.lookup.thing() if self.lookup else "")

    def it_inside(self) -> str:
        """What it is, inside a sentence: only what was asked about, the rest is guesswork."""
        return _known(self.lookup.asked() if self.lookup else "")

    def they(self) -> str:
        """Who or what they are."""
        return _known(self.lookup.group() if self.lookup else "")


def _known(name: str) -> str:
    if not name:
        raise UnresolvedError("a pronoun")
    return name


@dataclass(slots=True)
class Told:
    """A stretch being retold: who its subject is, and what pronouns may refer to inside it."""

    subject: str = ""
    person_inside: bool = False
    thing_inside: bool = False
    group_inside: bool = False
    named: set[str] = field(default_factory=set)


_THEIRS, _YOURS = ("their", "them", "themselves"), ("your", "you", "yourself")
"""Whose, whom and who, of the one who speaks, where the sentence has named them already."""
_CAUSING = frozenset("help let make see watch hear have".split())
_UNITS = frozenset("weekend day week month year night evening morning afternoon time season".split())
_BARE_KIN = frozenset(
    "mum mom dad mama papa mommy daddy grandma grandpa granny gran grandad grandfather grandmother father "
    "mother".split()
)
_SAYING = frozenset("say think know tell hope believe realize realise find mean feel hear learn see understand".split())
_MARKS = frozenset("'\"‘’“”")
_PLURAL_BE = {"'m": "are", "'re": "are", "'ve": "have", "'ll": "will", "am": "are"}


def possessive(name: str) -> str:
    """Alex's; the players'."""
    return name + "'" if name.endswith("s'") else name + "'s"


class Teller:
    """Retells tokens of one sentence in the third person."""

    def __init__(self, cast: Cast, times: list[Time], people: Collection[str] = ()) -> None:
        self.cast = cast
        self.people = people
        self._times = times

    def tell(
        self,
        tokens: list[Token],
        told: Told,
        finite: int = -1,
        singular: bool = False,
        plural: bool = False,
        past: bool = False,
    ) -> str:
        """The tokens in the third person.

        `finite` is the index of the verb that agrees with the subject, to be put
        in the form for one other (`singular`) or for several (`plural`).
        """
        out = ""
        quoted = False
        last_end = tokens[0].start if tokens else 0
        agree = 0
        index = 0
        while index < len(tokens):
            token = tokens[index]
            time = next((time for time in self._times if time.start <= token.start < time.end), None)
            if time is not None:
                out = _join(out, time.words, True)
                while index < len(tokens) and tokens[index].start < time.end:
                    index += 1
                last_end = tokens[index - 1].end
                continue
            if token.low == "this" and index + 1 < len(tokens) and tokens[index + 1].low == "time":
                index, last_end = index + 2, tokens[index + 1].end
                continue
            if quoted and token.text not in _MARKS:
                word = token.text
            elif index == finite:
                word, agree = _agreeing(tokens, index, singular, plural, past), 0
            elif agree and token.tag in "bhomv":
                word, agree = _agreeing(tokens, index, agree == 1, agree == 2, past), 0
            else:
                word, starts = self._word(tokens, index, told)
                agree = starts or (agree if token.tag in "rn" else 0)
            apart = token.start > last_end or (word != token.text and token.text[0] in "'’" and token.low != "n't")
            out = _join(out, word, apart)
            if token.text in _MARKS:
                quoted = not quoted
            if token.tag == "N":
                told.named.add(token.low)
            self._notice(tokens, index, told)
            last_end = token.end
            index += 1
        return out.strip()

    def _notice(self, tokens: list[Token], index: int, told: Told) -> None:
        """What a later pronoun of this stretch may refer to."""
        token = tokens[index]
        if token.tag == "N" or token.low in w.KIN or token.low in w.ROLE:
            told.person_inside = True
        if token.tag in "wv" and index and tokens[index - 1].tag in "dsw":
            told.thing_inside = True
            if token.low.endswith("s") or token.low in ("people", "children", "kids", "folks", "family"):
                told.group_inside = True
        elif token.tag == "w" and token.low.endswith("s"):
            told.group_inside = told.thing_inside = True
        elif token.tag == "N" or token.tag == "w":
            told.thing_inside = True

    def _word(self, tokens: list[Token], index: int, told: Told) -> tuple[str, int]:
        """A word retold, and how the verb behind it must agree with it: 1 with one, 2 with several, 0 not at all."""
        token = tokens[index]
        if token.tag == "p" or token.low in ("her", "its") or token.tag == "s":
            return self._pronoun(tokens, index, told)
        if token.tag == "t":
            return self._pointing(tokens, index), 0
        if token.low in _BARE_KIN and (index == 0 or tokens[index - 1].tag not in "dsw'N"):
            return f"{possessive(self.cast.speaker)} {token.low}", 0
        return token.text, 0

    def _pronoun(self, tokens: list[Token], index: int, told: Told) -> tuple[str, int]:
        low = tokens[index].low
        cast = self.cast
        own = told.subject == cast.speaker
        their, them, themselves = _YOURS if cast.speaker == YOU else _THEIRS
        ahead = tokens[index + 1] if index + 1 < len(tokens) else None
        if low == "i":
            return cast.speaker, 1
        if low == "me":
            return cast.speaker, 0
        if low == "my":
            return (their if own else possessive(cast.speaker)), 0
        if low == "mine":
            return possessive(cast.speaker), 0
        if low == "myself":
            return themselves, 0
        if low == "we":
            return f"{cast.speaker} and others", 2
        if low == "us":
            return (them if own else f"{cast.speaker} and others"), 0
        if low == "our":
            return (their if own else possessive(cast.speaker)), 0
        if low in ("ours", "ourselves"):
            return possessive(cast.speaker) if low == "ours" else themselves, 0
        if low in ("you", "your", "yours", "yourself", "yourselves"):
            if low == "your" and cast.addressed and ahead is not None and ahead.low in w.KIN:
                return possessive(cast.addressed), 0
            if cast.listener is None or low == "yourselves":
                raise UnresolvedError(low)
            before = tokens[index - 1] if index else None
            acts = low == "you" and (
                before is None or before.tag not in "vi" or before.low in ("before", "after", "until", "till")
            )
            return (cast.listener if low in ("you", "yourself") else possessive(cast.listener)), int(acts)
        before = tokens[index - 1] if index else None
        helped = before is not None and before.base in _CAUSING and ahead is not None and "b" in ahead.forms
        return self._third(low, None if helped else ahead, told), 0

    def _third(self, low: str, ahead: Token | None, told: Told) -> str:
        cast = self.cast
        if low in ("he", "she", "him", "his", "her", "hers", "himself", "herself"):
            if told.person_inside or low.endswith("self"):
                return low
            owned = low == "his" or (low == "her" and ahead is not None and ahead.tag in "wvN#r")
            return possessive(cast.he(low)) if owned or low == "hers" else cast.he(low)
        if low in ("it", "its", "itself"):
            if told.thing_inside or low == "itself":
                return low
            return possessive(cast.it_inside()) if low == "its" else cast.it_inside()
        if told.group_inside or low in ("themselves",):
            return low
        return possessive(cast.they()) if low in ("their", "theirs") else cast.they()

    def _pointing(self, tokens: list[Token], index: int) -> str:
        token = tokens[index]
        before = tokens[index - 1] if index else None
        ahead = tokens[index + 1] if index + 1 < len(tokens) else None
        if token.low in ("here", "there"):
            if token.low == "there" and ahead is not None and ahead.tag in "bhm":
                return token.text
            raise UnresolvedError(token.low)
        if token.low == "that" and before is not None and before.low == "after":
            return "that"
        if (
            token.low == "that"
            and before is not None
            and before.low == "of"
            and index > 1
            and tokens[index - 2].tag == "#"
        ):
            return "that"
        if token.low == "those" and ahead is not None and ahead.low == "who":
            return token.text
        if ahead is None or ahead.tag in "bhm,.i" or (ahead.tag in "or" and token.low != "that"):
            if token.low == "that" and before is not None and before.tag in "wvN" and ahead is not None:
                return "that"
            raise UnresolvedError(token.low)
        last = index + 2 >= len(tokens)
        if token.low == "that" and (ahead.low in _UNITS or (last and ahead.low in w.VAGUE)):
            raise UnresolvedError(token.low)
        if token.low == "that" and before is not None:
            joins = before.base in _SAYING or ahead.tag in "pdsat" or before.tag in "wNa"
            if joins:
                return "that"
        if ahead.tag in "wvN#'q":
            return "The" if token.text[0].isupper() else "the"
        raise UnresolvedError(token.low)


_WHOLE = {"'m": "is", "'re": "are", "'ve": "have", "'ll": "will", "'s": "is"}


def _agreeing(tokens: list[Token], index: int, singular: bool, plural: bool = False, past: bool = False) -> str:
    """The finite verb in the form for one other person, or for several."""
    token = tokens[index]
    low = token.low
    if low == "'d":
        after = next((later for later in tokens[index + 1 :] if later.tag not in "rn"), None)
        return (
            "had"
            if after is not None and (after.low == "been" or (after.forms == "n" or after.low == "had"))
            else "would"
        )
    if low == "'ll":
        return "will"
    if not singular:
        if plural:
            return (
                "are"
                if low == "is" and plural and token.text[0] in "'’"
                else _PLURAL_BE.get(low, low if token.text[0] in "'’" else token.text)
            )
        return _WHOLE.get(low, low) if token.text[0] in "'’" else token.text
    if low in ("am", "'m", "are", "'re"):
        return "is"
    if low in ("have", "'ve"):
        return "has"
    if low == "were":
        return "was"
    if low in ("do", "does"):
        return "does"
    if token.tag == "v" and "b" in token.forms and not (past and "d" in token.forms):
        return third(token.base)
    if token.text[0] in "'’":
        return low
    return token.text[0].lower() + token.text[1:] if token.text.istitle() else token.text


def _join(out: str, word: str, apart: bool) -> str:
    return f"{out} {word}" if out and apart and word else out + word
