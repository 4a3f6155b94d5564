"""What an import says when it is done."""

from __future__ import annotations

from memcli.cli.common import plural
from memcli.cli.env import Env
from memcli.clock import show
from memcli.errors import BadData, NoInput
from memcli.formats.base import Format
from memcli.formats.source import Source
from memcli.importing.importer import OWN_ANSWER, Tally
from memcli.render import shapes
from memcli.render.text import one_line
from memcli.types import Moment

PEOPLE_SHOWN = 6


def check_whole(tally: Tally) -> None:
    """Raises `NoInput` where a source held no words, `BadData` where part of it could not be read."""
    if tally.new + tally.known == 0 and tally.skipped.keys() <= {"empty"}:
        raise NoInput("There are no words in it; nothing was added.", "Check that it is the right file.")
    if tally.damaged:
        place = one_line(f"{tally.damaged[0].where}: {tally.damaged[0].reason}")
        more = tally.damaged_count - 1
        raise BadData(
            f"Part of it could not be read ({place}{f', and {more:,} more' if more else ''}); the rest is kept.",
            "Get it whole and import it again: only what is missing will come.",
        )


def say_encoding(env: Env, source: Source, form: Format) -> None:
    """Say what had to be assumed about the bytes of a text that was not plain UTF-8."""
    if form.name != "pdf" and source.encoding.note:
        env.say(f"{one_line(source.name)}: {source.encoding.note}")


def print_summary(env: Env, tally: Tally, json: bool, would: bool = False) -> None:
    """Print it, as lines or as JSON. `would` is for a dry run."""
    if json:
        env.print(shapes.dump(shape(tally, would)))
        return
    verb = "would be new" if would else "new"
    head = f"{plural(tally.new, 'entry')} {verb}"
    if tally.sessions:
        head += f" in {plural(len(tally.sessions), 'session')}"
    if tally.known:
        head += f", {tally.known:,} already there"
    env.print(env.style("good", head) if tally.new else head)
    if tally.speakers:
        people = [one_line(name) for name, _ in tally.speakers.most_common(PEOPLE_SHOWN)]
        more = len(tally.speakers) - len(people)
        env.print(f"  people   {', '.join(people)}{f' and {more} more' if more > 0 else ''}")
    if tally.first_ms is not None and tally.last_ms is not None:
        env.print(f"  from     {_day(tally.first_ms)} to {_day(tally.last_ms)}")
    if tally.undated:
        env.print(f"  undated  {plural(tally.undated, 'entry')}: the source gives no time")
    for reason, count in tally.skipped.most_common():
        env.print(f"  skipped  {count:,} × {reason}")
    for skip in tally.damaged:
        env.print(f"  damaged  {one_line(skip.where)}: {one_line(skip.reason)}")
    if tally.hidden:
        from memcli.importing.hiding import describe

        env.print(f"  {describe(tally.hidden)}")
    if tally.new and not would:
        env.print("  found by words now, by meaning after `mem tidy`; `mem undo` takes it back")


def _day(ms: int) -> str:
    return show(Moment(ms, "day", None, True))


def shape(tally: Tally, would: bool) -> dict[str, object]:
    """The summary as JSON."""
    return {
        "version": shapes.VERSION,
        "run": tally.run,
        "dry_run": would,
        "new": tally.new,
        "known": tally.known,
        "sessions": len(tally.sessions),
        "speakers": dict(tally.speakers),
        "formats": dict(tally.formats),
        "first": None if tally.first_ms is None else _day(tally.first_ms),
        "last": None if tally.last_ms is None else _day(tally.last_ms),
        "undated": tally.undated,
        "skipped": dict(tally.skipped),
        "hidden": dict(tally.hidden),
        "own_answers": tally.skipped.get(OWN_ANSWER, 0),
    }
