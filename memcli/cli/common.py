"""What several commands share. No click and no typer in here: a plain `mem add` needs neither."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, cast

from memcli.cli.env import Env
from memcli.errors import NothingFound, UsageError
from memcli.types import DEFAULT_SCOPE

if TYPE_CHECKING:
    from memcli.clock import Clock
    from memcli.lang.taxonomy import Taxonomy
    from memcli.projection.database import Database
    from memcli.types import Entry, Moment

_SCOPE = r"user|(project|domain):[^\s:]+"
_SCOPES = "Use user, project:NAME or domain:NAME."


def checked_scope(scope: str | None) -> str | None:
    """The scope as given. Raises `UsageError` where it is none."""
    if scope is not None and not re.fullmatch(_SCOPE, scope):
        raise UsageError(f"“{scope}” is not a scope.", _SCOPES)
    return scope


def scope_to_write(env: Env, scope: str | None) -> str:
    """Where a new entry holds: the one given, else this directory's, else the person's own. Raises `UsageError`."""
    if scope is not None:
        return checked_scope(scope) or DEFAULT_SCOPE
    if env.marker is None:
        return DEFAULT_SCOPE
    path, name = env.marker
    if not re.fullmatch(_SCOPE, name):
        raise UsageError(f"{path} says “{name}”, which is not a scope.", _SCOPES)
    return name


def when(text: str | None, clock: Clock, option: str) -> Moment | None:
    """The moment of an option. Raises `UsageError` where it is no time."""
    if text is None:
        return None
    from memcli.clock import parse_when

    moment = parse_when(text, clock)
    if moment is None:
        raise UsageError(f"{option} “{text}” is not a time.", "Write 2026-05-20 or 2026-05-20T15:04.")
    return moment


def asked_at(env: Env, as_of: str | None = None) -> int:
    """When a question counts as asked, in milliseconds of the wall clock: now, or the last one of `--as-of`.

    Raises `UsageError` where that is no time.
    """
    from memcli.clock import wall_ms

    now = wall_ms(env.clock.moment())
    return now if as_of is None else _stretch(as_of, env, now, "--as-of")[1] - 1


def since_until(
    env: Env, since: str | None, until: str | None, as_of: str | None = None
) -> tuple[int | None, int | None]:
    """The half-open range of wall-clock milliseconds of `--since`, `--until` and `--as-of`.

    From the start of the first to the end of the last: a day, a week or a
    month counts whole. Words like "last week" are reckoned from now, or from
    `--as-of`. Raises `UsageError` where one is no time, or the range is empty.
    """
    now = asked_at(env, as_of)
    start = None if since is None else _stretch(since, env, now, "--since")[0]
    end = None if until is None else _stretch(until, env, now, "--until")[1]
    last = "--until"
    if as_of is not None and (end is None or now + 1 < end):
        end, last = now + 1, "--as-of"
    if start is not None and end is not None and start >= end:
        raise UsageError(f"--since is not before {last}.", "Swap them, or leave one out.")
    return start, end


def _stretch(text: str, env: Env, now: int, option: str) -> tuple[int, int]:
    """What an option's date or words mean, half-open; a moment is an empty stretch. Raises `UsageError`."""
    from datetime import datetime, timedelta

    from memcli.clock import DAY_MS, parse_when, wall_ms

    moment = parse_when(text, env.clock)
    if moment is not None:
        start = wall_ms(moment)
        return start, start + (DAY_MS if moment.precision == "day" else 0)
    from memcli.lang.when.phrase import read_phrase

    epoch, unit = datetime(1970, 1, 1), timedelta(milliseconds=1)
    found = read_phrase(text, epoch + now * unit, env.clock.zone)
    if found is None:
        raise UsageError(
            f"{option} “{text}” is not a time.",
            'Write 2026-05-20, 2026-05-20T15:04, 2026-05, "last week", "in May" or "3 days ago".',
        )
    return (found.start - epoch) // unit, (found.end - epoch) // unit


def checked_order(order: str | None) -> Literal["dmy", "mdy"] | None:
    """The order of day and month as given. Raises `UsageError` where it is none."""
    if order is None or order in ("dmy", "mdy"):
        return cast(Literal["dmy", "mdy"] | None, order)
    raise UsageError(f"“{order}” is no order of day and month.", "Use dmy or mdy.")


def find_entry(db: Database, tail: str) -> Entry:
    """The visible entry whose id ends with `tail`. Raises `NothingFound`, or `UsageError` where several do."""
    from memcli.ids import ending
    from memcli.projection.database import COLUMNS

    end = f"%{ending(tail)}"
    rows = db.rows(f"SELECT {COLUMNS} FROM entries WHERE state = 0 AND id LIKE ? LIMIT 2", (end,))
    if not rows and db.one("SELECT 1 FROM entries WHERE state = 2 AND id LIKE ?", (end,)) is not None:
        raise NothingFound(f"The entry {tail} is forgotten.", f"`mem restore {tail}` brings it back.")
    if not rows:
        from memcli.store import meant

        raise meant.gone(db, tail) or NothingFound(
            f"No entry has an id that ends with {tail}.", "`mem list` and `mem search` show ids."
        )
    if len(rows) > 1:
        raise UsageError(f"Several ids end with {tail}.", "Give more of its characters.")
    return db.entry(rows[0])


def own_taxonomy(env: Env) -> Taxonomy:
    """The taxonomy beside `config.toml`, else the shipped one. Raises `UsageError`."""
    from memcli.lang import taxonomy

    return taxonomy.load(env.config_path.with_name(taxonomy.NAME))


def need_home(env: Env) -> None:
    """Raises `NothingFound` where nothing was ever kept."""
    if not env.home.exists:
        raise NothingFound("There is no memory here yet.", 'Run `mem init`, or just `mem add "…"`.')


def plural(count: int, word: str) -> str:
    """`1 entry`, `2 entries`, `1,000 turns`."""
    if count == 1:
        return f"1 {word}"
    return f"{count:,} {word[:-1] + 'ies' if word.endswith('y') else word + 's'}"


def confirmed(env: Env, question: str) -> bool:
    """Ask on the terminal; anything but yes is no."""
    from memcli.render.text import harmless

    env.flush()
    env.err.write(f"{harmless(question)} [y/N] ")
    env.err.flush()
    return env.stdin.readline().decode("utf-8", "replace").strip().casefold() in ("y", "yes")
