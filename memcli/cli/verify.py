"""`mem verify`: is everything as it was written?"""

from __future__ import annotations

import typer

from memcli.cli.common import need_home, plural
from memcli.cli.options import Json, env_of


def register(app: typer.Typer, summary: str) -> None:
    app.command("verify", help=summary)(verify)


def verify(context: typer.Context, json: Json = False) -> int:
    """Check every line and every row."""
    env = env_of(context)
    need_home(env)
    from dataclasses import asdict

    from memcli.cli.progress import bar
    from memcli.render import shapes
    from memcli.render.text import one_line
    from memcli.store import verify as verifying

    with bar(env, "Replaying the log", "bytes") as update:
        report = verifying.verify(env.store, update)
    if json:
        env.print(shapes.dump({"version": shapes.VERSION, "healthy": report.healthy, **asdict(report)}))
        return 0 if report.healthy else 65
    env.print(
        f"{plural(report.lines, 'line')} read, {plural(report.entries, 'entry')} visible, "
        f"{plural(report.vectors, 'vector')}" + (f", {report.purged:,} purged" if report.purged else "")
    )
    for place in report.bad:
        where = one_line(f"{place.file}:{place.line}: {place.why}")
        env.print(f"{env.style('bad', 'bad line')}  {where}. It is kept as it is.")
    for name, size in report.torn:
        env.print(
            f"torn end  {one_line(name)}: {size:,} bytes that were never acknowledged; the next write closes them"
        )
    if report.unknown:
        env.print(f"unknown   {plural(report.unknown, 'record')} of a kind or version this mem does not know; kept")
    if report.unfinished:
        env.print(
            f"{env.style('bad', 'purge')}     {plural(report.unfinished, 'line')} of what was purged still hold words; "
            "`mem list` or any command that reads finishes it"
        )
    for problem in report.index_problems:
        env.print(f"{env.style('bad', 'index')}     {one_line(problem)}; `mem rebuild` makes it again from the log")
    if report.cache_damaged:
        env.print(
            f"{env.style('bad', 'cache')}     {plural(report.cache_damaged, 'vector')} damaged; "
            "`mem rebuild`, then `mem tidy` make them again"
        )
    for name in report.damaged_originals:
        env.print(f"{env.style('bad', 'original')}  {name} is not what it was; its words are still in the log")
    for name in report.loose:
        env.print(f"{env.style('bad', 'readable')}  others may read {one_line(name)}; run chmod -R go= {env.home.root}")
    if report.healthy:
        env.print(env.style("good", "everything is as it was written"))
    return 0 if report.healthy else 65
