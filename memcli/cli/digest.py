"""`mem digest`: what was learnt, what changed, what faded, what is in conflict, in ten lines."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.common import need_home, when
from memcli.cli.options import Json, env_of
from memcli.errors import NothingFound

LINES = 10


def register(app: typer.Typer, summary: str) -> None:
    app.command("digest", help=summary)(digest)


def digest(
    context: typer.Context,
    since: Annotated[
        str | None, typer.Option("--since", metavar="TIME", help="From then on; a week ago unless given.")
    ] = None,
    json: Json = False,
) -> None:
    """Ten lines on what was learnt, what changed, what waits for you and what is in conflict."""
    env = env_of(context)
    need_home(env)
    from memcli.clock import DAY_MS, iso
    from memcli.govern import summary as summing
    from memcli.ids import TAIL
    from memcli.render import shapes
    from memcli.render.text import clip, one_line

    moment = when(since, env.clock, "--since")
    start = moment.ms if moment is not None else env.clock.now_ms() - 7 * DAY_MS
    parts = env.store.consult(lambda reading: summing.digest(reading.db, start, env.clock.now_ms()))
    if json:
        shaped = {part.name: [{"id": line.id, "text": line.text} for line in part.lines] for part in parts}
        env.print(shapes.dump({"version": shapes.VERSION, "since": iso(start), **shaped}))
        return
    if not any(part.lines for part in parts):
        raise NothingFound(
            f"Nothing was learnt since {iso(start)[:10]}.", "`mem tidy` makes memories of what was kept."
        )
    for line_of, share in zip(parts, summing.shares([len(part.lines) for part in parts], LINES), strict=True):
        for line in line_of.lines[:share]:
            head = f"{line_of.name:<12}"
            room = max(20, env.width - len(head) - TAIL - 2)
            env.print(
                f"{env.style('label', head)}{clip(one_line(line.text), room)}  {env.style('id', line.id[-TAIL:])}"
            )
    more = [f"{len(part.lines):,} {part.name}" for part in parts if part.lines]
    env.say(f"Since {iso(start)[:10]}: {', '.join(more)}.")
