"""`mem log`: what happened here, newest first."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.common import need_home, plural
from memcli.cli.options import Json, env_of
from memcli.errors import NothingFound


def register(app: typer.Typer, summary: str) -> None:
    app.command("log", help=summary)(log)


def log(
    context: typer.Context,
    limit: Annotated[int, typer.Option("-n", "--limit", min=1, help="Lines at most.")] = 30,
    what: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="WORD", help="Only these: added, imported, asked, learnt, replaced, promoted …"),
    ] = None,
    json: Json = False,
) -> None:
    """Show what was added, asked, learnt, replaced and forgotten, newest first."""
    env = env_of(context)
    need_home(env)
    from memcli.govern import history
    from memcli.ids import TAIL
    from memcli.render import shapes
    from memcli.render.text import clip, one_line

    found = env.store.consult(lambda reading: history.feed(reading.db, limit, what or ()))
    if not found:
        raise NothingFound("Nothing of the kind happened here yet.", "`mem log` without --only shows everything.")
    if json:
        shaped = [
            {
                "at": event.at,
                "what": event.what,
                "text": event.text,
                "id": event.id,
                "author": event.author,
                "count": event.count,
                "stands": event.stands,
            }
            for event in found
        ]
        env.print(shapes.dump({"version": shapes.VERSION, "events": shaped}))
        return
    for event in found:
        many = f" ({plural(event.count, 'entry')})" if event.count > 1 else ""
        gone = "" if event.stands else " (taken back)"
        head = f"{event.at[:16].replace('T', ' ')}  {event.what:<12}  "
        words = clip(one_line(event.text), max(20, env.width - len(head) - TAIL - 2 - len(many + gone)))
        line = f"{words}{many}{gone}  {event.id[-TAIL:]}"
        env.print(env.style("time", head[:18]) + env.style("label", head[18:]) + line)
