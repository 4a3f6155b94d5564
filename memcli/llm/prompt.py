"""What a generator is asked, and what comes back, as types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Reason = Literal["stop", "length", "cancelled"]
PrefixUse = Literal["kept", "loaded", "built"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request to a generator.

    `system` is a constant of the program and never holds stored text: its
    state is kept on disk between runs. `material` is stored text (evidence)
    and `question` is what is wanted; both are read as plain text whatever
    they contain. When the whole does not fit the context, `material` loses
    tokens at its end, so that `question` always arrives whole; a question
    that does not fit by itself is an error. `max_tokens` bounds the answer.
    `grammar` is GBNF (see `grammar.from_schema`), None for free text.
    """

    system: str
    question: str
    material: str = ""
    max_tokens: int = 256
    grammar: str | None = None


@dataclass(frozen=True, slots=True)
class Finish:
    """How a generation ended.

    With reason "length" the answer was cut at `max_tokens`: it is a failure,
    never to be parsed. `tokens` counts the answer, `prompt_tokens` the
    prompt, `cut` the tokens `material` lost. `prefix` tells where the state
    of the constant prefix came from: this process, the disk, or computing.
    """

    reason: Reason
    tokens: int
    prompt_tokens: int
    cut: int
    prefix: PrefixUse


@dataclass(frozen=True, slots=True)
class YesNo:
    """Probability (0 to 1) that the first token of the answer says yes, or no.

    The two do not add up to 1: the rest went to other first tokens.
    """

    yes: float
    no: float

    @property
    def share(self) -> float:
        """Yes as a share of yes and no together; 0.5 when neither was likely at all."""
        both = self.yes + self.no
        return self.yes / both if both > 0 else 0.5
