"""`mem conflicts`: memories that contradict each other, and which of them holds."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.common import checked_scope, need_home
from memcli.cli.options import Json, Scope, env_of
from memcli.errors import UsageError


def register(app: typer.Typer, summary: str) -> None:
    app.command("conflicts", help=summary)(conflicts)


def conflicts(
    context: typer.Context,
    keep: Annotated[
        str | None, typer.Option("--keep", metavar="ID", help="This one holds; what contradicts it no longer does.")
    ] = None,
    both: Annotated[
        str | None, typer.Option("--both", metavar="ID", help="This one and what contradicts it both hold.")
    ] = None,
    scope: Scope = None,
    json: Json = False,
) -> None:
    """Show memories that contradict each other, or say which one holds."""
    env = env_of(context)
    need_home(env)
    from memcli.govern import acts, find
    from memcli.log.record import Change
    from memcli.projection.database import Database
    from memcli.render import memories, shapes

    if keep is not None and both is not None:
        raise UsageError("--keep and --both cannot go together.", "Give one of them.")
    if keep is None and both is None:
        pairs = env.store.consult(lambda reading: find.opposed(reading.db, checked_scope(scope)))
        if json:
            shaped = [[memories.shape(one), memories.shape(other)] for one, other in pairs]
            env.print(shapes.dump({"version": shapes.VERSION, "conflicts": shaped}))
            return
        if not pairs:
            env.say("Nothing is in conflict.")
            return
        for number, (one, other) in enumerate(pairs):
            if number:
                env.print()
            for memory in (one, other):
                env.print(memories.line(memory, env.width, env.style))
        env.say("Say which holds: mem conflicts --keep ID, or --both ID.")
        return
    run = env.store.ids.new()
    settled = 0

    def choose(db: Database) -> list[Change]:
        nonlocal settled
        chosen = find.by_tail(db, keep or both or "")
        others = find.by_ids(db, chosen.against)
        if not others:
            raise UsageError("This memory is not in conflict.", "`mem conflicts` shows those that are.")
        settled = len(others)
        act = acts.keep if keep is not None else acts.keep_both
        return [change for other in others.values() for change in act(chosen, other, run, "user")]

    env.store.decide(choose)
    if json:
        env.print(shapes.dump({"version": shapes.VERSION, "settled": settled, "run": run}))
    else:
        env.print("Settled. `mem undo` takes it back.")
