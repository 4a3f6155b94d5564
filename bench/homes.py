"""Memories to measure on, made by the product's own commands: `mem import`, `mem tidy`."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from conversations import Sample

from memcli.cli.env import Env
from memcli.cli.main import main
from memcli.clock import Clock
from memcli.disk import Disk
from memcli.lang import taxonomy as taxonomies
from memcli.llm.catalog import Catalog
from memcli.llm.client import Worker, WorkerSpec
from memcli.projection import vectors
from memcli.projection.database import Database
from memcli.projection.vectors import Space
from memcli.recall.topics import Shelves
from memcli.store.cache import VectorCache, text_key
from memcli.store.home import Home
from memcli.store.store import Store

CACHE = Path(tempfile.gettempdir()) / "mem-bench"


def mem(home: Path, *args: str) -> str:
    """Run a command of `mem` on a home; what it printed. Ends the benchmark where it fails."""
    out, err = io.StringIO(), io.StringIO()
    environ = {"MEM_HOME": str(home), "NO_COLOR": "1"}
    code = main(list(args), Env(stdin=io.BytesIO(), out=out, err=err, environ=environ, stdin_tty=False))
    if code:
        sys.exit(f"mem {' '.join(args)} ended with {code}: {err.getvalue()}")
    return out.getvalue()


class Embedding:
    """The product's embedder behind a cache in a folder: a text is embedded once, ever.

    It is an `Embedder`. Without a path it is the one that `mem init` finds.
    """

    def __init__(self, path: Path | None, folder: Path) -> None:
        self.path = path or _packaged(folder)
        self.model = hashlib.sha256(self.path.read_bytes()).hexdigest()
        self.dim = 384
        self.spent = 0.0
        self._cache = VectorCache(folder, Space(self.model, self.dim))
        self._known = self._cache.load()

    def embed(self, texts: Iterable[str]) -> Iterator[list[float]]:
        wanted = list(texts)
        self._learn([text for text in dict.fromkeys(wanted) if text_key(text) not in self._known])
        for text in wanted:
            yield list(vectors.from_half(self._known[text_key(text)]))

    def learn(self, texts: Iterable[str]) -> None:
        """Embed what is not known yet, many in one go."""
        self._learn([text for text in dict.fromkeys(texts) if text_key(text) not in self._known])

    def lend(self, home: Path) -> None:
        """Put what is known into the vector cache of a home, where a tidy looks first."""
        target = VectorCache(Home(home).cache, Space(self.model, self.dim))
        if self._cache.path.exists():
            target.path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self._cache.path, target.path)

    def _learn(self, texts: Sequence[str]) -> None:
        if not texts:
            return
        begin = time.monotonic()
        with Worker.start(WorkerSpec(embedder=self.path)) as worker:
            for start in range(0, len(texts), 512):
                some = texts[start : start + 512]
                fresh = [
                    (text_key(text), vectors.to_half(vector))
                    for text, vector in zip(some, worker.embed(some), strict=True)
                ]
                self._cache.append(fresh, Disk())
                self._known.update(fresh)
        self.spent += time.monotonic() - begin


def _packaged(folder: Path) -> Path:
    home = folder / "models-home"
    if Catalog(home).active("embedder") is None:
        mem(home, "init")
    found = Catalog(home).active("embedder")
    if found is None:
        sys.exit("No embedder is installed: see models.txt, or give one with --embedder.")
    return found.path


def shelves_of(embedder: Embedding) -> Shelves:
    """The shipped taxonomy with its vectors."""
    taxonomy = taxonomies.load(taxonomies.SHIPPED)
    return Shelves(taxonomy, tuple(embedder.embed([item.text for item in taxonomy.categories])))


def make(home: Path, samples: Sequence[Sample], embedder: Embedding) -> None:
    """A home with these conversations in it, indexed."""
    catalog = Catalog(home)
    catalog.use(catalog.register(embedder.path, "embedder").name)
    with tempfile.TemporaryDirectory(prefix="mem-bench-") as folder:
        file = Path(folder) / "conversations.json"
        file.write_text(json.dumps(list(samples)), "utf-8")
        mem(home, "import", "--as", "locomo", str(file))
    store = Store(Home(home), Clock.system())
    with store.reading() as reading:
        embedder.learn(row[0] for row in reading.db.rows("SELECT text FROM entries"))
    embedder.lend(home)
    mem(home, "tidy")


@contextmanager
def stored(samples: Sequence[Sample], embedder: Embedding) -> Iterator[Database]:
    """The index over conversations, in a home of its own that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="mem-bench-") as folder:
        home = Path(folder) / "home"
        make(home, samples, embedder)
        with Store(Home(home), Clock.system()).reading() as reading:
            yield reading.db
