"""Starting the model worker for a command, and what to say where a model is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from memcli.cli.env import Env
from memcli.errors import ModelFailed
from memcli.llm.catalog import Catalog, Model
from memcli.llm.client import Worker
from memcli.llm.embed import Embedder, WorkerEmbedder
from memcli.llm.generate import Generator, WorkerGenerator

TIDY_NICE = 10


@dataclass(frozen=True, slots=True)
class Models:
    """The models of a running worker; each None where there is none in use."""

    worker: Worker | None
    embedder: Embedder | None
    generator: Generator | None
    problem: str | None = None


def active(catalog: Catalog, kind: str) -> tuple[Model | None, str | None]:
    """The model in use, and why there is none where its file is bad."""
    try:
        return catalog.active("embedder" if kind == "embedder" else "generator"), None
    except ModelFailed as error:
        return None, error.message


@contextmanager
def models(env: Env, *, generator: bool, nice: int = 0) -> Iterator[Models]:
    """The worker, starting while the caller goes on; ended with the block."""
    catalog = Catalog(env.home.root, env.disk)
    embedding, embed_problem = active(catalog, "embedder")
    writing, write_problem = active(catalog, "generator") if generator else (None, None)
    problem = embed_problem or write_problem
    if embedding is None and writing is None:
        yield Models(None, None, None, problem)
        return
    spec = catalog.spec(nice=nice) if not problem else None
    if spec is None:
        from memcli.llm.client import WorkerSpec

        spec = WorkerSpec(nice=nice)
    spec = replace(
        spec,
        embedder=embedding.path if embedding else None,
        generator=writing.path if writing else None,
        generator_sha256=writing.sha256 if writing else "",
    )
    log = env.home.worker_log if env.home.root.is_dir() else None
    with Worker.start(spec, log) as worker:
        yield Models(
            worker,
            WorkerEmbedder(worker, embedding) if embedding else None,
            WorkerGenerator(worker, writing) if writing else None,
            problem,
        )


def tidy_embedder(env: Env) -> Iterator[Embedder | None]:
    """The embedder for a tidy: it gives way to everything else on the machine."""
    with models(env, generator=False, nice=TIDY_NICE) as ready:
        if ready.problem is not None:
            raise ModelFailed(ready.problem)
        yield ready.embedder
