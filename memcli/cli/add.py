"""`mem add`: keep a note, or the turns of a transcript that is piped in."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.common import Json, Scope, env_of, scope_to_write, when
from memcli.cli.env import Env
from memcli.errors import NoInput, UsageError
from memcli.ids import TAIL
from memcli.importing.importer import Terms
from memcli.types import Entry, Moment


def register(app: typer.Typer) -> None:
    app.command("add", help="Keep a note, or a transcript from a pipe.")(add)


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
    json: Json = False,
) -> None:
    """Keep a note, or a transcript from a pipe."""
    env = env_of(context)
    moment = when(at, env.clock, "--at")
    terms = Terms(
        run=env.store.ids.new(),
        scope=scope_to_write(env, scope),
        session=session,
        speaker=speaker,
        pin=pin,
    )
    text = " ".join(words or []).strip()
    if words and words != ["-"]:
        if not text:
            raise NoInput("The note is empty; nothing was added.", 'Say what to keep: mem add "text".')
        _add_note(env, text, terms, moment, source, json)
        return
    if env.stdin_tty and not words:
        _add_note(env, _edit(env), terms, moment, source, json)
        return
    from memcli.cli.pipe import add_pipe

    add_pipe(env, env.stdin.read(), terms, moment, source, as_format, json)


def _add_note(env: Env, text: str, terms: Terms, moment: Moment | None, source: str | None, json: bool) -> None:
    from memcli.importing.guard import SEAL, without_answers

    if SEAL in text or "abstained" in text:
        text, _ = without_answers(text)
        if not text:
            raise UsageError(
                "That is an answer mem itself printed; nothing was added.", "Add the fact in your own words."
            )
    keep_note(env, text.strip(), terms, moment, source, json)


def keep_note(env: Env, text: str, terms: Terms, moment: Moment | None, source: str | None, json: bool) -> Entry:
    """Put one note on disk and say so."""
    from memcli.importing.notes import note

    entry = note(env.store, text, terms, moment, source)
    env.store.append_entries([entry])
    if json:
        from memcli.render import shapes

        env.print(shapes.dump({"version": shapes.VERSION, "run": terms.run, "entries": [shapes.entry(entry)]}))
    else:
        env.print(f"{env.style('good', 'kept')} {env.style('id', entry.id[-TAIL:])}")
    return entry


def _edit(env: Env) -> str:
    """A note written in the person's editor. Raises `NoInput` where it comes back empty."""
    import click

    written = click.edit(require_save=False, env=dict(env.environ), extension=".md")
    if written is None or not written.strip():
        raise NoInput("The note is empty; nothing was added.")
    return written.strip()
