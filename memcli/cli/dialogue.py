"""What was said before a question: in this terminal, or in a file that is named (D1)."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memcli.cli.env import Env
from memcli.errors import MemError, NoInput

if TYPE_CHECKING:
    from memcli.projection.database import Database
    from memcli.recall.rewrite import Exchange

MARK_HEX = 16
Before = Callable[["Database"], Sequence["Exchange"]]
"""The dialogue before a question, newest last, given the index."""


def this_terminal(env: Env) -> str | None:
    """A short mark that tells this terminal from others and tells nothing about it; None where there is none."""
    if env.terminal is None:
        return None
    try:
        key = env.home.key(env.disk)
    except MemError:  # a home that cannot be written to keeps no questions either
        return None
    return hmac.digest(key, b"terminal\0" + env.terminal.encode("utf-8", "replace"), "sha256").hex()[:MARK_HEX]


def said_before(env: Env, question: str, file: str | None) -> Before:
    """What to complete the question from: the file where one is named, else the last questions of this terminal.

    Raises `NoInput` where the file cannot be read, `BadData` where it is no dialogue.
    """
    mark = this_terminal(env) if file is None else None
    if file is None and mark is None:
        return lambda db: ()
    from memcli.recall import dialogue

    if file is not None:
        from memcli.formats.source import Source

        source = Source.from_bytes("the pipe", env.stdin.read()) if file == "-" else Source.from_path(Path(file))
        try:
            told = dialogue.from_source(source, question)
        except NoInput as error:
            raise NoInput(error.message, "Name a file with lines `Q: …` and `A: …`, or - for a pipe.") from error
        return lambda db: told
    now = env.clock.now_ms()
    return lambda db: dialogue.of_terminal(db, mark, now)
