"""Texts to vectors, whatever computes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from memcli.llm.catalog import Model
from memcli.llm.client import EMBED_DEADLINE_S, Worker


class Embedder(Protocol):
    """Turns texts into unit vectors of one length.

    `model` is the sha256 of the model file: vectors of different models must
    never be compared. `dim` is the length of a vector.
    """

    @property
    def model(self) -> str: ...

    @property
    def dim(self) -> int: ...

    def embed(self, texts: Iterable[str]) -> Iterator[list[float]]:
        """One L2-normalised vector for each text, in order. Raises ModelFailed."""
        ...


class WorkerEmbedder:
    """The `Embedder` of a running worker. `deadline_s` seconds for each text."""

    def __init__(self, worker: Worker, model: Model, deadline_s: float = EMBED_DEADLINE_S) -> None:
        if model.dim is None:
            raise ValueError(f"{model.name} is not an embedder")
        self._worker = worker
        self._deadline_s = deadline_s
        self.model = model.sha256
        self.dim = model.dim

    def embed(self, texts: Iterable[str]) -> Iterator[list[float]]:
        """As `Embedder.embed`; what a text has beyond 512 tokens is not read."""
        return self._worker.embed(texts, self._deadline_s)
