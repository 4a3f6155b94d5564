"""Telling words and phrases: what a text is about, without greetings, verbs after pronouns, and names of who speaks."""

from __future__ import annotations

import pytest

from memcli.lang.phrases import names_of, phrases, telling, without_captions


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("Hey! Thanks so much, that was really great.", []),
        ("I joined a mentorship program for LGBTQ youth yesterday.", ["mentorship", "program", "lgbtq", "youth"]),
        ("We hiked to the waterfall.", ["waterfal"]),
        ("He gives hope and keeps working.", []),
        ("the beach trips, the beach", ["beach", "trip"]),
        ("3 of 4, 2024 and 17:30", []),
        ("コーヒーを飲む", ["コーヒー"]),
        ("花生を食べる", ["花生"]),
        ("", []),
    ],
)
def test_the_telling_words(text: str, stems: list[str]) -> None:
    assert list(telling(text)) == stems


def test_the_names_of_who_speaks_tell_nothing_and_neither_do_their_short_forms() -> None:
    names = names_of(["Melanie Smith", "Caroline"])
    assert "mel" not in telling("Hey Mel, how is the car, Melanie?", names)
    assert list(telling("Mel sold the car to Smith", names)) == ["car"]


def test_only_a_part_of_a_text_can_be_read() -> None:
    text = "The boiler is loud. The plumber came."
    assert list(telling(text, frozenset(), text.index("The plumber"))) == ["plumber"]
    assert list(telling(text, frozenset(), 0, text.index("The plumber"))) == ["boiler", "loud"]


def test_captions_and_addresses_are_said_by_nobody() -> None:
    text = "Look! [image: a photo of a dog] https://example.org/cats"
    assert len(without_captions(text)) == len(text)
    assert list(telling(text)) == []


def test_a_phrase_stands_between_other_words_and_knows_what_stands_before_it() -> None:
    found = {phrase.text: phrase for phrase in phrases("I found the old stone bridge near Ghent.")}
    assert {"stone bridge", "bridge", "Ghent"} <= found.keys()
    assert found["stone bridge"].ends
    assert not found["stone"].ends
    assert found["Ghent"].name
    assert not any(" the " in text for text in found)


def test_a_verb_neither_ends_nor_begins_a_phrase_but_after_an_article() -> None:
    texts = {phrase.text for phrase in phrases("Adoption agencies provide help. The run was long.")}
    assert "Adoption agencies" in texts
    assert not any(text.endswith("provide") for text in texts)
