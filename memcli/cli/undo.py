"""`mem undo`: take back the newest run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.common import need_home, plural
from memcli.cli.options import Json, env_of
from memcli.ids import TAIL

if TYPE_CHECKING:
    from memcli.store.undo import Run


def register(app: typer.Typer, summary: str) -> None:
    app.command("undo", help=summary)(undo)


def undo(
    context: typer.Context,
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="Another run, by the end of its id.", show_default=False)
    ] = None,
    list_runs: Annotated[bool, typer.Option("--list", help="Only list the runs that can be taken back.")] = False,
    json: Json = False,
) -> None:
    """Take back the newest run: an add, an import, a tidy, a forget, a decision about a memory."""
    env = env_of(context)
    need_home(env)
    from memcli.render import shapes
    from memcli.render.text import clip, one_line
    from memcli.store import undo as undoing

    if list_runs:
        found = env.store.consult(lambda reading: undoing.runs(reading.db, 20))
        if json:
            env.print(shapes.dump({"version": shapes.VERSION, "runs": [_shape(item) for item in found]}))
        for item in found if not json else ():
            env.print(clip(one_line(f"{item.id[-TAIL:]}  {item.at[:16].replace('T', ' ')}  {_what(item)}"), env.width))
        return
    done = undoing.undo(env.store, run)
    if json:
        env.print(shapes.dump({"version": shapes.VERSION, "undone": _shape(done)}))
        return
    env.print(clip(one_line(f"taken back: {_what(done)}"), env.width))
    if done.kind == "tidy":
        env.print("What it indexed and learnt comes back with the next `mem tidy`.")


def _what(run: Run) -> str:
    parts = [f"{run.kind} {run.id[-TAIL:]}"]
    parts += [plural(run.entries, "entry")] if run.entries else []
    parts += [plural(run.memories, "memory")] if run.memories else []
    label = ", ".join(parts)
    if run.kind == "purge":
        return f"{label}, for good"
    if run.origin:
        return f"{label} from {run.origin}"
    return label if run.sample is None else f"{label}: {run.sample}"


def _shape(run: Run) -> dict[str, object]:
    return {
        "run": run.id,
        "kind": run.kind,
        "at": run.at,
        "entries": run.entries,
        "memories": run.memories,
        "origin": run.origin,
    }
