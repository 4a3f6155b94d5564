"""`mem doctor`: what works here, what does not, and what to do about it."""

from __future__ import annotations

import typer

from memcli.cli.options import Json, env_of


def register(app: typer.Typer, summary: str) -> None:
    app.command("doctor", help=summary)(doctor)


def doctor(context: typer.Context, json: Json = False) -> int:
    """Say what works here and what does not."""
    env = env_of(context)
    from memcli.cli.examine import examine

    checks = list(examine(env))
    bad = any(check.level == "bad" for check in checks)
    if json:
        from dataclasses import asdict

        from memcli.render import shapes

        env.print(
            shapes.dump({"version": shapes.VERSION, "healthy": not bad, "checks": [asdict(item) for item in checks]})
        )
        return 65 if bad else 0
    from memcli.render.text import one_line

    for check in checks:
        style = {"ok": "good", "note": "label", "bad": "bad"}[check.level]
        env.print(f"{env.style(style, f'{check.level:<4}')}  {check.name:<10}  {one_line(check.text)}")
        if check.step:
            env.print(f"{'':<18}→ {one_line(check.step)}")
    return 65 if bad else 0
