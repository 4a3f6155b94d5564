"""`mem restore ID…`: bring back what was forgotten."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.common import need_home
from memcli.cli.options import Json, env_of


def register(app: typer.Typer, summary: str) -> None:
    app.command("restore", help=summary)(restore)


def restore(
    context: typer.Context,
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids, or their last characters.")],
    json: Json = False,
) -> None:
    """Bring forgotten entries and memories back."""
    env = env_of(context)
    need_home(env)
    from memcli.projection.visibility import FORGOTTEN
    from memcli.render import forgetting, memories, plain, shapes
    from memcli.store import meant
    from memcli.store.choosing import SHOWN, Wanted, pick
    from memcli.store.forget import restore as bring_back

    picked = env.store.consult(lambda reading: pick(reading.db, Wanted(tuple(ids)), (FORGOTTEN,)))
    done = bring_back(env.store, picked.ids, picked.memories)
    if json:
        env.print(shapes.dump(forgetting.decided_shape(done, "restored")))
        return
    for entry in picked.first:
        env.print(plain.entry_line(entry, env.width, env.style))
    for memory in env.store.consult(lambda reading: meant.seen(reading.db, done.memories, SHOWN)):
        env.print(memories.line(memory, env.width, env.style))
    env.print(env.style("good", f"restored: {forgetting.decided(done)}"))
