"""Originals of documents, kept whole and named by their content (A6): `blobs/ab/cdef…`."""

from __future__ import annotations

import hashlib
from pathlib import Path

from memcli.disk import Disk
from memcli.store.home import Home


def path_of(home: Home, sha256: str) -> Path:
    """Where the original with this SHA-256 lies."""
    return home.blobs / sha256[:2] / sha256[2:]


def put(home: Home, data: bytes, disk: Disk) -> str:
    """Keep an original and return its SHA-256; one that is there already is left alone. Raises `CannotWrite`."""
    sha256 = hashlib.sha256(data).hexdigest()
    path = path_of(home, sha256)
    if not path.exists():
        disk.make_dirs(path.parent)
        disk.replace_file(path, data)
    return sha256


def damaged(home: Home) -> list[str]:
    """The originals that are not what their name says, as `blobs/ab/cdef…`."""
    return [
        str(path.relative_to(home.root))
        for path in sorted(home.blobs.glob("*/*"))
        if hashlib.sha256(path.read_bytes()).hexdigest() != path.parent.name + path.name
    ]
