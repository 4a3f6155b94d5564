"""Whom a pronoun means: the persons of the newest exchange that has any, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from memcli.recall.followup.frame import Frame, frame_of
from memcli.recall.followup.manner import Gender
from memcli.recall.followup.naming import Name, is_auxiliary, times_in
from memcli.recall.followup.said import (
    GIST_WORDS,
    Exchange,
    Token,
    is_evidence,
    items,
    segments,
    spoken,
    tokens_of,
)

_MASCULINE_A, _FEMININE_NO_A = 1.5, 0.5
"""Ranks that a name in -a loses for "he", and any other for "she"."""
_SURE = 3
"""Ranks that a title or "my sister" gains, where it has the gender of the pronoun."""
_LONGEST_GROUP = 4
_NAMES_OF_CLAUSE = 2


@dataclass(frozen=True)
class Past:
    """One exchange of the dialogue, its question completed and taken apart."""

    exchange: Exchange
    frame: Frame

    @cached_property
    def answer(self) -> Frame:
        """What was answered, without the marks of citations."""
        told = "\n".join(words for _, words in spoken(self.exchange.answer))
        return frame_of(told, self.frame.manner, self.frame.known)

    @cached_property
    def items(self) -> list[str]:
        """The list that the answer is, [] where it is none."""
        return items(self.exchange.answer)

    @cached_property
    def asks_name(self) -> bool:
        """Whether the answer is to be a name: "who repaired it", "what is the dog called"; not "who is Ines"."""
        frame, manner = self.frame, self.frame.manner
        if any(frame.tokens[at].low in manner.naming for at in frame.words):
            return True
        if frame.asks_with not in manner.persons:
            return False
        rest = range(frame.asking, frame.end)
        named = {at for name in frame.names for at in range(name.first, name.last)}
        return not all(at in named or is_auxiliary(frame.tokens, at, manner) for at in rest) or not rest

    @cached_property
    def gist(self) -> str:
        """The thing that a short answer names, "" where it is a sentence, a time, a number, or says nothing."""
        manner = self.frame.manner
        for part in segments(self.exchange.answer):
            tokens = tokens_of(part)
            if all(token.low in manner.yes_no or not token.is_word for token in tokens):
                continue
            if any(token.low in manner.nothing for token in tokens):
                return ""
            if is_evidence(self.exchange.answer):
                return _names_of(self.answer)
            return _thing(part, tokens, self.answer)
        return ""

    @cached_property
    def persons(self) -> list[tuple[float, Name]]:
        """(rank, person), the likeliest first; what stands after a preposition of places is none."""
        near, loose = self.frame.manner.near, self.frame.manner.loose
        asked = [
            (4.0 if name.owner else 3.0 if name.after in loose else 1.0, name)
            for name in [*self.frame.names, *_kin_of(self.frame)]
            if name.after not in near
        ]
        told = [
            (5.0 if name.owner else 0.0 if self.asks_name else 2.0, name)
            for name in [*self.answer.names, *([] if self.frame.names else _kin_of(self.answer))]
            if name.after not in near and not _is_address(self.answer, name)
        ]
        speakers = [(2.0, Name(who, 0, 0)) for who, _ in spoken(self.exchange.answer) if who is not None]
        return sorted(asked + told + speakers, key=lambda item: item[0])

    @cached_property
    def groups(self) -> list[list[str]]:
        """Several persons named together, those of an answer that names the asked first."""
        frames = [self.frame, self.answer]
        if self.asks_name or not self.frame.names:
            frames.reverse()
        return [group for frame in frames for group in _groups(frame)]


def _kin_of(frame: Frame) -> Iterator[Name]:
    """ "Kenji's dog", "Priya's boss": who belongs to somebody that is named."""
    for name in frame.names:
        at = name.last + 1
        if name.owner and at < len(frame.tokens) and frame.tokens[at].low in frame.manner.kin:
            gender = frame.manner.kin[frame.tokens[at].low]
            yield Name(frame.slice(name.first, at + 1), name.first, at + 1, after=name.after, gender=gender)


def _is_address(frame: Frame, name: Name) -> bool:
    """ "9 Orchard Close": a number stands before it."""
    return name.first > 0 and frame.tokens[name.first - 1].text.isdecimal()


def _thing(text: str, tokens: Sequence[Token], answer: Frame) -> str:
    """The part of an answer as the name of a thing; of a longer sentence the names in it."""
    manner = answer.manner
    clause = any(token.low in manner.speakers or is_auxiliary(tokens, at, manner) for at, token in enumerate(tokens))
    if len(tokens) > GIST_WORDS or clause:
        return _names_of(answer)
    if any(token.low in manner.one_words or token.low in manner.pronouns for token in tokens):
        return ""
    words = [token for token in tokens if token.is_word]
    if words[0].text[0].isdigit() and not (len(words) > 1 and words[1].capital):
        return ""
    timed = {at for first, last in times_in(text, tokens) for at in range(first, last)}
    if all(at in timed or manner.plain(token.low) or token.text.isdecimal() for at, token in enumerate(tokens)):
        return ""
    if manner.plain(words[0].low) and not (len(words) > 1 and words[1].capital):
        text = text[0].lower() + text[1:]
    return text.rstrip(" .!?。")


def _names_of(answer: Frame) -> str:
    return " ".join(dict.fromkeys(name.text for name in answer.names[:_NAMES_OF_CLAUSE]))


def _groups(frame: Frame) -> Iterator[list[str]]:
    """Names that only a comma or "and" stands between."""
    group: list[Name] = []
    for name in frame.names:
        between = [token.low for token in frame.tokens[group[-1].last : name.first]] if group else []
        if not between or any(low != "," and low not in frame.manner.joins for low in between):
            if 1 < len(group) <= _LONGEST_GROUP:
                yield [one.text for one in group]
            group = []
        group.append(name)
    if 1 < len(group) <= _LONGEST_GROUP:
        yield [one.text for one in group]


def one_of(gender: Gender, past: Sequence[Past], without: Sequence[str] = ()) -> str | None:
    """The person that "he" or "she" means; `past` has the newest first. None where nobody was named."""
    for exchange in past:
        best: tuple[float, str] | None = None
        for rank, name in exchange.persons:
            if name.text in without or _is_other(name.gender, gender):
                continue
            rank += -_SURE if name.gender and gender else _unlikely(name.text, gender)
            if best is None or rank < best[0]:
                best = rank, name.text
        if best is not None:
            return best[1]
    return None


def all_of(past: Sequence[Past]) -> list[str] | None:
    """The persons that "they" means: named together in the newest exchange that names any."""
    for exchange in past:
        if exchange.groups:
            return exchange.groups[0]
        if exchange.persons:
            return None
    return None


def _is_other(one: Gender, gender: Gender) -> bool:
    return bool(one and gender and one != gender)


def _unlikely(name: str, gender: Gender) -> float:
    """What the ending of a name says against a gender: enough to choose between two, never to rule one out."""
    feminine = name.split()[0].lower().endswith("a")
    if gender == "m":
        return _MASCULINE_A if feminine else 0.0
    return _FEMININE_NO_A if gender == "f" and not feminine else 0.0
