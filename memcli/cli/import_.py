"""`mem import`: take files, folders and archives in, once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memcli.cli.common import checked_order, scope_to_write, when
from memcli.cli.options import DateOrder, Json, KeepSecrets, Scope, env_of
from memcli.errors import BadData, MemError, NoInput, NothingFound, UsageError


def register(app: typer.Typer, summary: str) -> None:
    app.command("import", help=summary)(import_)


def import_(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH...", help="Files, folders or zips.", show_default=False)
    ] = None,
    scope: Scope = None,
    as_format: Annotated[str | None, typer.Option("--as", metavar="FORMAT", help="Read as this format.")] = None,
    date: Annotated[
        str | None, typer.Option("--date", metavar="TIME", help="When it was said, where the file does not say.")
    ] = None,
    session: Annotated[str | None, typer.Option("--session", metavar="NAME", help="One session for all of it.")] = None,
    mine: Annotated[bool, typer.Option("--mine", help="Text and Markdown files are in your own words.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be new.")] = False,
    list_formats: Annotated[bool, typer.Option("--list-formats", help="List the formats and leave.")] = False,
    date_order: DateOrder = None,
    keep_secrets: KeepSecrets = False,
    json: Json = False,
) -> int:
    """Take in chats, notes and exports from files."""
    env = env_of(context)
    from dataclasses import replace

    from memcli.cli.meter import Meter
    from memcli.cli.progress import bar
    from memcli.cli.recordings import began
    from memcli.cli.summary import check_whole, print_summary, say_encoding
    from memcli.formats.base import ParseOptions
    from memcli.formats.registry import NAMES, by_name, detect, parse
    from memcli.formats.source import Source
    from memcli.formats.walk import expand
    from memcli.importing.guard import clean_source
    from memcli.importing.importer import OWN_ANSWER, Tally, import_drafts, preview_drafts
    from memcli.importing.originals import keep_original
    from memcli.importing.terms import Terms
    from memcli.render.text import one_line

    if list_formats:
        for name in NAMES:
            env.print(f"{name:<14} {by_name(name).title}")
        return 0
    if not paths:
        raise UsageError("Nothing to import.", "Name a file, a folder or a zip: mem import conversations.json")
    for path in paths:
        if not path.exists():
            raise NoInput(f"There is no {path}.", "Check the path; nothing was imported.")
    moment = when(date, env.clock, "--date")
    order = checked_order(date_order)
    chosen = by_name(as_format) if as_format else None
    terms = Terms(
        run=env.store.ids.new(),
        scope=scope_to_write(env, scope),
        session=session,
        me=env.settings.me,
        keep_secrets=keep_secrets,
        mine=mine,
    )
    tally = Tally(terms.run)
    problems: list[tuple[str, MemError]] = []
    with bar(env, "Importing", "messages") as update:
        meter = Meter(paths) if env.err_tty else None

        def progress(done: int) -> None:
            update(done, meter.expected(done) if meter else None)

        def take(source: Source, origin: str) -> None:
            clean, answers = clean_source(meter.watch(source) if meter else source)
            if answers:
                tally.skipped[OWN_ANSWER] += answers
            if clean is None:
                return
            form = chosen or detect(clean)
            say_encoding(env, clean, form)
            began_at = began(env, clean, form, moment, "--date", update)
            options = ParseOptions(date=began_at, date_order=order, origin=origin)
            if dry_run:
                preview_drafts(env.store, parse(clean, form, options), terms, tally, origin)
                return
            blob, why = keep_original(env.store, clean, form, parse(clean, form, options), keep_secrets)
            if why is not None:
                env.say(f"{one_line(origin)}: the original is not kept, {why}; its words are.")
            import_drafts(env.store, parse(clean, form, options), replace(terms, blob=blob), tally, origin, progress)

        for path in paths:
            found = False
            before = tally.new + tally.known
            try:
                for source in expand(path):
                    found = True
                    before = tally.new + tally.known
                    try:
                        take(source, _origin(path, source.name))
                    except (BadData, NoInput, UsageError) as error:  # the other files may be better
                        problems.append((_kept(error, tally.new + tally.known - before), error))
                if not found:
                    raise NoInput(f"There is no file to read in {path}.", "Name the file itself to read any kind.")
            except MemError as error:
                problems.append((_kept(error, tally.new + tally.known - before), error))
                if not isinstance(error, BadData | NoInput | UsageError):
                    break
    if tally.new or tally.known or not problems:
        print_summary(env, tally, json, dry_run)
    if problems:
        for sentence, problem in problems:
            env.say(f"mem: {sentence}")
            env.say(f"     {problem.hint or 'Get it again from where it comes, then import it again.'}")
        return max(problem.exit_code for _, problem in problems)
    check_whole(tally)
    if tally.new + tally.known == 0:
        raise NothingFound("Nothing to keep was found in there.", "Use --as to read it as another format.")
    return 0


def _origin(path: Path, name: str) -> str:
    """What a source is called in the memory: its file's name, with the folder or archive that was named before it."""
    above = f"{path.parent}/"
    return name[len(above) :] if name.startswith(above) else name


def _kept(error: MemError, count: int) -> str:
    return f"{error.message} {count:,} messages before that were read." if count else error.message
