"""Is nothing left? Every file under the home is searched for what was purged: words, vectors, keys (C11)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memcli.projection.database import Database
from memcli.store.home import Home
from memcli.store.looking import Hits, Looker
from memcli.store.needles import Needles, fold

if TYPE_CHECKING:
    from memcli.store.store import Progress

TEXTS_AT_ONCE = 10_000
"""Of so many texts at once the needles fit into memory easily; more are searched for in several passes."""

_ROWS = 200
_STATED = (
    "SELECT c.target, json_extract(c.body, '$.after.text'), json_extract(c.body, '$.before.text'), "
    "json_extract(c.body, '$.after.said.text') FROM changes c "
    "WHERE c.op IN ('memory', 'support', 'edit') AND c.target IN (SELECT id FROM memories)"
)
_STAYING_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Proof:
    """What was searched, and what was found.

    `files` and `size` (bytes) count what was looked at. `left` are files in
    which words or vectors were found that no entry explains. `staying` are
    ids of entries and memories that were not purged and say the same. `skipped` are model
    files, into which `mem` never writes words.
    """

    texts: int
    vectors: int
    files: int
    size: int
    left: tuple[str, ...] = ()
    staying: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether nothing is left."""
        return not self.left


def staying(db: Database, needles: Needles) -> tuple[Hits, list[str]]:
    """What of the needles entries say that stay, whatever their state; the ids of those that say it."""
    looker = Looker(needles)
    for name in ("title", "session", "origin", "speaker"):
        looker.row((name, row[0]) for row in db.each(f"SELECT DISTINCT {name} FROM entries"))
    hits, ids = looker.done(), list[str]()
    cursor = db.each("SELECT id, text FROM entries ORDER BY id")
    while rows := [row for row, _ in zip(cursor, range(_ROWS), strict=False)]:
        found = _said(rows, needles)
        if found:
            ids += [row[0] for row in rows if _said([row], needles).pieces]
            hits.pieces |= found.pieces
            hits.short |= found.short
    return hits, ids


def stated(db: Database, needles: Needles, texts: Collection[str]) -> tuple[Hits, list[str]]:
    """What of these needles memories say that stay; the ids of those that say it.

    Only of `texts`, the words of memories: a memory is no reason for words of entries to stay.
    """
    pieces = {piece for text in texts for piece in needles.pieces.get(text, ())}
    short = {fold(text) for text in texts} & needles.short
    hits, ids = Hits(), dict[str, None]()
    for memory_id, *found in db.each(_STATED) if texts else ():
        said = _said([(memory_id, text) for text in found if text], needles)
        said = Hits(said.pieces & pieces, said.short & short)
        if said:
            ids[memory_id] = None
            hits.pieces |= said.pieces
            hits.short |= said.short
    return hits, list(ids)


def _said(rows: Sequence[tuple[str, str]], needles: Needles) -> Hits:
    looker = Looker(needles)
    looker.row(("text", text) for _, text in rows)
    return looker.done()


def prove(
    home: Home,
    texts: Sequence[str],
    raw: Sequence[bytes] = (),
    progress: Progress | None = None,
    of_memories: Sequence[str] = (),
) -> Proof:
    """Search everything under the home; `of_memories` are words that only memories said.

    The caller keeps others away, and has the index closed. Raises `IOFailed`.
    """
    left: dict[str, None] = {}
    same: dict[str, None] = {}
    searched, skipped = _files(home)
    total = sum(path.stat().st_size for path in searched)
    texts = [*texts, *of_memories]
    passes = [texts[at : at + TEXTS_AT_ONCE] for at in range(0, len(texts), TEXTS_AT_ONCE)] or [[]]
    for number, some in enumerate(passes):
        needles = Needles(some, raw if number == 0 else ())
        db = Database(home.database, create=False)
        try:
            stay, ids = staying(db, needles)
            theirs, memories = stated(db, needles, of_memories)
            stay.pieces |= theirs.pieces
            stay.short |= theirs.short
            ids += memories
        finally:
            db.close()
        same |= dict.fromkeys(ids)
        done = 0
        for path in searched:
            looker = Looker(needles)
            done += looker.file(path)
            if looker.done().without(stay):
                left[str(path.relative_to(home.root))] = None
            if progress is not None:
                progress(done + number * total, total * len(passes))
    return Proof(
        len({fold(text) for text in texts}),
        len(raw),
        len(searched),
        total,
        tuple(left),
        tuple(same)[:_STAYING_SHOWN],
        tuple(str(path.relative_to(home.root)) for path in skipped),
    )


def _files(home: Home) -> tuple[list[Path], list[Path]]:
    """(the files to be searched, the models)."""
    found = sorted(path for path in _walk(home.root) if path.is_file() and not path.is_symlink())
    models = [path for path in found if path.suffix == ".gguf" and path.is_relative_to(home.models)]
    return [path for path in found if path not in set(models)], models


def _walk(root: Path) -> Iterator[Path]:
    return root.rglob("*")
