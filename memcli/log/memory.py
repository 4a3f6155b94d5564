"""What changes say about memories: the fields of `after`, written and read (docs/records.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, cast

from memcli.log.record import BadLine, sound
from memcli.memories import CLASSES, KINDS, STANDINGS, Class, Kind, Quote, Standing, Statement
from memcli.types import TRUSTS, Trust

_TEXTS = ("text", "subject", "relation", "value")
_LISTS = ("people", "places", "entities")
_DEFAULTS = {item.name: item.default for item in fields(Statement)}


def statement_record(statement: Statement) -> dict[str, Any]:
    """A statement as a record writes it; what is at its default is left out."""
    found = {name: getattr(statement, name) for name in _DEFAULTS}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in found.items()
        if name in _TEXTS or value != _DEFAULTS[name]
    }


def statement_of(record: Mapping[str, Any]) -> Statement:
    """The statement in a record. Raises `BadLine` where a field is missing or of another type."""
    try:
        text, subject, relation, value = (_text(record[name]) for name in _TEXTS)
        kind, cls = _one_of(record["kind"], KINDS), _one_of(record["cls"], CLASSES)
    except KeyError as error:
        raise BadLine("a memory with a field missing") from error
    if not text:
        raise BadLine("a memory without words")
    importance = record.get("importance", 0.5)
    if type(importance) not in (int, float) or not 0 <= importance <= 1:
        raise BadLine("a memory with an impossible importance")
    people, places, entities = (_texts(record.get(name, ())) for name in _LISTS)
    return Statement(
        text,
        subject,
        relation,
        value,
        cast(Kind, kind),
        cast(Class, cls),
        negated=_flag(record.get("negated", False)),
        begin_ms=_ms(record.get("begin_ms")),
        end_ms=_ms(record.get("end_ms")),
        importance=float(importance),
        durable=_flag(record.get("durable", False)),
        change=_flag(record.get("change", False)),
        people=people,
        places=places,
        entities=entities,
    )


def joined(one: Statement, other: Statement) -> Statement:
    """Two sayings of the same as one statement: the shorter words, and whatever either of them marks.

    In whichever order sayings are joined, the outcome is the same.
    """
    if one == other:
        return one
    return replace(
        min(one, other, key=_brevity),
        importance=max(one.importance, other.importance),
        durable=one.durable or other.durable,
        change=one.change or other.change,
    )


def _brevity(statement: Statement) -> tuple[int, str]:
    plain = replace(statement, importance=0.5, durable=False, change=False)
    return len(statement.text), json.dumps(statement_record(plain), sort_keys=True)


def quotes_record(quotes: Sequence[Quote]) -> list[list[str]]:
    """Quotes as pairs of entry id and words."""
    return [[quote.entry, quote.text] for quote in quotes]


def quotes_of(record: object) -> tuple[Quote, ...]:
    """The quotes in a record; at least one. Raises `BadLine`."""
    if not isinstance(record, list | tuple) or not record:
        raise BadLine("a memory without evidence")
    found = []
    for pair in record:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise BadLine("a quote that is no pair")
        found.append(Quote(_text(pair[0]), _text(pair[1])))
    return tuple(found)


def standing_of(value: object) -> Standing:
    """A standing. Raises `BadLine`."""
    return cast(Standing, _one_of(value, STANDINGS))


def trust_of(value: object) -> Trust:
    """A trust. Raises `BadLine`."""
    return cast(Trust, _one_of(value, TRUSTS))


def text_of(value: object) -> str:
    """A text field. Raises `BadLine`."""
    return _text(value)


def ms_of(value: object) -> int | None:
    """A wall clock in milliseconds, or None. Raises `BadLine`."""
    return _ms(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise BadLine("a text field of the wrong type")
    return sound(value)


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise BadLine("a list of the wrong type")
    return tuple(_text(item) for item in value)


def _flag(value: object) -> bool:
    if type(value) is not bool:
        raise BadLine("a flag of the wrong type")
    return value


def _ms(value: object) -> int | None:
    if value is None:
        return None
    if type(value) is not int or not -(1 << 62) < value < 1 << 62:
        raise BadLine("a time of the wrong type")
    return value


def _one_of(value: object, allowed: Sequence[str]) -> str:
    if value not in allowed or not isinstance(value, str):
        raise BadLine("a field with a value that is none of its kind")
    return value
