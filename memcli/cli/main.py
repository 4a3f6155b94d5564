"""From arguments to an exit code. The one place that turns errors into sentences and exits."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING

from memcli.cli.env import Env, ReaderGone
from memcli.errors import OK, IOFailed, MemError

if TYPE_CHECKING:
    import click

INTERRUPTED = 130
BROKEN_PIPE = 141


def main(args: Sequence[str], env: Env | None = None) -> int:
    """Run one command. Never raises but for a bug."""
    os.umask(0o077)
    env = env or _real()
    try:
        try:
            code = _run(list(args), env)
        except MemError as error:
            env.flush()
            code = _refused(error, env)
        env.flush()
    except KeyboardInterrupt:
        env.say("\nmem: stopped; what was acknowledged is kept.")
        return INTERRUPTED
    except (ReaderGone, BrokenPipeError):
        _swallow_output(env)
        return BROKEN_PIPE
    except OSError as error:
        _swallow_output(env)
        return _refused(IOFailed(f"The system refused: {error.strerror or error}.", "Run `mem doctor`."), env)
    except MemError as error:
        _swallow_output(env)
        return _refused(error, env)
    return code


def _real() -> Env:
    """The real world. A character that the terminal's encoding has not is shown as `\\uNNNN`.

    A standard stream that was closed is opened on nothing, or the log would be
    opened under its number and get what is printed.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return Env()


def _refused(error: MemError, env: Env) -> int:
    env.say(f"mem: {error.message}")
    if error.hint:
        env.say(f"     {error.hint}")
    return error.exit_code


def _run(args: list[str], env: Env) -> int:
    from memcli.cli.keep import add_words, plain

    if "_MEM_COMPLETE" not in env.environ and (said := plain(args)) is not None:
        return add_words(env, *said)
    import click

    from memcli.cli.app import COMPLETE_VAR, program

    if args[:1] == ["help"]:
        args = [*args[1:], "--help"]
    command = program()
    if instruction := env.environ.get(COMPLETE_VAR):
        from click.shell_completion import shell_complete

        return shell_complete(command, {"obj": env}, "mem", COMPLETE_VAR, instruction)
    try:
        with redirect_stdout(env.out):  # where click prints help
            code = command.main(args, prog_name="mem", standalone_mode=False, obj=env)
        if code == INTERRUPTED:  # what typer makes of an interrupt
            raise KeyboardInterrupt
        return code if isinstance(code, int) else OK
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        return _usage(error, env)


def _usage(error: click.ClickException, env: Env) -> int:
    import click

    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        env.say(error.format_message())
        return 2
    env.say(f"mem: {error.format_message()}")
    context = getattr(error, "ctx", None)
    if context is not None:
        env.say(f"     See `{context.command_path} --help`.")
    return 2


def _swallow_output(env: Env) -> None:
    """Let the interpreter's last flush of stdout go nowhere instead of raising again."""
    if env.out is sys.stdout:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
