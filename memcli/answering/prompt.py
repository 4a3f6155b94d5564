"""What a generator is given: a constant instruction, the evidence dated and numbered, the question (D9)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC

from memcli.answering.passages import passage
from memcli.clock import show, wall
from memcli.lang.words import content_terms, stem
from memcli.llm.prompt import Prompt
from memcli.recall.dating import dated
from memcli.recall.search import Evidence
from memcli.types import Entry

SYSTEM = (
    "You answer a question from numbered notes. Use only what the notes say. "
    "Answer with the few words that are asked for and no whole sentence, in the language of the question: "
    "a name, a date, a number, a reason, or a list of everything that fits, each thing once, with commas. "
    "After them put the number of the note that says so in brackets, such as [2]. "
    "If the notes do not say it, answer: I don't have that."
)
REFUSAL = "I don't have that."
MAX_TOKENS = 80
PIECE_CHARS = 220
OVER = " (no longer so)"


def build(question: str, evidence: Sequence[Evidence], stale: Collection[int] = ()) -> Prompt:
    """The prompt for one question: the best piece of evidence first, the second best last, each with its number.

    `stale` are the numbers of those that are over: they are marked.
    """
    terms = [stem(word) for word in content_terms(question)]
    lines = [
        f"[{number}]{OVER if number in stale else ''} {line(item, terms)}" for number, item in enumerate(evidence, 1)
    ]
    if len(lines) > 2:
        lines.append(lines.pop(1))
    return Prompt(SYSTEM, f"Question: {question}", "\n".join(lines), MAX_TOKENS)


def line(item: Evidence, terms: Sequence[str]) -> str:
    """One piece of evidence as the generator and the support check read it: day, speaker, words.

    The day is written as `dated` writes it, so that an answer can take it from either.
    """
    entry = item.entry
    who = entry.speaker or ("me" if entry.trust == "self" else entry.role)
    return f"{day_of(entry)} {who}: {passage(dated(entry), terms, PIECE_CHARS)}"


def day_of(entry: Entry) -> str:
    """The day on which it was said, as `dated` writes days."""
    if entry.moment is None or entry.moment.precision == "none":
        return show(entry.moment)
    day = wall(entry.moment, UTC)
    return f"{day.day} {day:%B %Y}"
