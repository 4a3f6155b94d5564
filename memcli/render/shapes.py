"""What `--json` prints: documented, versioned shapes. See `docs/json.md`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from memcli.answering.answer import Answer
from memcli.clock import iso, to_iso
from memcli.recall.search import Evidence
from memcli.types import Entry

VERSION = 1


def dump(value: Mapping[str, Any]) -> str:
    """One JSON object on one line, ASCII only: safe on any terminal and in any pipe."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False)


def entry(item: Entry) -> dict[str, Any]:
    """An entry with all its fields."""
    moment = item.moment
    return {
        "id": item.id,
        "text": item.text,
        "said_at": None if moment is None else to_iso(moment),
        "precision": "none" if moment is None else moment.precision,
        "offset": None if moment is None else moment.offset,
        "imported_at": iso(item.imported_at),
        "speaker": item.speaker,
        "role": item.role,
        "trust": item.trust,
        "session": item.session,
        "title": item.title,
        "ordinal": item.ordinal,
        "scope": item.scope,
        "source": item.source,
        "origin": item.origin,
        "source_key": item.source_key,
        "status": item.status,
        "pin": item.pin,
        "run": item.run,
    }


def evidence(number: int, item: Evidence) -> dict[str, Any]:
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


def answered(question: str, answer: Answer, found: Sequence[Evidence], indexed: int, pending: int) -> dict[str, Any]:
    """The answer to a question: `kind` is "generated", "quote" or "none"; `cited` are numbers of the evidence."""
    return {
        "version": VERSION,
        "question": question,
        "answer": answer.text,
        "abstained": answer.abstained,
        "kind": answer.kind,
        "cited": list(answer.cited),
        "evidence": [evidence(number, item) for number, item in enumerate(found, 1)],
        "indexed": indexed,
        "pending": pending,
    }
