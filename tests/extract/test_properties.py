"""What holds of every text, whatever it is."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.extract.extract import MOST, extract
from tests.extract.making import entry, note, turn

_WORDS = st.sampled_from(
    "I my we you he she it they the a not never if was am live sold bought Oslo Ada sister : , . ? ! ; ( ) \" ' "
    "' - — \n "
    "yesterday tomorrow 14:00 3 May 2026 kg don't can't 'm 's 've because and but who what no please always ``` "
    "> = [x]".split(" ")
)
_TEXTS = st.one_of(st.text(max_size=200), st.lists(_WORDS, max_size=40).map(" ".join))
_FIRST_PERSON = re.compile(r"\b(?:I|I['’]m|me|my|mine|myself|we|us|our|ours)\b")


@settings(max_examples=300, deadline=None)
@given(_TEXTS, st.one_of(st.none(), _TEXTS))
def test_any_text_is_read_and_what_it_states_is_told_properly(text: str, before: str | None) -> None:
    for context in (note(text), turn(text, before=before)):
        known = {item.id: item for item in (*context.before, context.entry)}
        found = extract(context)
        assert len(found) <= MOST
        for item in found:
            assert item.quotes
            assert all(quote.text and quote.text in known[quote.entry].text for quote in item.quotes)
            bare = re.sub(r"“[^”]*”|\"[^\"]*\"|‘[^’]*’|`[^`]*`", " ", item.statement.text)
            assert not _FIRST_PERSON.search(bare)
            assert item.statement.text.endswith((".", "”"))
            assert item.statement.subject
            assert 0 <= item.statement.importance <= 1


@settings(max_examples=100, deadline=None)
@given(_TEXTS)
def test_reading_twice_gives_the_same(text: str) -> None:
    assert extract(note(text)) == extract(note(text))


def test_a_long_text_is_read_in_bounded_work() -> None:
    assert len(extract(note("I sold the boat to Pekka. " * 5_000))) <= MOST
    assert entry("x").text == "x"
