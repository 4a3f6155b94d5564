"""`mem timeline`: what is known, by when it became true."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.common import checked_scope, need_home, since_until
from memcli.cli.options import Json, Scope, env_of
from memcli.errors import NothingFound


def register(app: typer.Typer, summary: str) -> None:
    app.command("timeline", help=summary)(timeline)


def timeline(
    context: typer.Context,
    about: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]...", help="Only memories with these words.")
    ] = None,
    limit: Annotated[int, typer.Option("-n", "--limit", min=1, help="Lines at most.")] = 30,
    all_: Annotated[bool, typer.Option("--all", help="Also what was refused.")] = False,
    scope: Scope = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="TIME", help="Only what became true from then on.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="TIME", help="Only what became true up to then.")
    ] = None,
    json: Json = False,
) -> None:
    """Show what is known, newest last, with what replaced it."""
    env = env_of(context)
    need_home(env)
    from memcli.govern import find
    from memcli.memories import Memory
    from memcli.render import memories, shapes
    from memcli.store.store import Reading

    since_ms, until_ms = since_until(env, since, until)
    standings = (*find.SHOWN, "refused") if all_ else find.SHOWN
    words = " ".join(about or ())
    chosen = checked_scope(scope)

    def use(reading: Reading) -> list[Memory]:
        if not words:
            return find.in_time(
                reading.db, since_ms=since_ms, until_ms=until_ms, scope=chosen, standings=standings, limit=limit
            )
        found = find.with_words(reading.db, words, limit, standings)
        fitting = [
            memory
            for memory in found
            if chosen in (None, memory.scope)
            and (since_ms is None or (memory.since_ms is not None and memory.since_ms >= since_ms))
            and (until_ms is None or (memory.since_ms is not None and memory.since_ms < until_ms))
        ]
        return sorted(fitting, key=lambda memory: (memory.since_ms or 0, memory.id), reverse=True)

    found = env.store.consult(use)[::-1]
    if not found:
        raise NothingFound("No memory fits.", "`mem tidy` makes memories of what was kept; `mem list` shows that.")
    if json:
        env.print(shapes.dump({"version": shapes.VERSION, "memories": memories.shapes_of(found)}))
        return
    for memory in found:
        env.print(memories.line(memory, env.width, env.style))
