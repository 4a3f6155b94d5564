"""A progress bar on a terminal, silence elsewhere. `rich` is imported only when a bar is really shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memcli.cli.env import Env

PATIENCE_S = 0.3


@contextmanager
def bar(env: Env, title: str, unit: str = "") -> Iterator[Callable[[int, int | None], None]]:
    """Gives `update(done, total)`; the bar appears only when the work takes longer than a blink.

    With an unknown total it shows how many and how fast.
    """
    if not env.err_tty:
        yield lambda done, total: None
        return
    begin = time.monotonic()
    shown = None

    def update(done: int, total: int | None) -> None:
        nonlocal shown
        if shown is None:
            if time.monotonic() - begin < PATIENCE_S:
                return
            shown = _Bar(env, title, unit)
        shown.update(done, total)

    try:
        yield update
    finally:
        if shown is not None:
            shown.stop()


class _Bar:
    def __init__(self, env: Env, title: str, unit: str) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn(unit),
            TimeElapsedColumn(),
            TextColumn("·"),
            TimeRemainingColumn(),
            console=Console(file=env.err, no_color=bool(env.environ.get("NO_COLOR"))),
            transient=True,
        )
        self._task = self._progress.add_task(title, total=None)
        self._progress.start()

    def update(self, done: int, total: int | None) -> None:
        self._progress.update(self._task, completed=done, total=total)

    def stop(self) -> None:
        self._progress.stop()
