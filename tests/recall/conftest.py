from __future__ import annotations

from pathlib import Path

import pytest
from store.making import NOW, QuickDisk, open_store

from memcli.store.store import Store
from recall.making import DAY, embed_all, talk

HARBOUR = [
    ("Ann", "Hi Ben! How was the harbour?"),
    ("Ben", "Cold. I saw three seals near the lighthouse."),
    ("Ann", "What did you bring home?"),
    ("Ben", "Only a handful of blue mussels."),
    ("Ann", "I am learning to play the cello."),
    ("Ben", "That must be loud at first."),
]
GARDEN = [
    ("Cleo", "The beans are up, and so are the snails."),
    ("Ben", "Did you try copper tape against snails?"),
    ("Cleo", "Yes, last Friday. It works well."),
    ("Ben", "I painted the shed green in the end."),
    ("Cleo", "The gate still squeaks."),
    ("Ben", "Oil it and it will stop."),
]


@pytest.fixture
def empty(tmp_path: Path) -> Store:
    """A store with nothing in it; its disk does not wait."""
    return open_store(tmp_path / "home", QuickDisk())


@pytest.fixture(params=["words", "words and meaning"])
def store(empty: Store, request: pytest.FixtureRequest) -> Store:
    """Two conversations between three people, ten days apart, with and without vectors."""
    talk(empty, "talk:harbour", HARBOUR)
    talk(empty, "talk:garden", GARDEN, NOW + 10 * DAY)
    if request.param != "words":
        embed_all(empty)
    return empty
