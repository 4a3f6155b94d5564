"""The parent's side, against a worker that does its worst."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memcli.errors import ModelFailed
from memcli.llm.client import EMBED_CHARS, Worker, WorkerSpec
from memcli.llm.prompt import Prompt

HOSTILE = Path(__file__).with_name("hostile.py")
SPEC = WorkerSpec(embedder=Path("e.gguf"), generator=Path("g.gguf"), load_deadline_s=20.0)
HASTY = replace(SPEC, load_deadline_s=0.6)
PROMPT = Prompt("Be brief.", "Why?")
DEADLINE_S = 0.3

BAD_MANNERS = (
    "hang", "segv", "exit", "flood", "flood of pieces", "flood about others", "cut json", "noise", "binary",
    "deep json", "huge number", "strange id", "no id", "not an object", "nothing said", "wrong types", "trickle",
    "hang at load", "deaf",
)  # fmt: skip


def start(manner: str, log: Path | None = None, spec: WorkerSpec = SPEC) -> Worker:
    return Worker.start(spec, log, [sys.executable, "-I", "-S", str(HOSTILE), manner])


def is_gone(pid: int) -> bool:
    """Not running, and not left as a zombie of ours."""
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


ASKS: dict[str, Callable[[Worker], object]] = {
    "embed": lambda worker: worker.embed_one("a text", DEADLINE_S),
    "generate": lambda worker: list(worker.generate(PROMPT, DEADLINE_S)),
    "yes_no": lambda worker: worker.yes_no(PROMPT, DEADLINE_S),
}


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("manner", BAD_MANNERS)
def test_a_worker_that_misbehaves_is_a_failed_model_in_time_and_gone(manner: str, ask: str) -> None:
    began = time.monotonic()
    with start(manner, spec=HASTY) as worker, pytest.raises(ModelFailed) as caught:
        ASKS[ask](worker)
    assert time.monotonic() - began < HASTY.load_deadline_s + DEADLINE_S + 2
    assert is_gone(worker.pid)
    assert "\n" not in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("manner", ["wrong length", "nan", "infinite"])
def test_a_vector_that_is_not_a_unit_vector_never_comes_out(manner: str) -> None:
    with start(manner) as worker, pytest.raises(ModelFailed, match="vector"):
        worker.embed_one("a text", DEADLINE_S)


def test_a_worker_that_reads_nothing_cannot_block_the_parent() -> None:
    began = time.monotonic()
    with start("hang") as worker, pytest.raises(ModelFailed):
        list(worker.embed(["x" * EMBED_CHARS] * 100, DEADLINE_S))
    assert time.monotonic() - began < DEADLINE_S + 2


def test_after_a_failure_every_request_fails_at_once() -> None:
    with start("segv") as worker:
        for _ in range(2):
            with pytest.raises(ModelFailed):
                worker.embed_one("a text", DEADLINE_S)


def test_an_error_that_is_told_leaves_the_worker_running_and_no_control_characters() -> None:
    with start("told error") as worker:
        with pytest.raises(ModelFailed) as caught:
            worker.embed_one("a text", DEADLINE_S)
        assert worker.ping() == "none"
    assert caught.value.message.isprintable()


def test_starting_returns_at_once_though_the_model_loads_forever() -> None:
    began = time.monotonic()
    with start("hang at load"):
        assert time.monotonic() - began < 5


def test_a_program_that_is_not_there_is_a_failed_model() -> None:
    with pytest.raises(ModelFailed, match="cannot be started"):
        Worker.start(SPEC, None, ["/no/such/program"])


def test_no_model_chosen_is_said_so() -> None:
    command = [sys.executable, "-I", "-S", str(HOSTILE), "good"]
    with Worker.start(WorkerSpec(), None, command) as worker:
        with pytest.raises(ModelFailed, match="No embedder is chosen"):
            worker.embed_one("a text")
        with pytest.raises(ModelFailed, match="No generator is chosen"):
            worker.generate(PROMPT)


def test_vectors_come_in_the_order_of_the_texts() -> None:
    with start("good") as worker:
        tokens = [found.tokens for found in worker.embeddings("x" * size for size in range(1, 40))]
    assert tokens == list(range(1, 40))


def test_a_text_beyond_what_is_sent_says_that_it_was_cut() -> None:
    with start("good") as worker:
        assert worker.embed_one("x" * (EMBED_CHARS + 1)).cut
        assert not worker.embed_one("x" * EMBED_CHARS).cut


def test_an_iteration_left_early_does_not_confuse_the_next() -> None:
    with start("good") as worker:
        for found in worker.embeddings(["aa", "bbb", "cccc"]):
            assert found.tokens == 2
            break
        assert worker.embed_one("ddddd").tokens == 5


def test_a_text_with_lone_surrogates_can_be_sent() -> None:
    with start("good") as worker:
        assert worker.embed_one("a\ud800b").tokens == 3


def test_an_answer_streams_and_tells_how_it_ended() -> None:
    with start("good") as worker:
        generation = worker.generate(PROMPT)
        with pytest.raises(RuntimeError):
            _ = generation.finish
        assert list(generation) == ["he", "llo"]
        assert generation.finish.reason == "stop"
        assert worker.yes_no(PROMPT).share == pytest.approx(0.75)


def test_a_cut_answer_says_length() -> None:
    with start("length") as worker:
        generation = worker.generate(PROMPT)
        list(generation)
    assert generation.finish.reason == "length"


def test_text_that_comes_out_can_always_be_encoded() -> None:
    with start("surrogate") as worker:
        "".join(worker.generate(PROMPT)).encode()


def test_an_answer_given_up_does_not_confuse_the_next_request() -> None:
    with start("endless") as worker:
        generation = worker.generate(PROMPT, 5.0)
        assert next(iter(generation)) == "first"
        generation.close()
        assert worker.ping() == "none"


def test_an_answer_nobody_reads_can_be_given_up() -> None:
    with start("good") as worker:
        worker.generate(PROMPT).close()
        assert "".join(worker.generate(PROMPT)) == "hello"


def test_what_the_worker_says_goes_to_its_log_and_never_to_ours(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "worker.log"
    previous = os.umask(0)
    try:
        with start("talk", log) as worker:
            worker.embed_one("a text")
    finally:
        os.umask(previous)
    assert log.read_text() == "noise on stdout\nnoise on stderr\n"
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert capfd.readouterr() == ("", "")


def test_a_log_that_cannot_be_written_does_not_matter(tmp_path: Path) -> None:
    with start("talk", tmp_path / "no" / "such" / "folder.log") as worker:
        worker.embed_one("a text")


def test_a_log_that_grew_too_long_starts_anew(tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    log.write_bytes(b"x" * (2 << 20))
    with start("talk", log) as worker:
        worker.embed_one("a text")
    assert log.stat().st_size < 100


def test_importing_the_client_imports_nothing_heavy() -> None:
    code = "import memcli.llm.client, sys; print(*sys.modules)"
    root = str(Path(__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert not {"llama_cpp", "numpy", "gguf", "safetensors", "subprocess", "asyncio", "socket"} & set(
        done.stdout.split()
    )


def test_nothing_is_left_open_after_many_workers() -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(20):
        start("good").close()
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_missing_llama_cpp_is_a_failed_model_with_a_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if "site-packages" not in entry])
    with Worker.start(SPEC, tmp_path / "log") as worker, pytest.raises(ModelFailed) as caught:
        worker.embed_one("a text")
    assert caught.value.hint is not None
    assert "llama-cpp-python" in caught.value.hint


STRANGE_PACKAGE = {
    "__init__.py": "import typing_extensions\n",
    "llama_cpp.py": """
from typing_extensions import Literal
import llama_cpp
assert llama_cpp.typing_extensions
llama_log_callback = lambda function: function
llama_log_set = lambda function, data: None
llama_backend_init = lambda: None
marker = "whole"
""",
}


def test_bindings_that_need_their_whole_package_get_it(tmp_path: Path) -> None:
    (tmp_path / "llama_cpp").mkdir()
    for name, text in STRANGE_PACKAGE.items():
        (tmp_path / "llama_cpp" / name).write_text(text)
    (tmp_path / "typing_extensions.py").write_text("Literal = 1\n")
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
from memcli.llm.native import bindings
print(bindings().marker)
"""
    root = str(Path(__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root)
    assert done.stdout == "whole\n", done.stderr
