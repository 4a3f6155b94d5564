"""Where the exchanges before a question come from: the journal, or a text that somebody hands over (D1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memcli.clock import from_iso
from memcli.errors import BadData
from memcli.formats.source import Source
from memcli.projection.database import Database
from memcli.recall.followup.said import LOOKED_BACK, Exchange
from memcli.types import Draft

REACH_MS = 30 * 60_000
"""How long a question in a terminal may be the one that the next leans on."""
_LABEL = re.compile(r"^\s*(?P<label>q|question|a|answer)\s*[:：]\s*(?P<rest>.*)$", re.IGNORECASE)


def of_terminal(db: Database, terminal: str | None, now_ms: int) -> tuple[Exchange, ...]:
    """The last questions asked in this terminal within `REACH_MS`, newest last.

    What came back is not kept: the words of the entries that the answer cited stand for it.
    """
    if terminal is None:
        return ()
    rows = db.rows(
        "SELECT text, cited, at FROM questions WHERE terminal = ? ORDER BY id DESC LIMIT ?", (terminal, LOOKED_BACK)
    )
    recent = [(text, cited) for text, cited, at in reversed(rows) if 0 <= now_ms - from_iso(at)[0] <= REACH_MS]
    return tuple(Exchange(text, _told(db, cited)) for text, cited in recent)


def _told(db: Database, cited: str) -> str:
    rows = db.rows(
        "SELECT e.speaker, e.text FROM json_each(?) c JOIN entries e ON e.id = c.value "
        "WHERE e.state = 0 ORDER BY c.key",
        (cited,),
    )
    told = [f"{speaker}: {text}" if speaker else text for speaker, text in rows]
    return "\n".join(f"[{number}] {text}" for number, text in enumerate(told, 1))


def from_source(source: Source, question: str = "") -> tuple[Exchange, ...]:
    """The dialogue in a text, newest last: lines `Q: …` and `A: …`, messages with roles, or any transcript.

    A last message that is the question itself and has no answer yet is not
    counted: chat programs hand over the whole talk. Raises `BadData` where
    the text is no dialogue; nothing at all is one without exchanges.
    """
    if not source.head.strip():
        return ()
    labelled = _labelled(source)
    found = list(_exchanges(_spoken(source) if labelled is None else labelled))
    if found and not found[-1].answer and found[-1].question.strip() == question.strip():
        found.pop()
    return tuple(found[-LOOKED_BACK:])


def _labelled(source: Source) -> list[tuple[bool, str]] | None:
    """The turns of a sheet of questions and answers as (whether it is a question, words); None where it is none."""
    if source.start.lstrip("\ufeff \t\n")[:1] in ("{", "["):
        return None
    turns: list[tuple[bool, str]] = []
    for line in source.text().split("\n"):
        label = _LABEL.match(line)
        if label:
            turns.append((label["label"][0] in "qQ", label["rest"]))
        elif turns:
            turns[-1] = (turns[-1][0], f"{turns[-1][1]}\n{line}")
        elif line.strip():
            return None
    return turns or None


def _spoken(source: Source) -> Iterator[tuple[bool, str]]:
    """The turns of the last conversation in a source; without roles, what ends in a question mark is a question."""
    from memcli.formats.base import ParseOptions
    from memcli.formats.registry import detect, parse

    form = detect(source)
    if form.kind != "chat":
        raise BadData(
            f"{source.name} is no dialogue, it was read as {form.title}.",
            "Write lines `Q: …` and `A: …`, or give messages as JSON.",
        )
    turns: list[Draft] = []
    for item in parse(source, form, ParseOptions()):
        if isinstance(item, Draft) and item.role not in ("system", "tool"):
            if turns and (item.conversation != turns[-1].conversation or item.ordinal == 0):
                turns.clear()
            turns.append(item)
    roles = any(turn.role in ("user", "assistant") for turn in turns)
    for turn in turns:
        asks = turn.role == "user" if roles else turn.text.rstrip().endswith(("?", "？"))
        yield asks, turn.text


def _exchanges(turns: Iterable[tuple[bool, str]]) -> Iterator[Exchange]:
    """Each question with all that is said up to the next."""
    question: str | None = None
    answer: list[str] = []
    for asks, words in turns:
        if asks:
            if question is not None:
                yield Exchange(question, "\n".join(answer))
            question, answer = words.strip(), []
        elif question is not None:
            answer.append(words.strip())
    if question is not None:
        yield Exchange(question, "\n".join(answer))
