"""`mem list`: what was kept, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.common import checked_scope, need_home, plural
from memcli.cli.env import Env
from memcli.cli.options import Json, Scope, env_of
from memcli.errors import NothingFound

if TYPE_CHECKING:
    from memcli.memories import Memory


def register(app: typer.Typer, summary: str) -> None:
    app.command("list", help=summary)(list_)


def list_(
    context: typer.Context,
    limit: Annotated[int, typer.Option("-n", "--limit", min=1, help="Lines at most.")] = 20,
    sessions: Annotated[bool, typer.Option("--sessions", help="List conversations instead of entries.")] = False,
    session: Annotated[
        str | None, typer.Option("--session", metavar="NAME", help="Only this session, in order.")
    ] = None,
    speaker: Annotated[str | None, typer.Option("--speaker", metavar="NAME", help="Only this speaker.")] = None,
    source: Annotated[str | None, typer.Option("--source", metavar="FORMAT", help="Only this format.")] = None,
    forgotten: Annotated[bool, typer.Option("--forgotten", help="What is forgotten instead; mem restore.")] = False,
    pinned: Annotated[bool, typer.Option("--pinned", help="Only what is pinned.")] = False,
    scope: Scope = None,
    json: Json = False,
) -> None:
    """Show what was kept, newest first."""
    env = env_of(context)
    need_home(env)
    from memcli.projection.visibility import FORGOTTEN, VISIBLE

    clauses, values = [f"state = {FORGOTTEN if forgotten else VISIBLE}"], list[object]()
    for column, value in (
        ("session", session),
        ("speaker", speaker),
        ("source", source),
        ("scope", checked_scope(scope)),
    ):
        if value is not None:
            clauses.append(f"{column} = ?")
            values.append(value)
    if pinned:
        clauses.append("pin = 1")
    where = " AND ".join(clauses)
    if sessions:
        found = _sessions(env, where, values, limit, json)
    else:
        of_memories = forgotten and len(clauses) == 1
        found = _entries(env, where, values, limit, json, in_order=session is not None, of_memories=of_memories)
    if not found and forgotten and len(clauses) == 1:
        raise NothingFound("Nothing is forgotten.", "`mem list` shows what is kept.")
    if not found and len(clauses) > 1:
        raise NothingFound("Nothing that is kept fits these options.", "`mem list --sessions` shows what there is.")
    if not found:
        raise NothingFound("Nothing is kept here yet.", 'Keep something: mem add "…"')


def _entries(
    env: Env, where: str, values: list[object], limit: int, json: bool, *, in_order: bool, of_memories: bool = False
) -> int:
    """Print the entries, and the forgotten memories; how many there were."""
    from memcli.projection.database import COLUMNS
    from memcli.render import plain, shapes
    from memcli.store.store import Reading
    from memcli.types import Entry

    memories = _forgotten_memories(env, limit) if of_memories else None
    order = "ordinal, id" if in_order else "COALESCE(said_ms, imported_at) DESC, id DESC"

    def use(reading: Reading) -> list[Entry]:
        rows = reading.db.rows(
            f"SELECT {COLUMNS} FROM entries WHERE {where} ORDER BY {order} LIMIT ?", (*values, limit)
        )
        return [reading.db.entry(row) for row in rows]

    found = env.store.consult(use)
    if json:
        shape = {"version": shapes.VERSION, "entries": [shapes.entry(entry) for entry in found]}
        if memories is not None:
            from memcli.render.memories import shapes_of

            shape["memories"] = shapes_of(memories)
        env.print(shapes.dump(shape))
        return len(found) + len(memories or ())
    for entry in found:
        env.print(plain.entry_line(entry, env.width, env.style))
    for memory in memories or ():
        from memcli.render.memories import line

        env.print(line(memory, env.width, env.style))
    return len(found) + len(memories or ())


def _forgotten_memories(env: Env, limit: int) -> list[Memory]:
    """The newest memories that were forgotten themselves, newest first."""
    from memcli.govern.find import select

    where = "standing = 'forgotten' ORDER BY id DESC LIMIT ?"
    return env.store.consult(lambda reading: select(reading.db, where, (limit,)))


def _sessions(env: Env, where: str, values: list[object], limit: int, json: bool) -> int:
    """Print the conversations; how many there were."""
    from memcli.clock import show
    from memcli.render import shapes
    from memcli.render.text import clip, one_line
    from memcli.store.store import Reading
    from memcli.types import Moment

    def use(reading: Reading) -> list[tuple[str, str | None, int, int | None, int | None]]:
        return [
            (row[0], row[1], row[2], row[3], row[4])
            for row in reading.db.rows(
                "SELECT session, MAX(title), COUNT(*), MIN(said_ms), MAX(said_ms) FROM entries "
                f"WHERE {where} GROUP BY session ORDER BY MAX(COALESCE(said_ms, imported_at)) DESC, session LIMIT ?",
                (*values, limit),
            )
        ]

    found = env.store.consult(use)
    if json:
        shaped = [
            {"session": name, "title": title, "entries": count, "first_ms": first, "last_ms": last}
            for name, title, count, first, last in found
        ]
        env.print(shapes.dump({"version": shapes.VERSION, "sessions": shaped}))
        return len(found)
    for name, title, count, _, last in found:
        day = show(None if last is None else Moment(last, "day", None, True))
        label = one_line(title) + "  " if title else ""
        line = clip(f"{day:<12}  {plural(count, 'entry'):<14}  {label}{one_line(name)}", env.width)
        env.print(env.style("time", line[:12]) + line[12:])
    return len(found)
