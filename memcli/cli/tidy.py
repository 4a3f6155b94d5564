"""`mem tidy`: the heartbeat. Safe in cron: one at a time, within its budget, silent when it succeeds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.common import need_home, own_taxonomy, plural
from memcli.cli.options import Json, env_of
from memcli.errors import Busy, UsageError

if TYPE_CHECKING:
    from memcli.cli.env import Env
    from memcli.govern.promote import Promoted
    from memcli.tidy.heartbeat import Tidied
    from memcli.tidy.planned import Planned


def register(app: typer.Typer, summary: str) -> None:
    app.command("tidy", help=summary)(tidy)


def tidy(
    context: typer.Context,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="TIME", help="Stop after this long: 90s, 10m, 1h.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what it would decide; decide nothing.")] = False,
    if_due: Annotated[
        bool, typer.Option("--if-due", help="Only when the last one said that it is time; for timers.")
    ] = False,
    json: Json = False,
) -> int:
    """Index, learn from and group what is new; safe to run from cron."""
    env = env_of(context)
    seconds = parse_budget(budget)
    need_home(env)
    if dry_run:
        return _preview(env, json=json)
    from memcli.cli.models import embedder_in_use, tidy_embedder, tidy_generator
    from memcli.cli.progress import bar
    from memcli.recall.switches import switches
    from memcli.tidy import heartbeat

    if if_due and not heartbeat.is_due(env.store):
        return 0
    taxonomy = own_taxonomy(env)
    try:
        with (
            bar(env, "Reading for meaning", "entries") as update,
            bar(env, "Reading with the model", "entries") as read,
        ):
            result = heartbeat.tidy(
                env.store,
                lambda: tidy_embedder(env),
                seconds,
                update,
                embedder_in_use(env),
                env.settings.me,
                read,
                lambda: tidy_generator(env),
                env.settings.max_rules,
                switches(env.settings.recall).past_questions,
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
                    "read": result.derived.entries,
                    "changes": dict(sorted((result.derived.changes + result.deepened.changes).items())),
                    "refused": dict(sorted((result.derived.refused + result.deepened.refused).items())),
                    "unread": result.derived.pending,
                    "read_by_model": result.deepened.entries,
                    "unread_by_model": result.deepened.pending,
                    "rules": result.promoted.rules,
                    "held": result.promoted.held,
                    "over": dict(sorted(result.promoted.over.items())),
                    "events": result.formed.events,
                    "placed": result.formed.entries,
                    "worded": result.worded.events,
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
        if told := _told(result):
            env.print(told)
        if result.formed.events:
            env.print(f"{plural(result.formed.events, 'event')} formed or changed: `mem events` lists them.")
        if result.worded.remark and env.err_tty:
            env.say(f"mem: titles of events stay in their own words: {result.worded.remark}")
        for line in _ruled(result.promoted):
            env.print(line)
    if result.problem and not (result.problem_is_new or env.err_tty):
        return 69
    if result.problem:
        env.say(f"mem: {plural(done.pending, 'entry')} can be found by words only: {result.problem}")
        return 69
    return 0


def _preview(env: Env, *, json: bool) -> int:
    from memcli.render import events, memories, shapes
    from memcli.tidy.preview import preview

    found = env.store.consult(lambda reading: preview(env.store, reading.db, env.settings.me))
    formed, why = _planned(env)
    if json:
        steps = [
            {"op": step.op, "text": step.text, "since": memories.wall(step.since_ms), "other": step.other}
            for step in found.steps
        ]
        shaped = [
            {"title": item.claim.title, "topic": item.claim.topic, "entries": item.claim.entries, "new": item.is_new}
            for item in formed
        ]
        env.print(
            shapes.dump(
                {
                    "version": shapes.VERSION,
                    "to_embed": found.to_embed,
                    "to_read": found.to_read,
                    "steps": steps,
                    "events": shaped,
                }
            )
        )
        return 0
    for step in found.steps:
        for line in memories.step_lines(step.op, step.text, step.since_ms, step.other, env.width, env.style):
            env.print(line)
    for item in formed:
        claim = item.claim
        told = claim.title, claim.topic, len(claim.entries), item.is_new
        env.print(events.planned_line(*told, env.width, env.style))
    if why is not None:
        env.say(f"mem: events could not all be looked ahead to: {why.rstrip('.')}.")
    more = " and more" if found.more else ""
    env.say(
        f"Would read {plural(found.to_read, 'entry')}{more}, index {found.to_embed:,} by meaning, "
        f"decide {plural(len(found.steps), 'change')} and form {plural(len(formed), 'event')}. Nothing was changed."
    )
    return 0


def _planned(env: Env) -> tuple[list[Planned], str | None]:
    """The events that would be formed, and why there could be more."""
    from contextlib import contextmanager

    from memcli.cli.models import tidy_embedder
    from memcli.cli.progress import bar
    from memcli.errors import ModelFailed
    from memcli.tidy.planned import planned

    taxonomy = own_taxonomy(env)
    with bar(env, "Reading for meaning", "entries") as update:
        try:
            with contextmanager(tidy_embedder)(env) as ready:
                return env.store.consult(lambda reading: planned(env.store, reading.db, ready, taxonomy, update))
        except ModelFailed as error:
            found, _ = env.store.consult(lambda reading: planned(env.store, reading.db, None, taxonomy))
            return found, error.message


def _told(result: Tidied) -> str | None:
    """One line on what became of memories, None where nothing did."""
    names = {"memory": "new", "support": "said again", "retire": "replaced", "conflict": "in conflict"}
    changes = result.derived.changes + result.deepened.changes
    parts = [f"{changes[op]:,} {name}" for op, name in names.items() if changes[op]]
    if result.deepened.pending:
        parts.append(f"{plural(result.deepened.pending, 'entry')} still to be read by the model")
    return f"Memories: {', '.join(parts)}." if parts else None


def _ruled(promoted: Promoted) -> list[str]:
    """What became a rule, what waits, and where there was no room."""
    lines = []
    if promoted.rules or promoted.held:
        parts = [plural(promoted.rules, "new rule")] if promoted.rules else []
        if promoted.held:
            parts.append(f"{promoted.held:,} to decide on with `mem rules review`")
        lines.append(f"Rules: {', '.join(parts)}.")
    for scope, count in sorted(promoted.over.items()):
        lines.append(
            f"{plural(count, 'candidate')} in {scope} stayed a memory: it has as many rules as `max_rules` allows. "
            "`mem rules refuse ID` makes room."
        )
    return lines


def parse_budget(text: str | None) -> float | None:
    """Seconds of `90s`, `10m`, `1h` or a bare number of seconds. Raises `UsageError`."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text.strip(), re.ASCII)
    if not match:
        raise UsageError(f"--budget “{text}” is not a time.", "Write 90s, 10m or 1h.")
    return float(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[match[2]]
