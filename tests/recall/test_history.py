"""Past questions choose the chunks of a document that was found (D7), and touch nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from memcli.errors import UsageError
from memcli.log.record import Question
from memcli.projection.vectors import Space
from memcli.recall.history import NEWEST, asked_before, choose_chunks, embedded, same_topic
from memcli.recall.question import Query
from memcli.recall.search import Evidence, recall
from memcli.recall.switches import Switches, switches
from memcli.store.cache import VectorCache
from memcli.store.store import Reading, Store
from memcli.tidy.questions import are_missing, embed_questions
from recall.making import EMBEDDER, embed_all, talk

MANUAL: dict[str, Any] = json.loads((Path(__file__).parents[1] / "cases" / "manual.json").read_text("utf-8"))
CHUNKS = [f"{part['heading']}. {chunk}" for part in MANUAL["sections"] for chunk in part["chunks"]]
QUESTION = "What do I have to do before winter?"
MOWER = "The lawn mower. Drain the petrol before winter."
LAWN = MANUAL["histories"]["lawn"]


@pytest.fixture
def shelf(empty: Store) -> Store:
    """The manual of 40 chunks, another document, and a talk about the same, indexed by meaning."""
    talk(empty, "html:manual", [("", chunk) for chunk in CHUNKS], source="html", trust="document")
    talk(empty, "html:other", [("", MOWER)], source="html", trust="document")
    talk(
        empty, "talk:garden", [("Ann", "Before winter I have to do the lawn."), ("Bo", "I have to do the pipes first.")]
    )
    embed_all(empty)
    return empty


def found(
    store: Store, past: Sequence[str], question: str = QUESTION, **query: Any
) -> tuple[list[Evidence], list[Evidence]]:
    """The evidence before and after past questions chose among it; every one of them is of the topic."""

    def use(reading: Reading) -> tuple[list[Evidence], list[Evidence]]:
        asked = Query(question, **query)
        vector = EMBEDDER.one(question)
        before = recall(reading.db, asked, vector)
        judges = [EMBEDDER.one(text) for text in past]
        return before, choose_chunks(reading.db, asked, before, vector, judges, lambda _, all_of: all_of)

    return store.consult(use)


def test_the_manual_is_the_one_that_was_measured() -> None:
    assert (len(CHUNKS), {len(past) for past in MANUAL["histories"].values()}) == (40, {5})
    assert all(sum(chunk.endswith(case["gold"]) for chunk in CHUNKS) == 1 for case in MANUAL["questions"])


def test_without_history_or_without_documents_nothing_changes(shelf: Store) -> None:
    before, after = found(shelf, [])
    assert after == before
    before, after = found(shelf, LAWN, "Ann does the pipes", since_ms=0, k=2)
    talks = [item for item in before if item.entry.source == "talk"]
    assert [item for item in after if item.entry.source == "talk"] == talks


def test_chunks_are_chosen_by_their_mean_cosine_to_the_past_questions(shelf: Store) -> None:
    before, after = found(shelf, LAWN, k=6)
    places = [place for place, item in enumerate(before) if item.entry.trust == "document"]
    chosen = [after[place] for place in places]
    documents = {before[place].entry.session for place in places}

    def mean(text: str) -> float:
        one = EMBEDDER.one(text)
        judges = [EMBEDDER.one(past) for past in LAWN]
        return sum(sum(a * b for a, b in zip(one, judge, strict=True)) for judge in judges) / len(judges)

    every = [*CHUNKS, *[MOWER] * ("html:other" in documents)]
    best = sorted(every, key=mean, reverse=True)[: len(places)]
    assert [item.entry.text for item in chosen] == best
    assert [item.signals["past_questions"] for item in chosen] == pytest.approx([mean(text) for text in best], abs=2e-3)
    assert {item.entry.text for item in chosen} != {before[place].entry.text for place in places}


def test_turns_keep_their_places_and_no_other_document_comes_in(shelf: Store) -> None:
    for past in MANUAL["histories"].values():
        for k in (1, 3, 8, 20):
            before, after = found(shelf, past, k=k)
            assert len(after) == len(before)
            assert [item.score for item in after] == [item.score for item in before]
            kept = {item.entry.session for item in before if item.entry.trust == "document"}
            for one, other in zip(before, after, strict=True):
                assert one == other or (one.entry.trust == other.entry.trust == "document")
                assert other.entry.trust != "document" or other.entry.session in kept


def test_what_the_filters_leave_out_is_not_chosen(shelf: Store) -> None:
    _, after = found(shelf, LAWN, scope="project:nothing")
    assert after == []


def test_a_document_that_is_not_yet_indexed_by_meaning_stays_as_it_was_found(empty: Store) -> None:
    talk(empty, "html:manual", [("", chunk) for chunk in CHUNKS[:10]], source="html", trust="document")
    before, after = found(empty, LAWN, "How high does the pump lift water?")
    assert before
    assert after == before


def test_only_past_questions_of_the_topic_judge(shelf: Store) -> None:
    question = EMBEDDER.one("How far do the lawn sprinklers throw?")
    near, far = EMBEDDER.one("How far do lawn sprinklers reach?"), EMBEDDER.one("Zorblax bought a submarine")
    assert same_topic(question, [near, far]) == [near]


def test_past_questions_are_read_as_asked_each_once_and_the_newest_only(empty: Store) -> None:
    talk(empty, "talk:x", [("Ann", "hello")])
    for number in range(NEWEST + 5):
        empty.append_question(Question(f"question {number // 2}", (), (), True))
    asked = empty.consult(lambda reading: asked_before(reading.db))
    assert asked[0] == f"question {(NEWEST + 4) // 2}"
    assert len(asked) == len(set(asked)) <= NEWEST
    assert "question 0" not in asked


def test_a_tidy_embeds_each_past_question_once_and_asking_then_needs_no_model(shelf: Store) -> None:
    for text in LAWN:
        shelf.append_question(Question(text, (), (), True))
    with shelf.tidying(), shelf.writing() as db:
        assert are_missing(shelf, db)
        assert embed_questions(shelf, db, EMBEDDER) == len(LAWN)
        assert not are_missing(shelf, db)
        assert embed_questions(shelf, db, EMBEDDER) == 0
    cache = VectorCache(shelf.home.cache, Space(EMBEDDER.model, EMBEDDER.dim))

    class Nobody:
        model, dim = EMBEDDER.model, EMBEDDER.dim

        def embed(self, texts: Sequence[str]) -> Any:
            assert not list(texts)
            return iter(())

    vectors, fresh = embedded(LAWN, [], Nobody(), cache)
    assert not fresh
    assert vectors[0] == pytest.approx(EMBEDDER.one(LAWN[0]), abs=2e-3)


def test_switches_are_set_by_name(tmp_path: Path) -> None:
    assert switches({}) == Switches() == Switches(follow_ups=True, past_questions=False)
    assert switches({"past_questions": True}).past_questions
    with pytest.raises(UsageError, match="frobnicate"):
        switches({"frobnicate": True})
