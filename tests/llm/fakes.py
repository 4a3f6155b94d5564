"""Models without a model: an embedder that hashes words, a generator that follows a script."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from memcli.llm.prompt import Finish, Prompt, Reason, YesNo


class HashingEmbedder:
    """Texts that share words get near vectors; the same text always gets the same one."""

    def __init__(self, dim: int = 384, model: str = "f" * 64) -> None:
        self.dim = dim
        self.model = model
        self.texts: list[str] = []

    def embed(self, texts: Iterable[str]) -> Iterator[list[float]]:
        for text in texts:
            self.texts.append(text)
            yield self._vector(text)

    def _vector(self, text: str) -> list[float]:
        values = [0.0] * self.dim
        for word in re.findall(r"\w+", text.lower()) or [""]:
            digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
            place = int.from_bytes(digest[:4], "big") % self.dim
            values[place] += 1.0 if digest[4] & 1 else -1.0
        if not any(values):
            values[0] = 1.0
        norm = math.sqrt(math.fsum(value * value for value in values))
        return [value / norm for value in values]


@dataclass
class ScriptedStream:
    """The stream of one scripted answer, in pieces of a few characters."""

    text: str
    reason: Reason = "stop"
    closed: bool = False
    _done: bool = field(default=False, repr=False)

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self.text), 4):
            yield self.text[start : start + 4]
        self._done = True

    @property
    def finish(self) -> Finish:
        if not self._done:
            raise RuntimeError("the answer has not been read to its end")
        return Finish(self.reason, len(self.text), 1, 0, "kept")

    def close(self) -> None:
        self.closed = True


class ScriptedGenerator:
    """Gives `answers` in turn, and `verdicts` to yes/no questions; an exception among them is raised.

    `prompts` collects what was asked. `reason` is how every answer ends.
    """

    def __init__(
        self,
        answers: Sequence[str | Exception] = (),
        verdicts: Sequence[float | Exception] = (),
        reason: Reason = "stop",
        model: str = "e" * 64,
    ) -> None:
        self.model = model
        self.prompts: list[Prompt] = []
        self._answers = list(answers)
        self._verdicts = list(verdicts)
        self._reason: Reason = reason

    def stream(self, prompt: Prompt) -> ScriptedStream:
        self.prompts.append(prompt)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return ScriptedStream(answer, self._reason)

    def yes_no(self, prompt: Prompt) -> YesNo:
        self.prompts.append(prompt)
        verdict = self._verdicts.pop(0)
        if isinstance(verdict, Exception):
            raise verdict
        return YesNo(verdict, 1.0 - verdict)
