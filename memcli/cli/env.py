"""The world as a command sees it: streams, environment, clock, disk. Tests pass their own."""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from memcli.clock import Clock
    from memcli.disk import Disk
    from memcli.settings import Settings
    from memcli.store.home import Home
    from memcli.store.store import Store
    from memcli.tidy.schedule import Done

CODES = {
    "id": "2",
    "time": "2",
    "dim": "2",
    "name": "36",
    "label": "36",
    "answer": "1",
    "good": "32",
    "bad": "31",
}


def _terminal_of(stream: BinaryIO | TextIO) -> str | None:
    with suppress(OSError, ValueError, AttributeError):
        name, leader = os.ttyname(stream.fileno()), os.getsid(0)
        with suppress(OSError):
            with open(f"/proc/{leader}/stat", "rb") as file:  # noqa: PTH123, no pathlib on the way of `mem add`
                began = file.read().rpartition(b")")[2].split()[_BEGAN].decode("ascii", "replace")
            return f"{name} {leader} {began}"
        return f"{name} {leader}"
    return None


_BEGAN = 19
"""The place of the start time behind the name of the program in /proc/PID/stat."""


class ReaderGone(Exception):
    """Who read our output has closed it, as `head` does. No `OSError`: click would turn that into exit code 1."""


class Env:
    """Everything from outside that a command may touch. Results go to `out`, talk goes to `err`.

    What is heavy to import is made when it is first used: help and completion
    need nothing of it.
    """

    def __init__(
        self,
        *,
        stdin: BinaryIO | None = None,
        out: TextIO | None = None,
        err: TextIO | None = None,
        environ: Mapping[str, str] | None = None,
        clock: Clock | None = None,
        disk: Disk | None = None,
        stdin_tty: bool | None = None,
        columns: int | None = None,
        terminal: str | None = None,
    ) -> None:
        """The real world, but for what is given."""
        # What was closed before we came is None.
        self.stdin = stdin or (sys.stdin.buffer if sys.stdin else io.BytesIO())
        self.out = out or sys.stdout or io.StringIO()
        self.err = err or sys.stderr or io.StringIO()
        self.environ = os.environ if environ is None else environ
        self.stdin_tty = (sys.stdin is not None and sys.stdin.isatty()) if stdin_tty is None else stdin_tty
        self.columns = columns
        self._clock = clock
        self._disk = disk
        self._terminal = terminal

    @cached_property
    def clock(self) -> Clock:
        from memcli.clock import Clock

        return self._clock or Clock.system()

    @cached_property
    def disk(self) -> Disk:
        from memcli.disk import Disk

        return self._disk or Disk()

    @cached_property
    def home(self) -> Home:
        from memcli import settings
        from memcli.store.home import Home

        return Home(settings.home_path(self.environ))

    @cached_property
    def store(self) -> Store:
        from memcli.store.store import Store

        return Store(self.home, self.clock, self.disk)

    @cached_property
    def settings(self) -> Settings:
        from memcli import settings

        return settings.load(self.config_path)

    @cached_property
    def config_path(self) -> Path:
        from memcli import settings

        return settings.config_path(self.environ)

    @cached_property
    def out_tty(self) -> bool:
        return self.out.isatty()

    @cached_property
    def err_tty(self) -> bool:
        return self.err.isatty()

    @cached_property
    def width(self) -> int:
        """Columns to fill: the terminal's, at most 120; 80 where there is no terminal."""
        if self.columns is not None:
            return self.columns
        import shutil

        wide = shutil.get_terminal_size((80, 24)).columns if self.out_tty or "COLUMNS" in self.environ else 80
        return max(40, min(wide, 120))

    @cached_property
    def colour(self) -> bool:
        """Whether results are coloured: on a terminal, without NO_COLOR, and not on a dumb one."""
        return self.out_tty and not self.environ.get("NO_COLOR") and self.environ.get("TERM") != "dumb"

    def call(self, argv: Sequence[str], stdin: str | None) -> Done:
        """Run a program of the machine, such as crontab; code 127 where it is not installed."""
        import subprocess

        from memcli.tidy.schedule import Done

        try:
            ended = subprocess.run(
                list(argv), input=stdin, capture_output=True, text=True, timeout=60, check=False, env=dict(self.environ)
            )
        except FileNotFoundError:
            return Done(127, "")
        except (OSError, subprocess.TimeoutExpired) as error:
            return Done(1, "", str(error))
        return Done(ended.returncode, ended.stdout, ended.stderr)

    def style(self, name: str, text: str) -> str:
        """The text in the style of that name, plain where there is no colour."""
        return f"\x1b[{CODES[name]}m{text}\x1b[0m" if self.colour and text else text

    def print(self, text: str = "") -> None:
        """A line of result. Raises `ReaderGone`, `IOFailed`."""
        with self._delivering():
            self.out.write(text + "\n")

    def flush(self) -> None:
        """Let every result be on its way. Raises `ReaderGone`, `IOFailed`."""
        with self._delivering():
            self.out.flush()

    @contextmanager
    def _delivering(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError as error:
            raise ReaderGone from error
        except OSError as error:
            from memcli.errors import IOFailed

            raise IOFailed(
                f"The output could not be written: {error.strerror or error}.",
                "What was to be kept is kept; `mem list` shows it.",
            ) from error

    def say(self, text: str, *, dim: bool = False) -> None:
        """A line of talk, with nothing in it that a terminal would obey. Where nobody can hear it, it is not said."""
        from memcli.render.text import harmless

        plain = self.environ.get("NO_COLOR") or self.environ.get("TERM") == "dumb"
        style = f"\x1b[{CODES['dim']}m{{}}\x1b[0m" if dim and self.err_tty and not plain else "{}"
        with suppress(OSError):
            self.err.write(style.format(harmless(text)) + "\n")
            self.err.flush()

    @cached_property
    def terminal(self) -> str | None:
        """What tells this terminal from any other, now and earlier: None where none of our streams is one.

        Its name alone would come back with the next window: the shell that
        opened it, and where the system tells it when that began, belong to it.
        """
        return self._terminal or next(filter(None, map(_terminal_of, (self.stdin, self.err, self.out))), None)

    @cached_property
    def marker(self) -> tuple[Path, str] | None:
        """The `.mem` file here or above, and its first line, which is the scope of this directory."""
        from pathlib import Path

        try:
            here = Path.cwd()
        except OSError:
            return None
        for folder in (here, *here.parents):
            path = folder / ".mem"
            try:
                if path.is_file():
                    name = path.read_text(encoding="utf-8", errors="replace").strip().split("\n")[0].strip()
                    return (path, name) if name else None
            except OSError:  # what we may not read is not meant for us
                continue
        return None
