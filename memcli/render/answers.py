"""An answer and its evidence, as lines and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memcli.answering.answer import Answer
from memcli.answering.dating import dated
from memcli.answering.passages import passage
from memcli.clock import show, to_iso
from memcli.importing.guard import SEAL
from memcli.lang.words import content_terms, stem
from memcli.recall.search import Evidence
from memcli.render import shapes
from memcli.render.plain import Style, who
from memcli.render.text import one_line, wrap

SHOWN_CHARS = 400


def evidence_lines(question: str, found: Sequence[Evidence], columns: int, style: Style) -> list[str]:
    """The numbered evidence: number, time, speaker, the words nearest the question, and whose they are."""
    terms = [stem(word) for word in content_terms(question)]
    lines = []
    for number, item in enumerate(found, 1):
        entry = item.entry
        label = f"[{number}] {show(entry.moment)} {who(entry)}: "
        words = one_line(passage(dated(entry), terms, SHOWN_CHARS))
        marked = "" if entry.trust in ("self", "other") else f" ({entry.trust})"
        text = wrap(label + words + marked, columns, "    ")
        head = text[: len(label) - 1]
        lines.append(style("label", head) + text[len(head) :] if text.startswith(label[:-1]) else text)
    return lines


def answer_text(answer: Answer, columns: int, style: Style) -> str:
    """The answer's own lines; a quote is labelled as one, and so is what nobody said."""
    words = one_line(answer.text)
    label = {"quote": "Quoted: ", "concluded": "Concluded: "}.get(answer.kind, "")
    if label:
        return style("label", label) + wrap(label + words, columns)[len(label) :]
    return style("answer", wrap(words, columns))


def seal(found: int, visible: int, pending: int) -> str:
    """The last line of an answer. `mem` knows its own answers by it and takes none of them in again."""
    text = f"{SEAL} {found or 'none'} of {visible:,} entries"
    return f"{text}; {pending:,} by words only until `mem tidy`" if pending else text


def evidence_shape(number: int, item: Evidence) -> dict[str, Any]:
    """One numbered piece of evidence."""
    found = item.entry
    return {
        "n": number,
        "id": found.id,
        "text": found.text,
        "said_at": None if found.moment is None else to_iso(found.moment),
        "precision": "none" if found.moment is None else found.moment.precision,
        "speaker": found.speaker,
        "session": found.session,
        "title": found.title,
        "scope": found.scope,
        "trust": found.trust,
        "source": found.source,
        "source_key": found.source_key,
        "score": round(item.score, 6),
    }


def answer_shape(
    question: str, answer: Answer, found: Sequence[Evidence], indexed: int, pending: int
) -> dict[str, Any]:
    """The answer to a question: `kind` is "generated", "quote" or "none"; `cited` are numbers of the evidence."""
    return {
        "version": shapes.VERSION,
        "question": question,
        "answer": answer.text,
        "abstained": answer.abstained,
        "kind": answer.kind,
        "cited": list(answer.cited),
        "evidence": [evidence_shape(number, item) for number, item in enumerate(found, 1)],
        "indexed": indexed,
        "pending": pending,
    }
