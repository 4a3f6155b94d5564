"""Our own chat formats, as pieces that keep control tokens and text apart.

The template inside a GGUF is ignored: it is a program written by whoever
made the file.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Piece(NamedTuple):
    """A stretch of prompt. Only `control` pieces may become control tokens."""

    text: str
    control: bool


class Format(NamedTuple):
    """A chat format: the control tokens around a system, a user and an assistant turn.

    `marker` must be one single control token of a model that speaks it.
    `system_in_user` is for models without a system role.
    """

    name: str
    marker: str
    system: tuple[str, str]
    user: tuple[str, str]
    assistant: str
    system_in_user: bool = False


FORMATS: tuple[Format, ...] = (
    Format(
        "chatml",
        "<|im_start|>",
        ("<|im_start|>system\n", "<|im_end|>\n"),
        ("<|im_start|>user\n", "<|im_end|>\n"),
        "<|im_start|>assistant\n",
    ),
    Format(
        "gemma",
        "<start_of_turn>",
        ("", "\n\n"),
        ("<start_of_turn>user\n", "<end_of_turn>\n"),
        "<start_of_turn>model\n",
        system_in_user=True,
    ),
    Format(
        "llama3",
        "<|start_header_id|>",
        ("<|start_header_id|>system<|end_header_id|>\n\n", "<|eot_id|>"),
        ("<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|>"),
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
    ),
)


class Layout(NamedTuple):
    """A prompt in four parts: the constant prefix, two texts, and what opens the answer."""

    prefix: tuple[Piece, ...]
    material: Piece
    question: Piece
    closing: Piece


THINKING = "<think>"
"""The token by which models that think before they answer begin to."""

_NO_THOUGHT = "<think>\n\n</think>\n\n"


def marks(form: Format) -> set[str]:
    """Every control word of `form`."""
    texts = (*form.system, *form.user, form.assistant, _NO_THOUGHT)
    return {word for text in texts for word in re.findall(r"<[^<>\s]+>", text)}


def lay_out(form: Format, system: str, material: str, question: str, *, thinks: bool = False) -> Layout:
    """The pieces of one prompt: a system turn, a user turn, an opened assistant turn.

    A model that `thinks` is told that it has done so: we want its answer.
    """
    before, after = form.system
    said = (Piece(before, True), Piece(system, False), Piece(after, True)) if system else ()
    user = Piece(form.user[0], True)
    return Layout(
        prefix=(user, *said) if form.system_in_user else (*said, user),
        material=Piece(f"{material}\n\n" if material else "", False),
        question=Piece(question, False),
        closing=Piece(form.user[1] + form.assistant + (_NO_THOUGHT if thinks else ""), True),
    )
