"""The parent's side of the model worker: start it, ask it, and never hang on it.

Whatever the worker does (crash, hang, babble, cut its answer short), a call
here ends in time with a result or with `ModelFailed`, and the worker is gone.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
import select
import sys
import time
from array import array
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, get_args

from memcli.errors import ModelFailed
from memcli.llm.prompt import Finish, PrefixUse, Prompt, Reason, YesNo

EMBED_CTX = 512
"""Tokens of one text that are read. MiniLM has no positions beyond."""

EMBED_CHARS = 16_384
"""Characters of one text that are sent: always more than EMBED_CTX tokens of prose."""

EMBED_DEADLINE_S = 20.0
GENERATE_DEADLINE_S = 120.0

_REQUESTS_FD, _ANSWERS_FD = 3, 4
# Above the numbers the child gives its descriptors, so that none is overwritten.
_LOWEST_FD = 10
# No answer to one request is longer; more is babble.
_MOST_BYTES = 4 << 20
_MOST_LOG = 1 << 20
# Requests on their way while earlier ones are computed: the worker never waits for us.
_AHEAD = 4

_BOOT = (
    "import sys; sys.path[:0] = sys.argv[1].split(chr(10)); "
    "from memcli.llm.worker import main; main()"
)  # fmt: skip

Kind = Literal["embedder", "generator"]


@dataclass(frozen=True, slots=True)
class WorkerSpec:
    """Which models a worker holds and how hard it works.

    `embedder` is loaded at once, `generator` when first needed or announced
    with `Worker.prepare`. `generator_sha256` names its prefix states, which
    live in `prefix_dir` (None: not kept). `n_ctx` is the generator's context
    in tokens. `threads` None means one for each physical core. `nice` is
    added to the process's niceness. `load_deadline_s` bounds the time a
    model may take to load, in seconds.
    """

    embedder: Path | None = None
    generator: Path | None = None
    generator_sha256: str = ""
    prefix_dir: Path | None = None
    n_ctx: int = 4096
    threads: int | None = None
    nice: int = 0
    load_deadline_s: float = 120.0


@dataclass(frozen=True, slots=True)
class Embedding:
    """A unit vector, the number of tokens read, and whether the text had more than was read."""

    vector: list[float]
    tokens: int
    cut: bool


class Worker:
    """A running model process. For one thread; a context manager, or call `close`."""

    def __init__(self, spec: WorkerSpec, log: Path | None, process: _Process) -> None:
        self._spec = spec
        self._log = log
        self._process = process
        self._line = _Line(process, log)
        self._dim: int | None = None
        self._loads: dict[Kind, int] = {}
        self._ready: set[Kind] = set()

    @classmethod
    def start(cls, spec: WorkerSpec, log: Path | None = None, command: Sequence[str] | None = None) -> Self:
        """Start the process and return at once; the embedder loads meanwhile.

        `log` gets what the process has to say to people, None drops it.
        `command` replaces the worker (for tests). Raises ModelFailed when no
        process can be started.
        """
        worker = cls(spec, log, _Process.start(command or _command(spec), log))
        if spec.embedder is not None:
            worker._load("embedder")
        return worker

    def embed_one(self, text: str, deadline_s: float = EMBED_DEADLINE_S) -> Embedding:
        """The vector of `text`. Raises ModelFailed, also past `deadline_s` seconds."""
        return next(self.embeddings([text], deadline_s))

    def embed(self, texts: Iterable[str], deadline_s: float = EMBED_DEADLINE_S) -> Iterator[list[float]]:
        """One vector for each text, in order, each within `deadline_s` seconds."""
        return (found.vector for found in self.embeddings(texts, deadline_s))

    def embeddings(self, texts: Iterable[str], deadline_s: float = EMBED_DEADLINE_S) -> Iterator[Embedding]:
        """As `embed`, with what was cut."""
        self._await_load("embedder")
        waiting: list[tuple[int, bool]] = []
        try:
            for text in texts:
                sent = text[:EMBED_CHARS]
                number = self._line.send("embed", deadline_s, text=_plain(sent))
                waiting.append((number, len(sent) < len(text)))
                if len(waiting) > _AHEAD:
                    yield self._embedding(*waiting.pop(0), deadline_s)
            while waiting:
                yield self._embedding(*waiting.pop(0), deadline_s)
        finally:
            for number, _ in waiting:
                self._line.forget(number)

    def prepare(self, system: str | None = None) -> None:
        """Have the generator loaded, and the state of the prefix for `system` got ready, meanwhile.

        Returns at once. What fails is raised by the request that needs it.
        """
        self._load("generator")
        if system is not None:
            self._line.forget(self._line.send("prefix", self._spec.load_deadline_s, system=_plain(system)))

    def generate(self, prompt: Prompt, deadline_s: float = GENERATE_DEADLINE_S) -> Generation:
        """Start answering `prompt`; iterate over the result for the text.

        Raises ModelFailed here when the generator cannot be loaded, and from
        the iteration past `deadline_s` seconds or when the worker fails.
        """
        self._await_load("generator")
        number = self._line.send("generate", deadline_s, **_fields(prompt))
        return Generation(self._line, number, time.monotonic() + deadline_s)

    def yes_no(self, prompt: Prompt, deadline_s: float = GENERATE_DEADLINE_S) -> YesNo:
        """How likely the answer to `prompt` starts with yes, or with no."""
        self._await_load("generator")
        number = self._line.send("yes_no", deadline_s, **{**_fields(prompt), "max_tokens": 1})
        said = self._line.result(number, time.monotonic() + deadline_s)
        yes, no = _share(said.get("yes")), _share(said.get("no"))
        if yes is None or no is None:
            raise self._line.babble("a probability that is none")
        return YesNo(yes, no)

    def ping(self, deadline_s: float = 10.0) -> str:
        """The version of llama.cpp. Raises ModelFailed when the worker or its library does not work."""
        said = self._line.result(self._line.send("ping", deadline_s), time.monotonic() + deadline_s)
        return str(said.get("llama", ""))

    def wait_ready(self, kind: Kind) -> None:
        """Wait until the model of `kind` is loaded. Raises ModelFailed."""
        self._await_load(kind)

    @property
    def pid(self) -> int:
        """Process id of the worker."""
        return self._process.pid

    def close(self) -> None:
        """End the process. It has nothing to lose, so it is killed."""
        self._process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _load(self, kind: Kind) -> None:
        if kind in self._loads or kind in self._ready:
            return
        path = self._spec.embedder if kind == "embedder" else self._spec.generator
        if path is None:
            raise ModelFailed(f"No {kind} is chosen.", "Run `mem init`, or `mem model list`.")
        prefixes = self._spec.prefix_dir
        self._loads[kind] = self._line.send(
            "load",
            self._spec.load_deadline_s,
            kind=kind,
            path=str(path),
            n_ctx=EMBED_CTX if kind == "embedder" else self._spec.n_ctx,
            sha256=self._spec.generator_sha256,
            prefix_dir=str(prefixes) if prefixes and self._spec.generator_sha256 else None,
        )

    def _await_load(self, kind: Kind) -> None:
        self._load(kind)
        if kind in self._ready:
            return
        # Taken out before it is known to have worked: after a failure the next request tries again.
        said = self._line.result(self._loads.pop(kind), time.monotonic() + self._spec.load_deadline_s)
        self._ready.add(kind)
        if kind == "embedder":
            dim = said.get("dim")
            if not isinstance(dim, int) or dim < 1:
                raise self._line.babble("a vector length that is none")
            self._dim = dim

    def _embedding(self, number: int, cut: bool, deadline_s: float) -> Embedding:
        said = self._line.result(number, time.monotonic() + deadline_s)
        try:
            numbers = array("f", bytes.fromhex(said["vector"]))
            tokens = int(said["tokens"])
        except (KeyError, TypeError, ValueError):
            raise self._line.babble("no vector") from None
        vector = numbers.tolist()
        # NaN and Inf fail this too. The worker checks as well; a vector is stored for years.
        if len(vector) != self._dim or not abs(math.fsum(x * x for x in vector) - 1.0) < 1e-3:
            raise self._line.babble("a vector that is not one of unit length")
        return Embedding(vector, tokens, cut or said.get("cut") is True)


class Generation:
    """The text of one answer as it is written: iterate once, then read `finish`.

    An iteration left early (`close`, or the object dropped) makes the worker
    stop writing.
    """

    def __init__(self, line: _Line, number: int, until: float) -> None:
        self._line = line
        self._number = number
        self._until = until
        self._finish: Finish | None = None
        self._given_up = False
        self._pieces = self._read()

    def __iter__(self) -> Iterator[str]:
        return self._pieces

    def close(self) -> None:
        """Stop the answer where it is."""
        self._pieces.close()
        self._give_up()

    @property
    def finish(self) -> Finish:
        """How the answer ended. Only after the iteration; RuntimeError before."""
        if self._finish is None:
            raise RuntimeError("the answer has not been read to its end")
        return self._finish

    def _read(self) -> Generator[str, None, None]:
        try:
            while True:
                said = self._line.answer(self._number, self._until)
                piece = said.get("piece")
                if isinstance(piece, str):
                    yield _plain(piece)
                else:
                    self._finish = _finish(self._line, self._line.unwrap(said))
                    return
        finally:
            self._give_up()

    def _give_up(self) -> None:
        if self._finish is None and not self._given_up:
            self._given_up = True
            self._line.cancel(self._number)


class _Process:
    """A child and the ends of its pipes that are ours."""

    def __init__(self, pid: int, requests: int, answers: int) -> None:
        self.pid = pid
        self.requests = requests
        self.answers = answers
        self.status: int | None = None

    @classmethod
    def start(cls, command: Sequence[str], log: Path | None) -> Self:
        """Spawn `command` with requests on descriptor 3, answers on 4, and all talk to `log`.

        posix_spawn, because `subprocess` alone takes 5 ms to import.
        """
        theirs_in, requests = _pipe()
        answers, theirs_out = _pipe()
        talk = _open_log(log)
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, talk, 1),
            (os.POSIX_SPAWN_DUP2, talk, 2),
            (os.POSIX_SPAWN_DUP2, theirs_in, _REQUESTS_FD),
            (os.POSIX_SPAWN_DUP2, theirs_out, _ANSWERS_FD),
        ]
        try:
            pid = os.posix_spawn(command[0], list(command), _environment(), file_actions=actions)
        except OSError as error:
            os.close(requests)
            os.close(answers)
            raise ModelFailed(f"The model process cannot be started: {error.strerror}.", "Run `mem doctor`.") from error
        finally:
            for handle in (theirs_in, theirs_out, talk):
                os.close(handle)
        os.set_blocking(requests, False)
        os.set_blocking(answers, False)
        return cls(pid, requests, answers)

    def kill(self) -> int:
        """End the process if it still runs; returns its wait status."""
        if self.status is None:
            self.status = self._reap()
            os.close(self.requests)
            os.close(self.answers)
        return self.status

    def _reap(self) -> int:
        try:
            # Not killed before it is reaped: the number could be another process's by then.
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid == 0:
                os.kill(self.pid, 9)
                _, status = os.waitpid(self.pid, 0)
        except ChildProcessError:
            return 0
        return status


class _Line:
    """Requests out, answers in, each with its number and its deadline."""

    def __init__(self, process: _Process, log: Path | None) -> None:
        self._process = process
        self._log = log
        self._last = 0
        self._rest = bytearray()
        self._early: dict[int, list[dict[str, Any]]] = {}
        self._wanted: set[int] = set()
        self._volume = 0

    def send(self, op: str, deadline_s: float, **fields: Any) -> int:
        """Send a request; returns its number. Raises ModelFailed when it is not taken in time."""
        self._last += 1
        self._wanted.add(self._last)
        self._write({"id": self._last, "op": op, **fields}, time.monotonic() + deadline_s)
        return self._last

    def forget(self, number: int) -> None:
        """The answer to `number` does not matter."""
        self._wanted.discard(number)
        self._early.pop(number, None)

    def cancel(self, number: int) -> None:
        """Ask the worker to give up on `number`, if it still listens."""
        self.forget(number)
        if self._process.status is None:
            try:
                self._write({"id": number, "op": "cancel"}, time.monotonic() + 1.0)
            except ModelFailed:
                # Given up on anyway; the next request will tell.
                pass

    def result(self, number: int, until: float) -> dict[str, Any]:
        """The whole answer to `number`. `until` is on the monotonic clock."""
        return self.unwrap(self.answer(number, until))

    def answer(self, number: int, until: float) -> dict[str, Any]:
        """The next line about `number`; what is about others is kept for them."""
        while True:
            early = self._early.get(number)
            if early:
                said = early.pop(0)
                if "piece" not in said:
                    self.forget(number)
                    self._volume = 0
                return said
            self._take(self._next_line(until))

    def unwrap(self, said: dict[str, Any]) -> dict[str, Any]:
        """The result in `said`; an error in it is raised as ModelFailed."""
        done = said.get("ok")
        if isinstance(done, dict):
            return done
        code, message = said.get("error"), said.get("message")
        if not isinstance(code, str) or not isinstance(message, str):
            raise self.babble("neither a result nor an error")
        told = "".join(letter if letter.isprintable() else " " for letter in message[:300])
        raise ModelFailed(f"The model failed: {told}.", _HINTS.get(code, self._hint()))

    def babble(self, what: str) -> ModelFailed:
        """End the worker because it sent `what`; the error to raise."""
        self._process.kill()
        return ModelFailed(f"The model process sent {what}, and was stopped.", self._hint())

    def _take(self, line: bytes) -> None:
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            raise self.babble("something that is no answer") from None
        number = said.get("id") if isinstance(said, dict) else None
        if not isinstance(number, int) or not 0 < number <= self._last:
            raise self.babble("something that is no answer")
        if number in self._wanted:
            self._early.setdefault(number, []).append(said)

    def _next_line(self, until: float) -> bytes:
        start = 0
        while (end := self._rest.find(b"\n", start)) < 0:
            start = len(self._rest)
            part = self._read(until)
            self._volume += len(part)
            if self._volume > _MOST_BYTES:
                raise self.babble("far more than was asked for")
            self._rest += part
        line = bytes(self._rest[:end])
        del self._rest[: end + 1]
        return line

    def _read(self, until: float) -> bytes:
        """Some bytes, once there are any."""
        while True:
            try:
                part = os.read(self._answers(), 1 << 16)
            except BlockingIOError:
                self._poll(self._process.answers, select.POLLIN, until)
                continue
            except OSError:
                raise self._gone() from None
            if not part:
                raise self._gone()
            return part

    def _write(self, request: dict[str, Any], until: float) -> None:
        line = memoryview(json.dumps(request, ensure_ascii=False).encode() + b"\n")
        while line:
            try:
                line = line[os.write(self._requests(), line) :]
            except BlockingIOError:
                self._poll(self._process.requests, select.POLLOUT, until)
            except OSError:
                raise self._gone() from None

    def _poll(self, handle: int, event: int, until: float) -> None:
        poll = select.poll()
        poll.register(handle, event)
        left = until - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            self._process.kill()
            raise ModelFailed("The model did not answer in time, and was stopped.", self._hint())

    def _answers(self) -> int:
        self._check_open()
        return self._process.answers

    def _requests(self) -> int:
        self._check_open()
        return self._process.requests

    def _check_open(self) -> None:
        if self._process.status is not None:
            raise ModelFailed("The model process is not running any more.", self._hint())

    def _gone(self) -> ModelFailed:
        status = self._process.kill()
        how = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"status {os.WEXITSTATUS(status)}"
        return ModelFailed(f"The model process ended by itself ({how}).", self._hint())

    def _hint(self) -> str:
        where = f" Its log is {self._log}." if self._log else ""
        return f"Run `mem model test`, or choose another model (`mem model list`).{where}"


_HINTS = {
    "import": "Install llama-cpp-python again, then run `mem doctor`.",
    "load": "Run `mem model list`, or `mem init --embedder PATH` with a whole file.",
    "nan": "Get its file again (`mem model list` says where it is), then run `mem init`.",
    "format": "Choose a chat model: `mem model list`.",
    "memory": "Choose a smaller model: `mem model list`.",
    "too_long": "Ask in fewer words.",
}


def _command(spec: WorkerSpec) -> list[str]:
    if not sys.executable:
        raise ModelFailed("The Python interpreter cannot be found.", "Install `mem` again.")
    root = str(Path(__file__).parents[2])
    options = {
        "threads": spec.threads,
        "nice": spec.nice,
        "parent": os.getpid(),
        # The signal goes with the *thread* that started the child: only safe from the main one.
        "die_with_parent": _in_main_thread(),
    }
    # -I and -S leave out the environment, the current directory and `site`;
    # what is left to import comes from the places this process imports from.
    path = "\n".join([root, *(entry for entry in sys.path if entry and Path(entry).is_absolute())])
    quiet = ["-B"] if sys.dont_write_bytecode else []
    return [sys.executable, "-I", "-S", *quiet, "-c", _BOOT, path, json.dumps(options)]


def _environment() -> dict[str, str]:
    """Ours, with two wishes to the library.

    Its threads are to sleep instead of spin while they wait for each other:
    on 2 cores of which one was busy with something else, spinning gave 2
    texts a second and sleeping 49; on idle ones spinning is a little faster.
    And when it aborts it is not to start a debugger for a backtrace.
    """
    return {"OMP_WAIT_POLICY": "passive", **os.environ, "GGML_NO_BACKTRACE": "1"}


def _in_main_thread() -> bool:
    from _thread import get_native_id

    return sys.platform == "linux" and get_native_id() == os.getpid()


def _pipe() -> tuple[int, int]:
    low = os.pipe()
    high = tuple(fcntl.fcntl(handle, fcntl.F_DUPFD_CLOEXEC, _LOWEST_FD) for handle in low)
    for handle in low:
        os.close(handle)
    return high[0], high[1]


def _open_log(log: Path | None) -> int:
    if log is not None:
        try:
            handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
            if os.fstat(handle).st_size > _MOST_LOG:
                os.ftruncate(handle, 0)
            return handle
        except OSError:
            # A home that cannot be written must not keep anyone from asking.
            pass
    return os.open(os.devnull, os.O_WRONLY)


def _fields(prompt: Prompt) -> dict[str, Any]:
    return {
        "system": _plain(prompt.system),
        "material": _plain(prompt.material),
        "question": _plain(prompt.question),
        "max_tokens": prompt.max_tokens,
        "grammar": prompt.grammar,
    }


def _plain(text: str) -> str:
    """`text` without lone surrogates, which have no place in UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _share(value: object) -> float | None:
    return float(value) if isinstance(value, float | int) and -1e-6 <= value <= 1.0 + 1e-6 else None


def _finish(line: _Line, said: dict[str, Any]) -> Finish:
    try:
        finish = Finish(**said)
    except TypeError:
        raise line.babble("no end of its answer") from None
    counts = (finish.tokens, finish.prompt_tokens, finish.cut)
    if (
        finish.reason not in get_args(Reason)
        or finish.prefix not in get_args(PrefixUse)
        or not all(isinstance(count, int) for count in counts)
    ):
        raise line.babble("no end of its answer")
    return finish
