"""The real worker with the real models."""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memcli.errors import ModelFailed
from memcli.llm.catalog import Catalog
from memcli.llm.client import Worker, WorkerSpec
from memcli.llm.embed import WorkerEmbedder
from memcli.llm.generate import WorkerGenerator, complete
from memcli.llm.grammar import from_schema
from memcli.llm.prompt import Prompt

pytestmark = pytest.mark.model

ROOT = Path(__file__).parents[2]
SYSTEM = "You answer in one short sentence, from the evidence, and nothing else. " * 2
ASK = Prompt(SYSTEM, "Where does Anna live?", "2021-03-04 Anna: I live in Bern now.", max_tokens=12)


def sha256(path: Path) -> str:
    import hashlib

    return hashlib.sha256(path.read_bytes()).hexdigest()


# Embedding.


def test_vectors_have_length_one_and_near_texts_are_near(worker: Worker) -> None:
    pie, cake, bridge = worker.embed(["I baked an apple pie", "She made a cake with apples", "The bridge is closed"])
    assert all(math.fsum(x * x for x in vector) == pytest.approx(1.0, abs=1e-5) for vector in (pie, cake, bridge))
    assert dot(pie, cake) > dot(pie, bridge) + 0.2


def dot(a: list[float], b: list[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def test_a_long_text_is_cut_and_says_so(worker: Worker) -> None:
    assert worker.embed_one("word " * 510).cut is False
    found = worker.embed_one("word " * 600)
    assert (found.cut, found.tokens) == (True, 512)


def test_the_same_text_gives_the_same_vector_whatever_came_before(worker: Worker) -> None:
    first = worker.embed_one("Where is the key?").vector
    worker.embed_one("word " * 600)
    assert worker.embed_one("Where is the key?").vector == first


@pytest.mark.parametrize(
    "text", ["", " ", "\0", "\x1b[31m", "\ud800", "[CLS] [SEP] [MASK]", "\u200b" * 2_000, "a" * 20_000]
)
def test_any_text_gets_a_vector(worker: Worker, text: str) -> None:
    assert len(worker.embed_one(text).vector) == 384


def test_a_spelled_out_mark_is_not_the_mark(worker: Worker) -> None:
    # As one control token each, these would be 3 tokens and two of the frame.
    assert worker.embed_one("[SEP] [SEP] [CLS]").tokens > 5


def test_an_embedder_by_protocol(worker: Worker, minilm: Path, tmp_path: Path) -> None:
    model = Catalog(tmp_path).register(minilm, "embedder")
    embedder = WorkerEmbedder(worker, model)
    assert (embedder.dim, embedder.model) == (384, sha256(minilm))
    assert len(next(embedder.embed(["hello"]))) == embedder.dim


# Damaged files.


@pytest.fixture
def damaged(minilm: Path, tmp_path: Path) -> Iterator[Path]:
    yield Path(shutil.copy(minilm, tmp_path / "damaged.gguf"))


def embed_with(path: Path) -> list[float] | None:
    """A vector by the model in `path`, None when it failed as it should."""
    try:
        with Worker.start(WorkerSpec(embedder=path)) as worker:
            return worker.embed_one("Anna lives in Bern", 20.0).vector
    except ModelFailed as error:
        assert error.hint
        return None


def test_a_truncated_file_is_a_failed_model(damaged: Path) -> None:
    for size in (0, 3, 1_000, 2_000_000, damaged.stat().st_size - 1):
        os.truncate(damaged, size) if size < damaged.stat().st_size else None
        assert embed_with(damaged) is None


def test_noise_in_the_header_or_the_tensors_gives_no_vector_that_is_not_numbers(damaged: Path) -> None:
    whole = damaged.read_bytes()
    chance = random.Random(11)
    failed = 0
    for _ in range(24):
        start = chance.choice((8, 1_500_000, 5_000_000, 14_000_000))
        at, size = start + chance.randrange(200_000), chance.choice((16, 4_096, 200_000))
        with damaged.open("r+b") as file:
            file.seek(at)
            file.write(chance.randbytes(size))
        vector = embed_with(damaged)
        failed += vector is None
        assert vector is None or math.fsum(x * x for x in vector) == pytest.approx(1.0, abs=1e-3)
        with damaged.open("r+b") as file:
            file.seek(at)
            file.write(whole[at : at + size])
    assert failed
    assert embed_with(damaged) is not None


def test_a_generator_is_no_embedder_and_the_other_way_round(minilm: Path, smollm: Path) -> None:
    with Worker.start(WorkerSpec(embedder=smollm, generator=minilm)) as worker, pytest.raises(ModelFailed):
        worker.embed_one("hello", 10.0)
    with Worker.start(WorkerSpec(generator=minilm)) as worker, pytest.raises(ModelFailed):
        list(worker.generate(ASK))


def test_a_load_that_failed_is_tried_again_and_fails_again(tmp_path: Path) -> None:
    with Worker.start(WorkerSpec(embedder=tmp_path / "nothing.gguf")) as worker:
        for _ in range(2):
            with pytest.raises(ModelFailed) as caught:
                worker.embed_one("hello", 5.0)
            assert caught.value.hint is not None
            assert "mem init" in caught.value.hint


# Writing.


def test_an_answer_streams_within_its_tokens(worker: Worker) -> None:
    generation = worker.generate(ASK)
    pieces = list(generation)
    assert len(pieces) > 1
    assert generation.finish.tokens <= ASK.max_tokens
    assert generation.finish.cut == 0


def test_the_same_prompt_gives_the_same_answer(worker: Worker) -> None:
    first = "".join(worker.generate(ASK))
    list(worker.generate(Prompt("Other.", "What else?", max_tokens=3)))
    assert "".join(worker.generate(ASK)) == first


def test_too_few_tokens_are_length(worker: Worker) -> None:
    generation = worker.generate(Prompt(SYSTEM, "Tell a long story.", max_tokens=4))
    list(generation)
    assert (generation.finish.reason, generation.finish.tokens) == ("length", 4)


def test_material_that_is_too_long_loses_its_end_and_says_how_much(worker: Worker) -> None:
    generation = worker.generate(Prompt(SYSTEM, "What was said?", "Anna ate an apple. " * 300, max_tokens=8))
    list(generation)
    assert generation.finish.cut > 500
    assert generation.finish.prompt_tokens + 8 == 512


def test_a_question_that_is_too_long_is_refused_and_the_next_one_answered(worker: Worker) -> None:
    with pytest.raises(ModelFailed, match="does not fit") as caught:
        list(worker.generate(Prompt(SYSTEM, "Why? " * 2_000)))
    assert caught.value.hint == "Ask in fewer words."
    assert list(worker.generate(ASK))


def test_json_comes_out_as_the_schema_says(worker: Worker) -> None:
    schema = {
        "type": "object",
        "properties": {
            "who": {"type": "string", "maxLength": 20},
            "places": {"type": "array", "items": {"type": "string", "maxLength": 12}, "maxItems": 2},
            "year": {"type": "integer"},
            "sure": {"enum": ["yes", "no"]},
            "note": {"anyOf": [{"type": "null"}, {"type": "string", "maxLength": 8}]},
        },
    }
    prompt = Prompt("Answer in JSON.", "Who lives where?", "Anna: I live in Bern.", 200, from_schema(schema))
    model = "0" * 64
    found = json.loads(complete(_Direct(worker, model), prompt))
    assert list(found) == list(schema["properties"])
    assert isinstance(found["year"], int)
    assert found["sure"] in ("yes", "no")
    assert len(found["places"]) <= 2


class _Direct:
    """A generator that is the worker itself."""

    def __init__(self, worker: Worker, model: str) -> None:
        self.model = model
        self.stream = worker.generate
        self.yes_no = worker.yes_no


def test_a_grammar_that_cannot_be_read_is_refused(worker: Worker) -> None:
    with pytest.raises(ModelFailed, match="grammar"):
        list(worker.generate(Prompt(SYSTEM, "Why?", grammar="root ::= (")))
    assert list(worker.generate(ASK))


def test_yes_and_no_are_probabilities(worker: Worker) -> None:
    found = worker.yes_no(Prompt("Answer yes or no.", "Is the sky blue?"))
    assert 0 < found.yes < 1
    assert 0 < found.no < 1
    assert found.yes + found.no <= 1


def test_an_answer_given_up_leaves_the_worker_free(worker: Worker) -> None:
    generation = worker.generate(Prompt(SYSTEM, "Count to one thousand.", max_tokens=400))
    next(iter(generation))
    generation.close()
    began = time.monotonic()
    worker.ping()
    assert time.monotonic() - began < 3


def test_embedding_goes_on_between_answers(worker: Worker) -> None:
    before = worker.embed_one("Where is the key?").vector
    list(worker.generate(ASK))
    assert worker.embed_one("Where is the key?").vector == before


def test_a_generator_by_protocol(worker: Worker, smollm: Path, tmp_path: Path) -> None:
    model = Catalog(tmp_path).register(smollm, "generator")
    generator = WorkerGenerator(worker, model)
    assert generator.model == sha256(smollm)
    assert 0 <= generator.yes_no(ASK).share <= 1


# Prefix states.


@pytest.fixture
def cached(smollm: Path, tmp_path: Path) -> WorkerSpec:
    return WorkerSpec(generator=smollm, generator_sha256="ab" * 32, prefix_dir=tmp_path, n_ctx=1024)


def answer_with(spec: WorkerSpec, prompt: Prompt = ASK) -> tuple[str, str]:
    with Worker.start(spec) as worker:
        generation = worker.generate(prompt)
        text = "".join(generation)
    return text, generation.finish.prefix


def test_an_answer_is_the_same_whether_its_prefix_was_built_loaded_or_kept(cached: WorkerSpec, tmp_path: Path) -> None:
    assert cached.prefix_dir is not None
    built, how = answer_with(cached)
    assert how == "built"
    (file,) = tmp_path.iterdir()
    assert file.name.startswith("prefix-abababababababab-")
    assert file.stat().st_mode & 0o777 == 0o600
    with Worker.start(cached) as worker:
        ways = []
        for _ in range(2):
            generation = worker.generate(ASK)
            assert "".join(generation) == built
            ways.append(generation.finish.prefix)
    assert ways == ["loaded", "kept"]


def test_a_prefix_file_holds_the_same_bytes_whatever_was_asked(cached: WorkerSpec, tmp_path: Path) -> None:
    answer_with(cached)
    (file,) = tmp_path.iterdir()
    first = file.read_bytes()
    file.unlink()
    answer_with(cached, Prompt(SYSTEM, "Something else?", "A secret canary.", max_tokens=4))
    assert file.read_bytes() == first


@pytest.fixture(scope="module")
def built(smollm: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """An answer and the prefix file it left."""
    folder = tmp_path_factory.mktemp("prefix")
    text, _ = answer_with(WorkerSpec(generator=smollm, generator_sha256="ab" * 32, prefix_dir=folder, n_ctx=1024))
    (file,) = folder.iterdir()
    return text, file


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "link"])
def test_a_damaged_prefix_file_is_ignored_and_made_anew(
    cached: WorkerSpec, built: tuple[str, Path], tmp_path: Path, damage: str
) -> None:
    text, original = built
    file, whole = tmp_path / original.name, original.read_bytes()
    if damage == "link":
        file.symlink_to(original)
    else:
        middle = len(whole) // 2
        flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
        file.write_bytes({"empty": b"", "cut": whole[:middle], "flipped": flipped}[damage])
    assert answer_with(cached) == (text, "built")
    assert not file.is_symlink()
    assert file.read_bytes() == whole


def test_a_folder_that_is_not_there_only_costs_time(cached: WorkerSpec, smollm: Path, tmp_path: Path) -> None:
    spec = WorkerSpec(generator=smollm, generator_sha256="ab" * 32, prefix_dir=tmp_path / "no", n_ctx=1024)
    assert answer_with(spec)[1] == "built"


def test_a_prefix_can_be_got_ready_ahead(cached: WorkerSpec) -> None:
    with Worker.start(cached) as worker:
        worker.prepare(SYSTEM)
        generation = worker.generate(ASK)
        list(generation)
    assert generation.finish.prefix == "kept"


def test_only_the_newest_prefix_files_stay(cached: WorkerSpec, tmp_path: Path) -> None:
    with Worker.start(cached) as worker:
        for number in range(11):
            list(worker.generate(Prompt(f"Prompt {number}.", "Why?", max_tokens=1)))
    assert len(list(tmp_path.iterdir())) == 8


# The process.

PARENT = """
import sys, threading, time
from pathlib import Path
from memcli.llm.client import Worker, WorkerSpec
from memcli.llm.prompt import Prompt

def start():
    global worker
    worker = Worker.start(WorkerSpec(Path(sys.argv[1]), Path(sys.argv[2]), n_ctx=4096))

if sys.argv[3] == "thread":
    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
else:
    start()
worker.embed_one("hello")
worker.wait_ready("generator")
print(worker.pid, flush=True)
if sys.argv[3] == "busy":
    list(worker.generate(Prompt("Be brief.", "Why?", "word " * 3000, max_tokens=500)))
time.sleep(60)
"""


@pytest.mark.parametrize("manner", ["idle", "busy", "thread"])
def test_the_worker_is_gone_within_a_second_of_its_parent(minilm: Path, smollm: Path, manner: str) -> None:
    command = [sys.executable, "-c", PARENT, str(minilm), str(smollm), manner]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        time.sleep(0.3)
        assert runs(pid)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        began = time.monotonic()
        while runs(pid) and time.monotonic() - began < 5:
            time.sleep(0.02)
        assert time.monotonic() - began < 1


def runs(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return bool(done.stdout.strip()) and not done.stdout.startswith("Z")


def test_the_worker_is_as_nice_as_it_was_told(minilm: Path) -> None:
    with Worker.start(WorkerSpec(embedder=minilm, nice=10)) as worker:
        worker.ping()
        assert os.getpriority(os.PRIO_PROCESS, worker.pid) == os.getpriority(os.PRIO_PROCESS, 0) + 10


TRACED = """
import sys
from pathlib import Path
from memcli.llm.client import Worker, WorkerSpec
from memcli.llm.prompt import Prompt
spec = WorkerSpec(Path(sys.argv[1]), Path(sys.argv[2]), "ab" * 32, Path(sys.argv[3]), n_ctx=512)
with Worker.start(spec, Path(sys.argv[3]) / "log") as worker:
    worker.embed_one("hello")
    list(worker.generate(Prompt("Be brief.", "Why?", max_tokens=3)))
"""


def test_the_worker_opens_no_socket_starts_no_program_and_writes_only_what_it_may(
    minilm: Path, smollm: Path, tmp_path: Path
) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    trace = tmp_path / "trace"
    calls = "trace=%network,%process,%file,ftruncate"
    command = ["strace", "-f", "-e", calls, "-o", str(trace), sys.executable, "-B", "-c", TRACED]
    done = subprocess.run([*command, str(minilm), str(smollm), str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    if "ptrace" in done.stderr and done.returncode:
        pytest.skip("strace may not trace here")
    assert done.returncode == 0, done.stderr
    lines = [line.split(maxsplit=1) for line in trace.read_text().splitlines()]
    parent = lines[0][0]
    theirs = [call for pid, call in lines if pid != parent]
    assert not [call for call in theirs if call.startswith(("socket", "connect", "bind", "sendto", "fork", "vfork"))]
    assert len([call for call in theirs if call.startswith("execve")]) == 1
    assert not [call for call in theirs if call.startswith("clone") and "CLONE_THREAD" not in call]
    written = [call for call in theirs if call.startswith("open") and ("O_WRONLY" in call or "O_RDWR" in call)]
    allowed = (f'"{tmp_path}/log"', f'"{tmp_path}/.prefix-')
    assert written
    assert all(any(place in call for place in allowed) for call in written), written
