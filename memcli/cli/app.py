"""Which commands there are. Only the one that is called is imported; help and completion import all."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import cast

import click
import typer
from typer.core import TyperGroup

COMPLETE_VAR = "_MEM_COMPLETE"

COMMANDS: dict[str, str] = {
    "add": "add",
    "import": "import_",
    "ask": "ask",
    "search": "search",
    "list": "list_",
    "show": "show",
    "tidy": "tidy",
    "undo": "undo",
    "init": "init",
    "model": "model",
    "doctor": "doctor",
    "verify": "verify",
    "rebuild": "rebuild",
}
"""Command → module of `memcli.cli`, in the order in which help lists them."""


class InOrder(TyperGroup):
    """A group that lists its commands as they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


def command_for(args: Sequence[str], environ: Mapping[str, str]) -> click.Command:
    """The click command that can run these arguments."""
    wanted = next((arg for arg in args if not arg.startswith("-")), None)
    single = wanted in COMMANDS and COMPLETE_VAR not in environ
    return build([cast(str, wanted)] if single else list(COMMANDS))


def build(names: Sequence[str]) -> click.Command:
    """The program with these commands."""
    app = typer.Typer(
        cls=InOrder,
        name="mem",
        help="Your own memory: keep notes and chats, ask them, see where each answer comes from.",
        epilog="Everything stays on this machine. Start with `mem init`, then `mem add`.",
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(root)
    for name in names:
        module = importlib.import_module(f"memcli.cli.{COMMANDS[name]}")
        module.register(app)
    return typer.main.get_command(app)


def _version(value: bool) -> None:
    if value:
        from memcli import __version__

        typer.echo(f"mem {__version__}")
        raise typer.Exit


def root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """Your own memory: keep notes and chats, ask them, see where each answer comes from."""
