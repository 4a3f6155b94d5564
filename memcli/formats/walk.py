"""From a path to sources: a file, a folder, a zip; and the exports that are many files.

A Slack export becomes one source a channel; other exports give their
conversations and leave the rest. Nothing in an archive is trusted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from memcli.errors import NoInput
from memcli.formats.source import Source

READ = frozenset(
    ".txt .text .md .markdown .mdown .json .jsonl .ndjson .vtt .srt .eml .mbox .mbx .html .htm .xhtml .pdf .org .jrnl"
    " .rst .adoc .log".split()
)
"""Suffixes that are read in a folder or an archive; files without a suffix are read too."""

_COMPANIONS = frozenset(
    "user.json users.json chat.html message_feedback.json model_comparisons.json shared_conversations.json"
    " projects.json memories.json user_settings.json export_manifest.json conversation_asset_file_names.json"
    " shopping.json sora.json group_chats.json".split()
)
_CONVERSATIONS = re.compile(r"conversations(?:-\d+)?\.json", re.IGNORECASE)
_SLACK_LISTS = ("channels.json", "groups.json", "dms.json", "mpims.json")
_SLACK_EXTRAS = frozenset({"users.json", "integration_logs.json", "canvases.json", "lists.json", *_SLACK_LISTS})
_DAY_FILE = re.compile(r"\d{4}-\d\d-\d\d\.json")
_ACTIVITY = re.compile(r"MyActivity\.(?:json|html)", re.IGNORECASE)


def expand(path: Path) -> Iterator[Source]:
    """The sources under a path, in the order of their names. NoInput, or BadData for a bad archive."""
    if path.is_dir():
        yield from arrange(_files(path), str(path))
        return
    source = Source.from_path(path)
    if source.head.startswith(b"PK\x03\x04") or source.head.startswith(b"PK\x05\x06"):
        from memcli.formats.archive import members

        yield from arrange(members(path), str(path))
    else:
        yield source


def arrange(files: dict[str, Source], root: str) -> Iterator[Source]:
    """Of the files of a folder or an archive (by relative name) those that hold something to remember."""
    taken: set[str] = set()
    for base in _slack_roots(files):
        from memcli.formats.slack_export import channels

        inside = {name[len(base) :]: source for name, source in files.items() if name.startswith(base)}
        taken |= {
            base + name for name in inside if name in _SLACK_EXTRAS or _DAY_FILE.fullmatch(PurePosixPath(name).name)
        }
        yield from channels(inside, f"{root}/{base}".rstrip("/"))
    exports = {_folder(name) for name in files if _CONVERSATIONS.fullmatch(PurePosixPath(name).name)}
    takeout = any(_ACTIVITY.fullmatch(PurePosixPath(name).name) for name in files)
    for name in sorted(files):
        leaf = PurePosixPath(name)
        if name in taken or leaf.suffix.lower() not in READ | {""}:
            continue
        if _folder(name) in exports and leaf.name.lower() in _COMPANIONS:
            continue
        if takeout and "Takeout/" in f"{root}/{name}" and not _wanted_of_takeout(leaf):
            continue
        yield files[name]


def _wanted_of_takeout(leaf: PurePosixPath) -> bool:
    """Of everything an account holds: what was said to Gemini, and mail."""
    return leaf.suffix == ".mbox" or (_ACTIVITY.fullmatch(leaf.name) is not None and "Gemini" in leaf.parent.name)


def _slack_roots(files: dict[str, Source]) -> list[str]:
    """Folders with a list of users beside lists of channels, as prefixes ("" or "export/")."""
    return sorted(
        folder
        for folder in {_folder(name) for name in files}
        if f"{folder}users.json" in files and any(f"{folder}{name}" in files for name in _SLACK_LISTS)
    )


def _folder(name: str) -> str:
    return name[: name.rfind("/") + 1]


def _files(root: Path) -> dict[str, Source]:
    """The files under a folder, without hidden ones, a vault's templates, and links to folders."""
    found: dict[str, Source] = {}

    def unreadable(error: OSError) -> None:
        raise NoInput(f"{error.filename}: {error.strerror or error}") from error

    for folder, names, leaves in os.walk(root, onerror=unreadable):
        vault = ".obsidian" in names
        names[:] = sorted(name for name in names if _visible(name) and not (vault and name.lower() == "templates"))
        for leaf in leaves:
            path = Path(folder, leaf)
            if _visible(leaf) and path.is_file():
                found[path.relative_to(root).as_posix()] = Source.from_path(path)
    return found


def _visible(name: str) -> bool:
    return not name.startswith((".", "~$")) and name != "__MACOSX"
