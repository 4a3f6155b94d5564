"""`mem why-not ID "question"`: why an entry is not among the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.common import asked_at, checked_scope, find_entry, need_home, since_until
from memcli.cli.env import Env
from memcli.cli.options import Json, Scope, Since, Until, env_of
from memcli.errors import NoInput

if TYPE_CHECKING:
    from memcli.recall.question import Query
    from memcli.recall.why_not import Verdict
    from memcli.types import Entry


def register(app: typer.Typer, summary: str) -> None:
    app.command("why-not", help=summary)(why_not)


def why_not(
    context: typer.Context,
    entry_id: Annotated[str, typer.Argument(metavar="ID", help="The id, or its last characters.")],
    question: Annotated[list[str], typer.Argument(metavar="QUESTION...", help="The question that should find it.")],
    k: Annotated[int, typer.Option("-k", min=1, max=50, help="Pieces of evidence at most.")] = 8,
    scope: Scope = None,
    since: Since = None,
    until: Until = None,
    json: Json = False,
) -> None:
    """Show why a question does not find an entry, and what would have helped."""
    env = env_of(context)
    text = " ".join(question).strip()
    if not text:
        raise NoInput("There is no question.", 'Say it: mem why-not ID "where did I put the keys?"')
    need_home(env)
    from memcli.recall.question import Query
    from memcli.recall.why_not import missing
    from memcli.render import plain, shapes
    from memcli.render.explain import NAMES, parts_line
    from memcli.render.text import wrap

    since_ms, until_ms = since_until(env, since, until)
    query = Query(text, checked_scope(scope), since_ms, until_ms, k, now_ms=asked_at(env))
    entry, verdict = _look(env, query, entry_id)
    if json:
        env.print(shapes.dump({"version": shapes.VERSION, "id": entry.id, **_shape(verdict)}))
        return
    env.print(plain.entry_line(entry, env.width, env.style))
    head = "It is shown" if verdict.step == "shown" else f"Not shown, {verdict.step}"
    env.print(env.style("answer", wrap(f"{head}: {verdict.detail}.", env.width)))
    if verdict.score is not None and verdict.signals is not None:
        env.print(parts_line(verdict.score, verdict.signals, env.width))
    if verdict.step == "ranked lower" and verdict.cut is not None:
        gaps = ", ".join(f"{NAMES.get(name, name)} {gap:.2f}" for name, gap in missing(verdict))
        env.print(wrap(f"The last one shown has {verdict.cut:.2f}, by more of: {gaps}.", env.width, "    ", "    "))
        env.print(wrap(f"With -k {verdict.place} it would be shown.", env.width, "    ", "    "))


def _look(env: Env, query: Query, entry_id: str) -> tuple[Entry, Verdict]:
    from memcli.cli.models import models
    from memcli.projection import vectors
    from memcli.recall.people import speakers
    from memcli.recall.question import as_said
    from memcli.recall.why_not import why_not as follow
    from memcli.store.store import Reading

    with models(env, generator=False) as ready:

        def use(reading: Reading) -> tuple[Entry, Verdict]:
            db = reading.db
            entry = find_entry(db, entry_id)
            space = vectors.space(db)
            vector = None
            if space is not None and ready.embedder is not None and space.model == ready.embedder.model:
                vector = next(iter(ready.embedder.embed([as_said(query.text, speakers(db))])))
                db.need_vectors()
            return entry, follow(db, query, vector, entry)

        return env.store.consult(use)


def _shape(verdict: Verdict) -> dict[str, object]:
    return {
        "step": verdict.step,
        "detail": verdict.detail,
        "place": verdict.place,
        "of": verdict.of,
        "score": verdict.score,
        "cut": verdict.cut,
        "signals": None if verdict.signals is None else dict(verdict.signals),
        "needed": None if verdict.needed is None else dict(verdict.needed),
        "shared": list(verdict.shared),
        "cosine": verdict.cosine,
    }
