"""Filing: texts on their shelves, and unsorted where nothing fits."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from llm.conftest import minilm, minilm_source
from store.making import REPOSITORY, open_store

from memcli.lang.taxonomy import SHIPPED, load, parse
from memcli.llm.client import Worker, WorkerSpec
from memcli.projection.vectors import Space
from memcli.recall.events import alike
from memcli.recall.topics import Shelves, known_shelves, topic_of
from memcli.tidy.shelving import shelves
from recall.making import EMBEDDER

__all__ = ["minilm", "minilm_source"]
CASES = json.loads((REPOSITORY / "tests" / "cases" / "topics.json").read_text("utf-8"))
SMALL = parse(
    '[home]\ncooking = "cooking and recipes: soup oven bread"\nrepairs = "repairs: boiler plumber valve"\n'
    '[play]\ngames = "games: chess puzzle"\n'
)
PLACES = Shelves(SMALL, tuple(EMBEDDER.one(item.text) for item in SMALL.categories))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the plumber came for the boiler valve", "home/repairs"),
        ("bread in the oven, soup on the stove", "home/cooking"),
        ("a chess puzzle", "play/games"),
        ("a submarine under the ice", "unsorted"),
        ("", "unsorted"),
    ],
)
def test_a_text_is_filed_by_its_words_and_its_vector(text: str, expected: str) -> None:
    assert topic_of(EMBEDDER.one(text), text, PLACES) == expected
    assert topic_of(EMBEDDER.one(text), text, PLACES) == expected


def test_the_vectors_of_the_taxonomy_are_computed_once(tmp_path: Path) -> None:
    store = open_store(tmp_path / "home")
    store.home.make(store.disk)
    space = Space(EMBEDDER.model, EMBEDDER.dim)
    assert known_shelves(store.home, SMALL, space) is None
    made = shelves(store, SMALL, EMBEDDER)
    assert known_shelves(store.home, SMALL, space) == made

    class Broken:
        model, dim = EMBEDDER.model, EMBEDDER.dim

        def embed(self, texts: object) -> object:
            raise AssertionError

    assert shelves(store, SMALL, Broken()) == made  # type: ignore[arg-type]
    assert known_shelves(store.home, parse('[a]\nb = "something else"'), space) is None


@pytest.mark.parametrize(
    ("topic", "asked", "expected"),
    [
        ("home/cooking/soup", "home/cooking", 1.0),
        ("home/cooking", "home/repairs", 0.5),
        ("home/cooking", "play/games", 0.0),
        ("unsorted", "unsorted", 0.0),
        ("home/cooking", None, 0.0),
    ],
)
def test_how_near_two_topics_are(topic: str, asked: str | None, expected: float) -> None:
    assert alike(topic, asked) == expected


@pytest.mark.model
@pytest.mark.slow
def test_most_of_the_labelled_texts_are_filed_in_their_domain_and_few_in_another(minilm: Path) -> None:
    taxonomy = load(SHIPPED)
    texts = [item.text for item in taxonomy.categories] + [text for text, _ in CASES]
    with Worker.start(WorkerSpec(embedder=minilm)) as worker:
        vectors = list(worker.embed(texts))
    count = len(taxonomy.categories)
    places = Shelves(taxonomy, tuple(vectors[:count]))
    found: Counter[str] = Counter()
    for (text, domain), vector in zip(CASES, vectors[count:], strict=True):
        topic = topic_of(vector, text, places)
        found["right" if topic.split("/")[0] == domain else "unsorted" if topic == "unsorted" else "wrong"] += 1
    assert found["right"] >= 0.85 * len(CASES)
    assert found["wrong"] <= 0.06 * len(CASES)
