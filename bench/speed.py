"""How fast `mem` is, against what the machine can do at that moment.

Machines are noisy, so nothing is compared across runs: the commands of one
measurement take turns (A B C A B C ...), and the bars are ratios of medians
within it. Clock, processor time and peak memory come from `time.perf_counter`
and `os.wait4`; every command is the installed `mem` in a process of its own.

    python bench/speed.py [--only start|ask|import|crowd] [--quick]

Prints a table and, as the last line, one JSON object. Always ends with 0: a
benchmark is no test.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

PYTHON = sys.executable
MEM = str(Path(PYTHON).with_name("mem"))
ENTRIES = 600
BIG, SMALL = 100_000, 10_000
WRITERS, ADDS = 16, 50

EMBED_ONCE = """
import sys
from llama_cpp import Llama
model = Llama(sys.argv[1], embedding=True, n_ctx=512, verbose=False)
model.embed("What did we decide about the harbour survey?")
"""
"""The least that any answer by meaning has to do: one process that loads the embedder and reads one text."""


# What is measured, and how


@dataclass(frozen=True)
class Run:
    """One process: seconds on the clock, seconds of processor, most memory in bytes, exit code.

    `cpu` and `peak` take in the children it waited for.
    """

    seconds: float
    cpu: float
    peak: int
    code: int


def run(command: Sequence[str], env: dict[str, str], output: Path | None = None, talk: Path | None = None) -> Run:
    """Run a command to its end, without stdin, its output and its talk into files or nowhere.

    Spawned, not forked: this process stays small, so that its own memory is
    never taken for the peak of the child.
    """
    actions: list[tuple[Any, ...]] = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(output or os.devnull), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, str(talk or os.devnull), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    begun = time.perf_counter()
    pid = os.posix_spawn(command[0], list(command), env, file_actions=actions)
    _, status, used = os.wait4(pid, 0)
    seconds = time.perf_counter() - begun
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * unit, os.waitstatus_to_exitcode(status))


def environment(home: Path, **more: str) -> dict[str, str]:
    """That of the children: this home, no colour, byte code kept as an installed program has it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MEM_", "_MEM"))}
    return {**kept, "MEM_HOME": str(home), "NO_COLOR": "1", **more}


def result(command: Sequence[str], env: dict[str, str]) -> dict[str, Any]:
    """The JSON that a command prints. Ends the benchmark where it prints none."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        done = run(command, env, Path(file.name))
        text = Path(file.name).read_text("utf-8")
    if not text:
        sys.exit(f"{' '.join(command)} ended with {done.code} and printed nothing")
    found: dict[str, Any] = json.loads(text)
    return found


@dataclass
class Series:
    """The runs of one command."""

    runs: list[Run] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        return statistics.median(one.seconds for one in self.runs)

    @property
    def cpu(self) -> float:
        return statistics.median(one.cpu for one in self.runs)

    @property
    def peak(self) -> float:
        return statistics.median(one.peak for one in self.runs)


def in_turn(commands: dict[str, Callable[[], Run]], rounds: int, warm: int = 1) -> dict[str, Series]:
    """A B C A B C ...; the first `warm` rounds are not counted."""
    series = {name: Series() for name in commands}
    for number in range(warm + rounds):
        for name, command in commands.items():
            done = command()
            if number >= warm:
                series[name].runs.append(done)
    return series


@dataclass(frozen=True)
class Result:
    """One line of the table. `at_most` says on which side of the bar it is to stay; no bar, no verdict."""

    name: str
    what: str
    measured: float
    unit: str
    bar: float | None = None
    at_most: bool = True
    more: dict[str, float] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        if self.bar is None:
            return None
        return self.measured <= self.bar if self.at_most else self.measured >= self.bar

    def row(self) -> tuple[str, str, str, str, str]:
        bar = "" if self.bar is None else f"{'≤' if self.at_most else '≥'} {_figure(self.bar)} {self.unit}"
        more = ", ".join(f"{name} {_figure(value)}" for name, value in self.more.items())
        verdict = {None: "", True: "yes", False: "NO"}[self.met]
        return self.what, f"{_figure(self.measured)} {self.unit}", bar, verdict, more


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 100 else f"{value:.2f}"


def ratio(name: str, what: str, one: Series, other: Series, bar: float) -> Result:
    """How many times as long the one takes as the other."""
    more = {"ms": one.seconds * 1000, "of ms": other.seconds * 1000, "by processor time ×": one.cpu / other.cpu}
    return Result(name, what, one.seconds / other.seconds, "×", bar, more=more)


# What it is measured on: English chat of our own making

_NAMES = "Ada Bo Carmen Dmitri Esra Femi Greta Hana Ines Jonas Kofi Lena".split()
_OPENERS = (
    "I think|We should remember that|Did you hear that|By the way,|It turns out that|Last week|Honestly,|"
    "For the record,|My sister says that|I just read that|As far as I know|Good news:"
).split("|")
_VERBS = (
    "was moved to|is now next to|needs a new part from|was sold to|got lost near|is older than|costs more than|"
    "should go back to|was painted by the people of|reminds me of|is waiting at|was praised in"
).split("|")
_THINGS = (
    "harbour survey|blue bicycle|garden fence|coffee grinder|library card|night train|kitchen clock|piano lesson|"
    "tax letter|ferry timetable|bread recipe|camera strap|rain barrel|choir rehearsal|spare key|dentist bill|"
    "walking map|paper lantern|chess club|boiler manual|seed catalogue|tennis racket|oak table|winter coat"
).split("|")
_PLACES = "Aldermere Brackwater Cindale Dorrick Elmsway Farrowby Glenholt Hexmoor Inverlay Jarrowfield Kestle".split()
_TAILS = (
    "before the end of the month|because nobody had measured it|so please do not forget|and it cost {n} crowns|"
    "since the {n}th|which surprised everyone|although we had agreed otherwise|until somebody finds the receipt|"
    "and the number on it is {n}|as Ada told us|if the weather holds|after lunch"
).split("|")


def sentences(seed: int) -> Iterator[str]:
    """Endless sentences, the same for the same seed; hardly any comes twice."""
    chance = random.Random(seed)
    choose = chance.choice
    while True:
        tail = choose(_TAILS).replace("{n}", str(chance.randrange(10, 9_999)))
        yield (
            f"{choose(_OPENERS)} the {choose(_THINGS)} {choose(_VERBS)} the {choose(_THINGS)} in {choose(_PLACES)} "
            f"{tail}, says {choose(_NAMES)}."
        )


def write_jsonl(path: Path, count: int, turns: int = 20) -> None:
    """Conversations with ids and times, one a line, as exports of chat APIs have them."""
    said = sentences(1)
    when = 1_700_000_000
    with path.open("w", encoding="utf-8") as file:
        for conversation in range(count // turns):
            messages = []
            for turn in range(turns):
                when += 37
                role = "assistant" if turn % 2 else "user"
                messages.append({"id": f"m{turn}", "role": role, "content": next(said), "created_at": when})
            file.write(json.dumps({"id": f"c{conversation}", "title": next(said)[:40], "messages": messages}) + "\n")


def write_transcript(path: Path, count: int) -> None:
    """One long conversation, a time stamp and a name before each turn."""
    said, chance = sentences(2), random.Random(3)
    when = datetime(2024, 3, 1, 8)
    with path.open("w", encoding="utf-8") as file:
        for _ in range(count):
            when += timedelta(seconds=97)
            file.write(f"[{when:%Y-%m-%d %H:%M:%S}] {chance.choice(_NAMES[:4])}: {next(said)}\n")


# The measurements


@dataclass(frozen=True)
class Scale:
    """How much is measured."""

    starts: int
    asks: int
    imports: int
    small: int
    big: int
    adds: int

    @classmethod
    def of(cls, quick: bool) -> Scale:
        return cls(9, 3, 1, 2_000, 20_000, 5) if quick else cls(41, 11, 3, SMALL, BIG, ADDS)


def home_with_chat(folder: Path) -> Path:
    """A home with 600 entries."""
    home, chat = folder / "home", folder / "chat.jsonl"
    write_jsonl(chat, ENTRIES)
    result([MEM, "import", str(chat), "--json"], environment(home))
    return home


def measure_start(folder: Path, scale: Scale) -> list[Result]:
    """What is typed most: a note, the help, the tab key."""
    home = home_with_chat(folder)
    env = environment(home)
    tab = environment(home, _MEM_COMPLETE="bash_complete", COMP_WORDS="mem a", COMP_CWORD="1")
    found = in_turn(
        {
            "python": lambda: run([PYTHON, "-c", "pass"], env),
            "add": lambda: run([MEM, "add", "x"], env),
            "pin": lambda: run([MEM, "add", "--pin", "x"], env),
            "help": lambda: run([MEM, "--help"], env),
            "tab": lambda: run([MEM], tab),
        },
        scale.starts,
        warm=3,
    )
    python = found["python"]
    return [
        ratio("add", "mem add WORDS, of an empty Python", found["add"], python, 9.0),
        ratio("add-option", "mem add --pin WORDS, of an empty Python", found["pin"], python, 9.0),
        ratio("help", "mem --help, of an empty Python", found["help"], python, 8.0),
        ratio("completion", "a completion, of an empty Python", found["tab"], python, 9.0),
    ]


def measure_ask(folder: Path, scale: Scale) -> list[Result]:
    """Evidence for a question, against the least that search by meaning takes."""
    home = home_with_chat(folder)
    env = environment(home)
    quiet = environment(home, OMP_WAIT_POLICY="passive")
    run([MEM, "init"], env)
    listed = result([MEM, "model", "list", "--json"], env)["models"]
    embedder = next((model for model in listed if model["kind"] == "embedder"), None)
    if embedder is None:
        print("mem ask: no embedder is installed, see models.txt", file=sys.stderr)
        return []
    tidied = result([MEM, "tidy", "--json"], env)
    if tidied["pending"]:
        print(f"mem ask: {tidied['pending']} entries could not be indexed by meaning", file=sys.stderr)
    path = embedder["path"]
    question = "What did we decide about the harbour survey?"
    found = in_turn(
        {
            "embed": lambda: run([PYTHON, "-c", EMBED_ONCE, path], quiet),
            "ask": lambda: run([MEM, "ask", "--no-llm", "--no-record", question], env),
        },
        scale.asks,
    )
    what = f"mem ask --no-llm on {ENTRIES} entries, of loading the embedder and reading one text"
    return [ratio("ask", what, found["ask"], found["embed"], 2.5)]


def measure_import(folder: Path, scale: Scale) -> list[Result]:
    """Messages a second into a new home, the whole process, and whether memory grows with them."""
    commands: dict[str, Callable[[], Run]] = {}
    for form, app, write in (("jsonl", "openai", write_jsonl), ("txt", "transcript", write_transcript)):
        for count in (scale.small, scale.big):
            path = folder / f"{count}.{form}"
            write(path, count)
            commands[path.name] = _import_into_new(folder, path, app, count)
    found = in_turn(commands, scale.imports, warm=0)
    results = []
    for form, title in (("jsonl", "JSON Lines"), ("txt", "a transcript")):
        small, big = found[f"{scale.small}.{form}"], found[f"{scale.big}.{form}"]
        more = {"s": big.seconds, "a second of processor": scale.big / big.cpu}
        rate = scale.big / big.seconds
        name = f"import-{form}"
        what = f"mem import of {scale.big:,} messages, {title}"
        results.append(Result(name, what, rate, "a second", 15_000, at_most=False, more=more))
        peaks = {"MB": big.peak / 1e6, "of MB": small.peak / 1e6}
        what = f"its memory, of that for {scale.small:,}"
        results.append(Result(f"{name}-memory", what, big.peak / small.peak, "×", 1.3, more=peaks))
    return results


def _import_into_new(folder: Path, path: Path, app: str, count: int) -> Callable[[], Run]:
    """An import that has to bring every message as what it is, or the figure means nothing."""
    home, printed = folder / "home", folder / "printed.json"

    def once() -> Run:
        shutil.rmtree(home, ignore_errors=True)
        done = run([MEM, "import", "--json", str(path)], environment(home), printed)
        said = json.loads(printed.read_bytes() or b"{}")
        if done.code or said.get("formats") != {app: count}:
            sys.exit(f"mem import {path.name} ended with {done.code} and read it as {said.get('formats')}")
        return done

    return once


def measure_crowd(folder: Path, scale: Scale) -> list[Result]:
    """Sixteen at once: every acknowledged note is there, once, in the log and in the index."""
    home = home_with_chat(folder)
    env = environment(home)
    runs: dict[str, Run] = {}

    def write(writer: int) -> None:
        for number in range(scale.adds):
            text = f"note {number} of writer {writer}"
            talk = folder / f"talk-{writer}"
            runs[text] = run([MEM, "add", text], env, talk=talk)
            if runs[text].code:
                print(f"{text} ended with {runs[text].code}: {talk.read_text('utf-8')}", file=sys.stderr)

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(WRITERS)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - begun
    lines = [json.loads(line) for path in (home / "log").glob("*.jsonl") for line in path.read_bytes().splitlines()]
    logged = [line["rec"]["text"] for line in lines if line["kind"] == "entry" and line["rec"]["source"] == "note"]
    listed = result([MEM, "list", "--source", "note", "-n", str(10 * len(runs)), "--json"], env)["entries"]
    indexed = [entry["text"] for entry in listed]
    acknowledged = {text for text, done in runs.items() if done.code == 0}
    waits = sorted(done.seconds for done in runs.values())
    lost = len(acknowledged - set(logged)) + len(acknowledged - set(indexed))
    doubled = len(logged) - len(set(logged)) + len(indexed) - len(set(indexed))
    what = f"{WRITERS} processes × {scale.adds} mem add"
    pace = {"adds a second": len(runs) / seconds, "p50 ms": statistics.median(waits) * 1000}
    return [
        Result("crowd-lost", f"{what}: lost", lost, "notes", 0),
        Result("crowd-doubled", f"{what}: doubled", doubled, "notes", 0),
        Result("crowd-failed", f"{what}: failed", len(runs) - len(acknowledged), "notes", 0),
        Result("crowd-p99", f"{what}: p99", waits[len(waits) * 99 // 100] * 1000, "ms", more=pace),
    ]


MEASUREMENTS: dict[str, Callable[[Path, Scale], list[Result]]] = {
    "start": measure_start,
    "ask": measure_ask,
    "import": measure_import,
    "crowd": measure_crowd,
}


def table(results: Sequence[Result]) -> str:
    """The results as text."""
    rows = [("what", "measured", "bar", "met", ""), *(one.row() for one in results)]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = ("  ".join(f"{cell:<{width}}" for cell, width in zip(row, (*widths, 0), strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def main() -> int:
    options = argparse.ArgumentParser(description="Measure the speed of mem against its bars.")
    options.add_argument("--only", choices=list(MEASUREMENTS), action="append", help="only this; may be said again")
    options.add_argument("--quick", action="store_true", help="a tenth of the work; says less")
    asked = options.parse_args()
    scale = Scale.of(asked.quick)
    results: list[Result] = []
    for name in asked.only or MEASUREMENTS:
        with tempfile.TemporaryDirectory(prefix="mem-speed-") as folder:
            results += MEASUREMENTS[name](Path(folder), scale)
    print(table(results))
    machine = {"python": platform.python_version(), "system": platform.system(), "cpus": os.cpu_count()}
    rows = [{**asdict(one), "met": one.met} for one in results]
    print(json.dumps({"version": 1, "quick": asked.quick, "machine": machine, "results": rows}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
