"""Whether a generator may answer: it is tested once, and the score stays with its file's sha256.

The same prompt and the same support check as in `mem ask`. What a model
writes where the notes hold no answer counts against it, so that one which
always writes something fails, and so does one which never does.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache

from memcli.answering import prompt
from memcli.answering.answer import check
from memcli.answering.cases import CASES, Case
from memcli.answering.writing import write
from memcli.clock import from_iso
from memcli.errors import ModelFailed
from memcli.lang.words import has_cjk, words
from memcli.llm.catalog import Score
from memcli.llm.generate import Generator
from memcli.recall.search import Evidence
from memcli.types import Entry, Moment

BAR = 0.75
"""The share of cases a generator must get right.

Measured: SmolLM2-135M-Instruct Q4_1 18 of 28, Qwen2.5-Coder-1.5B-Instruct Q4_K_M 24 of 28. Copying the best note gets
fewer than 21, and so does never answering.
"""

QUICK_BYTES = 600_000_000
"""A model file of at most this size is tested by `mem init` itself: that takes less than a minute."""


@lru_cache(maxsize=1)
def edition() -> str:
    """Names this test: another prompt or other cases make older scores void."""
    return (
        f"{zlib.crc32(repr((prompt.SYSTEM, prompt.LIKELY, prompt.LIST, *prompt.HINTS.values(), CASES)).encode()):08x}"
    )


def passes(score: Score | None) -> bool:
    """Whether a generator with this score is trusted; one that was never tested is not."""
    return current(score) and score is not None and score.right >= BAR * score.of


def current(score: Score | None) -> bool:
    """Whether the score is one of this test, not of an earlier one."""
    return score is not None and score.edition == edition()


def run(generator: Generator, update: Callable[[int, int | None], None] | None = None) -> tuple[Score, list[bool]]:
    """Test a generator; the score, and which cases were right. Raises `ModelFailed` where the model fails at once.

    A model that fails on a single case (by never ending, say) has it wrong.
    """
    right = []
    for number, case in enumerate(CASES):
        if update is not None:
            update(number, len(CASES))
        right.append(judge(case, said(generator, case, first=number == 0)))
    return Score(sum(right), len(CASES), edition()), right


def said(generator: Generator, case: Case, *, first: bool = False) -> str | None:
    """What would be shown as the model's answer to a case, None where nothing would be."""
    evidence = pieces(case)
    names = sorted({item.entry.speaker for item in evidence if item.entry.speaker})
    try:
        text = write(generator, prompt.build(case.question, evidence))
    except ModelFailed:
        if first:
            raise
        return None
    shown = check(text, case.question, evidence, names)
    return None if shown is None else shown.text


def judge(case: Case, answer: str | None) -> bool:
    """Whether this is the right answer, or rightly none."""
    if answer is None:
        return not case.needs
    return (
        bool(case.needs)
        and all(any(_has(answer, spelling) for spelling in need.split("|")) for need in case.needs)
        and not any(_has(answer, spoil) for spoil in case.spoils)
    )


def _has(text: str, wanted: str) -> bool:
    if has_cjk(wanted):
        return wanted in text
    return f" {' '.join(words(wanted))} " in f" {' '.join(words(text))} "


def pieces(case: Case) -> Sequence[Evidence]:
    """The notes of a case as evidence."""
    return [_piece(number, note) for number, note in enumerate(case.notes)]


def _piece(number: int, note: str) -> Evidence:
    head, text = note.split(": ", 1)
    day, hour, speaker = head.split(" ", 2)
    moment = Moment(from_iso(f"{day}T{hour}:00")[0], "minute", None, True)
    key = f"case:{number}"
    return Evidence(Entry(key, "", "", number, key, text, moment.ms, speaker, "other", "other", moment), 0.0, {})
