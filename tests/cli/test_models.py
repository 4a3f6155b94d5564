"""The commands with the real models, and with files that are none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from memcli.llm.catalog import discover

from .harness import Mem

TALK = """\
[2026-03-01 10:00] Bo: I keep bees on the roof, four hives by now
[2026-03-01 10:01] Ann: mine is the garden with the plum trees
[2026-03-01 10:02] Bo: and honey for everybody in August
[2026-03-01 10:03] Ann: I will bring the jars
"""


@pytest.fixture
def mem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mem:
    """A memory whose commands find the models by themselves."""
    monkeypatch.chdir(tmp_path)
    return Mem(tmp_path / "home")


def broken(kind: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = folder / "bad.gguf"
        match kind:
            case "missing":
                return path
            case "empty":
                path.write_bytes(b"")
            case "words":
                path.write_text("this is no model")
            case "a header alone":
                path.write_bytes(b"GGUF\x03\x00\x00\x00")
            case "nonsense behind the header":
                path.write_bytes(b"GGUF\x03\x00\x00\x00" + b"\xff" * 4000)
            case "a folder":
                path.mkdir()
        return path

    return make


@pytest.mark.parametrize(
    "kind", ["missing", "empty", "words", "a header alone", "nonsense behind the header", "a folder"]
)
@pytest.mark.parametrize("option", ["--model", "--embedder"])
def test_what_is_no_model_is_refused_and_nothing_of_it_is_registered(
    mem: Mem, tmp_path: Path, kind: str, option: str
) -> None:
    mem.ok("add", "before")
    with mem.unchanged():
        result = mem.run("init", option, str(broken(kind)(tmp_path)))
    assert result.code == 69, result
    assert result.err.startswith("mem: ")
    assert len(result.err.splitlines()) == 2
    assert "bad" not in mem.run("model", "list").out


def real(kind: str) -> Path:
    for found in discover():
        if found.kind == kind:
            return found.source
    pytest.skip(f"no {kind} package is installed")


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a short talk and a note, indexed with the packaged models."""
    real("embedder"), real("generator")
    mem = Mem(tmp_path_factory.mktemp("real") / "home")
    shown = mem.ok("init", "--me", "Alex").out
    assert "all-minilm" in shown
    generator = next(line for line in shown.splitlines() if line.startswith("generator"))
    assert "smollm2" in generator
    assert generator.endswith("too few, so answers are quotes")
    mem.ok("add", stdin=TALK.encode())
    mem.ok("add", "The spare key of the boathouse hangs behind the fuse box")
    assert "0 left" in mem.ok("tidy", tty=True).out
    return mem.home


@pytest.fixture
def real_mem(ready: Path, tmp_path: Path, mem: Mem) -> Mem:
    shutil.copytree(ready, mem.home)
    for path in (mem.home / "models").glob("*.json"):
        path.write_text(path.read_text().replace(str(ready), str(mem.home)))
    return mem


@pytest.mark.model
def test_from_init_to_an_answer_with_citations(real_mem: Mem) -> None:
    value = real_mem.ok("ask", "Where does the spare key of the boathouse hang?", "--json").json
    assert value["kind"] in ("generated", "quote")
    assert "fuse box" in value["answer"]
    cited = [value["evidence"][number - 1]["text"] for number in value["cited"]]
    assert cited == ["The spare key of the boathouse hangs behind the fuse box"]
    assert value["pending"] == 0


@pytest.mark.model
@pytest.mark.parametrize("question", ["How many hives does Ann keep?", "Who is the vet of Zorblax?"])
def test_a_question_about_somebody_else_has_no_answer(real_mem: Mem, question: str) -> None:
    result = real_mem.run("ask", question)
    assert result.code == 1, result
    assert "I don't have that." in result.out.splitlines()


@pytest.mark.model
def test_without_the_generator_the_answer_is_a_quote(real_mem: Mem) -> None:
    result = real_mem.ok("ask", "--no-llm", "What does Bo keep on the roof?")
    assert result.out.startswith("Quoted: “I keep bees on the roof, four hives by now” [")
    assert result.err == ""


@pytest.mark.model
def test_a_model_that_was_damaged_later_is_told_and_everything_else_goes_on(real_mem: Mem) -> None:
    real_mem.ok("add", "one more to index")
    for path in (real_mem.home / "models").glob("*.gguf"):
        path.unlink() if path.is_symlink() else None
        path.write_bytes(b"GGUF\x03\x00\x00\x00" + os.urandom(4000))
    asked = real_mem.run("ask", "--no-llm", "What does Bo keep on the roof?")
    assert asked.code == 0
    assert "bees" in asked.out
    assert "Searched by words only." in asked.err
    assert "mem init" in asked.err
    tidied = real_mem.run("tidy")
    assert tidied.code == 69
    assert tidied.err.startswith("mem: 1 entry can be found by words only: ")
    assert len(tidied.err.splitlines()) == 1
    doctor = real_mem.run("doctor")
    assert doctor.code == 65
    assert "embedder" in doctor.out
    real_mem.ok("add", "still adding")


@pytest.mark.model
def test_the_models_are_listed_and_chosen(real_mem: Mem) -> None:
    value = real_mem.ok("model", "list", "--json").json
    assert sorted(value) == ["models", "version"]
    assert {model["kind"] for model in value["models"] if model["in_use"]} == {"embedder", "generator"}
    for model in value["models"]:
        assert sorted(model) == sorted("name kind in_use sha256 size dim known path score".split())
    name = value["models"][0]["name"]
    assert name in real_mem.ok("model", "use", name).out


@pytest.mark.model
def test_doctor_finds_everything_well(real_mem: Mem) -> None:
    result = real_mem.ok("doctor")
    assert "bad" not in [line.split()[0] for line in result.out.splitlines()]
