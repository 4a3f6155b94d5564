"""The computed state of a constant prompt prefix, kept on disk between runs.

Reading 5 MB back takes milliseconds where computing them takes seconds. Only
prefixes without any stored text get here. A file that is damaged, cut short
or of another version is ignored and written anew.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

# Raise when what llama.cpp is told about the context changes the state's shape.
_LAYOUT = 1
_START = "prefix-"
_KEPT_FILES = 8


class PrefixStore:
    """The state files of one model in one directory. `model` is its sha256, `version` llama.cpp's."""

    def __init__(self, directory: str, model: str, version: str) -> None:
        self._directory = Path(directory)
        self._model = model
        self._version = "".join(c if c.isalnum() or c in ".-" else "_" for c in version)

    def path(self, tokens: Sequence[int]) -> Path:
        """The file for the prefix `tokens`."""
        named = hashlib.sha256(",".join(map(str, tokens)).encode()).hexdigest()
        return self._directory / f"{_START}{self._model[:16]}-{named[:16]}-{self._version}.{_LAYOUT}"

    def read(self, tokens: Sequence[int]) -> bytes | None:
        """The state saved for `tokens`, None when there is no whole one."""
        try:
            handle = os.open(self.path(tokens), os.O_RDONLY | os.O_NOFOLLOW)
            with os.fdopen(handle, "rb") as file:
                seal, state = file.read(32), file.read()
        except OSError:
            return None
        return state if seal == _seal(state) else None

    def write(self, tokens: Sequence[int], state: bytes) -> None:
        """Save `state`, best effort: a full or read-only disk only costs time."""
        target = self.path(tokens)
        temporary = target.with_name(f".{target.name}.{os.getpid()}.new")
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(_seal(state))
                file.write(state)
            temporary.replace(target)
            self._prune()
        except OSError as error:
            os.write(2, f"prefix state not saved: {error}\n".encode())

    def _prune(self) -> None:
        """Drop the oldest files of other prompts, models and versions."""
        ours = sorted(self._directory.glob(f"{_START}*"), key=lambda path: path.stat().st_mtime_ns)
        for path in ours[:-_KEPT_FILES]:
            path.unlink(missing_ok=True)


def _seal(state: bytes) -> bytes:
    return hashlib.blake2b(state, digest_size=32).digest()
