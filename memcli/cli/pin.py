"""`mem pin ID`: keep a memory in sight whatever its age."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.common import need_home
from memcli.cli.decided import decide_on
from memcli.cli.options import Json, env_of


def register(app: typer.Typer, summary: str) -> None:
    app.command("pin", help=summary)(pin)


def pin(
    context: typer.Context,
    memory_id: Annotated[str, typer.Argument(metavar="ID", help="The id, or its last characters.")],
    off: Annotated[bool, typer.Option("--off", help="Let it fade again.")] = False,
    json: Json = False,
) -> None:
    """Keep a memory in sight, or let it fade again."""
    env = env_of(context)
    need_home(env)
    from memcli.govern import acts

    decide_on(env, memory_id, lambda memory, run: acts.pin(memory, run, "user", on=not off), json=json)
