"""Questions in six languages find their entry by words alone, among the first three (labels: tests/cases)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memcli.projection import reduce
from memcli.projection.database import Database
from memcli.recall.question import Query
from memcli.recall.search import recall
from memcli.types import Entry, Moment

CASES = json.loads((Path(__file__).parents[1] / "cases/languages.json").read_text("utf-8"))
TOP = 3

# language: found of the questions that are not hard, and of the hard ones; as notes, as one chat.
# Bigrams and English stems alone had de 9/10, es 12/13, ar 10/8 and hard ones de 1, es 0/1.
FOUND = {
    "de": ((11, 11), (3, 3)),
    "es": ((13, 13), (1, 1)),
    "ja": ((13, 13), (0, 0)),
    "zh": ((13, 13), (2, 2)),
    "ko": ((14, 14), (1, 1)),
    "ar": ((14, 14), (1, 1)),
}


def stored(entries: Sequence[Mapping[str, Any]], *, one_chat: bool) -> Database:
    """The entries as notes, one a day, or as one chat."""
    db = Database(":memory:")
    with db.transaction():
        for number, item in enumerate(entries):
            ms = int(datetime.fromisoformat(item["said_at"]).replace(tzinfo=UTC).timestamp() * 1000)
            made = Entry(
                id=item["id"],
                run="R1",
                session="chat" if one_chat else f"notes:{item['said_at'][:10]}",
                ordinal=number,
                source_key=item["id"],
                text=item["text"],
                imported_at=ms,
                speaker=item["speaker"],
                role="user",
                trust="other",
                moment=Moment(ms, "minute", 0),
            )
            reduce.apply_entry(db, made)
    return db


def place(db: Database, question: Mapping[str, Any]) -> int:
    """Where the gold entry stands, from 1; 0 where it was not found."""
    found = [item.entry.id for item in recall(db, Query(question["question"]), None)]
    return found.index(question["gold"]) + 1 if question["gold"] in found else 0


@pytest.mark.parametrize("one_chat", [False, True], ids=["notes", "chat"])
@pytest.mark.parametrize("language", CASES)
def test_the_entry_is_among_the_first_three(language: str, one_chat: bool) -> None:
    db = stored(CASES[language]["entries"], one_chat=one_chat)
    for hard, enough in zip((False, True), FOUND[language], strict=True):
        asked = [item for item in CASES[language]["questions"] if item.get("hard", False) == hard]
        places = {item["question"]: place(db, item) for item in asked}
        missed = {question: rank for question, rank in places.items() if not 1 <= rank <= TOP}
        assert len(places) - len(missed) >= enough[one_chat], missed
