"""MiniLM in plain numpy: WordPiece, six layers of BERT, the mean of the last."""

from __future__ import annotations

import json
import math
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file

_erf = np.vectorize(math.erf)


class Reference:
    """The model in a folder of safetensors, as its authors describe it."""

    def __init__(self, source: Path) -> None:
        self._config = json.loads((source / "config.json").read_text())
        self._words = {word: place for place, word in enumerate((source / "vocab.txt").read_text().splitlines())}
        self._tensors = load_file(source / "model.safetensors")

    def embed(self, text: str) -> Any:
        state = self._embedded(self._ids(text))
        for layer in range(self._config["num_hidden_layers"]):
            state = self._layer(state, f"encoder.layer.{layer}.")
        mean = state.mean(axis=0)
        return mean / np.linalg.norm(mean)

    def _ids(self, text: str) -> list[int]:
        plain = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn")
        spaced = "".join(f" {c} " if not (c.isalnum() or c.isspace()) or "一" <= c <= "鿿" else c for c in plain)
        pieces = [piece for word in spaced.split() for piece in self._pieces(word)]
        return [self._words[word] for word in ("[CLS]", *pieces, "[SEP]")]

    def _pieces(self, word: str) -> list[str]:
        pieces: list[str] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self._words), 0)
            if not end:
                return ["[UNK]"]
            pieces.append(mark + word[start:end])
            start = end
        return pieces

    def _embedded(self, ids: list[int]) -> Any:
        get = self._tensors
        total = (
            get["embeddings.word_embeddings.weight"][ids]
            + get["embeddings.position_embeddings.weight"][: len(ids)]
            + get["embeddings.token_type_embeddings.weight"][0]
        )
        return self._normed(total, "embeddings.LayerNorm")

    def _layer(self, state: Any, at: str) -> Any:
        attended = self._linear(self._attention(state, at), at + "attention.output.dense")
        state = self._normed(state + attended, at + "attention.output.LayerNorm")
        inner = self._linear(state, at + "intermediate.dense")
        inner = inner * 0.5 * (1 + _erf(inner / math.sqrt(2)))
        return self._normed(state + self._linear(inner, at + "output.dense"), at + "output.LayerNorm")

    def _attention(self, state: Any, at: str) -> Any:
        heads = self._config["num_attention_heads"]
        query, key, value = (
            self._linear(state, f"{at}attention.self.{part}").reshape(len(state), heads, -1).swapaxes(0, 1)
            for part in ("query", "key", "value")
        )
        scores = query @ key.swapaxes(1, 2) / math.sqrt(query.shape[-1])
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        return (weights @ value).swapaxes(0, 1).reshape(len(state), -1)

    def _linear(self, state: Any, name: str) -> Any:
        return state @ self._tensors[f"{name}.weight"].T + self._tensors[f"{name}.bias"]

    def _normed(self, state: Any, name: str) -> Any:
        centred = state - state.mean(axis=-1, keepdims=True)
        scale = np.sqrt(centred.var(axis=-1, keepdims=True) + self._config["layer_norm_eps"])
        return centred / scale * self._tensors[f"{name}.weight"] + self._tensors[f"{name}.bias"]
