"""llama.cpp through the ctypes bindings of llama-cpp-python. Only the worker imports this.

`import llama_cpp` takes 180 ms, most of it numpy and an HTTP client nobody
needs here; the bindings alone take 30. So the package's own `__init__` is
stepped over, and used after all when its insides are not as expected.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

_PACKAGE = "llama_cpp"
_BINDINGS = "llama_cpp.llama_cpp"

# Levels of ggml's log: 3 is a warning, 4 an error.
_WORTH_LOGGING = (3, 4)


class EngineError(Exception):
    """The engine cannot do what was asked. `code` is for the client, the text for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Loading(NamedTuple):
    """How a model file is opened. `n_ctx` is tokens, 0 for what the model was trained with."""

    path: str
    n_ctx: int
    threads: int


@cache
def bindings() -> Any:
    """The module of C functions, ready to use. Raises EngineError when there is none."""
    try:
        lib = _bare_bindings()
    except (ImportError, AttributeError):
        lib = _whole_bindings()
    except (OSError, RuntimeError) as error:
        raise EngineError("import", f"llama-cpp-python cannot be loaded: {error}") from error
    lib.llama_log_set(_log_callback(lib), None)
    lib.llama_backend_init()
    return lib


def build() -> str:
    """What tells this build of llama.cpp from others: its version, which is rarely raised, and the library's size."""
    lib = bindings()
    return f"{lib.llama_version().decode()}-{Path(lib._lib._name).stat().st_size:x}"


def _bare_bindings() -> Any:
    spec = PathFinder.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"no package {_PACKAGE}")
    package = ModuleType(_PACKAGE)
    package.__path__ = list(spec.submodule_search_locations)
    package.__spec__ = spec
    sys.modules[_PACKAGE] = package
    # The bindings use one name of this module, which takes 13 ms to import.
    stand_in = ModuleType("typing_extensions")
    stand_in.TypeAlias = TypeAlias  # type: ignore[attr-defined]
    borrowed = sys.modules.setdefault("typing_extensions", stand_in) is stand_in
    try:
        return import_module(_BINDINGS)
    finally:
        if borrowed:
            del sys.modules["typing_extensions"]


def _whole_bindings() -> Any:
    for name in [name for name in sys.modules if name.partition(".")[0] == _PACKAGE]:
        del sys.modules[name]
    try:
        import_module(_PACKAGE)
        return import_module(_BINDINGS)
    except (ImportError, OSError, RuntimeError) as error:
        raise EngineError("import", f"llama-cpp-python cannot be imported: {error}") from error


@cache
def _log_callback(lib: Any) -> Any:
    # Cached because C keeps the pointer: the object must never be collected.
    def keep(level: int, text: bytes, _: object) -> None:
        if level in _WORTH_LOGGING:
            os.write(2, text)

    return lib.llama_log_callback(keep)


class Weights:
    """A loaded model file and its vocabulary.

    With `check`, damaged quantisation blocks are found while loading instead
    of as NaN later: half a second for each gigabyte.
    """

    def __init__(self, path: str, *, check: bool) -> None:
        lib = bindings()
        params = lib.llama_model_default_params()
        params.check_tensors = check
        # Repacked weights crash on processors with AMX (ggml-org/llama.cpp#20824, seen
        # here with Q8_0) and mean a private copy of what is otherwise mapped.
        params.use_extra_bufts = False
        self.model: Any = lib.llama_model_load_from_file(os.fsencode(path), params)
        if not self.model:
            raise EngineError("load", f"llama.cpp cannot load {path}: it is damaged, or newer than this version")
        self.lib: Any = lib
        self.vocab: Any = lib.llama_model_get_vocab(self.model)
        self.vocab_size: int = lib.llama_vocab_n_tokens(self.vocab)
        self.width: int = lib.llama_model_n_embd(self.model)
        self.trained_ctx: int = lib.llama_model_n_ctx_train(self.model)

    def open_context(self, n_ctx: int, n_batch: int, threads: int, *, embeddings: bool) -> Any:
        """A context of `n_ctx` tokens. Raises EngineError when there is no memory for it."""
        params = self.lib.llama_context_default_params()
        params.n_ctx = n_ctx
        # An encoder aborts the process when a batch is larger than a micro-batch.
        params.n_batch = params.n_ubatch = n_batch
        params.n_threads = params.n_threads_batch = threads
        params.embeddings = embeddings
        params.no_perf = True
        context = self.lib.llama_init_from_model(self.model, params)
        if not context:
            raise EngineError("load", f"there is no memory for a context of {n_ctx} tokens")
        return context

    def tokens(self, text: str, *, control: bool, frame: bool = False) -> list[int]:
        """Token ids of `text`. With `control`, spelled-out control tokens become real ones.

        `frame` adds what the model wants around a text ([CLS] … [SEP]).
        Without `control` no control token comes out, whatever `text` spells.
        """
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        for _ in range(2):
            buffer = (self.lib.llama_token * room)()
            count = self.lib.llama_tokenize(self.vocab, data, len(data), buffer, room, frame, control)
            if count >= 0:
                break
            # Short of room, it says how much it needs.
            room = -count
        else:
            raise EngineError("tokens", "the text cannot be turned into tokens")
        found = buffer[:count]
        if control or frame:
            return list(found)
        # Some vocabularies can merge plain text into a control token after all.
        return [token for token in found if not self.is_control(token)]

    def is_control(self, token: int) -> bool:
        """Whether `token` steers the model instead of standing for text."""
        lib = self.lib
        return bool(lib.llama_vocab_is_control(self.vocab, token) or lib.llama_vocab_is_eog(self.vocab, token))

    def piece(self, token: int) -> bytes:
        """The bytes `token` stands for; nothing for a control token."""
        buffer = ctypes.create_string_buffer(256)
        size = self.lib.llama_token_to_piece(self.vocab, token, buffer, len(buffer), 0, False)
        if size < 0:
            buffer = ctypes.create_string_buffer(-size)
            size = self.lib.llama_token_to_piece(self.vocab, token, buffer, len(buffer), 0, False)
        return buffer.raw[: max(size, 0)]

    def batch(self, tokens: Sequence[int]) -> tuple[Any, Any]:
        """A batch of `tokens`, and the array it points into (to be kept alive)."""
        array = (self.lib.llama_token * len(tokens))(*tokens)
        return self.lib.llama_batch_get_one(array, len(tokens)), array
