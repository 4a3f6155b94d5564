"""`recall`: what is found, in which order, and why."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from store.making import NOW, undo_of

from memcli.log.record import Question
from memcli.projection.database import COLUMNS
from memcli.recall.order import NAME as ORDER
from memcli.recall.weights import NAMES, WEIGHTS
from memcli.store.store import Store
from recall.making import DAY, ask, embed_all, found, talk


def test_the_turn_that_has_the_words_comes_first(store: Store) -> None:
    assert found(store, "Who saw seals near the lighthouse?")[0] == "Cold. I saw three seals near the lighthouse."


def test_the_answer_is_found_behind_the_question_it_answers(store: Store) -> None:
    assert "Only a handful of blue mussels." in found(store, "What did Ben bring home from the harbour?", k=3)


def test_at_most_k_pieces_come_best_first(store: Store) -> None:
    evidence = ask(store, "snails in the garden", k=3)
    assert len(evidence) == 3
    assert [item.score for item in evidence] == sorted((item.score for item in evidence), reverse=True)
    assert ask(store, "snails", k=0) == []


def test_a_score_is_the_sum_of_its_signals(store: Store) -> None:
    for item in ask(store, "When did Cleo try copper tape?", k=12):
        assert item.score == pytest.approx(math.fsum(item.signals.values()))
        assert set(item.signals) <= {*NAMES, ORDER}


def test_the_speaker_whom_the_question_is_about_ranks_up(empty: Store) -> None:
    for session, order in (("one", ("Ann", "Ben")), ("two", ("Ben", "Ann"))):
        talk(empty, session, [(order[0], "A new bicycle!"), (order[1], "Mine is a new bicycle too.")])
    assert [item.entry.speaker for item in ask(empty, "Does Ann have a new bicycle?", k=2)] == ["Ann", "Ann"]
    assert [item.entry.speaker for item in ask(empty, "Does Ben have a new bicycle?", k=2)] == ["Ben", "Ben"]


def test_a_question_about_me_prefers_what_i_said(empty: Store) -> None:
    talk(empty, "one", [("Ann", "The dentist is on Elm Street."), ("Ben", "Good to know.")])
    talk(empty, "two", [("Me", "My dentist is on Oak Street.")], trust="self", role="user")
    assert found(empty, "Where is my dentist?")[0] == "My dentist is on Oak Street."


def test_nothing_crosses_a_session(empty: Store) -> None:
    question = ("Ann", "Where do you keep the spare ladder?")
    talk(empty, "one", [question, ("Ben", "In the barn, behind the plough.")])
    talk(empty, "two", [("Cleo", "On the roof, where else.")])
    talk(empty, "three", [("Ben", "Good morning all of you.")])
    embed_all(empty)
    evidence = ask(empty, "Where is the spare ladder?")
    assert [item.entry.session for item in evidence[:2]] == ["one", "one"]
    for item in evidence:
        lent = {name for name in item.signals if name.endswith(("_before", "_after", "_sitting")) or "answers" in name}
        assert item.entry.session == "one" or not lent - {"meaning_sitting"}


def test_notes_of_a_day_lend_each_other_nothing_and_a_late_answer_still_belongs(empty: Store) -> None:
    for session, speakers in (("notes", ("Ann", "Ann")), ("talk", ("Cleo", "Ben"))):
        texts = ("Where is the spare ladder?", "Behind the plough.")
        for place, (speaker, text) in enumerate(zip(speakers, texts, strict=True)):
            talk(empty, session, [(speaker, f"{text} {session}")], NOW + place * 5 * 3_600_000)
    evidence = {item.entry.text: item.signals for item in ask(empty, "Where is the spare ladder?")}
    assert "covered_before" in evidence["Behind the plough. talk"]
    assert "covered_before" not in evidence.get("Behind the plough. notes", {})
    assert not any("opening" in item.signals for item in ask(empty, "ladder") if item.entry.session == "notes")


def test_the_same_words_of_the_same_speaker_count_once(empty: Store) -> None:
    for session in ("one", "two", "three"):
        talk(empty, session, [("Ann", "The kettle is broken."), ("Ben", "The kettle is broken.")])
    evidence = ask(empty, "Which kettle is broken?")
    assert sorted(str(item.entry.speaker) for item in evidence) == ["Ann", "Ben"]


def test_equal_scores_go_by_id(empty: Store) -> None:
    made = [talk(empty, session, [(session, "A walnut.")])[0] for session in ("d", "b", "c", "a")]
    assert [item.entry.id for item in ask(empty, "walnut")] == sorted(entry.id for entry in made)


def test_tool_results_are_found_only_when_asked_for(empty: Store) -> None:
    talk(empty, "one", [("Ann", "Run the route check, please.")])
    talk(empty, "tool", [("route", "route check failed: 14 hours")], role="tool", trust="tool", status="failed")
    talk(empty, "system", [("system", "You check routes.")], role="system")
    assert found(empty, "route check") == ["Run the route check, please."]
    assert len(found(empty, "route check", include_tools=True)) == 3


def test_a_scope_leaves_out_everything_else(empty: Store) -> None:
    talk(empty, "one", [("Ann", "The password hint is walnut.")], scope="project:x")
    talk(empty, "two", [("Ann", "The password hint is chestnut.")])
    embed_all(empty)
    assert len(found(empty, "password hint")) == 2
    assert found(empty, "password hint", scope="project:x") == ["The password hint is walnut."]
    assert found(empty, "password hint", scope="project:y") == []


def test_a_span_is_half_open_and_unknown_times_are_in_none(empty: Store) -> None:
    first = talk(empty, "one", [("Ann", "The ferry was late.")])[0]
    talk(empty, "two", [("Ann", "The ferry was very late.")], NOW + DAY)
    talk(empty, "three", [("Ann", "The ferry was early.")], moment=None)
    assert first.moment is not None
    unclear = replace(first.moment, precision="none")
    talk(empty, "four", [("Ann", "The ferry was full.")], moment=unclear)
    assert len(found(empty, "ferry")) == 4
    assert found(empty, "ferry", since_ms=NOW, until_ms=NOW + DAY) == ["The ferry was late."]
    assert found(empty, "ferry", since_ms=NOW + 1) == ["The ferry was very late."]
    assert found(empty, "ferry", until_ms=NOW) == []


def test_what_a_filter_leaves_out_lends_nothing(empty: Store) -> None:
    talk(empty, "one", [("Ann", "Where is the spare key?")], scope="project:x")
    talk(empty, "one", [("Ben", "Under the blue pot.")])
    evidence = ask(empty, "spare key", scope="user")
    assert all("words_before" not in item.signals for item in evidence)


def test_what_was_taken_back_is_not_found(store: Store) -> None:
    talk(store, "late", [("Ann", "The seals are gone.")], run="R2")
    assert "The seals are gone." in found(store, "seals")
    store.append_change(undo_of(store, "R2"))
    assert "The seals are gone." not in found(store, "seals")


def test_the_named_date_finds_what_was_said_then(empty: Store) -> None:
    for day in (1, 3, 9, 20):
        talk(empty, f"day{day}", [("Ann", f"Report {day}."), ("Ben", "Noted.")], 1_685_577_600_000 + (day - 1) * DAY)
    assert found(empty, "What did Ann report on 3 June, 2023?")[0] == "Report 3."
    assert found(empty, "What did Ann write on 20 June?")[0] == "Report 20."


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("小明什么时候去了北京？", "我上周去了北京，天气很冷。"),
        ("花生过敏的是谁？", "我对花生过敏。"),
        ("コーヒーは好きですか", "毎朝コーヒーを飲みます。"),
        ("여행은 언제예요?", "여행 가방을 샀어요."),
    ],
)
def test_a_question_in_chinese_japanese_or_korean_finds_its_answer(empty: Store, question: str, answer: str) -> None:
    texts = [
        "我上周去了北京，天气很冷。",
        "我对花生过敏。",
        "毎朝コーヒーを飲みます。",
        "여행 가방을 샀어요.",
        "Good night.",
        "晚安。",
    ]
    for place, text in enumerate(texts):
        talk(empty, f"s{place}", [("小明", text)])
    embed_all(empty)
    assert found(empty, question)[0] == answer


@pytest.mark.parametrize("question", ["", "?", "the of and", '"; DROP TABLE', "a" * 5000, "NEAR(x AND", "\x00", "𝔘"])
def test_any_question_is_answered_without_an_error(store: Store, question: str) -> None:
    assert len(ask(store, question)) <= 8


def test_an_empty_store_has_no_evidence(empty: Store) -> None:
    talk(empty, "one", [("Ann", "Gone again.")])
    empty.append_change(undo_of(empty, "R1"))
    assert ask(empty, "Gone?") == []


def test_a_rebuilt_index_gives_the_same_order_and_scores(store: Store) -> None:
    questions = ["What about snails?", "When did Cleo try tape?", "Ben", "harbour seals mussels", "Is the gate loud?"]
    before = [[(item.entry.id, item.score) for item in ask(store, text, k=12)] for text in questions]
    store.home.database.unlink()
    after = [[(item.entry.id, item.score) for item in ask(store, text, k=12)] for text in questions]
    assert after == before


def test_the_order_does_not_depend_on_the_order_of_rows(empty: Store, tmp_path_factory: pytest.TempPathFactory) -> None:
    from store.making import QuickDisk, open_store

    from recall.conftest import GARDEN, HARBOUR

    talk(empty, "talk:harbour", HARBOUR)
    entries = talk(empty, "talk:garden", GARDEN, NOW + 10 * DAY)
    with empty.reading() as reading:
        everything = [reading.db.entry(row) for row in reading.db.rows(f"SELECT {COLUMNS} FROM entries")]
    assert entries[0] in everything
    other = open_store(tmp_path_factory.mktemp("other"), QuickDisk())
    other.append_entries(everything[::-1])
    for store in (empty, other):
        embed_all(store)
    for text in ("What about snails?", "loud seals", "When did Ben paint the shed?"):
        first, second = ([(item.entry.id, item.score) for item in ask(store, text)] for store in (empty, other))
        assert first == second


def test_a_hundred_questions_leave_the_order_of_evidence_unchanged(store: Store) -> None:
    asked = "What did Ben paint?"
    before = [(item.entry.id, item.score) for item in ask(store, asked)]
    for number in range(100):
        ids = tuple(item.entry.id for item in ask(store, f"snails number {number}", k=2))
        store.append_question(Question(asked, ids, ids[:1], False))
    assert [(item.entry.id, item.score) for item in ask(store, asked)] == before


def test_every_weight_is_explained() -> None:
    import ast
    import inspect

    from memcli.recall import weights

    body = next(node for node in ast.parse(inspect.getsource(weights)).body if isinstance(node, ast.ClassDef)).body
    fields = [place for place, node in enumerate(body) if isinstance(node, ast.AnnAssign)]
    assert len(fields) == len(NAMES) <= 25
    for place in fields:
        after = body[place + 1]
        assert isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    assert all(math.isfinite(getattr(WEIGHTS, name)) for name in NAMES)
