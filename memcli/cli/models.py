"""Starting the model worker for a command, and what to say where a model is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from memcli.cli.env import Env
from memcli.errors import ModelFailed
from memcli.llm.catalog import Catalog, Model, Score
from memcli.llm.client import Kind, Worker, WorkerSpec
from memcli.llm.embed import Embedder, WorkerEmbedder
from memcli.llm.generate import Generator, WorkerGenerator
from memcli.render.text import one_line

TIDY_NICE = 10


@dataclass(frozen=True, slots=True)
class Models:
    """The models of a running worker; each None where there is none in use.

    `problems` say of a model that is in use and cannot be had what is wrong,
    what is done without it, and what to do.
    """

    worker: Worker | None
    embedder: Embedder | None
    generator: Generator | None
    problems: tuple[str, ...] = ()


def active(catalog: Catalog, kind: Kind, problems: list[str]) -> Model | None:
    """The model in use; where its file is bad there is none, and `problems` gets the reason."""
    try:
        return catalog.active(kind)
    except ModelFailed as error:
        without = "Searched by words only" if kind == "embedder" else "Quoted instead"
        problems.append(f"{error.message} {without}. {error.hint or ''}".rstrip())
        return None


def trusted(catalog: Catalog, model: Model) -> bool:
    """Whether this generator has passed `mem model test`. One that has not is not even started."""
    from memcli.answering.gate import passes

    return passes(catalog.score(model))


def verdict(catalog: Catalog, model: Model) -> str:
    """What `mem model test` says of a generator, in two or three words."""
    from memcli.answering.gate import current, passes

    score = catalog.score(model)
    if score is None or not current(score):
        return "not tested"
    return f"{score.right} of {score.of}" + (", passed" if passes(score) else ", too few")


def test(env: Env, catalog: Catalog, model: Model) -> tuple[Score, list[bool]]:
    """Test a generator, whichever is in use, and keep its score. Raises `ModelFailed`."""
    from memcli.answering import gate
    from memcli.cli.progress import bar

    spec = WorkerSpec(
        generator=model.path, generator_sha256=model.sha256, prefix_dir=env.home.cache if env.home.exists else None
    )
    with bar(env, f"Testing {one_line(model.name)}") as update, Worker.start(spec, env.home.worker_log) as worker:
        score, right = gate.run(WorkerGenerator(worker, model), update)
    catalog.keep_score(model, score)
    return score, right


@contextmanager
def models(env: Env, *, generator: bool, nice: int = 0) -> Iterator[Models]:
    """The worker, starting while the caller goes on; ended with the block."""
    catalog = Catalog(env.home.root, env.disk)
    problems: list[str] = []
    embedding = active(catalog, "embedder", problems)
    writing = active(catalog, "generator", problems) if generator else None
    if writing is not None and not trusted(catalog, writing):
        writing = None
    if embedding is None and writing is None:
        yield Models(None, None, None, tuple(problems))
        return
    spec = catalog.spec(nice=nice) if not problems else None
    if spec is None:
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
            tuple(problems),
        )


def tidy_embedder(env: Env) -> Iterator[Embedder | None]:
    """The embedder for a tidy: it gives way to everything else on the machine. Raises `ModelFailed`."""
    Catalog(env.home.root, env.disk).active("embedder")  # raises where its file is bad
    with models(env, generator=False, nice=TIDY_NICE) as ready:
        yield ready.embedder


def tidy_generator(env: Env) -> Iterator[Generator | None]:
    """The generator for a tidy, where one has passed its test. Raises `ModelFailed`."""
    catalog = Catalog(env.home.root, env.disk)
    found = catalog.active("generator")
    if found is None or not trusted(catalog, found):
        yield None
        return
    with models(env, generator=True, nice=TIDY_NICE) as ready:
        yield ready.generator


def embedder_in_use(env: Env) -> str | None:
    """Which embedder is in use, without starting it; None where there is none or its file is bad."""
    found = active(Catalog(env.home.root, env.disk), "embedder", [])
    return found.sha256 if found else None
