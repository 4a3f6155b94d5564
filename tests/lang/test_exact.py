"""Which texts have all of some words: as they stand, in any script, never by meaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.lang.exact import Exact
from memcli.lang.words import words

CASES = [
    ("walnuts", "Priya is allergic to Walnuts.", True),
    ("walnuts", "one walnut", False),
    ("walnut", "walnuts", False),
    ("walnuts Priya", "PRIYA: no walnuts!", True),
    ("walnuts Priya", "no walnuts for Ada", False),
    ("Ann", "Ann's keys", True),
    ("Ann", "Annabel has the keys", False),
    ("Ann Lee", "Lee and Ann", True),
    ("Müller", "herr MÜLLER kommt", True),
    ("Müller", "Herr Muller kommt", False),
    ("Mu\u0308ller", "Müller", True),
    ("straße", "STRASSE", True),
    ("花生", "花生を食べると", True),
    ("花生", "花を生ける", False),
    ("花", "花生を食べると", True),
    ("コーヒー", "ｺｰﾋｰとコーヒー", True),
    ("커피", "커피를 마셨다", True),
    ("قهوة", "أحب القهوة قهوة", True),
    ("2026", "in 2026, maybe", True),
    ("２０２６", "in 2026, maybe", True),
    ("", "anything", False),
    ("?!", "?!", False),
    ("the", "THE end", True),
]


@pytest.mark.parametrize(("query", "text", "expected"), CASES)
def test_all_words_have_to_occur_as_they_stand(query: str, text: str, expected: bool) -> None:
    assert Exact(query).occurs_in(text) is expected


@given(st.text(max_size=40))
def test_a_text_with_words_has_its_own(text: str) -> None:
    assert Exact(text).occurs_in(text) == bool(words(text))
