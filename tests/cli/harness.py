"""A whole `mem` in one object: run a command line in-process on a world of its own, or as a real process."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from llm.fakes import HashingEmbedder, ScriptedGenerator

from memcli.cli import models as cli_models
from memcli.cli.env import Env
from memcli.cli.main import main
from memcli.clock import Clock
from memcli.disk import Disk
from memcli.llm.catalog import Catalog
from memcli.log.files import all_files
from memcli.store.home import Home
from memcli.store.store import Store

NOW = 1_794_000_000_000
"""2026-11-06 21:20 UTC."""

REPOSITORY = Path(__file__).parents[2]
OUR_STYLE = re.compile(r"\x1b\[(?:\d+)?(?:;\d+)*m")
SEED = os.environ.get("PATH", "")


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@dataclass(frozen=True)
class Result:
    """What a command left: its exit code, its results, its talk."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON line it printed, which is ASCII."""
        assert self.out.isascii()
        assert self.out.count("\n") == 1, self.out
        return json.loads(self.out)


@dataclass
class Mem:
    """A memory of its own, a clock that goes on by a millisecond a look, and the models that are given."""

    home: Path
    embedder: HashingEmbedder | None = None
    generator: ScriptedGenerator | None = None
    reader: ScriptedGenerator | None = None
    problems: tuple[str, ...] = ()
    environ: dict[str, str] = field(default_factory=dict)
    disk: Disk | None = None
    _ms: int = NOW

    def clock(self, now: int | None = None) -> Clock:
        def tick() -> int:
            self._ms += 1
            return now or self._ms

        return Clock(tick, UTC)

    def run(
        self,
        *args: str,
        stdin: bytes = b"",
        now: int | None = None,
        tty: bool = False,
        stdin_tty: bool = False,
        columns: int | None = None,
        disk: Disk | None = None,
        terminal: str | None = None,
        **environ: str,
    ) -> Result:
        """One command. `tty` makes both outputs terminals; `terminal` says which it is asked in."""
        out, err = (Terminal(), Terminal()) if tty else (io.StringIO(), io.StringIO())
        env = Env(
            stdin=io.BytesIO(stdin),
            out=out,
            err=err,
            environ={"MEM_HOME": str(self.home), "PATH": SEED, **self.environ, **environ},
            clock=self.clock(now),
            disk=disk or self.disk,
            stdin_tty=stdin_tty,
            columns=columns,
            terminal=terminal,
        )
        return Result(main(list(args), env), out.getvalue(), err.getvalue())

    def ok(self, *args: str, **options: Any) -> Result:
        """The same where it must succeed."""
        result = self.run(*args, **options)
        assert result.code == 0, result
        return result

    @property
    def store(self) -> Store:
        return Store(Home(self.home), self.clock(), self.disk)

    def texts(self) -> list[str]:
        """The text of every visible entry, by id."""
        return [text for _, text in self.rows("id, text")]

    def rows(self, columns: str = "id, text, speaker") -> list[tuple[Any, ...]]:
        if not Home(self.home).exists:
            return []
        sql = f"SELECT {columns} FROM entries WHERE state = 0 ORDER BY id"
        return [tuple(row) for row in self.store.consult(lambda reading: reading.db.rows(sql))]

    def digest(self) -> str:
        return str(self.store.consult(lambda reading: reading.db.digest()))

    def truth(self) -> dict[str, bytes]:
        """Every byte of the log and of the journal but for noted questions; a file without any is as good as none."""
        found = {}
        for folder in (self.home / "log", self.home / "journal"):
            for path in all_files(folder):
                lines = path.read_bytes().splitlines(keepends=True)
                found[path.name + folder.name] = b"".join(line for line in lines if b'"kind":"question"' not in line)
        return {name: raw for name, raw in found.items() if raw}

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """What happens inside adds nothing and half-writes nothing."""
        before = self.truth(), self.digest() if Home(self.home).exists else None
        yield
        assert (self.truth(), self.digest() if Home(self.home).exists else None) == before

    def process(
        self, *args: str, stdin: bytes = b"", preexec: Any = None, timeout: float = 60, **environ: str
    ) -> subprocess.CompletedProcess[bytes]:
        """The same as a process, with pipes."""
        return subprocess.run(
            [sys.executable, "-m", "memcli", *args],
            input=stdin,
            capture_output=True,
            env=self.full_environ(environ),
            cwd=REPOSITORY,
            timeout=timeout,
            preexec_fn=preexec,
            check=False,
        )

    def start(self, *args: str, **environ: str) -> subprocess.Popen[bytes]:
        """A process that is left running."""
        return subprocess.Popen(
            [sys.executable, "-m", "memcli", *args],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.full_environ(environ),
            cwd=REPOSITORY,
        )

    def full_environ(self, more: Mapping[str, str]) -> dict[str, str]:
        plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
        return {**plain, "MEM_HOME": str(self.home), "PYTHONUTF8": "1", "TZ": "UTC", **self.environ, **more}

    def on_terminal(self, *args: str, **environ: str) -> tuple[int, bytes]:
        """The same on a terminal of its own; the exit code and every byte the terminal got."""
        own, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "memcli", *args],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=self.full_environ({"TERM": "xterm", **environ}),
            cwd=REPOSITORY,
            start_new_session=True,
        )
        os.close(theirs)
        got = b""
        while True:
            ready, _, _ = select.select([own], [], [], 60)
            assert ready, got
            try:
                chunk = os.read(own, 65536)
            except OSError:  # the last holder of the other end is gone
                break
            if not chunk:
                break
            got += chunk
        os.close(own)
        return process.wait(60), got


def script_models(mem: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands find the models of `mem` instead of a worker."""

    @contextmanager
    def models(env: Env, *, generator: bool, nice: int = 0) -> Iterator[cli_models.Models]:
        yield cli_models.Models(None, mem.embedder, mem.generator if generator else None, mem.problems)

    def tidy_embedder(env: Env) -> Iterator[Any]:
        yield mem.embedder

    def tidy_generator(env: Env) -> Iterator[Any]:
        yield mem.reader

    monkeypatch.setattr(cli_models, "models", models)
    monkeypatch.setattr(cli_models, "tidy_generator", tidy_generator)
    monkeypatch.setattr(Catalog, "install", lambda self, progress=None: [])  # it takes seconds
    monkeypatch.setattr(cli_models, "embedder_in_use", lambda env: mem.embedder and mem.embedder.model)
    monkeypatch.setattr(cli_models, "tidy_embedder", tidy_embedder)


_ULID = re.compile(rb"\b[0-9A-HJKMNP-TV-Z]{26}\b")
_MASKS = (
    (re.compile(r"h:[0-9a-f]{24}"), "<key>"),
    (re.compile(r"transcript:[0-9a-f]{12}"), "transcript:<mark>"),
    (re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{3})?Z?| \d\d:\d\d)?"), "<when>"),
)


def masked(mem: Mem, text: str) -> str:
    """The text without what differs from run to run: ids, times, the place of the memory."""
    logged = b"".join(path.read_bytes() for folder in ("log", "journal") for path in (mem.home / folder).glob("*"))
    for found in set(_ULID.findall(logged)):
        text = text.replace(found.decode(), "<id>").replace(found.decode()[-6:], "<tail>")
    for pattern, name in _MASKS:
        text = pattern.sub(name, text)
    return text.replace(str(mem.home.parent), "<folder>")
