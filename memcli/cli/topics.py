"""`mem topics`: the tree of topics with counts; `mem topics PATH` the events under one."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.common import need_home, own_taxonomy
from memcli.cli.events import list_events, print_events
from memcli.cli.options import Json, env_of
from memcli.errors import NothingFound


def register(app: typer.Typer, summary: str) -> None:
    app.command("topics", help=summary)(topics)


def topics(
    context: typer.Context,
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH]", help="Show the events under this topic: home, home/cooking.", show_default=False
        ),
    ] = None,
    limit: Annotated[int, typer.Option("-n", "--limit", min=1, help="Events at most, with PATH.")] = 20,
    file: Annotated[bool, typer.Option("--file", help="Say where a taxonomy of your own goes.")] = False,
    json: Json = False,
) -> None:
    """Show the topics that events are filed under."""
    env = env_of(context)
    if file:
        from memcli.lang.taxonomy import NAME, SHIPPED

        own = env.config_path.with_name(NAME)
        own_taxonomy(env)  # raises where it cannot be read
        env.print(str(own))
        if not own.is_file():
            env.say(f"mem: not there yet, the shipped one is used: copy {SHIPPED} there and edit it.")
        return
    need_home(env)
    if path is not None:
        found = env.store.consult(lambda reading: list_events(reading.db, [], path, None, limit))
        if not found:
            raise NothingFound(f"No event is filed under {path}.", "`mem topics` shows the topics.")
        print_events(env, found, json)
        return
    from memcli.render import events as render
    from memcli.render import shapes

    counts = [
        (str(topic), int(events), int(entries))
        for topic, events, entries in env.store.consult(
            lambda reading: reading.db.rows(
                "SELECT topic, COUNT(*), SUM(size) FROM events GROUP BY topic ORDER BY topic"
            )
        )
    ]
    if not counts:
        raise NothingFound("There are no topics yet.", "`mem tidy` forms events of what is kept and files them.")
    if json:
        shaped = [{"topic": topic, "events": events, "entries": entries} for topic, events, entries in counts]
        env.print(shapes.dump({"version": shapes.VERSION, "topics": shaped}))
        return
    for line in render.tree(counts, env.width, env.style):
        env.print(line)
