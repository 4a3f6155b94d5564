"""The memory's folder: where each thing lies, who may read it, and the two names it has for itself."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memcli.disk import Disk, refusal, unreadable
from memcli.errors import BadData, CannotWrite

DEVICE_LENGTH = 6
KEY_BYTES = 32
_DEVICE = re.compile(rb"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of one memory. Making the object touches nothing."""

    root: Path

    @property
    def log(self) -> Path:
        return self.root / "log"

    @property
    def journal(self) -> Path:
        return self.root / "journal"

    @property
    def database(self) -> Path:
        return self.root / "mem.db"

    @property
    def blobs(self) -> Path:
        return self.root / "blobs"

    @property
    def cache(self) -> Path:
        return self.root / "cache"

    @property
    def models(self) -> Path:
        return self.root / "models"

    @property
    def locks(self) -> Path:
        return self.root / "locks"

    @property
    def tidy_log(self) -> Path:
        return self.root / "tidy.log"

    @property
    def worker_log(self) -> Path:
        return self.root / "worker.log"

    @property
    def exists(self) -> bool:
        """Whether anything was ever kept here."""
        return self.log.is_dir() or self.database.exists()

    def make(self, disk: Disk) -> None:
        """Make the folder where there is none. Raises `CannotWrite` where it cannot be, or is not ours alone."""
        disk.make_dirs(self.root)
        try:
            mode = self.root.stat().st_mode
        except OSError as error:
            raise refusal(error, str(self.root)) from error
        if mode & 0o022:
            raise CannotWrite(
                f"Others may write in {self.root}; a memory must be yours alone.",
                f"Run `chmod 700 {self.root}`.",
            )
        disk.make_dirs(self.locks)

    def device(self, disk: Disk) -> str:
        """The short random name of this device in this home, made at the first use."""
        name = self._once("device", lambda: os.urandom(DEVICE_LENGTH // 2).hex().encode(), disk).strip()
        if not _DEVICE.fullmatch(name):
            # A name that is not one would go into file names that no reader looks at.
            raise BadData(f"{self.root / 'device'} is damaged.", "Delete it: this device then gets a new name.")
        return name.decode()

    def key(self, disk: Disk) -> bytes:
        """This home's own random key: source keys made with it tell nothing to others."""
        key = self._once("home.key", lambda: os.urandom(KEY_BYTES), disk)
        if len(key) != KEY_BYTES:
            raise BadData(
                f"{self.root / 'home.key'} is damaged.",
                "Restore it from a backup. Without it, an import brings again what is there already.",
            )
        return key

    def _once(self, name: str, make: Callable[[], bytes], disk: Disk) -> bytes:
        path = self.root / name
        try:
            if not path.exists():
                from memcli.store.locks import Lock

                with Lock(self.locks / "append").exclusive():
                    if not path.exists():
                        disk.replace_file(path, make())
            return path.read_bytes()
        except OSError as error:
            raise unreadable(error, str(path)) from error
