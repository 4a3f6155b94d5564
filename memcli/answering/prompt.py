"""What a generator is given: a constant instruction, the evidence dated, the question, a hint at its answer (D9)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from memcli.answering.form import Form, form_of, is_english, polar, several
from memcli.answering.passages import SHORT, passage
from memcli.lang.words import content_terms, stem
from memcli.llm.prompt import Prompt
from memcli.recall.dating import dated, day_of
from memcli.recall.search import Evidence

SYSTEM = (
    "You answer a question from notes of what people said. Use only what the notes say. "
    "Answer with the few words that are asked for and no whole sentence, in the language of the question and in the "
    "words of the notes: a name, a thing, a number, a reason, or a list of everything that fits, each thing once, "
    "with commas. Do not explain. If the notes do not say it, answer: I don't have that."
)
HINTS: Mapping[Form, str] = {
    "choice": "Choose one:",
    "yes_no": "Answer yes or no:",
    "conclusion": "Conclude from the notes. Short answer:",
    "count": "Count. Answer with the number:",
    "reason": "Short reason:",
    "short": "Short answer:",
}
LIKELY, LIST = "Answer likely yes or likely no:", "List everything that fits:"
REFUSAL = "I don't have that."
MAX_TOKENS = 80
FIRST, FIRST_CHARS, OTHER_CHARS = 4, 220, 150
"""The best pieces are given with more of their words than the others."""
OVER = " (no longer so)"


def build(question: str, evidence: Sequence[Evidence], stale: Collection[int] = ()) -> Prompt:
    """The prompt for one question: the best piece of evidence first, the second best last.

    `stale` are the numbers of those that are over, from 1: they are marked.
    """
    terms = [stem(word) for word in content_terms(question)]
    lines = [
        f"-{OVER if number in stale else ''} {line(item, terms, FIRST_CHARS if number <= FIRST else OTHER_CHARS)}"
        for number, item in enumerate(evidence, 1)
    ]
    if len(lines) > 2:
        lines.append(lines.pop(1))
    asked = f"Question: {question}"
    return Prompt(SYSTEM, f"{asked}\n{hint(question)}".rstrip(), "\n".join(lines), MAX_TOKENS)


def hint(question: str) -> str:
    """What the answer is to look like, in a few words; nothing for questions in other languages than English."""
    if not is_english(question):
        return ""
    form = form_of(question)
    if form == "conclusion" and polar(question):
        return LIKELY
    return LIST if form == "short" and several(question) else HINTS[form]


def line(item: Evidence, terms: Sequence[str], limit: int = SHORT) -> str:
    """One piece of evidence as the generator and the support check read it: day, speaker, at most `limit` of its words.

    The day is written as `dated` writes it, so that an answer can take it from either.
    """
    entry = item.entry
    who = entry.speaker or ("me" if entry.trust == "self" else entry.role)
    return f"{day_of(entry)} {who}: {passage(dated(entry), terms, limit)}"
