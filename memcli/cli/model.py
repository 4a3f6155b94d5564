"""`mem model`: which models there are, which is in use, and whether a generator may be trusted with answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memcli.cli.options import Json, env_of

if TYPE_CHECKING:
    from memcli.llm.catalog import Catalog, Model


def register(app: typer.Typer, summary: str) -> None:
    group = typer.Typer(help=summary, rich_markup_mode=None, no_args_is_help=True)
    group.command("list", help="Show the models of this memory.")(list_models)
    group.command("use", help="Choose a model.")(use_model)
    group.command("test", help="Test whether a model may write answers.")(test_model)
    app.add_typer(group, name="model")


def list_models(context: typer.Context, json: Json = False) -> None:
    """Show the models of this memory."""
    env = env_of(context)
    from memcli.cli.models import verdict
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
                "score": score_shape(catalog, item),
            }
            for item in found
        ]
        env.print(shapes.dump({"version": shapes.VERSION, "models": rows}))
    for item in found if not json else ():
        mark = "*" if item.name in in_use else " "
        tested = verdict(catalog, item) if item.kind == "generator" else ""
        size = f"{item.size / 1e6:>7,.0f} MB"
        line = f"{mark} {item.kind:<9}  {one_line(item.name):<28}  {size}  {tested:<16}  {item.sha256[:12]}"
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


def test_model(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(help="Its name, from `mem model list`; the generator in use where none is given.")
    ] = None,
    json: Json = False,
) -> int:
    """Test whether a model may write answers.

    It answers a few questions about invented notes, some of which have no
    answer. Below the bar `mem ask` quotes instead.
    """
    env = env_of(context)
    from memcli.answering.cases import CASES
    from memcli.answering.gate import passes
    from memcli.cli.models import test
    from memcli.errors import NOTHING_FOUND, ModelFailed, NothingFound
    from memcli.llm.catalog import Catalog
    from memcli.render import shapes
    from memcli.render.text import one_line

    catalog = Catalog(env.home.root, env.disk)
    model = catalog.check(name) if name is not None else catalog.active("generator")
    if model is None:
        raise NothingFound("No generator is chosen.", "Run `mem init`, or `mem init --model PATH.gguf`.")
    if model.kind != "generator":
        raise ModelFailed(f"{model.name} is an {model.kind}: it writes no answers.", "See `mem model list`.")
    score, right = test(env, catalog, model)
    passed = passes(score)
    if json:
        missed = [case.question for case, good in zip(CASES, right, strict=True) if not good]
        shape = {"name": model.name, "sha256": model.sha256, "score": score_shape(catalog, model), "missed": missed}
        env.print(shapes.dump({"version": shapes.VERSION, **shape}))
    else:
        for case, good in zip(CASES, right, strict=True):
            env.print(f"{env.style('good', 'ok  ') if good else env.style('bad', 'miss')}  {case.question}")
        says = "its answers are shown" if passed else "too few, so answers are quotes"
        env.print(f"{one_line(model.name)}: {score.right} of {score.of}: {says}")
    return 0 if passed else NOTHING_FOUND


def score_shape(catalog: Catalog, model: Model) -> dict[str, Any] | None:
    """The score of a model as JSON; null where it was never tested, or by another edition of the test."""
    from memcli.answering.gate import current, passes

    score = catalog.score(model)
    if score is None or not current(score):
        return None
    return {"right": score.right, "of": score.of, "passed": passes(score)}
