"""`mem stats`: how much is kept, learnt, replaced and fading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

from memcli.cli.common import need_home
from memcli.cli.env import Env
from memcli.cli.options import Json, env_of

if TYPE_CHECKING:
    from memcli.memories import Class


def register(app: typer.Typer, summary: str) -> None:
    app.command("stats", help=summary)(stats)


def stats(context: typer.Context, json: Json = False) -> None:
    """Count what is kept, learnt, replaced and fading."""
    env = env_of(context)
    need_home(env)
    from dataclasses import asdict

    from memcli.govern import stats as counting
    from memcli.render import shapes
    from memcli.render.text import wrap

    now = env.clock.now_ms()
    found = env.store.consult(lambda reading: counting.stats(reading.db, now, half_lives(env)))
    size = sum(path.stat().st_size for path in env.home.root.rglob("*") if path.is_file() and not path.is_symlink())
    if json:
        env.print(shapes.dump({"version": shapes.VERSION, **asdict(found), "bytes": size}))
        return
    for name, value in (
        ("entries", f"{found.entries:,}{_split(found.by_trust)}"),
        ("memories", f"{found.memories:,}{_split(found.by_class)}"),
        ("standing", _list(found.by_standing)),
        ("scopes", _list(found.by_scope)),
        (
            "evidence",
            f"{found.evidence:,} quotes, {found.evidence / found.memories:.1f} a memory" if found.memories else "",
        ),
        ("replaced", f"{found.replaced:,}"),
        ("in conflict", f"{found.in_conflict:,}"),
        ("faded", f"{found.faded:,}, still kept"),
        ("learnt", _list(dict(list(found.growth.items())[-6:]))),
        ("questions", f"{found.questions:,}, {found.answered:,} of them answered"),
        ("on disk", f"{size / 1e6:,.1f} MB"),
    ):
        if value:
            env.print(wrap(value, env.width, " " * 13, env.style("label", f"{name:<13}")))


def half_lives(env: Env) -> Mapping[Class, float]:
    """Half-lives by class: the defaults, with what the configuration says instead."""
    from memcli.govern.decay import HALF_LIVES

    return {**HALF_LIVES, **env.settings.half_lives}


def _split(counts: Mapping[str, int]) -> str:
    return f": {_list(counts)}" if counts else ""


def _list(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())
