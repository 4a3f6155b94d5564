"""Write what can be generated: `docs/commands.md` from the help, and the shell completions.

`python docs/generate.py` writes, `--check` fails where a file is not what it
would write.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from memcli.cli.app import COMMANDS, COMPLETE_VAR, program

ROOT = Path(__file__).parent.parent
COMPLETIONS = {"bash": "mem.bash", "zsh": "_mem", "fish": "mem.fish"}
HEAD = "# Commands\n\nGenerated from `mem --help`; do not edit.\n"


def commands() -> str:
    """The help of every command as Markdown."""
    root = program()
    assert isinstance(root, click.Group)
    parts = [HEAD, _block("mem", root, None)]
    with click.Context(root, info_name="mem") as context:
        for name in COMMANDS:
            command = root.get_command(context, name)
            assert command is not None
            parts.append(_block(f"mem {name}", command, context))
            if isinstance(command, click.Group):
                with click.Context(command, info_name=name, parent=context) as inner:
                    parts += [_block(f"mem {name} {sub}", item, inner) for sub, item in command.commands.items()]
    return "\n".join(parts)


def _block(title: str, command: click.Command, parent: click.Context | None) -> str:
    context = click.Context(
        command,
        info_name=title.split()[-1],
        parent=parent,
        terminal_width=80,
        help_option_names=["-h", "--help"],
    )
    return f"## {title}\n\n```\n{command.get_help(context)}\n```\n"


def completion(shell: str) -> str:
    """The completion script of one shell."""
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(program(), {}, "mem", COMPLETE_VAR)
    return (script.source_template % script.source_vars()).strip() + "\n"


def generated() -> dict[Path, str]:
    """Every generated file with its text."""
    files = {ROOT / "docs" / "commands.md": commands()}
    for shell, name in COMPLETIONS.items():
        files[ROOT / "completions" / name] = completion(shell)
    return files


def main(args: list[str]) -> int:
    stale = []
    for path, text in generated().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.relative_to(ROOT))
        if "--check" not in args:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"{'stale' if '--check' in args else 'written'}: {name}")
    if stale and "--check" in args:
        print("Run `make docs` and commit the result.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
