"""Which generator `mem ask` starts at all, and who says why not."""

from __future__ import annotations

from pathlib import Path

import pytest
from llm.ggufs import tiny_gguf

from memcli.answering import gate
from memcli.cli import models
from memcli.cli.env import Env
from memcli.llm.catalog import Catalog, Model, Score

from .harness import Mem


@pytest.fixture
def mem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mem:
    """A memory in which no packaged model is looked for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Catalog, "install", lambda self, progress=None: [])
    return Mem(tmp_path / "home")


@pytest.fixture
def catalog(mem: Mem) -> Catalog:
    mem.ok("init")
    return Catalog(mem.home)


@pytest.fixture
def model(catalog: Catalog, tmp_path: Path) -> Model:
    return catalog.register(tiny_gguf(tmp_path / "writer.gguf", embedder=False), "generator")


def score(right: int) -> Score:
    return Score(right, 20, gate.edition())


def started(mem: Mem) -> bool:
    env = Env(environ={"MEM_HOME": str(mem.home)})
    with models.models(env, generator=True) as ready:
        return ready.generator is not None


def test_only_a_generator_that_passed_is_started(mem: Mem, catalog: Catalog, model: Model) -> None:
    assert not started(mem)
    catalog.keep_score(model, score(9))
    assert not started(mem)
    catalog.keep_score(model, score(20))
    assert started(mem)


@pytest.mark.parametrize(
    ("right", "says", "step"),
    [(None, "not tested, so answers are quotes", "mem model test"), (9, "9 of 20, too few", "mem init")],
)
def test_doctor_says_why_a_generator_is_not_trusted(
    mem: Mem, catalog: Catalog, model: Model, right: int | None, says: str, step: str
) -> None:
    if right is not None:
        catalog.keep_score(model, score(right))
    check = next(item for item in mem.ok("doctor", "--json").json["checks"] if item["name"] == "generator")
    assert check["level"] == "note"
    assert says in check["text"]
    assert check["step"].startswith(step)


def test_doctor_is_content_with_one_that_passed(mem: Mem, catalog: Catalog, model: Model) -> None:
    catalog.keep_score(model, score(20))
    check = next(item for item in mem.ok("doctor", "--json").json["checks"] if item["name"] == "generator")
    assert (check["level"], check["step"]) == ("ok", None)


def test_asking_with_an_untrusted_generator_quotes_and_says_nothing(mem: Mem, catalog: Catalog, model: Model) -> None:
    mem.ok("add", "The spare key hangs behind the fuse box")
    result = mem.ok("ask", "Where does the spare key hang?")
    assert result.out.startswith("Quoted: “The spare key hangs behind the fuse box”")
    assert result.err == ""


def test_the_list_shows_the_score(mem: Mem, catalog: Catalog, model: Model) -> None:
    assert "not tested" in mem.ok("model", "list").out
    assert mem.ok("model", "list", "--json").json["models"][0]["score"] is None
    catalog.keep_score(model, score(17))
    assert "17 of 20" in mem.ok("model", "list", columns=120).out
    assert mem.ok("model", "list", "--json").json["models"][0]["score"] == {"right": 17, "of": 20, "passed": True}


def test_init_tests_a_small_generator_and_says_when_that_failed(mem: Mem, tmp_path: Path) -> None:
    path = tiny_gguf(tmp_path / "writer.gguf", embedder=False)  # a header, and nothing that could write
    shown = mem.ok("init", "--model", str(path)).out
    assert "writer: not tested (" in shown
    assert shown.rstrip().endswith("so answers are quotes until `mem model test`")


def test_init_leaves_a_large_generator_to_the_person(mem: Mem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "QUICK_BYTES", 10)
    path = tiny_gguf(tmp_path / "writer.gguf", embedder=False)
    shown = mem.ok("init", "--model", str(path)).out
    assert "writer: not tested, so answers are quotes until `mem model test`" in shown


def test_a_test_keeps_the_score_and_tells_what_was_missed(
    mem: Mem, catalog: Catalog, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    from contextlib import nullcontext

    monkeypatch.setattr(models.Worker, "start", lambda spec, log: nullcontext())
    monkeypatch.setattr(gate, "said", lambda generator, case, first=False: "nonsense" if not case.needs else None)
    result = mem.run("model", "test", "writer")
    assert result.code == 1
    assert "miss  What colour did Tomas paint the shed?" in result.out
    of = len(gate.CASES)
    assert result.out.endswith(f"writer: 0 of {of}: too few, so answers are quotes\n")
    assert catalog.score(model) == Score(0, of, gate.edition())
    value = mem.run("model", "test", "--json").json
    assert value["score"] == {"right": 0, "of": of, "passed": False}
    assert len(value["missed"]) == of


def test_there_is_nothing_to_test_without_a_generator(mem: Mem) -> None:
    mem.ok("init")
    result = mem.run("model", "test")
    assert result.code == 1
    assert result.err.startswith("mem: No generator is chosen.")
