"""What the rules know of a language with words between spaces: closed tables, one module a language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from memcli.lang.tongue import tongue
from memcli.recall.followup.said import Token

Role = Literal["person", "people", "thing", "place"]
Case = Literal["subject", "object", "possessive"]
Gender = Literal["", "m", "f"]


@dataclass(frozen=True, slots=True)
class Pronoun:
    """What a pronoun stands for. `gender` is empty where it tells none."""

    role: Role
    case: Case
    gender: Gender = ""


@dataclass(frozen=True, slots=True)
class Manner:
    """The closed classes of one language, all in lower case.

    - `asking` are interrogatives: `counting` those that take a noun, `persons`
      those for whom, `things` those for which thing.
    - `pointing` are pronouns for what was told as a whole ("that"), some of which are articles too.
    - `leads` begin a question that goes on, `openers` one that has nothing of
      its own ("anyone else"), `else_words` ask for more.
    - `near` are prepositions before places, `loose` those before places or persons.
    - `breaks` begin another clause, `joins` join names, `conjunction` is the word
      for "and", `infinitive` stands before an infinitive, `modal` are auxiliaries with one.
    - `owners` are the possessives of who speaks, `kin` and `titles` words for
      persons, `speakers` words for who speaks and is spoken to, `having` forms of "have".
    - `either` are possessives that may be objects too ("her"); `possessive` is what
      makes a name one that owns, "" where that takes another word order.
    - `ordinals` give an index, `alone` are those that take no noun, `one_words`
      stand for one, `numbers` come before a number, `middles` mean the middle one.
    - `naming` are words of questions whose answer is a name, `nothing` words of answers that say nothing.
    - `refers(tokens, i)` is whether the pronoun at `i` can refer to something outside its sentence at all.
    - `clitics`: an object stands before its verb, where no name could.
    - `nouns_capital`: every noun is written with a capital.
    """

    asking: frozenset[str]
    counting: frozenset[str]
    persons: frozenset[str]
    things: frozenset[str]
    pointing: frozenset[str]
    conjunction: str
    auxiliaries: frozenset[str]
    prepositions: frozenset[str]
    near: frozenset[str]
    loose: frozenset[str]
    determiners: frozenset[str]
    pronouns: Mapping[str, Pronoun]
    leads: tuple[tuple[str, ...], ...]
    openers: tuple[tuple[str, ...], ...]
    else_words: frozenset[str]
    owners: frozenset[str]
    kin: Mapping[str, Gender]
    titles: Mapping[str, Gender]
    ordinals: Mapping[str, int]
    one_words: frozenset[str]
    numbers: frozenset[str]
    joins: frozenset[str]
    breaks: frozenset[str]
    naming: frozenset[str]
    nothing: frozenset[str]
    yes_no: frozenset[str]
    stop: frozenset[str]
    refers: Callable[[Sequence[Token], int], bool]
    possessive: str
    having: frozenset[str]
    speakers: frozenset[str]
    either: frozenset[str] = frozenset()
    infinitive: frozenset[str] = frozenset()
    modal: frozenset[str] = frozenset()
    alone: frozenset[str] = frozenset()
    middles: tuple[tuple[str, ...], ...] = ()
    clitics: bool = False
    nouns_capital: bool = False

    def plain(self, low: str) -> bool:
        """Whether a word is one of grammar: it may be written with a capital and is no name."""
        return (
            low in self.stop
            or low in self.pronouns
            or low in self.asking
            or low in self.auxiliaries
            or low in self.prepositions
            or low in self.determiners
            or low in self.yes_no
            or low in self.ordinals
            or low in self.joins
        )


def table(text: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(text.split())


def phrases(text: str) -> tuple[tuple[str, ...], ...]:
    """The phrases of a table, one a line or between slashes, longest first."""
    found = [tuple(part.split()) for line in text.split("\n") for part in line.split("/")]
    return tuple(sorted(filter(None, found), key=lambda phrase: -len(phrase)))


def pronouns(text: str) -> dict[str, Pronoun]:
    """A table of pronouns: `role case gender: words`, one a line; the gender may be missing."""
    found = {}
    for line in filter(str.strip, text.split("\n")):
        kind, _, there = line.partition(":")
        role, case, *gender = kind.split()
        one = Pronoun(role, case, gender[0] if gender else "")  # type: ignore[arg-type]
        found.update(dict.fromkeys(there.split(), one))
    return found


def genders(feminine: str, masculine: str, either: str = "") -> dict[str, Gender]:
    """A table of words for persons."""
    return {
        **dict.fromkeys(either.split(), ""),
        **dict.fromkeys(feminine.split(), "f"),
        **dict.fromkeys(masculine.split(), "m"),
    }


def manner_of(question: str, before: str) -> Manner:
    """The language of a question: its own where that can be told, else that of the question before it."""
    from memcli.recall.followup import english

    found = tongue(question)
    if not found:
        words = {word.strip("?!.,¿¡\"'").lower() for word in question.split()}
        found = "" if words & english.TELLING else tongue(before)
    if found == "de":
        from memcli.recall.followup import german

        return german.MANNER
    if found == "es":
        from memcli.recall.followup import spanish

        return spanish.MANNER
    return english.MANNER
