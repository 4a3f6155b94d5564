"""Reading with a model: it proposes facts of a window of turns, each with the words it rests on; code disposes (B2).

Dates are anchored and speakers named before the model reads. What it writes
is taken apart and checked here and in `govern/verify`: a fact that is not
JSON, quotes nothing, names nobody, or uses words that its turn does not have
is dropped and counted. A relation is never taken from a model, so nothing it
proposes can retire anything.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast

from memcli.extract.context import Found
from memcli.lang.words import content_terms, stem, words
from memcli.llm.generate import Generator, complete
from memcli.llm.grammar import from_schema
from memcli.llm.prompt import Prompt
from memcli.memories import CLASSES, Class, Quote, Statement
from memcli.recall.dating import dated
from memcli.types import Entry

WINDOW = 6
MOST = 6
RELATION = "told"
MAX_TOKENS = 420
_CARRIED = 0.6
"""The share of a fact's words that must stand in the turn it cites or in the one before."""
_TURN_CHARS = 600
SYSTEM = (
    "You read numbered turns of a talk and note what is worth remembering for years: who somebody is, what they have, "
    "like, plan, decided, did, or want done. Each fact is one short sentence about one thing. It begins with the name "
    "of the person it is about, never with I, you, he, she or they. Use dates as they are given, never words such as "
    "today or next week. Copy the words it rests on exactly from one turn, without changing a letter. Note nothing for "
    "greetings, thanks, questions, jokes, wishes and advice. Answer with a JSON list, empty if there is nothing."
)
_SCHEMA: Mapping[str, Any] = {
    "type": "array",
    "maxItems": MOST,
    "items": {
        "type": "object",
        "properties": {
            "turn": {"type": "integer"},
            "quote": {"type": "string", "minLength": 3, "maxLength": 200},
            "fact": {"type": "string", "minLength": 5, "maxLength": 160},
            "class": {"enum": list(CLASSES)},
        },
    },
}
_GRAMMAR = from_schema(_SCHEMA)


def prompt(turns: Sequence[Entry], names: Mapping[str, str]) -> Prompt:
    """What the model is given: the turns with day and speaker. `names` says whom "I" means, by entry id."""
    lines = [
        f"[{number}] {names.get(turn.id, 'someone')}: {_clip(dated(turn))}" for number, turn in enumerate(turns, 1)
    ]
    return Prompt(SYSTEM, "JSON list of facts:", "\n".join(lines), MAX_TOKENS, _GRAMMAR)


def read(generator: Generator, turns: Sequence[Entry], names: Mapping[str, str]) -> tuple[list[Found], Counter[str]]:
    """The facts that a model proposes of these turns and that their turns carry; refusals by reason.

    Raises `ModelFailed` where the model does not answer, or does not end.
    """
    return parse(complete(generator, prompt(turns, names)), turns, names)


def parse(said: str, turns: Sequence[Entry], names: Mapping[str, str]) -> tuple[list[Found], Counter[str]]:
    """The same of what a model has said, whatever that is."""
    refused: Counter[str] = Counter()
    try:
        value = json.loads(said)
    except (ValueError, RecursionError):
        return [], Counter({"not JSON": 1})
    if not isinstance(value, list):
        return [], Counter({"not a list": 1})
    found = []
    for item in value[: 2 * MOST]:
        made = _found(item, turns, names)
        if isinstance(made, str):
            refused[made] += 1
        else:
            found.append(made)
    return found, refused


def _found(item: object, turns: Sequence[Entry], names: Mapping[str, str]) -> Found | str:
    """One proposal, or why it is none."""
    if not isinstance(item, dict):
        return "not a fact"
    number, quote, fact, cls = (item.get(name) for name in ("turn", "quote", "fact", "class"))
    if not isinstance(quote, str) or not isinstance(fact, str) or type(number) is not int:
        return "not a fact"
    if not 1 <= number <= len(turns):
        return "cites what it was not given"
    turn = turns[number - 1]
    quote, fact = quote.strip(), " ".join(fact.split()).rstrip(".")
    if len(quote) < 3 or quote not in turn.text:
        return "a quote that is not verbatim"
    subject = _subject(fact, names)
    if subject is None:
        return "nobody is named"
    if not _carried(fact, subject, turns[max(0, number - 2) : number]):
        return "words from nowhere"
    statement = Statement(
        text=fact + ".",
        subject=subject,
        relation=RELATION,
        value=fact[len(subject) :].strip(),
        kind="fact",
        cls=cast(Class, cls) if cls in CLASSES and cls != "permanent" else "observation",
        people=(subject,),
    )
    return Found(statement, (Quote(turn.id, quote),))


def _subject(fact: str, names: Mapping[str, str]) -> str | None:
    """The person whom a fact begins with, among those who speak."""
    low = fact.casefold()
    fitting = [name for name in set(names.values()) if low.startswith((f"{name.casefold()} ", f"{name.casefold()}'s "))]
    return max(fitting, key=len, default=None)


def _carried(fact: str, subject: str, turns: Sequence[Entry]) -> bool:
    said = {stem(word) for turn in turns for word in words(dated(turn))}
    terms = {stem(word) for word in content_terms(fact, set(words(subject)))}
    return bool(terms) and len(terms & said) >= _CARRIED * len(terms)


def _clip(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TURN_CHARS else line[:_TURN_CHARS].rsplit(" ", 1)[0]
