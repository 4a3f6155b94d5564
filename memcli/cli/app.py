"""Which commands there are. Each is imported when it is called; help and completion read this table."""

from __future__ import annotations

import importlib
from difflib import get_close_matches

import click
import typer
from typer.core import TyperGroup

COMPLETE_VAR = "_MEM_COMPLETE"

COMMANDS: dict[str, tuple[str, str]] = {
    "add": ("add", "Keep a note, or a transcript from a pipe."),
    "import": ("import_", "Take in chats, notes and exports from files."),
    "ask": ("ask", "Answer a question from what you kept, with citations."),
    "search": ("search", "Find entries by their words."),
    "why-not": ("why_not", "Show why a question does not find an entry."),
    "list": ("list_", "Show what was kept, newest first."),
    "show": ("show", "Show one entry whole, with its source."),
    "brief": ("brief", "Gather rules, memories and evidence for a task."),
    "rules": ("rules", "Show the rules, and decide on what waits."),
    "tidy": ("tidy", "Read, index and group what is new; safe to run from cron."),
    "events": ("events", "List what happened: entries about one thing."),
    "topics": ("topics", "Show what lies under each topic."),
    "timeline": ("timeline", "Show what is known, newest last."),
    "who": ("who", "Show what is known about somebody."),
    "why": ("why", "Show what a memory rests on, word for word."),
    "conflicts": ("conflicts", "Show memories that contradict each other."),
    "digest": ("digest", "Ten lines: learnt, changed, to review, in conflict."),
    "stats": ("stats", "Count what is kept, learnt, replaced and fading."),
    "log": ("log", "Show what was added, asked and decided."),
    "edit": ("edit", "Correct a memory."),
    "pin": ("pin", "Keep a memory in sight."),
    "forget": ("forget", "Forget entries or memories, or erase them for good."),
    "restore": ("restore", "Bring back what was forgotten."),
    "undo": ("undo", "Take back the newest run: an add, a tidy, a forget."),
    "init": ("init", "Make the memory, and find installed models."),
    "model": ("model", "List the models, choose one."),
    "schedule": ("schedule", "Let the machine tidy by itself."),
    "doctor": ("doctor", "Say what works here and what does not."),
    "verify": ("verify", "Check every line and every row."),
    "rebuild": ("rebuild", "Make the index again from the log."),
}
"""Command → its module in `memcli.cli` and its one line of help, in the order in which help lists them."""


class Commands(TyperGroup):
    """The group of all commands, each loaded when it is first asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            self.commands[cmd_name] = load(cmd_name)
        return self.commands[cmd_name]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            near = get_close_matches(args[0], COMMANDS, 1)  # click would look among the loaded ones: none
            meant = f" Did you mean `mem {near[0]}`?" if near else ""
            raise click.UsageError(f"No such command '{args[0]}'.{meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


def load(name: str) -> click.Command:
    """One command."""
    module, summary = COMMANDS[name]
    app = typer.Typer(rich_markup_mode=None, add_completion=False, suggest_commands=False)  # click does
    # With a second command typer keeps the group, from which this one is taken.
    app.command("-", hidden=True)(_nothing)
    importlib.import_module(f"memcli.cli.{module}").register(app, summary)
    return typer.main.get_group(app).commands[name]


def program() -> click.Command:
    """The whole program; no command is imported yet."""
    app = typer.Typer(
        cls=Commands,
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
    return typer.main.get_group(app)


def _nothing() -> None:
    """Never called."""


def _version(value: bool) -> None:
    if value:
        from memcli import __version__

        typer.echo(f"mem {__version__}")
        raise typer.Exit


def root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """Your own memory: keep notes and chats, ask them, see where each answer comes from."""
