"""Titles and fact sheets by a model that has passed its gate: it proposes, code disposes (B4).

Only for what this run has formed, the largest events first and few of them,
so that a tidy ends. A title whose names and numbers do not all stand in the
entries, or whose words mostly do not, is thrown away, and the event keeps
the one that was made of its own words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from memcli.errors import ModelFailed
from memcli.lang.words import STOP, stem, words
from memcli.llm.generate import Generator, complete
from memcli.llm.grammar import from_schema
from memcli.llm.prompt import Prompt
from memcli.log.record import Change
from memcli.projection import events
from memcli.projection.database import Database
from memcli.projection.events import Claim
from memcli.store.store import Store

MOST_WRITTEN = 12
"""Events a run that a model words: about a minute with a model of 1.5B on two cores."""
LEAST_ENTRIES = 3
COVERED = 0.75
"""The share of a title's or a fact's words that must stand in the entries."""
_TITLE_CHARS, _FACT_CHARS, _FACTS = 60, 160, 3
_MATERIAL_CHARS = 3000
_SYSTEM = (
    "You file conversations. Give a title of two to six words that says what the lines are about, and up to three "
    "facts. Use only words and names of the lines. Each fact is one short sentence with the number of its line."
)
_QUESTION = "The title and the facts of these lines, as JSON."
_SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 3, "maxLength": _TITLE_CHARS},
        "facts": {
            "type": "array",
            "maxItems": _FACTS,
            "items": {
                "type": "object",
                "properties": {
                    "line": {"type": "integer"},
                    "text": {"type": "string", "minLength": 8, "maxLength": _FACT_CHARS},
                },
            },
        },
    },
}
_NAME = re.compile(r"[^\W\d_][\w'’-]*")
_PRONOUNS = frozenset("i you he she it we they me him her us them my your his its our their".split())


@dataclass(frozen=True, slots=True)
class Worded:
    """How many events the model worded, and what went wrong with the others."""

    events: int = 0
    remark: str | None = None


def write(
    store: Store,
    db: Database,
    run: str,
    claims: Sequence[Claim],
    generator: Generator,
    out_of_time: Callable[[], bool],
) -> Worded:
    """Let the model word the largest of these events; one that fails leaves the others in their own words.

    The caller holds the tidy lock.
    """
    written = 0
    largest = sorted(claims, key=lambda claim: (-len(claim.entries), claim.event))
    for claim in [claim for claim in largest if len(claim.entries) >= LEAST_ENTRIES][:MOST_WRITTEN]:
        if out_of_time():
            break
        lines = _lines(db, claim)
        try:
            worded = reworded(claim, complete(generator, _prompt(lines)), lines)
        except ModelFailed as error:
            return Worded(written, f"{error.message} {error.hint or ''}".rstrip())
        if worded is not None:
            change = events.change_of(run, [worded], "model", "worded by the model; names and numbers were checked")
            store.decide_within(db, partial(_only, change))
            written += 1
    return Worded(written)


def _only(change: Change, _: Database) -> list[Change]:
    return [change]


def _lines(db: Database, claim: Claim) -> list[tuple[str, str]]:
    """(entry, who said it and what) of the event, as many as a prompt takes."""
    found: list[tuple[str, str]] = []
    left = _MATERIAL_CHARS
    for entry in claim.entries:
        speaker, text = db.one("SELECT speaker, text FROM entries WHERE id = ?", (entry,))
        line = " ".join(f"{speaker or 'me'}: {text}".split())[: max(0, min(600, left))]
        left -= len(line)
        if line:
            found.append((entry, line))
    return found


def _prompt(lines: Sequence[tuple[str, str]]) -> Prompt:
    material = "\n".join(f"{number}. {line}" for number, (_, line) in enumerate(lines, 1))
    return Prompt(_SYSTEM, _QUESTION, material, max_tokens=220, grammar=from_schema(_SCHEMA))


def reworded(claim: Claim, proposed: str, lines: Sequence[tuple[str, str]]) -> Claim | None:
    """The claim in the model's words, as far as the entries bear them out; None where they do not.

    A fact must stand on the one line that it names. Where none does, the
    verbatim ones stay.
    """
    try:
        value = json.loads(proposed)
        title, facts = value["title"], value["facts"]
        pairs = [(fact["line"], " ".join(fact["text"].split())) for fact in facts]
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    title = " ".join(str(title).split()).strip(" .\"'“”")
    if not title or not borne_out(title, " ".join(line for _, line in lines)):
        return None
    borne = [
        (lines[number - 1][0], text)
        for number, text in pairs
        if 0 < number <= len(lines) and borne_out(text, lines[number - 1][1]) and _PRONOUNS.isdisjoint(words(text))
    ]
    title = title[0].upper() + title[1:]
    return replace(claim, title=title, facts=tuple(dict.fromkeys(borne)) or claim.facts)


def borne_out(text: str, source: str) -> bool:
    """Whether every name and number of a text stands in the source, and nearly all its other words."""
    there = {stem(word) for word in words(source)}
    said = [word for word in words(text) if word not in STOP]
    if not said or any(char.isdigit() for word in said for char in word if stem(word) not in there):
        return False
    names = [match[0] for match in list(_NAME.finditer(text))[1:] if match[0][0].isupper()]
    if any(stem(part) not in there for name in names for part in words(name)):
        return False
    return sum(stem(word) in there for word in said) >= COVERED * len(said)
