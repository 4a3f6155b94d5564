"""Where the exchanges before a question come from (D1)."""

from __future__ import annotations

import json

import pytest
from store.making import NOW, note

from memcli.clock import Clock
from memcli.errors import BadData
from memcli.formats.source import Source
from memcli.log.record import Question
from memcli.recall.dialogue import REACH_MS, from_source, of_terminal
from memcli.recall.rewrite import LOOKED_BACK, Exchange
from memcli.store.store import Store

VET = (Exchange("Who is the vet?", "Dr Hallam."), Exchange("Where is she?", "At Quayside."))
MESSAGES = [
    {"role": "system", "content": "You are kind."},
    {"role": "user", "content": "Who is the vet?"},
    {"role": "assistant", "content": "Dr Hallam."},
    {"role": "user", "content": "Where is she?"},
    {"role": "assistant", "content": "At Quayside."},
]
SHARED = json.dumps({"conversations": [{"id": "a", "conversations": [
    {"from": "human", "value": "Who is the vet?"}, {"from": "gpt", "value": "Dr Hallam."},
    {"from": "human", "value": "Where is she?"}, {"from": "gpt", "value": "At Quayside."},
]}]})  # fmt: skip
TEXTS = {
    "lines": "Q: Who is the vet?\nA: Dr Hallam.\nQ: Where is she?\nA: At Quayside.\n",
    "lines in words": "\n Question: Who is the vet?\n\nanswer: Dr Hallam.\n\nQ：Where is she?\nA：At Quayside.",
    "messages": json.dumps(MESSAGES),
    "messages under their name": json.dumps({"messages": MESSAGES}),
    "messages, one a line": "\n".join(map(json.dumps, MESSAGES)),
    "a transcript with roles": "User: Who is the vet?\nAI: Dr Hallam.\nUser: Where is she?\nAI: At Quayside.\n",
    "a transcript between people": "Ann: Who is the vet?\nBo: Dr Hallam.\nAnn: Where is she?\nBo: At Quayside.\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_dialogue_is_read_from(name: str) -> None:
    assert from_source(Source.from_bytes("talk", TEXTS[name].encode())) == VET


def test_an_answer_has_all_that_is_said_up_to_the_next_question() -> None:
    text = b"A: before any question\nQ: Which flats?\nA: 1. Mill Street\n2. Quay Road\nQ: and?\n"
    expected = (Exchange("Which flats?", "1. Mill Street\n2. Quay Road"), Exchange("and?"))
    assert from_source(Source.from_bytes("talk", text)) == expected


def test_the_question_itself_at_its_end_is_no_earlier_one() -> None:
    text = json.dumps([*MESSAGES[:3], {"role": "user", "content": "What is her number? "}]).encode()
    assert from_source(Source.from_bytes("talk", text), "What is her number?") == VET[:1]
    assert len(from_source(Source.from_bytes("talk", text), "Another?")) == 2


def test_only_the_newest_exchanges_and_the_last_conversation_are_handed_on() -> None:
    many = "".join(f"Q: number {number}?\nA: yes\n" for number in range(20))
    assert from_source(Source.from_bytes("talk", many.encode()))[-1].question == "number 19?"
    assert len(from_source(Source.from_bytes("talk", many.encode()))) == LOOKED_BACK
    two = "\n".join(json.dumps({"messages": MESSAGES[at : at + 2]}) for at in (1, 3)).encode()
    assert from_source(Source.from_bytes("talk", two)) == VET[1:]


def test_nothing_is_a_dialogue_without_exchanges_and_a_note_is_none() -> None:
    assert from_source(Source.from_bytes("the pipe", b" \n")) == ()
    for text in (b"The boiler is due in October", b'{"a": 1}', b"Fig: 3\nNote: keep"):
        with pytest.raises(BadData):
            from_source(Source.from_bytes("the pipe", text))


@pytest.fixture
def asked(empty: Store) -> Store:
    """Four questions, ten minutes apart: one of another terminal, one of none."""
    entry = note(empty, "The vet is Dr Hallam", speaker="Priya")
    other = note(empty, "At Quayside Vets")
    empty.append_entries([entry, other])
    for minute, (text, cited, terminal) in enumerate(
        [
            ("Who is the vet?", (other.id, entry.id), "mine"),
            ("Where is the boat?", (), "other"),
            ("Where is the key?", (), None),
            ("And her number?", (), "mine"),
        ]
    ):
        store = Store(empty.home, Clock(lambda at=NOW + minute * 600_000: at), empty.disk)  # type: ignore[misc]
        store.append_question(Question(text, (), cited, not cited, None, terminal))
    return empty


def before(store: Store, terminal: str | None, minutes: float) -> tuple[Exchange, ...]:
    return store.consult(lambda reading: of_terminal(reading.db, terminal, NOW + int(minutes * 60_000)))


def test_the_questions_of_this_terminal_count_for_half_an_hour(asked: Store) -> None:
    first = Exchange("Who is the vet?", "[1] At Quayside Vets\n[2] Priya: The vet is Dr Hallam")
    assert REACH_MS == 30 * 60_000
    assert before(asked, "mine", 30) == (first, Exchange("And her number?", ""))
    assert before(asked, "mine", 31) == (Exchange("And her number?", ""),)
    assert before(asked, "mine", 61) == ()
    assert before(asked, "mine", 29) == (first,), "what comes from a clock that was ahead is not yet"
    assert before(asked, "other", 30) == (Exchange("Where is the boat?", ""),)
    assert before(asked, None, 30) == ()


def test_what_was_taken_back_is_no_answer_any_more(asked: Store) -> None:
    with asked.writing() as db, db.transaction():
        db.execute("UPDATE entries SET state = 1 WHERE speaker = 'Priya'")
    assert before(asked, "mine", 5)[0].answer == "[1] At Quayside Vets"
