"""What a purge takes away besides lines: vectors in caches, originals, and what killed commands left behind (C11)."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from pathlib import Path

from memcli.disk import Disk, refusal
from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.projection.sqlite import NoVectors
from memcli.store import blobs
from memcli.store.cache import VectorCache, caches
from memcli.store.home import Home
from memcli.store.looking import Hits, Looker
from memcli.store.needles import Needles

_BESIDE = re.compile(r"\..*\.(\d+)\.new")


def vector_bytes(home: Home, db: Database, keys: Collection[bytes]) -> list[bytes]:
    """What caches and index have of these texts and of no other, in each way in which it is written: key, vector, bits.

    The index does not have them any more; what it has belongs to others.
    """
    if not keys:
        return []
    gone: set[bytes] = set()
    stays: set[bytes] = set()
    for cache in caches(home.cache):
        for key, half in cache.load().items():
            (gone if key in keys else stays).add(half)
    bits = {vectors.to_bits(vectors.from_half(half)) for half in gone - stays}
    if vectors.space(db) is not None:
        try:
            db.need_vectors()
            bits -= {row[0] for row in db.each("SELECT embedding FROM bits")}
        except NoVectors:
            bits.clear()  # then there is no such table to be searched
    return [*keys, *sorted(gone - stays), *sorted(bits)]


def drop_vectors(home: Home, keys: Collection[bytes], disk: Disk, only: Collection[bytes] | None = None) -> int:
    """Write every cache again without these texts; how many vectors of them went. An unreadable cache goes whole.

    With `only` all others go too: those of past questions, which the next tidy makes again.
    """
    count = 0
    for path in sorted(home.cache.glob("vectors-*")):
        cache = VectorCache.of(path)
        if cache is None:
            _unlink(path, disk)
            continue
        cached = cache.load()
        kept = {key: half for key, half in cached.items() if key not in keys and (only is None or key in only)}
        count += len(keys & cached.keys())
        if len(kept) < len(cached) or cache.count()[1]:
            cache.replace(kept, disk)
    return count


def drop_originals(home: Home, names: Iterable[str], disk: Disk) -> int:
    """Delete the originals with these SHA-256; how many there were."""
    paths = [path for path in (blobs.path_of(home, name) for name in set(names)) if path.exists()]
    for path in paths:
        _unlink(path, disk)
    return len(paths)


def drop_unused_originals(home: Home, used: Collection[str], needles: Needles, staying: Hits, disk: Disk) -> int:
    """Delete originals that no entry names and that hold the words all the same; how many there were.

    An import that is stopped leaves such a file.
    """
    count = 0
    for path in sorted(home.blobs.glob("*/*")):
        if path.parent.name + path.name in used or _BESIDE.fullmatch(path.name):
            continue
        looker = Looker(needles)
        looker.file(path)
        if looker.done().without(staying):
            _unlink(path, disk)
            count += 1
    return count


def drop_halves(home: Home, disk: Disk) -> None:
    """Delete what killed commands had begun: an index beside the index, a file beside its name."""
    for path in sorted(home.root.glob("mem.db.new*")):
        _unlink(path, disk)
    for folder in (home.cache, home.blobs):
        for path in sorted(folder.rglob(".*.new")):
            match = _BESIDE.fullmatch(path.name)
            if match and not _runs(int(match[1])):
                _unlink(path, disk)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return pid != os.getpid()


def _unlink(path: Path, disk: Disk) -> None:
    try:
        disk.unlink(path)
        disk.fsync_dir(path.parent)
    except OSError as error:
        raise refusal(error, str(path)) from error
