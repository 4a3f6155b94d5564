"""A memory of its own for every test, with scripted models."""

from __future__ import annotations

from pathlib import Path

import pytest

from .harness import Mem, script_models


@pytest.fixture
def mem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mem:
    """A memory that does not exist yet, and no models."""
    made = Mem(tmp_path / "home")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    script_models(made, monkeypatch)
    return made
