"""`mem events`: what happened, as events; `mem events ID` shows one with its entries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.common import checked_scope, need_home
from memcli.cli.options import Json, Scope, env_of
from memcli.errors import NothingFound, UsageError

if TYPE_CHECKING:
    from memcli.cli.env import Env
    from memcli.projection.database import Database
    from memcli.projection.events import Event
    from memcli.store.store import Reading
    from memcli.types import Entry

_ID = re.compile(r"(?=.*\d|.{6})[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{3,26}")
_LOOKED_AT = 1000
_BEST = 3


def register(app: typer.Typer, summary: str) -> None:
    app.command("events", help=summary)(events)


def events(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORDS]...", help="Only events with these words; or one event's id.", show_default=False
        ),
    ] = None,
    limit: Annotated[int, typer.Option("-n", "--limit", min=1, help="Lines at most.")] = 20,
    topic: Annotated[str | None, typer.Option("--topic", metavar="PATH", help="Only under this topic.")] = None,
    scope: Scope = None,
    json: Json = False,
) -> None:
    """List what happened: entries grouped by topic."""
    env = env_of(context)
    need_home(env)
    asked = [word for word in words or [] if word.strip()]
    one = _one(env, asked[0]) if len(asked) == 1 and _ID.fullmatch(asked[0]) else None
    if one is not None:
        _show(env, *one, json)
        return
    within = checked_scope(scope)
    found = env.store.consult(lambda reading: list_events(reading.db, asked, topic, within, limit))
    if not found and (asked or topic or within):
        raise NothingFound("No event fits.", "`mem events` lists them all; `mem topics` shows the topics.")
    if not found:
        raise NothingFound("There are no events yet.", "`mem tidy` forms them of what is kept.")
    print_events(env, found, json)


def print_events(env: Env, found: list[Event], json: bool) -> None:
    """The events as lines or as JSON."""
    from memcli.render import events as render
    from memcli.render import shapes

    if json:
        env.print(shapes.dump({"version": shapes.VERSION, "events": [render.shape(event) for event in found]}))
        return
    for event in found:
        env.print(render.line(event, env.width, env.style))


def list_events(db: Database, asked: list[str], topic: str | None, scope: str | None, limit: int) -> list[Event]:
    """The newest events, or those that have the words, the best first."""
    from memcli.projection.events import COLUMNS, event_of, under

    clauses, values = ["1"], list[object]()
    if topic is not None:
        clause, paths = under(topic)
        clauses.append(clause)
        values += paths
    if scope is not None:
        clauses.append("scope = ?")
        values.append(scope)
    rows = db.each(f"SELECT {COLUMNS} FROM events WHERE {' AND '.join(clauses)} ORDER BY seen_ms DESC, id DESC", values)
    if not asked:
        return [event_of(row) for row, _ in zip(rows, range(limit), strict=False)]
    score = _scores(db, asked)
    fitting = [event for row in rows if (event := event_of(row)).id in score]
    return sorted(fitting, key=lambda event: (-score[event.id], event.id))[:limit]


def _scores(db: Database, asked: list[str]) -> dict[str, float]:
    """For every event with the words how well its three best entries fit."""
    import json
    from heapq import nlargest

    from memcli.lang.words import content_terms
    from memcli.projection import lexical

    hits = {hit.seq: hit.score for hit in lexical.search(db, content_terms(" ".join(asked)), _LOOKED_AT)}
    rows = db.rows(
        "SELECT seq, event FROM event_entries WHERE seq IN (SELECT value FROM json_each(?))", (json.dumps(list(hits)),)
    )
    found: dict[str, list[float]] = {}
    for seq, event in rows:
        found.setdefault(event, []).append(hits[seq])
    return {event: sum(nlargest(_BEST, values)) for event, values in found.items()}


def _one(env: Env, tail: str) -> tuple[Event, list[Entry]] | None:
    """The event whose id ends so, with its entries as they were said; None where none does. Raises `UsageError`."""

    def use(reading: Reading) -> tuple[Event, list[Entry]] | None:
        from memcli.projection.events import COLUMNS, entries_of, event_of

        db = reading.db
        rows = db.rows(f"SELECT {COLUMNS} FROM events WHERE id LIKE ? LIMIT 2", (f"%{tail.upper()}",))
        if not rows:
            return None
        if len(rows) > 1:
            raise UsageError(f"Several ids of events end with {tail}.", "Give more of its characters.")
        event = event_of(rows[0])
        ids = entries_of(db, event.id)
        found = {entry.id: entry for entry in db.entries_of(ids)}
        return event, [found[one] for one in ids]

    return env.store.consult(use)


def _show(env: Env, event: Event, entries: list[Entry], json: bool) -> None:
    from memcli.render import events as render
    from memcli.render import plain, shapes

    if json:
        whole = {**render.shape(event), "entries": [shapes.entry(entry) for entry in entries]}
        env.print(shapes.dump({"version": shapes.VERSION, "event": whole}))
        return
    for text in render.sheet(event, env.width, env.style):
        env.print(text)
    env.print()
    for entry in entries:
        env.print(plain.entry_line(entry, env.width, env.style))
