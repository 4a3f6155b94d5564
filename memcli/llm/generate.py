"""Prompts to text, whatever writes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from memcli.errors import ModelFailed
from memcli.llm.catalog import Model
from memcli.llm.client import GENERATE_DEADLINE_S, Generation, Worker
from memcli.llm.prompt import Finish, Prompt, YesNo


class Stream(Protocol):
    """The text of an answer as it is written: iterate once, then read `finish`."""

    def __iter__(self) -> Iterator[str]: ...

    @property
    def finish(self) -> Finish: ...

    def close(self) -> None:
        """Stop writing."""
        ...


class Generator(Protocol):
    """Writes answers. `model` is the sha256 of the model file."""

    @property
    def model(self) -> str: ...

    def stream(self, prompt: Prompt) -> Stream:
        """Start answering. Raises ModelFailed, from the iteration too."""
        ...

    def yes_no(self, prompt: Prompt) -> YesNo:
        """How likely the answer starts with yes, or with no. Raises ModelFailed."""
        ...


class WorkerGenerator:
    """The `Generator` of a running worker. `deadline_s` seconds for each answer."""

    def __init__(self, worker: Worker, model: Model, deadline_s: float = GENERATE_DEADLINE_S) -> None:
        self._worker = worker
        self._deadline_s = deadline_s
        self.model = model.sha256

    def stream(self, prompt: Prompt) -> Generation:
        """As `Generator.stream`."""
        return self._worker.generate(prompt, self._deadline_s)

    def yes_no(self, prompt: Prompt) -> YesNo:
        """As `Generator.yes_no`."""
        return self._worker.yes_no(prompt, self._deadline_s)


def complete(generator: Generator, prompt: Prompt) -> str:
    """The whole answer to `prompt`.

    Raises ModelFailed also when it was cut at `max_tokens`: half an answer
    is never handed on.
    """
    stream = generator.stream(prompt)
    text = "".join(stream)
    if stream.finish.reason != "stop":
        raise ModelFailed(
            f"The model did not finish its answer within {prompt.max_tokens} tokens.",
            "Choose another model: `mem model list`.",
        )
    return text
