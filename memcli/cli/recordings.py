"""Captions and meeting transcripts count from the beginning of a recording: when was that?"""

from __future__ import annotations

from memcli.cli.env import Env
from memcli.cli.progress import Bar
from memcli.formats.base import Format
from memcli.formats.named import date_of_name
from memcli.formats.source import Source
from memcli.render.text import one_line
from memcli.types import Moment

RELATIVE = frozenset({"vtt", "srt", "otter"})
"""Formats whose times are those of a recording."""


def began(
    env: Env, source: Source, form: Format, given: Moment | None, option: str, bar: Bar | None = None
) -> Moment | None:
    """When the recording began: as said, else as its file is named, else as answered, else unknown.

    It is asked for on a terminal, where there is a `bar` to make room for the
    question. `option` is how the person could have said it.
    """
    if given is not None or form.name not in RELATIVE:
        return given
    named = date_of_name(source.name)
    if named is not None:
        return named
    name = one_line(source.name)
    if bar is not None:
        bar.pause()
        if env.stdin_tty and env.err_tty:
            return _asked(env, name)
    env.say(f"{name} does not say when it was recorded, so its times stay unknown.")
    env.say(f"     To give them: mem undo, then again with {option} 2026-05-20T15:04.")
    return None


def _asked(env: Env, name: str) -> Moment | None:
    import click

    from memcli.clock import parse_when

    question = f"When did the recording {name} begin? (2026-05-20T15:04 or a day; empty: unknown)"
    while True:
        answer = str(click.prompt(question, default="", show_default=False, err=True)).strip()
        moment = parse_when(answer, env.clock) if answer else None
        if moment is not None or not answer:
            return moment
        env.say(f"“{one_line(answer)}” is not a time.")
