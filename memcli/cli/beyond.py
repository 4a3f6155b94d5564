"""What no purge can reach, as far as it can be named: said plainly, so that the person can go there."""

from __future__ import annotations

import tempfile
from pathlib import Path

from memcli.cli.env import Env
from memcli.store.purge import Purged

_HISTORIES = (".bash_history", ".zsh_history", ".zhistory", ".local/share/fish/fish_history", ".python_history")
_SHOWN = 8


def beyond(env: Env, done: Purged) -> list[str]:
    """One phrase for each place outside the home that may still hold the words."""
    found: list[str] = []
    if done.typed:
        there = [str(path) for path in _histories(env) if path.is_file()]
        found.append(f"the history of your shell, where it was typed{': ' if there else ''}{', '.join(there)}")
    if done.origins:
        more = len(done.origins) - _SHOWN
        names = ", ".join(done.origins[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
        found.append(f"the files it was imported from: {names}")
    if done.devices:
        found.append(f"the other machines that write into this memory: {', '.join(done.devices)}")
    left = sorted(str(path) for path in Path(tempfile.gettempdir()).glob("mem-verify-*"))
    if left:
        found.append(f"copies that a killed `mem verify` may have left: {', '.join(left)}")
    found.append(f"backups, snapshots and synced copies of {env.home.root}")
    found.append("freed blocks of the disk, and answers already shown elsewhere")
    return found


def _histories(env: Env) -> list[Path]:
    home = Path(env.environ.get("HOME") or "~").expanduser()
    named = env.environ.get("HISTFILE")
    paths = [home / name for name in _HISTORIES]
    return [*([Path(named).expanduser()] if named else []), *paths]
