"""Keeping one note: the shortest way from words to disk. Imports no click and no typer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memcli.cli.common import scope_to_write, when
from memcli.cli.env import Env
from memcli.errors import NoInput, UsageError
from memcli.ids import TAIL

if TYPE_CHECKING:
    from memcli.importing.terms import Terms
    from memcli.types import Entry, Moment


FLAGS = frozenset({"--pin", "--json", "--keep-secrets"})
VALUES = frozenset({"--scope", "--source", "--speaker", "--at", "--session"})
"""The options of `add` that need no parser. Written in any other way than `--name value`, they get one."""


def plain(args: list[str]) -> tuple[list[str], dict[str, str]] | None:
    """The words and the options of an `add` that can be read at a glance, None for everything else."""
    if not args or args[0] != "add":
        return None
    words: list[str] = []
    options: dict[str, str] = {}
    rest = iter(args[1:])
    for arg in rest:
        if arg in FLAGS:
            options[arg] = ""
        elif arg in VALUES:
            options[arg] = next(rest, "-")
            if options[arg].startswith("-"):
                return None
        elif arg.startswith("-"):
            return None
        else:
            words.append(arg)
    return (words, options) if words else None


def add_words(env: Env, words: list[str], options: dict[str, str]) -> int:
    """`mem add WORDS`, with what `plain` found."""
    from memcli.importing.terms import Terms

    moment = when(options.get("--at"), env.clock, "--at")
    terms = Terms(
        run=env.store.ids.new(),
        scope=scope_to_write(env, options.get("--scope")),
        session=options.get("--session"),
        speaker=options.get("--speaker"),
        pin="--pin" in options,
        keep_secrets="--keep-secrets" in options,
    )
    add_note(env, " ".join(words), terms, moment, options.get("--source"), "--json" in options)
    return 0


def add_note(env: Env, text: str, terms: Terms, moment: Moment | None, source: str | None, json: bool) -> None:
    """Put one typed note on disk, but nothing of what `mem` itself answered. Raises `NoInput`, `UsageError`."""
    from memcli.importing.guard import without_answers

    text, answers = without_answers(text.strip())
    if answers and not text:
        raise own_answer()
    if not text:
        raise NoInput("The note is empty; nothing was added.", 'Say what to keep: mem add "text".')
    keep_note(env, text.strip(), terms, moment, source, json)
    if not json and os.path.isfile(text.strip()):  # noqa: PTH113 - Path.is_file raises where a note is too long for a name
        env.say("That kept the name of a file. To keep what is in it: mem undo, then mem import.")


def own_answer() -> UsageError:
    """The refusal of what holds nothing but answers of `mem`."""
    return UsageError("That is an answer mem itself printed; nothing was added.", "Add the fact in your own words.")


def keep_note(
    env: Env, text: str, terms: Terms, moment: Moment | None, source: str | None, json: bool, piped: bool = False
) -> Entry:
    """Put one note on disk and say so. What is piped may be anybody's words, so it is marked as such."""
    from dataclasses import replace

    from memcli.importing.notes import note

    if terms.speaker is not None:
        terms = replace(terms, me=env.settings.me)
    entry, hidden = note(env.store, text, terms, moment, source, piped)
    env.store.append_entries([entry])
    if json:
        from memcli.render import shapes

        env.print(
            shapes.dump(
                {"version": shapes.VERSION, "run": terms.run, "entries": [shapes.entry(entry)], "hidden": dict(hidden)}
            )
        )
    else:
        env.print(f"{env.style('good', 'kept')} {env.style('id', entry.id[-TAIL:])}")
    if hidden and not json:
        from memcli.importing.hiding import describe

        env.say(f"{describe(hidden)}. `--keep-secrets` keeps them.")
    return entry


def edited(env: Env) -> str:
    """A note written in the person's editor. Raises `NoInput` where it comes back empty, `UsageError`."""
    import click

    editor = env.environ.get("VISUAL") or env.environ.get("EDITOR") or None
    try:
        written = click.edit(editor=editor, require_save=False, env=dict(env.environ), extension=".md")
    except click.ClickException as error:
        raise UsageError(
            f"The editor failed, nothing was added: {error.format_message()}.",
            'Set EDITOR to one that works, or say it here: mem add "text".',
        ) from error
    if written is None or not written.strip():
        raise NoInput("The note is empty; nothing was added.", "Write it and save it before you leave the editor.")
    return written.strip()
