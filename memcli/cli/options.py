"""The options that several commands share."""

from __future__ import annotations

from typing import Annotated, cast

import typer

from memcli.cli.env import Env

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Scope = Annotated[str | None, typer.Option("--scope", metavar="SCOPE", help="user, project:NAME or domain:NAME.")]
Since = Annotated[
    str | None, typer.Option("--since", metavar="TIME", help="Only what was said from then on: a date, or “last week”.")
]
Until = Annotated[str | None, typer.Option("--until", metavar="TIME", help="Only what was said up to the end of then.")]
AsOf = Annotated[
    str | None, typer.Option("--as-of", metavar="TIME", help="As if asked then: only what had been said counts.")
]
KeepSecrets = Annotated[bool, typer.Option("--keep-secrets", help="Write keys and passwords as they are.")]
DateOrder = Annotated[
    str | None,
    typer.Option("--date-order", metavar="ORDER", help="dmy or mdy, where 03/04/2026 could be either."),
]


def env_of(context: typer.Context) -> Env:
    """The world of this call."""
    return cast(Env, context.find_root().obj)
