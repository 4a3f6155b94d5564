"""`mem search`: find entries by their words. No model, no waiting."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.common import checked_scope, need_home, plural, since_until
from memcli.cli.options import AsOf, Json, Scope, Since, Until, env_of
from memcli.errors import NothingFound


def register(app: typer.Typer, summary: str) -> None:
    app.command("search", help=summary)(search)


def search(
    context: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="WORDS...", help="Words that should occur.")],
    limit: Annotated[int, typer.Option("-n", "--limit", min=1, max=1000, help="Entries at most.")] = 20,
    scope: Scope = None,
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    json: Json = False,
) -> None:
    """Find entries by their words."""
    env = env_of(context)
    need_home(env)
    from memcli.lang.words import words as split
    from memcli.projection import lexical
    from memcli.projection.database import COLUMNS
    from memcli.recall.filters import condition
    from memcli.recall.question import Query
    from memcli.render import plain, shapes
    from memcli.store.store import Reading
    from memcli.types import Entry

    text = " ".join(words)
    since_ms, until_ms = since_until(env, since, until, as_of)
    query = Query(text, checked_scope(scope), since_ms, until_ms, limit, include_tools=True)

    def use(reading: Reading) -> list[tuple[Entry, float]]:
        where, values = condition(query)
        hits = lexical.search(reading.db, list(dict.fromkeys(split(text))), limit, where, values)
        return [
            (reading.db.entry(reading.db.one(f"SELECT {COLUMNS} FROM entries WHERE seq = ?", (hit.seq,))), hit.score)
            for hit in hits
        ]

    found = env.store.consult(use)
    if json:
        entries = [shapes.entry(entry) | {"score": round(score, 6)} for entry, score in found]
        env.print(shapes.dump({"version": shapes.VERSION, "query": text, "entries": entries}))
    for entry, _ in found if not json else ():
        env.print(plain.entry_line(entry, env.width, env.style))
    if not found:
        raise NothingFound(
            f"No entry has {'this word' if len(words) == 1 else 'any of these words'}.",
            "Try `mem ask`, which also looks for meaning.",
        )
    if not json and env.err_tty and len(found) == limit:
        env.say(f"The best {plural(limit, 'entry')}; -n shows more.")
