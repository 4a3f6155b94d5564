"""`mem who NAME`: what is known about a person or a thing, now and before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.common import need_home
from memcli.cli.options import Json, env_of
from memcli.errors import NothingFound

if TYPE_CHECKING:
    from memcli.memories import Memory

_TITLES = {
    "permanent": "For good",
    "semantic": "As things are",
    "preference": "Likes and ways",
    "task_state": "Plans",
    "observation": "What happened",
}


def register(app: typer.Typer, summary: str) -> None:
    app.command("who", help=summary)(who)


def who(
    context: typer.Context,
    name: Annotated[list[str], typer.Argument(metavar="NAME...", help="A person or a thing; me for yourself.")],
    json: Json = False,
) -> None:
    """Show what is known about somebody, by kind, and what was true before."""
    env = env_of(context)
    need_home(env)
    from memcli.govern import find
    from memcli.render import memories, shapes

    text = " ".join(name).strip()
    if text.casefold() in ("me", "i"):
        text = env.settings.me[0] if env.settings.me else "You"
    found = env.store.consult(lambda reading: find.about(reading.db, text))
    if not found:
        raise NothingFound(f"No memory is about {text}.", "`mem timeline` shows all; `mem ask` looks at every entry.")
    if json:
        env.print(shapes.dump({"version": shapes.VERSION, "name": text, "memories": memories.shapes_of(found)}))
        return
    blank = False
    for title, part in _parts(found):
        if blank:
            env.print()
        blank = True
        env.print(env.style("label", title))
        for memory in part:
            env.print(memories.line(memory, env.width, env.style))


def _parts(found: list[Memory]) -> list[tuple[str, list[Memory]]]:
    """What holds, by class, then what no longer does."""
    holds = [memory for memory in found if not memory.ended]
    parts = [(title, [memory for memory in holds if memory.statement.cls == cls]) for cls, title in _TITLES.items()]
    parts.append(("Before", [memory for memory in found if memory.ended]))
    return [(title, part) for title, part in parts if part]
