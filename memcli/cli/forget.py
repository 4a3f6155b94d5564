"""`mem forget`: let entries and memories not be found any more, or erase them for good."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli.common import checked_scope, confirmed, need_home
from memcli.cli.env import Env
from memcli.cli.options import Json, Scope, env_of
from memcli.errors import NothingFound, UsageError

if TYPE_CHECKING:
    from memcli.store.choosing import Picked, Wanted
    from memcli.store.store import Reading

DAMAGED, DECLINED = 65, 1


def register(app: typer.Typer, summary: str) -> None:
    app.command("forget", help=summary)(forget)


def forget(
    context: typer.Context,
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID...", help="Ids, or their last characters.", show_default=False)
    ] = None,
    query: Annotated[
        str | None, typer.Option("--query", metavar="WORDS", help="What has all these words, as they stand.")
    ] = None,
    person: Annotated[
        str | None,
        typer.Option("--person", metavar="NAME", help="What this person said, or memories are about; the whole name."),
    ] = None,
    mentions: Annotated[
        bool, typer.Option("--mentions", help="With --person: also whatever else has that name in it.")
    ] = False,
    scope: Scope = None,
    source: Annotated[
        str | None, typer.Option("--source", metavar="NAME", help="A format, or the name of a file it came from.")
    ] = None,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="With a memory's id: also the entries that it rests on.")
    ] = False,
    purge: Annotated[
        bool, typer.Option("--purge", help="Erase for good, with all that holds the words, and prove it.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would go.")] = False,
    json: Json = False,
) -> int:
    """Forget entries or memories, or erase them for good.

    An entry takes along the memories that rest on it alone; a memory leaves its entries, unless --evidence is given.
    """
    env = env_of(context)
    from memcli.store.choosing import Wanted

    wanted = Wanted(tuple(ids or ()), query, person, mentions, checked_scope(scope), source, evidence)
    _check(wanted)
    need_home(env)
    picked = _pick(env, wanted, purge)
    if dry_run and json:
        from memcli.render import forgetting, shapes

        env.print(shapes.dump(forgetting.picked_shape(picked)))
        return 0
    if dry_run or not json:
        _show(env, wanted, picked, purge, dry_run)
    if dry_run:
        return 0
    if not yes and not _agreed(env, picked, purge, json):
        env.say("mem: nothing was forgotten.")
        return DECLINED
    return _purge(env, wanted, picked, json) if purge else _forget(env, wanted, picked, json)


def _check(wanted: Wanted) -> None:
    """Raises `UsageError` where nothing is named, or ids and conditions at once."""
    given = [wanted.query, wanted.person, wanted.scope, wanted.source]
    named = any(value is not None for value in given)
    if any(value is not None and not value.strip() for value in given):
        raise UsageError("An option is empty.", "Leave it out, or say what you mean by it.")
    if wanted.ids and named:
        raise UsageError("Ids and conditions do not go together.", "Name ids, or say what the entries have in common.")
    if wanted.mentions and wanted.person is None:
        raise UsageError("--mentions needs --person.", 'mem forget --person "Ann Lee" --mentions')
    if wanted.evidence and not wanted.ids:
        raise UsageError("--evidence needs the id of a memory.", "mem forget ID --evidence")
    if not wanted.ids and not named:
        raise UsageError(
            "Nothing to forget is named.", "Name ids (`mem list` shows them), or --query, --person, --scope, --source."
        )


def _pick(env: Env, wanted: Wanted, purge: bool) -> Picked:
    from memcli.projection.visibility import FORGOTTEN, TAKEN_BACK, VISIBLE
    from memcli.store.choosing import names_like, pick

    states = (VISIBLE, TAKEN_BACK, FORGOTTEN) if purge else (VISIBLE,)

    def use(reading: Reading) -> tuple[Picked, list[str]]:
        picked = pick(reading.db, wanted, states)
        found = picked.ids or picked.memories or picked.mentioned
        return picked, [] if found or wanted.person is None else names_like(reading.db, wanted.person)

    picked, like = env.store.consult(use)
    if picked.ids or picked.memories:
        return picked
    if picked.mentioned:
        raise NothingFound(f"Nothing was said by {wanted.person}.", "--mentions takes what others said with that name.")
    if like:
        raise NothingFound(f"Nothing was said by {wanted.person}.", f"Names like it: {', '.join(like)}.")
    raise NothingFound("Nothing that is kept fits.", "`mem list` and `mem search` show what there is.")


def _show(env: Env, wanted: Wanted, picked: Picked, purge: bool, dry_run: bool) -> None:
    from memcli.render import forgetting

    verb = "purge" if purge else "forget"
    env.print(f"{f'would {verb}' if dry_run else f'to {verb}'}: {forgetting.what(picked)}")
    lines = forgetting.picked_lines(picked, wanted.person, env.width, env.style)
    lines += forgetting.memories_lines(picked, wanted, env.width, env.style)
    for line in (*lines, *(forgetting.originals_lines(picked, env.width) if purge else ())):
        env.print(line)


def _agreed(env: Env, picked: Picked, purge: bool, json: bool) -> bool:
    from memcli.render import forgetting

    if json or not (env.stdin_tty and env.err_tty):
        raise UsageError(
            f"That would take {forgetting.what(picked)}, and there is no terminal to ask on; nothing was done.",
            "Look with --dry-run, then say --yes.",
        )
    if purge:
        return confirmed(env, f"Erase {forgetting.what(picked)} for good? Nothing brings them back.")
    return confirmed(env, f"Forget {forgetting.what(picked)}? `mem undo` and `mem restore` bring them back.")


def _forget(env: Env, wanted: Wanted, picked: Picked, json: bool) -> int:
    from memcli.render import forgetting, shapes
    from memcli.store import forget as forgetting_store

    done = forgetting_store.forget(env.store, picked.ids, wanted.how, picked.memories)
    if json:
        env.print(shapes.dump(forgetting.decided_shape(done, "forgotten")))
        return 0
    env.print(env.style("good", f"forgotten: {forgetting.decided(done, picked.falling)}"))
    env.print("`mem undo` and `mem restore` bring them back.")
    return 0


def _purge(env: Env, wanted: Wanted, picked: Picked, json: bool) -> int:
    from memcli.cli.beyond import beyond
    from memcli.cli.progress import bar
    from memcli.render import forgetting, shapes
    from memcli.render.text import one_line
    from memcli.store.choosing import questions_with
    from memcli.store.purge import purge

    with bar(env, "Searching for what is left", "bytes") as update:
        ask = partial(questions_with, wanted=wanted)
        done = purge(env.store, picked.ids, wanted.how, ask, update, picked.memories)
    places = beyond(env, done)
    if json:
        env.print(shapes.dump(forgetting.purged_shape(done, places)))
    else:
        for line in forgetting.purged_lines(done, env.width, env.style):
            env.print(line)
        env.print("mem cannot reach:")
        for place in places:
            env.print(f"  {one_line(place)}")  # not wrapped: there are paths to be copied in it
    if done.proof.clean:
        return 0
    env.say("mem: some of it is left in files that mem does not write.")
    env.say("     Look at them, and delete them yourself if they are yours.")
    return DAMAGED
