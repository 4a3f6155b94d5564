"""The world as a command sees it: streams, environment, clock, disk. Tests pass their own."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, TextIO

from memcli import settings
from memcli.clock import Clock
from memcli.disk import Disk
from memcli.settings import Settings
from memcli.store.home import Home
from memcli.store.store import Store

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


@dataclass
class Env:
    """Everything from outside that a command may touch. Results go to `out`, talk goes to `err`."""

    stdin: BinaryIO = field(default_factory=lambda: sys.stdin.buffer)
    out: TextIO = field(default_factory=lambda: sys.stdout)
    err: TextIO = field(default_factory=lambda: sys.stderr)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    clock: Clock = field(default_factory=Clock.system)
    disk: Disk = field(default_factory=Disk)
    stdin_tty: bool = field(default_factory=lambda: sys.stdin is not None and sys.stdin.isatty())
    columns: int | None = None

    @cached_property
    def home(self) -> Home:
        return Home(settings.home_path(self.environ))

    @cached_property
    def store(self) -> Store:
        return Store(self.home, self.clock, self.disk)

    @cached_property
    def settings(self) -> Settings:
        return settings.load(self.config_path)

    @cached_property
    def config_path(self) -> Path:
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
        wide = shutil.get_terminal_size((80, 24)).columns if self.out_tty or "COLUMNS" in self.environ else 80
        return max(40, min(wide, 120))

    @cached_property
    def colour(self) -> bool:
        """Whether results are coloured: on a terminal, without NO_COLOR, and not on a dumb one."""
        return self.out_tty and not self.environ.get("NO_COLOR") and self.environ.get("TERM") != "dumb"

    def style(self, name: str, text: str) -> str:
        """The text in the style of that name, plain where there is no colour."""
        return f"\x1b[{CODES[name]}m{text}\x1b[0m" if self.colour and text else text

    def print(self, text: str = "") -> None:
        """A line of result."""
        self.out.write(text + "\n")

    def say(self, text: str) -> None:
        """A line of talk."""
        self.err.write(text + "\n")
        self.err.flush()

    @cached_property
    def current_scope(self) -> str | None:
        """The scope of this directory: the first line of a `.mem` file here or above, None without one."""
        try:
            here = Path.cwd()
        except OSError:
            return None
        for folder in (here, *here.parents):
            marker = folder / ".mem"
            if marker.is_file():
                name = marker.read_text(encoding="utf-8", errors="replace").strip().split("\n")[0].strip()
                return name or None
        return None
