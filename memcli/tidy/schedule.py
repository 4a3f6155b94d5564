"""Letting the machine run `mem tidy` by itself: a systemd user timer, launchd, or cron (C1).

The timer comes every hour and runs `mem tidy --if-due`, so that the pace is
decided by the tidy itself: sooner after much was added, once a day otherwise.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from xml.sax.saxutils import escape

from memcli.disk import Disk, refusal
from memcli.errors import CannotWrite, UsageError

Way = Literal["systemd", "launchd", "cron"]
WAYS: tuple[Way, ...] = ("systemd", "launchd", "cron")
BUDGET = "10m"
NAME = "mem-tidy"
LABEL = "mem.tidy"
MARK = "# mem tidy"


@dataclass(frozen=True, slots=True)
class Done:
    """What a program of the machine answered."""

    code: int
    out: str
    err: str = ""


Call = Callable[[Sequence[str], str | None], Done]
"""Run a program with this input; code 127 where it is not installed."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine's own scheduler, as it is passed in: where its files are, and how its programs are run."""

    home: Path
    environ: Mapping[str, str]
    call: Call
    disk: Disk


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be run: the program with its arguments, and the environment that it must have."""

    argv: tuple[str, ...]
    environ: tuple[tuple[str, str], ...] = ()

    @property
    def line(self) -> str:
        """The job as one line of a shell."""
        settings = [f"{name}={shlex.quote(value)}" for name, value in self.environ]
        return " ".join([*settings, *map(shlex.quote, self.argv)])


def choose(machine: Machine) -> Way:
    """The best way that this machine has. Raises `UsageError` where it has none."""
    for way, probe in (
        ("launchd", ("launchctl", "version")),
        ("systemd", ("systemctl", "--user", "is-system-running")),
        ("cron", ("crontab", "-l")),
    ):
        done = machine.call(probe, None)
        running = done.out.strip() in ("running", "degraded", "starting")
        if done.code != 127 and (way != "systemd" or running):
            return way  # type: ignore[return-value]
    raise UsageError(
        "This machine has neither a systemd of your own, launchd nor cron.",
        "Run `mem tidy` yourself from time to time.",
    )


def install(machine: Machine, job: Job, way: Way) -> Path | None:
    """Put the job in place, instead of an earlier one. Returns the file that was written, None with cron."""
    if way == "systemd":
        folder = _systemd(machine)
        _write(machine, folder / f"{NAME}.service", _service(job))
        _write(machine, folder / f"{NAME}.timer", TIMER)
        _must(machine, "systemctl", "--user", "daemon-reload")
        _must(machine, "systemctl", "--user", "enable", "--now", f"{NAME}.timer")
        return folder / f"{NAME}.timer"
    if way == "launchd":
        path = _launchd(machine)
        _write(machine, path, _plist(job))
        machine.call(("launchctl", "unload", str(path)), None)
        _must(machine, "launchctl", "load", "-w", str(path))
        return path
    lines = [line for line in _crontab(machine) if not line.rstrip().endswith(MARK)]
    _write_crontab(machine, [*lines, f"17 * * * * {_percent(job.line)} {MARK}"])
    return None


def remove(machine: Machine) -> list[Way]:
    """Take every job of ours away; which ways had one."""
    gone: list[Way] = []
    for way in status(machine):
        if way == "systemd":
            machine.call(("systemctl", "--user", "disable", "--now", f"{NAME}.timer"), None)
            for name in (f"{NAME}.timer", f"{NAME}.service"):
                _unlink(machine, _systemd(machine) / name)
            machine.call(("systemctl", "--user", "daemon-reload"), None)
        elif way == "launchd":
            machine.call(("launchctl", "unload", "-w", str(_launchd(machine))), None)
            _unlink(machine, _launchd(machine))
        else:
            lines = [line for line in _crontab(machine) if not line.rstrip().endswith(MARK)]
            _write_crontab(machine, lines)
        gone.append(way)
    return gone


def status(machine: Machine) -> list[Way]:
    """The ways in which a job of ours is in place."""
    found: list[Way] = []
    if (_systemd(machine) / f"{NAME}.timer").exists():
        found.append("systemd")
    if _launchd(machine).exists():
        found.append("launchd")
    if any(line.rstrip().endswith(MARK) for line in _crontab(machine)):
        found.append("cron")
    return found


TIMER = f"""[Unit]
Description=When mem reads what is new

[Timer]
OnCalendar=hourly
RandomizedDelaySec=300
Persistent=true
Unit={NAME}.service

[Install]
WantedBy=timers.target
"""


def _service(job: Job) -> str:
    settings = "".join(f'Environment="{_unit(f"{name}={value}")}"\n' for name, value in job.environ)
    command = " ".join(f'"{_unit(part)}"' for part in job.argv)
    return (
        "[Unit]\nDescription=mem reads what is new\n\n"
        f"[Service]\nType=oneshot\nNice=10\nIOSchedulingClass=idle\nSuccessExitStatus=75\n{settings}"
        f"ExecStart={command}\n"
    )


def _unit(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")


def _percent(line: str) -> str:
    return re.sub(r"(?<!\\)%", r"\\%", line)


def _plist(job: Job) -> str:
    arguments = "".join(f"    <string>{escape(part)}</string>\n" for part in job.argv)
    settings = "".join(
        f"    <key>{escape(name)}</key><string>{escape(value)}</string>\n" for name, value in job.environ
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n<dict>\n'
        f"  <key>Label</key><string>{LABEL}</string>\n"
        f"  <key>ProgramArguments</key>\n  <array>\n{arguments}  </array>\n"
        f"  <key>EnvironmentVariables</key>\n  <dict>\n{settings}  </dict>\n"
        "  <key>StartInterval</key><integer>3600</integer>\n  <key>LowPriorityIO</key><true/>\n"
        "  <key>Nice</key><integer>10</integer>\n</dict>\n</plist>\n"
    )


def _systemd(machine: Machine) -> Path:
    base = machine.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else machine.home / ".config") / "systemd" / "user"


def _launchd(machine: Machine) -> Path:
    return machine.home / "Library" / "LaunchAgents" / f"{LABEL}.plist"


def _crontab(machine: Machine) -> list[str]:
    """The lines of the person's own table. Raises `CannotWrite` where it is there and cannot be read."""
    done = machine.call(("crontab", "-l"), None)
    if done.code == 0:
        return done.out.splitlines()
    if done.code != 127 and "no crontab" not in done.err:
        raise CannotWrite(f"Your crontab cannot be read: {done.err.strip() or done.code}.", "Nothing was changed.")
    return []


def _write_crontab(machine: Machine, lines: Sequence[str]) -> None:
    done = machine.call(("crontab", "-"), "".join(f"{line}\n" for line in lines))
    if done.code != 0:
        raise CannotWrite(f"cron did not take the new table: {done.err.strip() or done.code}.", "Nothing was changed.")


def _must(machine: Machine, *argv: str) -> None:
    done = machine.call(argv, None)
    if done.code != 0:
        raise CannotWrite(
            f"{argv[0]} refused: {done.err.strip() or f'exit code {done.code}'}.",
            "`mem schedule install --way cron` may work here.",
        )


def _write(machine: Machine, path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        machine.disk.replace_file(path, text.encode())
    except OSError as error:
        raise refusal(error, str(path)) from error


def _unlink(machine: Machine, path: Path) -> None:
    try:
        machine.disk.unlink(path)
    except OSError as error:
        raise refusal(error, str(path)) from error
