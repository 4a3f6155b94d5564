"""`mem why ID`: from a memory to the words it rests on, and who decided what about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memcli.cli.common import find_entry, need_home
from memcli.cli.env import Env
from memcli.cli.options import Json, env_of
from memcli.errors import NothingFound

if TYPE_CHECKING:
    from memcli.govern.history import Decision
    from memcli.memories import Memory
    from memcli.projection.database import Database
    from memcli.types import Entry


def register(app: typer.Typer, summary: str) -> None:
    app.command("why", help=summary)(why)


@dataclass(frozen=True, slots=True)
class Grounds:
    """What is known about one memory beside itself: the entries it quotes, its decisions, related memories by id."""

    memory: Memory
    entries: dict[str, Entry]
    decisions: list[Decision]
    others: dict[str, Memory]


def why(
    context: typer.Context,
    memory_id: Annotated[
        str, typer.Argument(metavar="ID", help="A memory's id; of an entry, the memories that rest on it.")
    ],
    json: Json = False,
) -> None:
    """Show where a memory comes from, word for word, and what was decided about it."""
    env = env_of(context)
    need_home(env)
    from memcli.render import memories, shapes

    entry, found = env.store.consult(lambda reading: _look(reading.db, memory_id))
    if json:
        shaped = [
            memories.shape(item.memory) | {"decisions": [_decision_shape(decision) for decision in item.decisions]}
            for item in found
        ]
        env.print(shapes.dump({"version": shapes.VERSION, "entry": entry and entry.id, "memories": shaped}))
        return
    if entry is not None and not found:
        raise NothingFound("No memory rests on this entry.", "`mem tidy` makes memories of what was kept.")
    for number, item in enumerate(found):
        if number:
            env.print()
        _print(env, item)


def _look(db: Database, tail: str) -> tuple[Entry | None, list[Grounds]]:
    from memcli.errors import UsageError
    from memcli.govern import find
    from memcli.store import meant

    found = find.ending_with(db, tail)
    if len(found) > 1:
        raise UsageError(f"Several memories have an id that ends with {tail}.", "Give more of its characters.")
    if found:
        return None, [_grounds(db, found[0])]
    try:
        entry = find_entry(db, tail)
    except NothingFound as error:
        raise meant.unknown(db, tail) or error from None
    return entry, [_grounds(db, memory) for memory in find.resting_on(db, [entry.id], "standing <> 'forgotten'")]


def _grounds(db: Database, memory: Memory) -> Grounds:
    from memcli.govern import find, history, lookup

    entries = {entry.id: entry for entry in lookup.evidence(db, memory)}
    related = [*memory.against, *([memory.replaced_by] if memory.replaced_by else [])]
    return Grounds(memory, entries, history.of(db, memory.id), find.by_ids(db, related))


def _print(env: Env, item: Grounds) -> None:
    from memcli.clock import iso
    from memcli.clock import show as show_time
    from memcli.ids import TAIL
    from memcli.render import memories, plain
    from memcli.render.text import one_line, wrap

    memory, statement = item.memory, item.memory.statement
    env.print(env.style("answer", memories.block(memory, env.width)))
    env.print()
    for quote in memory.quotes:
        entry = item.entries.get(quote.entry)
        if entry is None:
            continue
        place = " · ".join(filter(None, (entry.title or entry.session, entry.origin)))
        head = f"{quote.entry[-TAIL:]}  {show_time(entry.moment)} {plain.who(entry)}: "
        env.print(wrap(f"{head}“{one_line(quote.text)}”", env.width, "        "))
        env.print(
            env.style("dim", wrap(f"        {entry.source} · {one_line(place)} ({entry.trust})", env.width, "        "))
        )
    env.print()
    replaced = item.others.get(memory.replaced_by or "")
    for name, value in (
        ("class", f"{statement.cls} · {statement.kind}"),
        ("about", f"{statement.subject} · {statement.relation}"),
        ("true", f"since {memories.day(memory.since_ms)}" + _until(memory)),
        ("known", f"since {iso(memory.recorded_ms)[:16].replace('T', ' ')}"),
        ("replaced", None if replaced is None else f"by {replaced.id[-TAIL:]} {replaced.statement.text}"),
        ("scope", memory.scope),
    ):
        if value is not None:
            env.print(wrap(one_line(value), env.width, " " * 9, env.style("label", f"{name:<9}")))
    for other in memory.against:
        if other in item.others:
            text = f"{other[-TAIL:]} {item.others[other].statement.text}"
            env.print(wrap(one_line(text), env.width, " " * 9, env.style("label", f"{'against':<9}")))
    for decision in item.decisions:
        said = f"{decision.at[:16].replace('T', ' ')} {decision.what} by {decision.author}, run {decision.run[-TAIL:]}"
        env.print(env.style("dim", wrap(f"{said}: {one_line(decision.reason)}", env.width, "    ")))


def _until(memory: Memory) -> str:
    from memcli.render import memories

    if memory.until_ms is not None:
        return f" until {memories.day(memory.until_ms)}"
    return ", no longer" if memory.replaced_by else ", still"


def _decision_shape(decision: Decision) -> dict[str, Any]:
    return {
        "at": decision.at,
        "op": decision.op,
        "author": decision.author,
        "run": decision.run,
        "reason": decision.reason,
        "evidence": list(decision.evidence),
        "before": dict(decision.before),
        "after": dict(decision.after),
    }
