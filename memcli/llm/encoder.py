"""One text to one vector, inside the worker."""

from __future__ import annotations

import math
from array import array
from typing import Any, NamedTuple

from memcli.llm.native import EngineError, Loading, Weights


class Encoded(NamedTuple):
    """A unit vector as float32 bytes, how many tokens it stands for, and whether some were cut."""

    vector: bytes
    tokens: int
    cut: bool


class Encoder:
    """A loaded embedding model.

    One text a call: on 2 cores 120 texts a second, where lists of texts in a
    large context gave 4 to 15.
    """

    def __init__(self, loading: Loading) -> None:
        self._weights = Weights(loading.path, check=True)
        self.dim = self._weights.width
        self.n_ctx = min(loading.n_ctx, self._weights.trained_ctx or loading.n_ctx)
        self._context = self._weights.open_context(self.n_ctx, self.n_ctx, loading.threads, embeddings=True)
        # None for models such as BERT that only encode.
        self._memory = self._weights.lib.llama_get_memory(self._context)
        self._batch = self._empty_batch()

    def encode(self, text: str) -> Encoded:
        """The L2-normalised vector of `text`, of which at most `n_ctx` tokens are read.

        Raises EngineError when a number comes out that is none: 16 of 20
        damaged files loaded without complaint and then gave NaN.
        """
        weights, lib = self._weights, self._weights.lib
        tokens = weights.tokens(text, control=False, frame=True)
        cut = len(tokens) > self.n_ctx
        if cut:
            # The last token is the closing mark: it stays.
            tokens = [*tokens[: self.n_ctx - 1], tokens[-1]]
        if not tokens:
            raise EngineError("tokens", "the text has no tokens")
        if self._memory:
            lib.llama_memory_clear(self._memory, True)
        self._batch.n_tokens = len(tokens)
        for place, token in enumerate(tokens):
            self._batch.token[place] = token
        run = lib.llama_decode if self._memory else lib.llama_encode
        if run(self._context, self._batch) != 0:
            raise EngineError("encode", "llama.cpp could not compute a vector")
        found = lib.llama_get_embeddings_seq(self._context, 0)
        if not found:
            raise EngineError("encode", "the model gave no vector: it has no pooling")
        return Encoded(_unit(found[: self.dim]), len(tokens), cut)

    def _empty_batch(self) -> Any:
        """A batch with room for a whole text, all of it counting towards the vector."""
        batch = self._weights.lib.llama_batch_init(self.n_ctx, 0, 1)
        for place in range(self.n_ctx):
            batch.pos[place] = place
            batch.n_seq_id[place] = 1
            batch.seq_id[place][0] = 0
            batch.logits[place] = 1
        return batch


def _unit(values: list[float]) -> bytes:
    norm = math.sqrt(math.fsum(value * value for value in values))
    # One NaN or Inf among the values makes the norm NaN or Inf.
    if not math.isfinite(norm) or norm == 0.0:
        raise EngineError("nan", "the model gave a vector that is not numbers: its file is damaged")
    return array("f", [value / norm for value in values]).tobytes()
