"""`mem tidy`: the heartbeat. Safe in cron: one at a time, within its budget, silent when it succeeds."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from memcli.cli.common import need_home, own_taxonomy, plural
from memcli.cli.options import Json, env_of
from memcli.errors import Busy, UsageError


def register(app: typer.Typer, summary: str) -> None:
    app.command("tidy", help=summary)(tidy)


def tidy(
    context: typer.Context,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="TIME", help="Stop after this long: 90s, 10m, 1h.")
    ] = None,
    json: Json = False,
) -> int:
    """Index what is new, group it into events; safe to run from cron."""
    env = env_of(context)
    seconds = parse_budget(budget)
    need_home(env)
    from memcli.cli.models import embedder_in_use, tidy_embedder, tidy_generator
    from memcli.cli.progress import bar
    from memcli.tidy import heartbeat

    taxonomy = own_taxonomy(env)

    try:
        with bar(env, "Tidying", "entries") as update:
            result = heartbeat.tidy(
                env.store,
                lambda: tidy_embedder(env),
                seconds,
                update,
                embedder_in_use(env),
                lambda: tidy_generator(env),
                taxonomy,
            )
    except Busy as error:
        if env.err_tty or json:
            env.say(f"mem: {error.message}")
        return error.exit_code
    done = result.indexed
    if json:
        from memcli.render import shapes

        env.print(
            shapes.dump(
                {
                    "version": shapes.VERSION,
                    "run": result.run,
                    "embedded": done.embedded,
                    "cached": done.cached,
                    "pending": done.pending,
                    "replaced": done.replaced,
                    "events": result.formed.events,
                    "placed": result.formed.entries,
                    "worded": result.worded,
                    "next_hours": result.next_hours,
                    "problem": result.problem,
                }
            )
        )
    elif env.out_tty or env.err_tty:
        if done.replaced:
            env.print("The embedding model has changed: everything is read again for meaning.")
        count = done.embedded + done.cached
        env.print(f"{plural(count, 'entry')} indexed by meaning, {done.pending:,} left. Next in {result.next_hours} h.")
        if result.formed.events:
            env.print(f"{plural(result.formed.events, 'event')} formed or changed: `mem events` lists them.")
        if result.remark and env.err_tty:
            env.say(f"mem: titles of events stay in their own words: {result.remark}")
    if result.problem and not (result.problem_is_new or env.err_tty):
        return 69
    if result.problem:
        env.say(f"mem: {plural(done.pending, 'entry')} can be found by words only: {result.problem}")
        return 69
    return 0


def parse_budget(text: str | None) -> float | None:
    """Seconds of `90s`, `10m`, `1h` or a bare number of seconds. Raises `UsageError`."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text.strip(), re.ASCII)
    if not match:
        raise UsageError(f"--budget “{text}” is not a time.", "Write 90s, 10m or 1h.")
    return float(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[match[2]]
