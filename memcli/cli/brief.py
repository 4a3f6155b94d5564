"""`mem brief`: working memory for a task, ready to be put before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.common import checked_scope, need_home, scope_to_write
from memcli.cli.options import Json, Scope, env_of
from memcli.errors import NoInput, NothingFound

if TYPE_CHECKING:
    from memcli.briefing.brief import Brief
    from memcli.cli.env import Env
    from memcli.llm.embed import Embedder
    from memcli.store.store import Reading


def register(app: typer.Typer, summary: str) -> None:
    app.command("brief", help=summary)(brief)


def brief(
    context: typer.Context,
    task: Annotated[list[str], typer.Argument(metavar="TASK...", help="What is to be done; - reads it from a pipe.")],
    scope: Scope = None,
    budget: Annotated[
        int, typer.Option("--budget", metavar="TOKENS", min=50, max=100_000, help="Tokens at most.")
    ] = 800,
    json: Json = False,
) -> None:
    """Gather rules, memories and evidence for a task."""
    env = env_of(context)
    text = " ".join(task).strip()
    if text == "-":
        text = env.stdin.read().decode("utf-8", "replace").strip()
    if not text:
        raise NoInput("There is no task.", 'Name one: mem brief "plan a trip to Shanghai"')
    need_home(env)
    from memcli.cli.models import models
    from memcli.render import briefs, shapes

    here = checked_scope(scope) or scope_to_write(env, None)
    with models(env, generator=False) as ready:
        made = _made(env, text, here, budget, ready.embedder)
    for problem in ready.problems:
        env.say(f"mem: {problem}")
    if json:
        env.print(shapes.dump(briefs.brief_shape(made)))
    elif not made.empty:
        env.print(briefs.markdown(made))
    if made.empty:
        raise NothingFound(
            "Nothing is known for this task.", "`mem add` keeps something; `mem tidy` makes rules of it."
        )


def _made(env: Env, task: str, scope: str, budget: int, embedder: Embedder | None) -> Brief:
    from memcli.briefing.brief import build
    from memcli.cli.stats import half_lives

    def use(reading: Reading) -> Brief:
        return build(
            reading.db,
            task,
            scope,
            budget,
            _vector(env, reading, task, embedder),
            now_ms=env.clock.now_ms(),
            me=env.settings.me,
            half_lives=half_lives(env),
        )

    return env.store.consult(use)


def _vector(env: Env, reading: Reading, task: str, embedder: Embedder | None) -> list[float] | None:
    """The embedding of the task; None, with a word on why, where the index cannot be asked by meaning."""
    from memcli.recall.finding import vectors_for

    (vector,), notice = vectors_for(reading.db, [task], embedder)
    if notice is not None:
        env.say(f"mem: {notice}")
    return vector
