"""What a generator is given: a constant instruction, the evidence dated and numbered, the question (D9)."""

from __future__ import annotations

from collections.abc import Sequence

from memcli.answering.dating import dated
from memcli.answering.passages import passage
from memcli.clock import show
from memcli.lang.words import content_terms, stem
from memcli.llm.prompt import Prompt
from memcli.recall.search import Evidence

SYSTEM = (
    "You answer a question from numbered notes. Use only what the notes say. "
    "Answer in one short sentence, in the language of the question, and end it with the number of the note "
    "that says so in brackets, such as [2]. If the notes do not say it, answer: I don't have that."
)
REFUSAL = "I don't have that."
MAX_TOKENS = 80


def build(question: str, evidence: Sequence[Evidence]) -> Prompt:
    """The prompt for one question. The evidence is given in the order of time, each piece with its number."""
    terms = [stem(word) for word in content_terms(question)]
    lines = [
        (item.entry.moment.ms if item.entry.moment else 0, f"[{number}] {line(item, terms)}")
        for number, item in enumerate(evidence, 1)
    ]
    lines.sort()
    return Prompt(SYSTEM, question, "\n".join(text for _, text in lines), MAX_TOKENS)


def line(item: Evidence, terms: Sequence[str]) -> str:
    """One piece of evidence as the generator and the support check read it: date, speaker, words."""
    entry = item.entry
    who = entry.speaker or ("me" if entry.trust == "self" else entry.role)
    return f"{show(entry.moment)} {who}: {passage(dated(entry), terms)}"
