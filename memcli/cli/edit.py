"""`mem edit ID` and what it sets: words, class, scope, since when."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.common import checked_scope, need_home, when
from memcli.cli.decided import decide_on
from memcli.cli.options import Json, Scope, env_of
from memcli.errors import UsageError


def register(app: typer.Typer, summary: str) -> None:
    app.command("edit", help=summary)(edit)


def edit(
    context: typer.Context,
    memory_id: Annotated[str, typer.Argument(metavar="ID", help="The id, or its last characters.")],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[TEXT]...", help="What it says instead; none opens $EDITOR.")
    ] = None,
    cls: Annotated[
        str | None,
        typer.Option("--class", metavar="CLASS", help="permanent, semantic, preference, observation or task_state."),
    ] = None,
    scope: Scope = None,
    since: Annotated[str | None, typer.Option("--since", metavar="TIME", help="Since when it is true.")] = None,
    json: Json = False,
) -> None:
    """Correct a memory; what was said stays as it was said."""
    env = env_of(context)
    need_home(env)
    from memcli.clock import wall_ms
    from memcli.govern import acts, find
    from memcli.lang.redact import redact
    from memcli.memories import CLASSES

    if cls is not None and cls not in CLASSES:
        raise UsageError(f"“{cls}” is not a class.", f"Use {', '.join(CLASSES[:-1])} or {CLASSES[-1]}.")
    fields: dict[str, object] = {}
    if words:
        fields["text"] = redact(" ".join(words).strip()).text
    if cls is not None:
        fields["cls"] = cls
    if scope is not None:
        fields["scope"] = checked_scope(scope)
    moment = when(since, env.clock, "--since")
    if moment is not None:
        fields["since_ms"] = wall_ms(moment)
    if not fields:
        old = env.store.consult(lambda reading: find.by_tail(reading.db, memory_id)).statement.text
        if not (env.stdin_tty and env.out_tty):
            raise UsageError("There is nothing to change.", 'Say what it should say: mem edit ID "…"')
        new = (typer.edit(old) or "").strip()
        if not new or new == old:
            raise UsageError("Nothing was changed.", "The memory is as it was.")
        fields["text"] = redact(new).text
    decide_on(env, memory_id, lambda memory, run: acts.edit(memory, run, "user", **fields), json=json)
