"""`mem pin ID`: keep a memory in sight whatever its age."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.common import need_home
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
    from memcli.govern import acts, find
    from memcli.log.record import Change
    from memcli.projection.database import Database
    from memcli.render import memories, shapes

    run = env.store.ids.new()

    def choose(db: Database) -> list[Change]:
        return acts.pin(find.by_tail(db, memory_id), run, "user", on=not off)

    with env.store.writing() as db:
        env.store.decide_within(db, choose)
    pinned = env.store.consult(lambda reading: find.by_tail(reading.db, memory_id))
    if json:
        env.print(shapes.dump({"version": shapes.VERSION, "memory": memories.shape(pinned)}))
    else:
        env.print(memories.block(pinned, env.width))
