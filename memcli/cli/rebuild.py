"""`mem rebuild`: make the index again from the log."""

from __future__ import annotations

import typer

from memcli.cli.common import need_home, plural
from memcli.cli.options import Json, env_of


def register(app: typer.Typer, summary: str) -> None:
    app.command("rebuild", help=summary)(rebuild)


def rebuild(context: typer.Context, json: Json = False) -> None:
    """Make the index again from the log."""
    env = env_of(context)
    need_home(env)
    from memcli.cli.progress import bar
    from memcli.render import shapes
    from memcli.store.rebuild import rebuild as build
    from memcli.tidy.index import count_pending

    with bar(env, "Rebuilding", "bytes") as update:
        build(env.store, update)
    visible, pending, digest = env.store.consult(
        lambda reading: (reading.db.visible(), count_pending(reading.db), reading.db.digest())
    )
    if json:
        env.print(shapes.dump({"version": shapes.VERSION, "entries": visible, "pending": pending, "digest": digest}))
        return
    env.print(f"{plural(visible, 'entry')} from the log, {visible - pending:,} with their vectors from the cache")
