"""`mem topics`: the tree of topics with counts; `mem topics PATH` what lies under one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.common import need_home, own_taxonomy
from memcli.cli.events import list_events
from memcli.cli.options import Json, env_of
from memcli.errors import NothingFound

if TYPE_CHECKING:
    from memcli.cli.env import Env
    from memcli.projection.database import Database
    from memcli.render.events import Count


def register(app: typer.Typer, summary: str) -> None:
    app.command("topics", help=summary)(topics)


def topics(
    context: typer.Context,
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH]", help="Show what lies under this topic: home, home/cooking.", show_default=False
        ),
    ] = None,
    limit: Annotated[int, typer.Option("-n", "--limit", min=1, help="Events and memories at most, with PATH.")] = 20,
    file: Annotated[bool, typer.Option("--file", help="Say where a taxonomy of your own goes.")] = False,
    json: Json = False,
) -> None:
    """Show the topics that events and memories are filed under."""
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
        _show(env, path, limit, json)
        return
    from memcli.render import events as render
    from memcli.render import shapes

    counts = env.store.consult(lambda reading: _counts(reading.db))
    if not counts:
        raise NothingFound("There are no topics yet.", "`mem tidy` forms events of what is kept and files them.")
    if json:
        shaped = [count._asdict() for count in counts]
        env.print(shapes.dump({"version": shapes.VERSION, "topics": shaped}))
        return
    for line in render.tree(counts, env.width, env.style):
        env.print(line)


def _counts(db: Database) -> list[Count]:
    from memcli.govern import filed
    from memcli.render.events import Count

    learnt = filed.counts(db)
    rows = db.rows("SELECT topic, COUNT(*), SUM(size) FROM events GROUP BY topic ORDER BY topic")
    return [Count(topic, events, entries, learnt.get(topic, 0)) for topic, events, entries in rows]


def _show(env: Env, path: str, limit: int, json: bool) -> None:
    from memcli.govern.filed import filed_under
    from memcli.render import events as render
    from memcli.render import memories, shapes

    found, learnt = env.store.consult(
        lambda reading: (list_events(reading.db, [], path, None, limit), filed_under(reading.db, path, limit))
    )
    if not found:
        raise NothingFound(f"Nothing is filed under {path}.", "`mem topics` shows the topics.")
    if json:
        shaped = [render.shape(event) for event in found]
        env.print(shapes.dump({"version": shapes.VERSION, "events": shaped, "memories": memories.shapes_of(learnt)}))
        return
    env.print(env.style("label", "Events"))
    for event in found:
        env.print(render.line(event, env.width, env.style))
    if learnt:
        env.print()
        env.print(env.style("label", "Memories"))
        for memory in learnt:
            env.print(memories.line(memory, env.width, env.style))
