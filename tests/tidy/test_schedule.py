"""`mem schedule`: a timer of the machine, put in place, seen, and taken away without harm to what else is there."""

from __future__ import annotations

import plistlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from memcli.disk import Disk
from memcli.errors import CannotWrite, UsageError
from memcli.tidy.schedule import MARK, Done, Job, Machine, Way, choose, install, remove, status

JOB = Job(("/opt/my tools/mem", "tidy", "--if-due"), (("MEM_HOME", "/data/100% mine"),))


@dataclass
class Programs:
    """The machine's programs: which there are, the crontab, and every call."""

    there: frozenset[str] = frozenset(("systemctl", "launchctl", "crontab"))
    table: str | None = None
    unreadable: bool = False
    refuses: bool = False
    running: str = "running"
    calls: list[tuple[str, ...]] = field(default_factory=list)

    def __call__(self, argv: Sequence[str], stdin: str | None) -> Done:
        self.calls.append(tuple(argv))
        if argv[0] not in self.there:
            return Done(127, "")
        if "is-system-running" in argv:
            return Done(0 if self.running == "running" else 1, self.running + "\n")
        if argv == ("crontab", "-l"):
            if self.unreadable:
                return Done(1, "", "permission denied")
            return Done(1, "", "no crontab for ann") if self.table is None else Done(0, self.table)
        if argv[0] == "crontab":
            self.table = stdin
        return Done(1, "", "not today") if self.refuses and argv[1] in ("--user", "load") else Done(0, "")


def machine(tmp_path: Path, programs: Programs) -> Machine:
    return Machine(tmp_path, {}, programs, Disk())


@pytest.mark.parametrize(
    ("there", "running", "way"),
    [
        ({"systemctl", "crontab"}, "running", "systemd"),
        ({"systemctl", "crontab"}, "degraded", "systemd"),
        ({"systemctl", "crontab"}, "offline", "cron"),
        ({"launchctl", "crontab"}, "", "launchd"),
        ({"crontab"}, "", "cron"),
    ],
)
def test_the_best_way_that_the_machine_has_is_taken(tmp_path: Path, there: set[str], running: str, way: Way) -> None:
    assert choose(machine(tmp_path, Programs(frozenset(there), running=running))) == way


def test_a_machine_without_any_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="neither"):
        choose(machine(tmp_path, Programs(frozenset())))


@pytest.mark.parametrize("way", ["systemd", "launchd", "cron"])
def test_it_is_put_in_place_seen_and_taken_away(tmp_path: Path, way: Way) -> None:
    programs = Programs()
    here = machine(tmp_path, programs)
    assert status(here) == []
    for _ in range(2):
        install(here, JOB, way)
        assert status(here) == [way]
    assert remove(here) == [way]
    assert (status(here), remove(here)) == ([], [])
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_cron_keeps_every_other_line_as_it_was(tmp_path: Path) -> None:
    programs = Programs(table="MAILTO=ann\n0 5 * * * backup\n")
    here = machine(tmp_path, programs)
    install(here, JOB, "cron")
    assert programs.table is not None
    *kept, ours = programs.table.splitlines()
    assert kept == ["MAILTO=ann", "0 5 * * * backup"]
    assert ours == rf"17 * * * * MEM_HOME='/data/100\% mine' '/opt/my tools/mem' tidy --if-due {MARK}"
    remove(here)
    assert programs.table == "MAILTO=ann\n0 5 * * * backup\n"


def test_a_table_that_cannot_be_read_is_not_written(tmp_path: Path) -> None:
    programs = Programs(unreadable=True)
    with pytest.raises(CannotWrite, match="cannot be read"):
        install(machine(tmp_path, programs), JOB, "cron")
    assert ("crontab", "-") not in programs.calls


def test_what_systemd_is_given_holds_names_with_blanks_and_percent_signs(tmp_path: Path) -> None:
    path = install(machine(tmp_path, Programs()), JOB, "systemd")
    assert path is not None
    service = path.with_suffix(".service").read_text()
    assert 'ExecStart="/opt/my tools/mem" "tidy" "--if-due"' in service
    assert 'Environment="MEM_HOME=/data/100%% mine"' in service
    assert "OnCalendar=hourly" in path.read_text()


def test_what_launchd_is_given_is_a_property_list(tmp_path: Path) -> None:
    path = install(machine(tmp_path, Programs()), JOB, "launchd")
    assert path is not None
    value = plistlib.loads(path.read_bytes())
    assert value["ProgramArguments"] == list(JOB.argv)
    assert value["EnvironmentVariables"] == {"MEM_HOME": "/data/100% mine"}


@pytest.mark.parametrize("way", ["systemd", "launchd"])
def test_a_scheduler_that_refuses_is_told(tmp_path: Path, way: Way) -> None:
    with pytest.raises(CannotWrite, match="not today"):
        install(machine(tmp_path, Programs(refuses=True)), JOB, way)
