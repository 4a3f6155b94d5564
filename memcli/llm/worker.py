"""The child process that alone holds the models.

It reads requests from one pipe and answers on another, one JSON object a
line. It opens no socket, starts no program, and writes to nothing but its
pipe, its log (stderr) and the prefix cache. It ends when its parent does.

Requests carry `id` and `op`: load, embed, prefix, generate, yes_no, ping,
cancel. Answers carry the `id` and one of `piece` (more follows), `ok`
(the result) or `error` (a code) with `message`.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
from _thread import start_new_thread
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from memcli.llm.encoder import Encoder
from memcli.llm.native import EngineError, Loading, build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .decoder import Ask, Decoder

REQUESTS_FD = 3
ANSWERS_FD = 4

_PR_SET_PDEATHSIG = 1
# More threads only wait for each other with models of this size.
_MOST_THREADS = 8


def main() -> None:
    """Serve until the parent is gone. Options are JSON in argv[2]: see `client.Worker.start`."""
    options = json.loads(sys.argv[2])
    _isolate(options)
    requests: SimpleQueue[dict[str, Any]] = SimpleQueue()
    server = _Server(options)
    start_new_thread(_listen, (requests, server))
    while True:
        server.answer(requests.get())


def _isolate(options: dict[str, Any]) -> None:
    """Keep nothing of the parent but the two pipes and the log, and die with it."""
    # What the parent itself inherited (a lock held by its caller, say) is not ours to keep open.
    os.closerange(ANSWERS_FD + 1, 1024)
    # Ctrl-C reaches the whole group; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _no_core_dump()
    if options["nice"]:
        os.nice(options["nice"])
    if sys.platform == "linux" and options["die_with_parent"]:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != options["parent"]:
            os._exit(0)


def _no_core_dump() -> None:
    """A core would hold a person's texts."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _listen(requests: SimpleQueue[dict[str, Any]], server: _Server) -> None:
    """Queue requests as they come.

    A thread of its own, so that the end of the parent is noticed in the
    middle of a computation.
    """
    try:
        with os.fdopen(REQUESTS_FD, "rb") as pipe:
            for line in pipe:
                request = json.loads(line)
                if request["op"] == "cancel":
                    server.cancelled.add(request["id"])
                else:
                    requests.put(request)
    finally:
        os._exit(0)


class _Server:
    """The models loaded so far, and what is done with each request."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.cancelled: set[int] = set()
        self._threads = int(options["threads"] or min(_cores(), _MOST_THREADS))
        self._encoder: Encoder | None = None
        self._decoder: Decoder | None = None
        self._now = 0

    def answer(self, request: dict[str, Any]) -> None:
        """Do one request. What fails is told, not raised."""
        self._now = request["id"]
        if self._stopped():
            return
        try:
            self._say(ok=getattr(self, f"_{request['op']}")(request))
        except EngineError as error:
            self._say(error=error.code, message=str(error))
        except MemoryError:
            self._say(error="memory", message="there is not enough memory")

    def _say(self, **said: Any) -> None:
        line = json.dumps({"id": self._now, **said}).encode() + b"\n"
        try:
            while line:
                line = line[os.write(ANSWERS_FD, line) :]
        except OSError:
            os._exit(0)

    def _stopped(self) -> bool:
        return self._now in self.cancelled

    def _ping(self, _: dict[str, Any]) -> dict[str, Any]:
        return {"pid": os.getpid(), "llama": build()}

    def _load(self, request: dict[str, Any]) -> dict[str, Any]:
        loading = Loading(request["path"], request["n_ctx"], self._threads)
        if request["kind"] == "embedder":
            self._encoder = Encoder(loading)
            return {"dim": self._encoder.dim, "n_ctx": self._encoder.n_ctx}
        # Only when asked for: an embedding alone does without these modules.
        from memcli.llm.decoder import Decoder
        from memcli.llm.prefix import PrefixStore

        directory = request["prefix_dir"]
        store = PrefixStore(directory, request["sha256"], build()) if directory else None
        self._decoder = Decoder(loading, store, self._stopped)
        return {"n_ctx": self._decoder.n_ctx}

    def _embed(self, request: dict[str, Any]) -> dict[str, Any]:
        if self._encoder is None:
            raise EngineError("order", "no embedder is loaded")
        found = self._encoder.encode(request["text"])
        return {"vector": found.vector.hex(), "tokens": found.tokens, "cut": found.cut}

    def _prefix(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"prefix": self._generator().warm(request["system"])}

    def _generate(self, request: dict[str, Any]) -> dict[str, Any]:
        ended = self._generator().generate(_ask(request), lambda piece: self._say(piece=piece))
        return ended._asdict()

    def _yes_no(self, request: dict[str, Any]) -> dict[str, Any]:
        yes, no = self._generator().yes_no(_ask(request))
        return {"yes": yes, "no": no}

    def _generator(self) -> Decoder:
        if self._decoder is None:
            raise EngineError("order", "no generator is loaded")
        return self._decoder


def _ask(request: dict[str, Any]) -> Ask:
    from memcli.llm.decoder import Ask

    return Ask(**{name: request[name] for name in Ask._fields})


def _cores() -> int:
    """The cores this process may use, without the second threads of one core."""
    if sys.platform != "linux":
        # macOS reports what the chip has; half is near its performance cores.
        return max((os.cpu_count() or 2) // 2, 1)
    allowed = os.sched_getaffinity(0)
    cores = set()
    for cpu in allowed:
        try:
            cores.add(Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list").read_text().strip())
        except OSError:
            return len(allowed)
    return len(cores)
