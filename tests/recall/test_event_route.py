"""The event route, the event signal and the topic route: off by default, and what each does when it is on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from store.making import NOW

from memcli.lang.taxonomy import parse
from memcli.recall.candidates import TOO_FEW, gather
from memcli.recall.people import speakers
from memcli.recall.question import Query, read
from memcli.recall.search import Evidence, recall
from memcli.recall.signals import measure
from memcli.recall.switches import SWITCHES, Switches
from memcli.recall.topics import Shelves, topic_of
from memcli.recall.weights import NAMES, WEIGHTS, WITH_EVENTS, Weights, weights_for
from memcli.store.store import Store
from memcli.tidy.events import form
from recall.making import DAY, EMBEDDER, embed_all, talk, vector

BOILER = [
    ("Ann", "The boiler in the cellar leaks."),
    ("Ben", "The boiler valve again? Call the plumber."),
    ("Ann", "The plumber says the boiler valve is broken."),
    ("Ben", "Then it has to be a new one."),
    ("Ann", "Ninety euros, and he comes tomorrow."),
    ("Ben", "Fine. I am at home all day."),
    ("Ann", "The plumber repairs the boiler."),
]
GARDEN = [("Cleo", f"The beans in bed {number} are up, the snails are not far.") for number in range(12)]
PLACES = parse('[home]\nrepairs = "repairs: boiler plumber valve leak"\ngarden = "garden: beans snails bed"\n')
QUESTION = "What did the plumber say about the boiler valve?"


def only(name: str) -> Switches:
    return replace(SWITCHES, **{name: True})


@pytest.fixture
def lived(empty: Store) -> Store:
    talk(empty, "boiler", BOILER)
    talk(empty, "garden", GARDEN, NOW + 10 * DAY)
    embed_all(empty)
    with empty.tidying(), empty.writing() as db:
        form(empty, db, empty.ids.new(), shelves(), lambda: False)
    return empty


def shelves() -> Shelves:
    return Shelves(PLACES, tuple(EMBEDDER.one(item.text) for item in PLACES.categories))


def ask(store: Store, text: str, switches: Switches, weights: Weights = WEIGHTS) -> list[Evidence]:
    topic = topic_of(EMBEDDER.one(text), text, shelves())
    query = Query(text, topic=topic)
    return store.consult(lambda reading: recall(reading.db, query, vector(reading.db, text), weights, switches))


def signals(store: Store, text: str, switches: Switches) -> dict[str, dict[str, float]]:
    topic = topic_of(EMBEDDER.one(text), text, shelves())

    def use(reading: object) -> dict[str, dict[str, float]]:
        db = reading.db  # type: ignore[attr-defined]
        plan = read(text, speakers(db))
        field = gather(db, Query(text, topic=topic), plan, vector(db, text), WEIGHTS, switches)
        return {turn.text: dict(values) for turn, values in measure(field, plan)}

    return store.consult(use)


def test_all_of_it_is_off() -> None:
    assert not SWITCHES.reads_events
    assert {name for name in NAMES if not getattr(WEIGHTS, name)} == {
        "words_event",
        "covered_event",
        "meaning_event",
        "topic",
    }
    assert weights_for(SWITCHES) is WEIGHTS
    assert weights_for(only("event_signal")) is WITH_EVENTS


def test_with_all_of_it_off_events_change_nothing(lived: Store) -> None:
    before = ask(lived, QUESTION, SWITCHES)
    store_without_events(lived)
    assert ask(lived, QUESTION, SWITCHES) == before


def store_without_events(store: Store) -> None:
    with store.writing() as db, db.transaction():
        db.execute("DELETE FROM event_entries")


def test_the_event_signal_lends_a_turn_what_its_event_has(lived: Store) -> None:
    off = signals(lived, QUESTION, SWITCHES)
    on = signals(lived, QUESTION, only("event_signal"))
    quiet = "Then it has to be a new one."
    assert not off[quiet].keys() & {"words_event", "covered_event", "meaning_event"}
    assert on[quiet]["words_event"] > 0
    assert on[quiet]["covered_event"] > 0.5
    assert on[quiet]["meaning_event"] > 0
    assert {name: value for name, value in on[quiet].items() if name in off[quiet]} == off[quiet]
    score = {item.entry.text: item.signals for item in ask(lived, QUESTION, only("event_signal"), WITH_EVENTS)}
    assert any("meaning_event" in parts for parts in score.values())


def test_the_event_route_brings_the_turns_of_the_best_events_however_far_they_stand(
    lived: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memcli.recall import candidates

    monkeypatch.setattr(candidates, "BEST", 1)
    monkeypatch.setattr(candidates, "REACH", 0)
    assert len(BOILER) < TOO_FEW
    off, on = signals(lived, QUESTION, SWITCHES), signals(lived, QUESTION, only("event_route"))
    assert len(off) == 1
    assert {text for _, text in BOILER[:5]} <= on.keys()


def test_the_topic_route_prefers_what_is_filed_where_the_question_is(
    lived: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memcli.recall import candidates

    monkeypatch.setattr(candidates, "BEST", 1)
    monkeypatch.setattr(candidates, "REACH", 0)
    on = signals(lived, QUESTION, only("topic_route"))
    assert on[BOILER[0][1]]["topic"] == 1.0
    assert not any("topic" in values for values in signals(lived, QUESTION, SWITCHES).values())
    everywhere = signals(lived, "zzz yyy", only("topic_route"))
    assert not any("topic" in values for values in everywhere.values())


def test_without_vectors_the_routes_go_by_words(lived: Store) -> None:
    for name in ("event_route", "event_signal", "topic_route"):
        found = lived.consult(
            lambda reading, name=name: recall(
                reading.db, Query(QUESTION, topic="home/repairs"), None, WEIGHTS, only(name)
            )
        )
        assert found[0].entry.text in {text for _, text in BOILER[:3]}
