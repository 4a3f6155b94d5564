"""`mem model`: which models there are, and which is in use."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.options import Json, env_of


def register(app: typer.Typer, summary: str) -> None:
    group = typer.Typer(help=summary, rich_markup_mode=None, no_args_is_help=True)
    group.command("list", help="Show the models of this memory.")(list_models)
    group.command("use", help="Choose a model.")(use_model)
    app.add_typer(group, name="model")


def list_models(context: typer.Context, json: Json = False) -> None:
    """Show the models of this memory."""
    env = env_of(context)
    from memcli.errors import MemError, NothingFound
    from memcli.llm.catalog import Catalog
    from memcli.render import shapes
    from memcli.render.text import clip, one_line

    catalog = Catalog(env.home.root, env.disk)
    in_use = set()
    problems = []
    for kind in ("embedder", "generator"):
        try:
            active = catalog.active("embedder" if kind == "embedder" else "generator")
        except MemError as error:
            problems.append(error)
        else:
            if active is not None:
                in_use.add(active.name)
    found = catalog.models()
    if json:
        rows = [
            {
                "name": item.name,
                "kind": item.kind,
                "in_use": item.name in in_use,
                "sha256": item.sha256,
                "size": item.size,
                "dim": item.dim,
                "known": item.known,
                "path": str(item.path),
            }
            for item in found
        ]
        env.print(shapes.dump({"version": shapes.VERSION, "models": rows}))
    for item in found if not json else ():
        mark = "*" if item.name in in_use else " "
        line = f"{mark} {item.kind:<9}  {one_line(item.name):<34}  {item.size / 1e6:>7,.0f} MB  {item.sha256[:12]}"
        env.print(clip(line, env.width))
    for problem in problems:
        env.say(f"mem: {problem.message}")
    if not found:
        raise NothingFound("There is no model here yet.", "`mem init` finds the installed ones.")
    if problems:
        raise problems[0]


def use_model(
    context: typer.Context, name: Annotated[str, typer.Argument(help="Its name, from `mem model list`.")]
) -> None:
    """Choose a model."""
    env = env_of(context)
    from memcli.llm.catalog import Catalog
    from memcli.render.text import one_line

    chosen = Catalog(env.home.root, env.disk).use(name)
    env.print(f"{chosen.kind} is now {one_line(chosen.name)}")
    if chosen.kind == "embedder":
        env.print("The next `mem tidy` reads everything again with it.")
