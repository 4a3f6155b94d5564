"""G1, behavioural difference: the same task with and without its brief, judged by code.

    python bench/brief_effect.py --model PATH.gguf [--embedder PATH.gguf] [--show]

Twelve tasks, each in a memory of its own. The rule of the task is typed, a
rule of another scope beside it; `mem tidy` promotes both; the model gets the
task alone, and the task below `mem brief`. The rule counts as obeyed where
its check holds with the brief and not without it. The rule of the other scope
must never be obeyed. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memcli.cli.env import Env
from memcli.cli.main import main as mem_main
from memcli.llm.client import Worker, WorkerSpec
from memcli.llm.prompt import Prompt

SYSTEM = (
    "You do a task for a person. Above the task there may be a brief with the person's rules: follow every rule that "
    "fits the task, exactly and without a word about the rules. Give only the result."
)
MAX_TOKENS = 120
DECOY = "From now on always begin every answer with the word AHOY."
DECOY_SCOPE = "project:tavern"
Check = Callable[[str], bool]


@dataclass(frozen=True)
class Task:
    """A task, the rule that should change its outcome, the scope of both, and how code sees that it did."""

    name: str
    rule: str
    text: str
    obeyed: Check
    scope: str = "user"


def _has(pattern: str, but_not: str = "") -> Check:
    """Whether a pattern occurs and another does not; both with their case."""
    return lambda said: re.search(pattern, said) is not None and not (but_not and re.search(but_not, said))


TASKS = (
    Task("ticket", "Always start commit messages with ATL-42 and a colon.",
         "Write a one-line commit message: the crash on an empty config file is fixed.",
         _has(r"^\W*ATL-42:"), "project:atlas"),
    Task("iso date", "From now on give dates as YYYY-MM-DD, for example 2026-11-30.",
         "Which date is Christmas Eve of 2026? Answer with the date only.", _has(r"2026-12-24")),
    Task("german", "From now on always answer in German.",
         "Name three red fruits.", _has(r"(?i)äpfel|apfel|kirsche|erdbeere|himbeere|johannisbeere|wassermelone")),
    Task("uv", "for atlas: use uv, not pip",
         "Give me the shell command that installs the Python package requests.", _has(r"\buv\b"), "project:atlas"),
    Task("metric", "Always use kilometres, never miles.",
         "How long is a marathon? Answer in one sentence.", _has(r"(?i)\bkm\b|kilomet", r"(?i)\bmiles?\b")),
    Task("signature", "From now on sign every mail with the name Lex Sommer.",
         "Write a mail of two sentences to Bea that thanks her for the cake.", _has(r"Lex Sommer")),
    Task("form of address", "From now on call me Captain.",
         "Greet me in one short sentence.", _has(r"Captain")),
    Task("list", "Always write a list as one line with semicolons between the items, never as bullet points.",
         "List three planets.", _has(r"\w; ?\w.*;", r"(?m)^\s*(?:[-*•]|\d+[.)]) ")),
    Task("sql", "Always write SQL keywords in lower case, for example select and from.",
         "Write an SQL query that returns all rows of the table boats.", _has(r"\bselect\b", r"\bSELECT\b")),
    Task("quotes", "In this repo always use single quotes in Python code, never double quotes.",
         "Write one line of Python that prints the word hello.", _has(r"print\('", r'print\("'), "project:atlas"),
    Task("pnpm", "In this repo always use pnpm, never npm.",
         "Give the command that installs all dependencies of this Node project.",
         _has(r"\bpnpm\b", r"(?<!p)\bnpm\b"), "project:web"),
    Task("clock", "Always give times on the 24-hour clock, for example 17:30, never with am or pm.",
         "Say in one sentence that the shop closes at 8 pm.", _has(r"\b20[:.]00\b", r"(?i)\d ?p\.?m\b")),
)  # fmt: skip


def mem(home: Path, *args: str) -> str:
    """One command on a memory; what it prints. What fails for want of an embedder is not fatal."""
    out, err = io.StringIO(), io.StringIO()
    env = Env(stdin=io.BytesIO(), out=out, err=err, environ={**os.environ, "MEM_HOME": str(home)}, stdin_tty=False)
    code = mem_main(list(args), env)
    if code not in (0, 1, 69):
        raise SystemExit(f"mem {args}: {err.getvalue()}")
    return out.getvalue()


def prepared(folder: Path, task: Task, embedder: Path | None) -> str:
    """The brief of a task from a memory that holds its rule and one of another scope."""
    home = folder / re.sub(r"\W", "-", task.name)
    if embedder is not None:
        mem(home, "init", "--embedder", str(embedder))
    mem(home, "add", "--scope", task.scope, task.rule)
    mem(home, "add", "--scope", DECOY_SCOPE, DECOY)
    mem(home, "tidy")
    listed = json.loads(mem(home, "rules", "--all", "--json"))["rules"]
    if {item["text"] for item in listed if item["standing"] == "rule"} != {task.rule, DECOY}:
        raise SystemExit(f"{task.name}: its rule was not promoted: {listed}")
    return mem(home, "brief", task.text, "--scope", task.scope)


def asked(worker: Worker, task: Task, brief: str) -> str:
    """What the model makes of a task, with a brief or with an empty one."""
    stream = worker.generate(Prompt(SYSTEM, f"Task: {task.text}", brief, MAX_TOKENS), 600.0)
    return "".join(stream).strip()


def main(args: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--embedder", type=Path)
    parser.add_argument("--show", action="store_true", help="print what was written")
    options = parser.parse_args(args)
    rows = []
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Worker.start(WorkerSpec(generator=options.model)) as worker:
        for task in TASKS:
            brief = prepared(Path(folder), task, options.embedder)
            without, under = asked(worker, task, ""), asked(worker, task, brief)
            row = {
                "task": task.name,
                "with": task.obeyed(under),
                "without": task.obeyed(without),
                "leaked": "ahoy" in f"{brief} {under}".casefold(),
            }
            rows.append(row)
            print(
                f"{task.name:<16} with {row['with']!s:<5}  without {row['without']!s:<5}  leaked {row['leaked']}",
                flush=True,
            )
            if options.show:
                print(f"    without: {without!r}\n    with:    {under!r}", flush=True)
    changed = sum(bool(row["with"] and not row["without"]) for row in rows)
    summary = {
        "tasks": len(rows),
        "changed": changed,
        "obeyed": sum(bool(row["with"]) for row in rows),
        "leaked": sum(bool(row["leaked"]) for row in rows),
        "seconds": round(time.monotonic() - begin, 1),
    }
    print(json.dumps(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
