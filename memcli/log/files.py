"""The names of log and journal files: one a month and device, `2026-11-<device>.jsonl`."""

from __future__ import annotations

import re
from pathlib import Path

from memcli.clock import iso
from memcli.disk import unreadable

_NAME = re.compile(r"(\d{4}-\d\d)-([a-z0-9]+)\.jsonl")


def month_of(ms: int) -> str:
    """The month of an instant, in UTC: `2026-11`."""
    return iso(ms)[:7]


def current(directory: Path, device: str, now_ms: int) -> Path:
    """The file that this device appends to now: never one older than its newest (clocks step back)."""
    month = month_of(now_ms)
    for path in directory.glob(f"*-{device}.jsonl") if directory.is_dir() else ():
        match = _NAME.fullmatch(path.name)
        if match and match[2] == device:
            month = max(month, match[1])
    return directory / f"{month}-{device}.jsonl"


def newest_files(directory: Path) -> list[Path]:
    """The file that each device appended to last. Raises `IOFailed`."""
    newest = {path.stem[len("2026-11-") :]: path for path in all_files(directory)}
    return list(newest.values())


def all_files(directory: Path) -> list[Path]:
    """Every file of the folder that is a log, in the order of their names. Raises `IOFailed`."""
    try:
        return sorted(path for path in directory.iterdir() if _NAME.fullmatch(path.name))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise unreadable(error, str(directory)) from error
