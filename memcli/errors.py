"""Every way `mem` refuses: one class, one sentence, one next step, one exit code.

Bad *use* and broken surroundings raise one of these; bad *data* is returned
as a `Skip` and reported. `cli.main` alone turns an error into an exit.
"""

from __future__ import annotations

OK = 0
NOTHING_FOUND = 1


class MemError(Exception):
    """A sentence that says what happened, a next step, and an exit code."""

    exit_code = 74

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(MemError):
    """The command line or a setting cannot be meant as written."""

    exit_code = 2


class NothingFound(MemError):
    """What was asked for is not there."""

    exit_code = NOTHING_FOUND


class BadData(MemError):
    """Input, or stored data, that cannot be read as what it claims to be."""

    exit_code = 65


class NoInput(MemError):
    """A path that does not exist or cannot be opened, an empty pipe."""

    exit_code = 66


class ModelFailed(MemError):
    """A model is missing, damaged, or did not answer in time."""

    exit_code = 69


class CannotWrite(MemError):
    """The home cannot be written: read-only, full, or not ours."""

    exit_code = 73


class IOFailed(MemError):
    """The system failed while reading or syncing."""

    exit_code = 74


class Busy(MemError):
    """Another process holds the lock this one needs."""

    exit_code = 75
