"""`mem add`: keep a note, or the turns of a transcript that is piped in."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.common import checked_order, scope_to_write, when
from memcli.cli.keep import add_note, edited
from memcli.cli.options import DateOrder, Json, KeepSecrets, Scope, env_of
from memcli.errors import MemError, UsageError
from memcli.render.text import harmless


def register(app: typer.Typer, summary: str) -> None:
    app.command("add", help=summary)(add)


def add(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TEXT]...", help="The note; - reads standard input.", show_default=False),
    ] = None,
    scope: Scope = None,
    source: Annotated[str | None, typer.Option("--source", metavar="NAME", help="Name where it comes from.")] = None,
    speaker: Annotated[str | None, typer.Option("--speaker", metavar="NAME", help="Who said it.")] = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="When it was said: 2026-05-20 or 2026-05-20T15:04.")
    ] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="NAME", help="What it belongs to.")] = None,
    pin: Annotated[bool, typer.Option("--pin", help="Keep it in sight.")] = False,
    as_format: Annotated[
        str | None, typer.Option("--as", metavar="FORMAT", help="Read a pipe as this format (note, transcript, ...).")
    ] = None,
    date_order: DateOrder = None,
    keep_secrets: KeepSecrets = False,
    json: Json = False,
) -> None:
    """Keep a note, or a transcript from a pipe."""
    env = env_of(context)
    from memcli.importing.terms import Terms

    moment = when(at, env.clock, "--at")
    terms = Terms(
        run=env.store.ids.new(),
        scope=scope_to_write(env, scope),
        session=session,
        speaker=speaker,
        pin=pin,
        keep_secrets=keep_secrets,
    )
    if words and words != ["-"]:
        if as_format not in (None, "note"):
            raise UsageError("--as is for what is piped in, not for words.", "Pipe it: … | mem add --as FORMAT")
        add_note(env, " ".join(words), terms, moment, source, json)
        return
    if env.stdin_tty and not words:
        text = edited(env)
        try:
            add_note(env, text, terms, moment, source, json)
        except MemError:
            env.say(f"Your note, so that it is not lost:\n{harmless(text)}\n")
            raise
        return
    from memcli.cli.pipe import add_pipe

    add_pipe(env, env.stdin.read(), terms, moment, source, as_format, checked_order(date_order), json)
