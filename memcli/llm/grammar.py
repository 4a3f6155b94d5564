"""JSON schema to GBNF, for the few shapes we ask for, with every length bounded.

The converter of llama-cpp-python allows white space and strings without end,
which small models fill until the token cap. Here an unbounded string or array
is refused, and no white space is generated at all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_RULES = r"""char ::= [^"\\\x00-\x1f\x7f] | "\\" ["\\/bfnrt]
integer ::= "-"? ("0" | [1-9] [0-9]{0,11})
number ::= integer ("." [0-9]{1,6})?
boolean ::= "true" | "false"
null ::= "null"
"""

_SCALARS = ("integer", "number", "boolean", "null")


def from_schema(schema: Mapping[str, Any]) -> str:
    """GBNF for `schema`: JSON without white space, properties in the order given.

    Understands `type` object (all `properties` required), array (`items`,
    `maxItems`, `minItems`), string (`maxLength`, `minLength`), integer,
    number, boolean, null, and `enum`, `anyOf`. Raises ValueError for
    anything else, and for a string or array without an upper bound.
    """
    return f"root ::= {_rule(schema)}\n{_RULES}"


def _rule(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return _either([_literal(json.dumps(value, ensure_ascii=False)) for value in schema["enum"]])
    if "anyOf" in schema:
        return _either([_rule(choice) for choice in schema["anyOf"]])
    kind = schema.get("type")
    if kind in _SCALARS:
        return str(kind)
    if kind == "string":
        low, high = _bounds(schema, "minLength", "maxLength")
        return f'"\\"" char{{{low},{high}}} "\\""'
    if kind == "array":
        return _array(schema)
    if kind == "object":
        return _object(schema)
    raise ValueError(f"not a shape we can ask for: {dict(schema)!r}")


def _array(schema: Mapping[str, Any]) -> str:
    low, high = _bounds(schema, "minItems", "maxItems")
    if high == 0:
        return '"[]"'
    item = _rule(schema["items"])
    more = f'{item} ("," {item}){{{max(low - 1, 0)},{high - 1}}}'
    return f'"[" {more} "]"' if low else f'"[" ({more})? "]"'


def _object(schema: Mapping[str, Any]) -> str:
    members = [
        f"{_literal(json.dumps(name, ensure_ascii=False) + ':')} {_rule(value)}"
        for name, value in schema["properties"].items()
    ]
    return '"{" ' + ' "," '.join(members) + ' "}"'


def _either(choices: list[str]) -> str:
    if not choices:
        raise ValueError("nothing to choose from")
    return "(" + " | ".join(choices) + ")"


def _bounds(schema: Mapping[str, Any], low: str, high: str) -> tuple[int, int]:
    if high not in schema:
        raise ValueError(f"{schema.get('type')} needs {high}: an answer must have an end")
    return int(schema.get(low, 0)), int(schema[high])


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
