"""An answer and its evidence, as lines and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memcli.answering.answer import Answer
from memcli.answering.known import Over
from memcli.answering.passages import passage
from memcli.answering.settle import day
from memcli.clock import iso, show, to_iso
from memcli.importing.guard import SEAL
from memcli.lang.words import content_terms, stem
from memcli.recall.dating import dated
from memcli.recall.question import Plan
from memcli.recall.search import Evidence
from memcli.render import shapes
from memcli.render.plain import Style, who
from memcli.render.text import one_line, wrap

SHOWN_CHARS = 400


def evidence_lines(
    question: str, found: Sequence[Evidence], columns: int, style: Style, over: Mapping[int, Over] | None = None
) -> list[str]:
    """The numbered evidence: number, time, speaker, the words nearest the question, whose they are, if it is over."""
    terms = [stem(word) for word in content_terms(question)]
    lines = []
    for number, item in enumerate(found, 1):
        entry = item.entry
        label = f"[{number}] {show(entry.moment)} {who(entry)}: "
        words = one_line(passage(dated(entry), terms, SHOWN_CHARS))
        marked = "" if entry.trust in ("self", "other") else f" ({entry.trust})"
        if over and number in over:
            marked += _over_words(over[number])
        text = wrap(label + words + marked, columns, "    ")
        head = text[: len(label) - 1]
        lines.append(style("label", head) + text[len(head) :] if text.startswith(label[:-1]) else text)
    return lines


def _over_words(over: Over) -> str:
    return " (no longer so)" if over.until_ms is None else f" (until {day(over.until_ms)})"


def answer_text(answer: Answer, columns: int, style: Style) -> str:
    """The answer's own lines; a quote is labelled as one."""
    words = one_line(answer.text + (f" (before: {', '.join(answer.before)})" if answer.before else ""))
    if answer.kind == "quote":
        return style("label", "Quoted: ") + wrap("Quoted: " + words, columns)[len("Quoted: ") :]
    return style("answer", wrap(words, columns))


def seal(found: int, visible: int, pending: int) -> str:
    """The last line of an answer. `mem` knows its own answers by it and takes none of them in again."""
    text = f"{SEAL} {found or 'none'} of {visible:,} entries"
    return f"{text}; {pending:,} by words only until `mem tidy`" if pending else text


def evidence_shape(number: int, item: Evidence, over: Over | None = None) -> dict[str, Any]:
    """One numbered piece of evidence; where it is over, the entry that replaced it and until when it was true."""
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
        "superseded_by": None if over is None else over.superseded_by,
        "valid_until": None if over is None or over.until_ms is None else iso(over.until_ms).removesuffix("Z"),
    }


def answer_shape(
    question: str,
    asked_as: str | None,
    answer: Answer,
    found: Sequence[Evidence],
    indexed: int,
    pending: int,
    over: Mapping[int, Over] | None = None,
) -> dict[str, Any]:
    """The answer to a question: `kind` is "generated", "quote" or "none"; `cited` are numbers of the evidence.

    `asked_as` is the question as it was understood, None where that is as it was asked.
    """
    return {
        "version": shapes.VERSION,
        "question": question,
        "asked_as": asked_as,
        "answer": answer.text,
        "abstained": answer.abstained,
        "kind": answer.kind,
        "cited": list(answer.cited),
        "before": list(answer.before),
        "open": answer.open,
        "evidence": [evidence_shape(number, item, (over or {}).get(number)) for number, item in enumerate(found, 1)],
        "indexed": indexed,
        "pending": pending,
    }


def plan_shape(plan: Plan) -> dict[str, Any]:
    """How the question was understood; times are of the wall clock, null on an open side."""
    return {
        "kind": plan.kind,
        "multi": plan.multi,
        "about": sorted(plan.persons),
        "times": [
            {
                "words": bound.words,
                "from": None if bound.start_ms is None else iso(bound.start_ms).removesuffix("Z"),
                "until": None if bound.end_ms is None else iso(bound.end_ms).removesuffix("Z"),
                "axis": bound.axis,
            }
            for bound in plan.bounds
        ],
    }
