"""A generator's answer as it comes, ended by code where the model does not end it itself.

A small model that has listed what there is lists it again, and again, until
its tokens are used up: what it said the first time is the answer.
"""

from __future__ import annotations

import re

from memcli.answering.shorten import PART
from memcli.errors import ModelFailed
from memcli.llm.generate import Generator
from memcli.llm.prompt import Prompt

_BLANK_LINE = re.compile(r"\S\s*\n\s*\n")
_AGAIN = 2


def write(generator: Generator, asked: Prompt) -> str:
    """The answer to a prompt.

    It is stopped after its first paragraph and where it repeats itself. Of a
    list that was cut at `max_tokens` what was cut is left out; anything else
    that was cut raises ModelFailed, for half an answer is never handed on.
    """
    stream = generator.stream(asked)
    text = ""
    for piece in stream:
        text += piece
        paragraph = _BLANK_LINE.search(text)
        if paragraph is not None:
            stream.close()
            return text[: paragraph.start() + 1].strip()
        if "," in piece and (kept := _before_repeating(text)) is not None:
            stream.close()
            return kept
    if stream.finish.reason == "stop":
        return text.strip()
    listed = _listed(text)
    if len(listed) > _AGAIN:
        return ", ".join(listed)
    raise ModelFailed(
        f"The model did not finish its answer within {asked.max_tokens} tokens.",
        "Choose another model: `mem model list`.",
    )


def _listed(text: str) -> list[str]:
    """The parts of a list that are whole: the last one is still being written."""
    return [part.strip() for part in PART.split(text) if part.strip()][:-1]


def _before_repeating(text: str) -> str | None:
    """What was listed before the last few parts came again; None while they are new."""
    listed = _listed(text)
    first = dict.fromkeys(part.casefold() for part in listed)
    again = listed[-_AGAIN:]
    if len(listed) < 2 * _AGAIN or any(
        part.casefold() not in [earlier.casefold() for earlier in listed[:-_AGAIN]] for part in again
    ):
        return None
    kept = {part.casefold(): part for part in reversed(listed)}
    return ", ".join(kept[key] for key in first)
