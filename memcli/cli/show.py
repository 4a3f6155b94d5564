"""`mem show ID`: one entry whole, where it comes from, and what stands around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.common import find_entry, need_home
from memcli.cli.options import Json, env_of

if TYPE_CHECKING:
    from pathlib import Path

    from memcli.types import Entry

AROUND = 2


def register(app: typer.Typer, summary: str) -> None:
    app.command("show", help=summary)(show)


def show(
    context: typer.Context,
    entry_id: Annotated[str, typer.Argument(metavar="ID", help="The id, or its last characters.")],
    json: Json = False,
) -> None:
    """Show one entry whole, with its source."""
    env = env_of(context)
    need_home(env)
    from memcli.clock import iso
    from memcli.clock import show as show_time
    from memcli.projection.database import COLUMNS
    from memcli.render import plain, shapes
    from memcli.render.text import one_line
    from memcli.store.blobs import path_of
    from memcli.store.store import Reading

    def use(reading: Reading) -> tuple[Entry, list[Entry], list[Entry]]:
        db = reading.db
        entry = find_entry(db, entry_id)
        place = (entry.session, entry.ordinal, entry.ordinal, entry.id)
        columns = f"SELECT {COLUMNS} FROM entries WHERE state = 0 AND session = ?"
        before = db.rows(
            f"{columns} AND (ordinal < ? OR (ordinal = ? AND id < ?)) ORDER BY ordinal DESC, id DESC LIMIT {AROUND}",
            place,
        )
        after = db.rows(
            f"{columns} AND (ordinal > ? OR (ordinal = ? AND id > ?)) ORDER BY ordinal, id LIMIT {AROUND}", place
        )
        return entry, [db.entry(row) for row in reversed(before)], [db.entry(row) for row in after]

    entry, before, after = env.store.consult(use)
    if json:
        env.print(shapes.dump({"version": shapes.VERSION, "entry": shapes.entry(entry)}))
        return
    for item in before:
        env.print(env.style("dim", plain.entry_line(item, env.width, lambda name, text: text)))
    if before:
        env.print()
    env.print(plain.full(entry))
    env.print()
    for name, value in (
        ("id", entry.id),
        ("said", f"{show_time(entry.moment)}{_zone(entry)}"),
        ("by", f"{plain.who(entry)} ({entry.role}, {entry.trust})"),
        ("session", entry.session + (f" · {entry.title}" if entry.title else "")),
        ("source", entry.source + (f" · {entry.origin}" if entry.origin else "")),
        ("scope", entry.scope),
        ("kept", f"{iso(entry.imported_at)} by run {entry.run[-6:]}"),
        ("key", entry.source_key),
        ("file", None if entry.blob is None else _original(path_of(env.home, entry.blob))),
        ("status", entry.status),
        ("pinned", "yes" if entry.pin else None),
    ):
        if value is not None:
            env.print(f"{env.style('label', f'{name:<8}')} {one_line(value)}")
    if after:
        env.print()
    for item in after:
        env.print(env.style("dim", plain.entry_line(item, env.width, lambda name, text: text)))


def _original(path: Path) -> str:
    """Where the original lies; it went where some of it was purged."""
    return str(path) if path.exists() else "not kept any more"


def _zone(entry: Entry) -> str:
    moment = entry.moment
    if moment is None or moment.precision == "day":
        return ""
    if moment.floating:
        return " (the source names no time zone)"
    if moment.offset is None:
        return " (your time zone)"
    hours, minutes = divmod(abs(moment.offset), 60)
    return f" ({'-' if moment.offset < 0 else '+'}{hours:02d}:{minutes:02d})"
