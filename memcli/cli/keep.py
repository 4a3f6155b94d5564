"""Keeping one note: the shortest way from words to disk. Imports no click and no typer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memcli.cli.common import scope_to_write
from memcli.cli.env import Env
from memcli.errors import NoInput, UsageError
from memcli.ids import TAIL

if TYPE_CHECKING:
    from memcli.importing.terms import Terms
    from memcli.types import Entry, Moment


def is_plain(args: list[str]) -> bool:
    """Whether these arguments are `add` and words alone: then nothing has to be parsed."""
    return len(args) > 1 and args[0] == "add" and not any(arg.startswith("-") for arg in args)


def add_words(env: Env, words: list[str]) -> int:
    """`mem add WORDS` without any option."""
    from memcli.importing.terms import Terms

    terms = Terms(run=env.store.ids.new(), scope=scope_to_write(env, None))
    add_note(env, " ".join(words), terms, None, None, False)
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


def own_answer() -> UsageError:
    """The refusal of what holds nothing but answers of `mem`."""
    return UsageError("That is an answer mem itself printed; nothing was added.", "Add the fact in your own words.")


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
