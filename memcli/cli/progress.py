"""A progress bar on a terminal, silence elsewhere. `rich` is imported only when a bar is really shown."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from memcli.cli.env import Env

PATIENCE_S = 0.3


@contextmanager
def bar(env: Env, title: str, unit: str = "") -> Iterator[Bar]:
    """Gives what is called as `update(done, total)`; it appears only when the work takes longer than a blink.

    It shows how many and how fast, and with a known total how long it will
    still take.
    """
    made = Bar(env, title, unit)
    try:
        yield made
    finally:
        made.pause()


class Bar:
    """One line on the terminal that comes and goes."""

    def __init__(self, env: Env, title: str, unit: str) -> None:
        self._env = env
        self._title = title
        self._unit = unit
        self._begin = time.monotonic()
        self._shown: _Shown | None = None

    def __call__(self, done: int, total: int | None) -> None:
        """Show how far it is."""
        if not self._env.err_tty:
            return
        if self._shown is None:
            if time.monotonic() - self._begin < PATIENCE_S:
                return
            self._shown = _Shown(self._env, self._title, self._unit, done)
        self._shown.update(done, total)

    def pause(self) -> None:
        """Leave the terminal to others until the next update."""
        if self._shown is not None:
            self._shown.stop()
            self._shown = None


class _Shown:
    def __init__(self, env: Env, title: str, unit: str, done: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        self._begin = time.monotonic()
        self._first = done
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn(f"{{task.completed:,}} {unit}"),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("·"),
            TimeRemainingColumn(),
            console=Console(file=env.err, no_color=bool(env.environ.get("NO_COLOR"))),
            transient=True,
        )
        self._task = self._progress.add_task(title, total=None, rate="")
        self._progress.start()

    def update(self, done: int, total: int | None) -> None:
        self._progress.update(self._task, completed=done, total=total, rate=self._rate(done))

    def _rate(self, done: int) -> str:
        seconds = time.monotonic() - self._begin
        return f"{(done - self._first) / seconds:,.0f}/s" if seconds > 1 and done > self._first else ""

    def stop(self) -> None:
        self._progress.stop()
