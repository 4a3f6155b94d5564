"""`mem schedule`: let the machine tidy by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.env import Env
from memcli.cli.options import Json, env_of
from memcli.errors import UsageError

if TYPE_CHECKING:
    from memcli.tidy.schedule import Job, Machine


def register(app: typer.Typer, summary: str) -> None:
    group = typer.Typer(help=summary, rich_markup_mode=None, no_args_is_help=True)
    group.command("install", help="Tidy by itself, as often as it is worth it.")(install)
    group.command("status", help="Say whether it does.")(status)
    group.command("remove", help="Do so no longer.")(remove)
    app.add_typer(group, name="schedule")


def install(
    context: typer.Context,
    way: Annotated[
        str | None,
        typer.Option("--way", metavar="WAY", help="systemd, launchd or cron; the best there is unless given."),
    ] = None,
    json: Json = False,
) -> None:
    """Tidy by itself, as often as it is worth it."""
    env = env_of(context)
    from memcli.tidy import schedule

    machine = _machine(env)
    if way is not None and way not in schedule.WAYS:
        raise UsageError(f"“{way}” is no way to do this.", "Use systemd, launchd or cron.")
    chosen = next((known for known in schedule.WAYS if known == way), None) or schedule.choose(machine)
    schedule.remove(machine)
    path = schedule.install(machine, _job(env), chosen)
    if json:
        _print(env, [chosen])
    else:
        env.print(f"`mem tidy` now runs by itself ({chosen}{f', {path}' if path else ''}).")


def status(context: typer.Context, json: Json = False) -> None:
    """Say whether `mem tidy` runs by itself."""
    env = env_of(context)
    from memcli.tidy import heartbeat, schedule

    found = schedule.status(_machine(env))
    if json:
        _print(env, list(found))
        return
    env.print(f"`mem tidy` runs by itself ({', '.join(found)})." if found else "`mem tidy` runs when you say so.")
    if env.home.exists and (last := heartbeat.last(env.store)) is not None:
        env.print(
            f"It last ran at {last.at[:16].replace('T', ' ')} UTC and is due again {last.next_hours} h after that."
        )


def remove(context: typer.Context, json: Json = False) -> None:
    """No longer tidy by itself."""
    env = env_of(context)
    from memcli.tidy import schedule

    gone = schedule.remove(_machine(env))
    if json:
        _print(env, list(gone))
    else:
        env.print("`mem tidy` no longer runs by itself." if gone else "`mem tidy` did not run by itself.")


def _print(env: Env, ways: list[str]) -> None:
    from memcli.render import shapes

    env.print(shapes.dump({"version": shapes.VERSION, "ways": ways}))


def _machine(env: Env) -> Machine:
    from pathlib import Path

    from memcli.tidy.schedule import Machine

    return Machine(Path(env.environ.get("HOME") or Path.home()), env.environ, env.call, env.disk)


def _job(env: Env) -> Job:
    import shutil
    import sys
    from pathlib import Path

    from memcli.tidy.schedule import BUDGET, Job

    beside = Path(sys.executable).with_name("mem")
    program = str(beside) if beside.exists() else shutil.which("mem", path=env.environ.get("PATH"))
    start = (program,) if program else (sys.executable, "-m", "memcli")
    named = env.environ.get("MEM_HOME")
    settings = (("MEM_HOME", str(env.home.root.resolve())),) if named else ()
    return Job((*start, "tidy", "--if-due", "--budget", BUDGET), settings)
