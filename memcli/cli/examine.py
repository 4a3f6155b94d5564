"""The checks of `mem doctor`, each with its next step."""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from memcli.cli.common import plural
from memcli.cli.env import Env
from memcli.errors import MemError
from memcli.ids import TAIL

if TYPE_CHECKING:
    from memcli.llm.catalog import Catalog, Model

Level = Literal["ok", "note", "bad"]


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the examination: what was looked at, how it is, and the next step where one is due."""

    name: str
    level: Level
    text: str
    step: str | None = None


def examine(env: Env) -> Iterator[Check]:
    """Every check, in the order in which one builds on the other."""
    from memcli import __version__
    from memcli.projection import sqlite

    yield Check(
        "mem", "ok", f"{__version__} on Python {platform.python_version()}, {sys.platform} {platform.machine()}"
    )
    yield from _sqlite(sqlite.version)
    yield _llama()
    yield from _home(env)
    if env.home.exists:
        yield from _index(env)
    yield from _models(env)


def _sqlite(version: str) -> Iterator[Check]:
    from memcli.projection import sqlite

    connection = sqlite.connect(":memory:")
    try:
        sqlite.load_vec(connection)
        text = f"{version} with sqlite-vec {connection.execute('SELECT vec_version()').fetchone()[0]}"
        yield Check("sqlite", "ok", text)
    except sqlite.NoVectors as error:
        yield Check(
            "sqlite", "note", f"{version}: {error}; search goes by words only", "pip install pysqlite3 sqlite-vec"
        )
    finally:
        connection.close()


def _llama() -> Check:
    if importlib.util.find_spec("llama_cpp") is None:
        return Check(
            "llama.cpp", "note", "not installed: search by words, answers are quotes", "pip install llama-cpp-python"
        )
    return Check("llama.cpp", "ok", "llama-cpp-python is installed")


def _home(env: Env) -> Iterator[Check]:
    root = env.home.root
    if not env.home.exists:
        yield Check("home", "note", f"{root} holds nothing yet", "mem init")
        return
    writable = os.access(root, os.W_OK)
    yield Check("home", "ok" if writable else "note", f"{root}{'' if writable else ' cannot be written: reading only'}")
    from memcli.store.verify import loose

    open_names = loose(env.store)
    if open_names:
        yield Check("access", "bad", f"others may read {plural(len(open_names), 'name')} in it", f"chmod -R go= {root}")
    kind = _filesystem(root)
    if kind is not None:
        yield Check(
            "disk",
            "note",
            f"{kind} is a network file system: locks may not hold between machines",
            "keep the memory on a local disk",
        )
    if not env.settings.me:
        yield Check("me", "note", "mem does not know your names yet", "mem init --me NAME")


def _filesystem(root: Path) -> str | None:
    """The kind of file system under the home, where it is one known for broken locks."""
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return None
    found = ("", "")
    for line in mounts.read_text(errors="replace").splitlines():
        parts = line.split(" ")
        if len(parts) > 2 and (str(root.resolve()) + "/").startswith(parts[1].rstrip("/") + "/"):
            found = max(found, (parts[1], parts[2]), key=lambda item: len(item[0]))
    remote = ("nfs", "cifs", "smb", "fuse.sshfs", "9p", "virtiofs")
    return found[1] if found[1].startswith(remote) else None


def _index(env: Env) -> Iterator[Check]:
    from memcli.projection import vectors
    from memcli.projection.events import formed_through
    from memcli.projection.sqlite import Damaged
    from memcli.store.catchup import files
    from memcli.tidy.index import count_pending
    from memcli.tidy.material import count_unplaced

    size = sum(path.stat().st_size for path in files(env.home))
    try:
        with env.store.reading() as reading:
            db = reading.db
            visible, pending = int(db.meta("visible")), count_pending(db)
            bad, unknown = db.one("SELECT COALESCE(SUM(bad), 0), COALESCE(SUM(unknown), 0) FROM applied")
            space = vectors.space(db)
            happened, waiting = int(db.one("SELECT COUNT(*) FROM events")[0]), count_unplaced(db)
            through = formed_through(db)
    except MemError as error:
        yield Check("index", "bad", error.message, error.hint)
        return
    except Damaged as error:
        yield Check("index", "bad", f"it is damaged: {error}", "mem rebuild")
        return
    yield Check(
        "log", "bad" if bad else "ok", f"{size / 1e6:,.1f} MB, {plural(bad, 'bad line')}", "mem verify" if bad else None
    )
    if unknown:
        yield Check("records", "note", f"{plural(unknown, 'record')} of a newer mem are kept and skipped")
    yield Check("index", "ok", f"{plural(visible, 'entry')}, behind by {reading.behind_bytes:,} bytes")
    if pending:
        yield Check("meaning", "note", f"{visible - pending:,} indexed, {pending:,} by words only", "mem tidy")
    elif space is not None:
        yield Check("meaning", "ok", f"all indexed, {space.dim} dimensions, model {space.model[:12]}")
    if waiting:
        yield Check(
            "events", "note", f"{plural(happened, 'event')}, {plural(waiting, 'entry')} in none yet", "mem tidy"
        )
    elif through is not None:
        yield Check("events", "ok", f"{plural(happened, 'event')}, formed up to entry {through[-TAIL:]}")


def _models(env: Env) -> Iterator[Check]:
    from memcli.llm.catalog import Catalog

    catalog = Catalog(env.home.root, env.disk)
    for kind, without in (("embedder", "search goes by words only"), ("generator", "answers are quotes")):
        try:
            model = catalog.active("embedder" if kind == "embedder" else "generator")
        except MemError as error:
            yield Check(kind, "bad", error.message, error.hint)
            continue
        if model is None:
            yield Check(kind, "note", f"none: {without}", "mem init")
        else:
            known = "a known file" if model.known else "not a file we know"
            text = f"{model.name}, {model.size / 1e6:,.0f} MB, {known}"
            yield Check(kind, "ok", text) if kind == "embedder" else _tested(catalog, model, text)


def _tested(catalog: Catalog, model: Model, text: str) -> Check:
    from memcli.answering.gate import current
    from memcli.cli.models import trusted, verdict

    text = f"{text}; {verdict(catalog, model)}"
    if trusted(catalog, model):
        return Check("generator", "ok", text)
    if not current(catalog.score(model)):
        return Check("generator", "note", f"{text}, so answers are quotes", "mem model test")
    return Check("generator", "note", f"{text}, so answers are quotes", "mem init --model PATH.gguf with a bigger one")
