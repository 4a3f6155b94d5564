"""`mem rules`: what steers, what waits to be decided, and the person's yes or no."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memcli.cli.common import checked_scope, need_home, plural, scope_to_write
from memcli.cli.env import Env
from memcli.cli.options import Json, Scope, env_of
from memcli.errors import UsageError
from memcli.ids import TAIL

if TYPE_CHECKING:
    from memcli.render.rules import Told

Ids = Annotated[list[str], typer.Argument(metavar="ID...", help="Ids, or their last characters.")]
_KEYS = "[y]es, [n]o, [s]kip, [q]uit? "


def register(app: typer.Typer, summary: str) -> None:
    group = typer.Typer(help=summary, rich_markup_mode=None, invoke_without_command=True)
    group.callback(help=summary)(rules)
    group.command("review", help="Decide on what waits, one by one.")(review)
    group.command("accept", help="Make candidates rules.")(accept)
    group.command("refuse", help="Refuse candidates, or end rules.")(refuse)
    app.add_typer(group, name="rules")


def rules(
    context: typer.Context,
    scope: Scope = None,
    every: Annotated[bool, typer.Option("--all", help="Every scope; what waits and what was refused too.")] = False,
    json: Json = False,
) -> None:
    """Show the rules that hold here."""
    if context.invoked_subcommand is not None:
        return
    env = env_of(context)
    need_home(env)
    from memcli.govern import lookup
    from memcli.render import rules as rendering
    from memcli.render import shapes
    from memcli.store.store import Reading

    scopes = None if every else lookup.scopes_here(checked_scope(scope) or scope_to_write(env, None))

    def use(reading: Reading) -> tuple[list[Told], list[Told]]:
        db = reading.db
        shown = lookup.in_force(db, scopes)
        waits = lookup.waiting(db, scopes)
        refused = lookup.refused(db, scopes) if every else []
        return rendering.told(db, shown), rendering.told(db, [*waits, *refused])

    shown, others = env.store.consult(use)
    waits = [item for item in others if item.memory.standing == "held"]
    if json:
        listed = [*shown, *others] if every else shown
        rows = [rendering.rule_shape(item) for item in listed]
        env.print(shapes.dump({"version": shapes.VERSION, "rules": rows, "held": len(waits)}))
        return
    for item in [*shown, *others] if every else shown:
        env.print(rendering.rule_lines(item, env.width, env.style, every))
    if not shown:
        env.say('No rules yet. One is made of mem add "From now on …", by the next `mem tidy`.')
    if waits and not every:
        env.say(f"{plural(len(waits), 'candidate')} to decide on: mem rules review")


def review(context: typer.Context, json: Json = False) -> None:
    """Decide on what waits, one by one.

    Without a terminal it lists the candidates and how to decide on them.
    """
    env = env_of(context)
    need_home(env)
    from memcli.govern import lookup
    from memcli.render import rules as rendering
    from memcli.render import shapes

    found = env.store.consult(
        lambda reading: rendering.told(reading.db, [*lookup.waiting(reading.db), *lookup.lessons(reading.db)])
    )
    if json:
        rows = [rendering.rule_shape(item) for item in found]
        env.print(shapes.dump({"version": shapes.VERSION, "held": rows}))
        return
    if not found:
        env.say("Nothing waits for a decision.")
        return
    if env.stdin_tty and env.out_tty:
        _ask(env, found)
        return
    for item in found:
        env.print(rendering.candidate_lines(item, env.width, env.style))
    env.say("To decide: mem rules accept ID…, mem rules refuse ID….")


def _ask(env: Env, found: list[Told]) -> None:
    """Each candidate with its words, where they come from and whose they are; an answer a line."""
    from memcli.render import rules as rendering

    answers: dict[bool, list[str]] = {True: [], False: []}
    for number, item in enumerate(found, 1):
        env.print(f"{number} of {len(found)}")
        env.print(rendering.candidate_lines(item, env.width, env.style))
        said = ""
        while said not in ("y", "n", "s", "q"):
            env.err.write(_KEYS)
            env.err.flush()
            line = env.stdin.readline()
            said = line.decode("utf-8", "replace").strip().lower()[:1] if line else "q"
        if said == "q":
            break
        if said in ("y", "n"):
            answers[said == "y"].append(item.memory.id)
    for yes, ids in answers.items():
        if ids:
            _decide(env, ids, yes=yes, json=False)


def accept(context: typer.Context, ids: Ids, json: Json = False) -> None:
    """Make candidates rules."""
    _decide(env_of(context), ids, yes=True, json=json)


def refuse(context: typer.Context, ids: Ids, json: Json = False) -> None:
    """Refuse candidates, or end rules."""
    _decide(env_of(context), ids, yes=False, json=json)


def _decide(env: Env, ids: list[str], *, yes: bool, json: bool) -> None:
    """One run, which `mem undo` takes back."""
    need_home(env)
    from memcli.govern import find, promote
    from memcli.log.record import Change
    from memcli.memories import Memory
    from memcli.projection.database import Database
    from memcli.render import shapes
    from memcli.render.rules import said
    from memcli.render.text import clip, one_line

    decided: dict[str, Memory] = {}
    run = env.store.ids.new()

    def choose(db: Database) -> list[Change]:
        changes: list[Change] = []
        for tail in ids:
            memory = find.by_tail(db, tail, "`mem rules --all` shows the ids of rules.")
            if not promote.may_be_answered(memory):
                raise UsageError(
                    f"{memory.id[-TAIL:]} is forgotten or no longer true.", "`mem rules --all` shows rules."
                )
            if memory.id not in decided:
                decided[memory.id] = memory
                changes += promote.answer(db, memory, yes, run)
        return changes

    env.store.decide(choose)
    standing = "rule" if yes else "refused"
    if json:
        rows: list[dict[str, Any]] = [{"id": item, "standing": standing} for item in decided]
        env.print(shapes.dump({"version": shapes.VERSION, "run": run, "decided": rows}))
        return
    for item in decided.values():
        env.print(clip(f"{standing} {item.id[-TAIL:]}  {one_line(said(item))}", env.width))
