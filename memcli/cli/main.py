"""From arguments to an exit code. The one place that turns errors into sentences and exits."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from memcli.cli.env import Env
from memcli.errors import OK, MemError

INTERRUPTED = 130
BROKEN_PIPE = 141


def main(args: Sequence[str], env: Env | None = None) -> int:
    """Run one command. Never raises but for a bug."""
    os.umask(0o077)
    env = env or Env()
    try:
        return _run(list(args), env)
    except MemError as error:
        _flush(env)
        env.say(f"mem: {error.message}")
        if error.hint:
            env.say(f"     {error.hint}")
        return error.exit_code
    except KeyboardInterrupt:
        env.say("\nmem: stopped; what was acknowledged is kept.")
        return INTERRUPTED
    except BrokenPipeError:
        _swallow_output()
        return BROKEN_PIPE


def _run(args: list[str], env: Env) -> int:
    from memcli.cli.keep import add_words, is_plain

    if is_plain(args) and "_MEM_COMPLETE" not in env.environ:
        code = add_words(env, args[1:])
        _flush(env)
        return code
    import click

    from memcli.cli.app import COMPLETE_VAR, program

    command = program()
    if instruction := env.environ.get(COMPLETE_VAR):
        from click.shell_completion import shell_complete

        return shell_complete(command, {"obj": env}, "mem", COMPLETE_VAR, instruction)
    try:
        code = command.main(args, prog_name="mem", standalone_mode=False, obj=env)
        _flush(env)
        return code if isinstance(code, int) else OK
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        return _usage(error, env)


def _usage(error: Exception, env: Env) -> int:
    import click

    assert isinstance(error, click.ClickException)
    context = getattr(error, "ctx", None)
    env.say(f"mem: {error.format_message()}")
    if context is not None:
        env.say(f"     See `{context.command_path} --help`.")
    return 2


def _flush(env: Env) -> None:
    env.out.flush()


def _swallow_output() -> None:
    """Let the interpreter's last flush of stdout go nowhere instead of raising again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
