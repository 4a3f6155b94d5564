"""JSON by grammar, with an end to everything."""

from __future__ import annotations

import pytest

from memcli.llm.grammar import from_schema


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": "array", "items": {"type": "null"}},
        {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        {"type": "object", "properties": {"a": {"type": "string"}}},
        {"type": "tuple"},
        {},
        {"enum": []},
    ],
)
def test_a_shape_without_an_end_or_without_meaning_is_refused(schema: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        from_schema(schema)


def test_properties_come_in_the_order_given_and_without_white_space() -> None:
    grammar = from_schema({"type": "object", "properties": {"b": {"type": "null"}, "a": {"type": "boolean"}}})
    assert grammar.splitlines()[0] == r'root ::= "{" "\"b\":" null "," "\"a\":" boolean "}"'


def test_names_and_choices_are_escaped() -> None:
    grammar = from_schema({"enum": ['say "no"', "back\\slash"]})
    assert grammar.splitlines()[0] == r'root ::= ("\"say \\\"no\\\"\"" | "\"back\\\\slash\"")'
