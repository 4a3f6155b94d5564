"""What is piped into `mem add`: the turns of a transcript or an export, else one note."""

from __future__ import annotations

from dataclasses import replace

from memcli.cli.env import Env
from memcli.cli.keep import keep_note, own_answer
from memcli.cli.recordings import began
from memcli.cli.summary import check_whole, print_summary, say_encoding
from memcli.errors import BadData, NoInput, NothingFound
from memcli.formats.base import DateOrder, ParseOptions
from memcli.formats.registry import by_name, detect, parse
from memcli.formats.source import Source
from memcli.importing.guard import clean_source
from memcli.importing.importer import OWN_ANSWER, Tally, import_drafts
from memcli.importing.terms import Terms
from memcli.types import Moment


def add_pipe(
    env: Env,
    data: bytes,
    terms: Terms,
    moment: Moment | None,
    origin: str | None,
    as_format: str | None,
    order: DateOrder | None,
    json: bool,
) -> None:
    """Take a pipe in, and say what it was taken for and how to change that."""
    if not data.strip(b"\x00 \t\r\n\xef\xbb\xbf\xfe\xff"):
        raise NoInput("The pipe was empty; nothing was added.", "Check the command before the |.")
    source, answers = clean_source(Source.from_bytes("the pipe", data))
    if source is None:
        raise own_answer()
    if answers:
        env.say("An answer that mem printed was left out.")
    form = by_name(as_format) if as_format else detect(source)
    say_encoding(env, source, form)
    if form.name == "note":
        _note(env, source, terms, moment, origin, json, chosen=as_format is not None)
        return
    tally = Tally(terms.run)
    if answers:
        tally.skipped[OWN_ANSWER] += answers
    if moment is None and form.name == "markdown":
        moment = env.clock.moment()  # a note from a pipe is said now, headings or not
    moment = began(env, source, form, moment, "--at")
    drafts = parse(source, form, ParseOptions(date=moment, date_order=order, origin=origin or "-"))
    import_drafts(env.store, drafts, replace(terms, me=env.settings.me), tally, origin)
    if tally.new and not json and not as_format:
        env.say(f"Read as {form.title}. To keep it as one note instead: mem undo, then --as note.")
    if tally.new + tally.known == 0:
        raise NothingFound(f"Nothing to keep was found in this {form.title}.", "Use --as to read it as another format.")
    print_summary(env, tally, json)
    check_whole(tally)


def _note(
    env: Env, source: Source, terms: Terms, moment: Moment | None, origin: str | None, json: bool, chosen: bool
) -> None:
    text = source.text().strip()
    if not text:
        raise BadData("There is no text in it; nothing was added.", "Check the command before the |.")
    if not json and not chosen:
        env.say("Read as one note. As turns of a conversation instead: mem undo, then --as transcript.")
    keep_note(env, text, terms, moment, origin, json, piped=True)
