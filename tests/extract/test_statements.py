"""What the rules make of sentences, family by family."""

from __future__ import annotations

import pytest

from memcli.extract.context import Context
from memcli.extract.extract import extract
from memcli.extract.relations import RELATIONS, is_single
from tests.extract.making import entry, note, texts, turn


@pytest.mark.parametrize(
    ("said", "relation", "value", "cls"),
    [
        ("I'm allergic to kiwis", "allergic_to", "kiwis", "permanent"),
        ("I'm 41 years old", "age", "41", "permanent"),
        ("I'm a carpenter in Leeds", "job", "carpenter", "permanent"),
        ("I live in Tromsø", "lives_in", "tromsø", "semantic"),
        ("I grew up in Maputo", "grew_up_in", "maputo", "permanent"),
        ("I work for Hydro", "works_at", "hydro", "semantic"),
        ("I speak Finnish", "speaks", "finnish", "semantic"),
        ("I drive a blue Clio", "drives", "blue clio", "semantic"),
        ("I hate coriander", "feels:coriander", "dislikes", "preference"),
        ("I love night trains", "feels:night trains", "loves", "preference"),
        ("I don't eat veal", "avoids", "veal", "preference"),
        ("I gave up smoking in January", "gave_up", "smoking in january 2026", "preference"),
        ("I'm afraid of heights", "afraid_of", "heights", "preference"),
        ("I can't stand liquorice", "feels:liquorice", "dislikes", "preference"),
        ("My favourite soup is borscht", "favourite:soup", "borscht", "preference"),
        ("My landlord is Mr Okafor", "role:landlord", "mr okafor", "semantic"),
        ("My birthday is 3 August", "birthday", "3 august", "permanent"),
        ("The test database is on port 5544", "port", "5544", "semantic"),
        ("Standup is at 9:45", "time", "9:45", "task_state"),
        ("we decided to drop Kafka", "decision", "drop kafka", "task_state"),
        ("I weigh 71.5 kg", "weight", "71.5 kg", "observation"),
        ("the attic costs 7,300 a month", "price", "7,300 a month", "semantic"),
    ],
)
def test_a_sentence_states_a_relation(said: str, relation: str, value: str, cls: str) -> None:
    [found] = extract(note(said))
    statement = found.statement
    assert (statement.relation, statement.value, statement.cls) == (relation, value, cls)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I've been to Lagos twice", "Nora has been to Lagos twice."),
        ("I'm learning Welsh and my brother Aled helps me", "Nora is learning Welsh."),
        ("My sister Runa lent me her van", "Nora's sister Runa lent Nora her van."),
        ("I don't use Docker on my laptop", "Nora doesn't use Docker on their laptop."),
        ("We sold our boat to Pekka", "Nora and others sold their boat to Pekka."),
        ("my wife and I adopted a greyhound", "Nora's wife and Nora adopted a greyhound."),
        ("cancelled the Economist", "Nora cancelled the Economist."),
        ("mum sold the house in Ribe", "Nora's mum sold the house in Ribe."),
    ],
)
def test_the_first_person_is_told_in_the_third(said: str, told: str) -> None:
    assert told in texts(note(said))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I visited Oslo yesterday", "Nora visited Oslo on Tuesday 10 March 2026."),
        ("I'm flying to Cork next Friday", "Nora is flying to Cork on Friday 13 March 2026."),
        ("Last week I sold the Vespa", "Nora sold the Vespa in the week of 2 March 2026."),
        ("the audit starts on 4 May", "The audit starts on Monday 4 May 2026."),
        ("I'm away from Thursday to Monday", "Nora is away from 12 to 16 March 2026."),
        ("we land in Faro on 3 May and leave on the 17th", "on Sunday 17 May 2026"),
        ("the choir meets at 19:30 on Tuesdays", "The choir meets at 19:30 on Tuesdays."),
    ],
)
def test_a_relative_time_is_anchored_to_when_it_was_said(said: str, told: str) -> None:
    assert any(told in text for text in texts(note(said)))


def test_a_time_bounds_the_statement_half_open() -> None:
    [found] = extract(note("I'm flying to Cork next Friday"))
    assert (found.statement.begin_ms, found.statement.end_ms) == (1773360000000, 1773446400000)


def test_without_a_known_time_nothing_relative_is_kept() -> None:
    assert texts(note("I visited Oslo yesterday", said=None)) == []


@pytest.mark.parametrize(
    "said",
    [
        "Do you still have the drill?",
        "where did I put the passport",
        "If I won a million I'd buy Iceland",
        "I wish I lived in Rome",
        "maybe we move to Crete one day",
        "good morning everyone ☀️",
        "thanks a lot, you're the best!",
        "lol ok",
        "That's awesome, Idris!",
        "I'm so happy for you",
        "Can't wait to see it",
        "yeah right, I'm the queen of Spain",
        "> I live in Paris",
        "```\nI live in Paris\n```",
        '"I live in Paris," she said, and left.',
        "it was amazing",
        "Your paintings are wonderful",
        "Friendship is so important",
    ],
)
def test_what_only_asks_supposes_greets_jokes_or_cites_states_nothing(said: str) -> None:
    assert texts(turn(said)) == []


@pytest.mark.parametrize("trust", ["assistant", "tool", "document", "web", "mail"])
def test_only_people_state_something(trust: str) -> None:
    context = turn("I live in Paris and I'm allergic to nuts", trust=trust)  # type: ignore[arg-type]
    assert texts(context) == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "From now on always run mypy before you commit",
            "Nora: “From now on always run mypy before you commit”",
        ),
        ("never deploy on Fridays", "Nora: “never deploy on Fridays”"),
        ("please don't use emojis in the changelog", "Nora's instruction: don't use emojis in the changelog."),
        ("Tests must not sleep", "Nora's instruction: tests must not sleep."),
        (
            "remind me to water the ferns on Sunday",
            "Nora wants to be reminded to water the ferns on Sunday 15 March 2026.",
        ),
        ("No mayonnaise, ever.", "Nora: “No mayonnaise, ever.”"),
    ],
)
def test_an_instruction_is_kept_as_one(said: str, told: str) -> None:
    context = Context(entry(said, "Nora"), "Nora", "assistant", (entry("Done.", "assistant", "assistant", 8),))
    assert any(text.startswith(told) for text in texts(context)), texts(context)


def test_what_holds_from_now_on_is_marked_durable() -> None:
    [found] = extract(note("From now on always run mypy before every commit"))
    assert found.statement.durable
    assert found.statement.kind == "instruction"


def test_an_order_to_a_friend_is_no_instruction() -> None:
    assert texts(turn("Bring cake on Sunday!", trust="self", before="What shall we bring?")) == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("dentist: Dr. Moreau, Tue 14:00", ["Nora's dentist is Dr. Moreau.", "Tuesday 17 March 2026 at 14:00"]),
        ("magnesium 300 mg every evening", ["Nora takes magnesium 300 mg every evening."]),
        ("goal: 10 km by June", ["Nora's goal is 10 km by June 2026."]),
        ("weight 71.2", ["Nora's weight is 71.2."]),
        ("subs: Le Monde 9.99, Deezer 10.99", ["Nora has a subscription: Le Monde 9.99.", "Deezer 10.99"]),
        ("boiler service on 20 March, Herr Lang", ["Nora noted: boiler service on Friday 20 March 2026"]),
        ("plumber = Frau Adler, 0170 555 0133", ["Nora's plumber is Frau Adler.", "0170 555 0133"]),
    ],
)
def test_the_shorthand_of_notes_is_read(said: str, told: list[str]) -> None:
    found = " ".join(texts(note(said)))
    assert all(part in found for part in told), found


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Do you still play the oboe?", "Every Thursday.", "Nora still plays the oboe every Thursday."),
        ("Where do you live?", "In Utrecht", "Nora lives in Utrecht."),
        ("Are you bringing someone to the wedding?", "yes, Tomasz", "Nora is bringing Tomasz to the wedding."),
        ("who owns the search index?", "Pavel does, since May", "Pavel owns the search index, since May"),
    ],
)
def test_a_question_and_its_short_answer_are_one_statement(asked: str, said: str, told: str) -> None:
    [found] = extract(turn(said, before=asked, trust="self"))
    assert found.statement.text.startswith(told)
    assert [quote.entry for quote in found.quotes] == ["8", "9"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I'll ask Birgit. she's on call till Sunday", "Birgit is on call till Sunday 15 March 2026."),
        ("I moved into the new flat on Saturday. it's on Havnegata, second floor", "The new flat is on Havnegata"),
        ("my sister is called Marit, she is a nurse in Lund", "Marit is a nurse in Lund."),
    ],
)
def test_a_pronoun_becomes_the_one_whom_it_can_mean(said: str, told: str) -> None:
    assert any(text.startswith(told) for text in texts(note(said))), texts(note(said))


@pytest.mark.parametrize(
    "said", ["he lives in Graz", "she bought a Volvo from them", "I told Ada and Bo. she's moving to Porto in May"]
)
def test_a_pronoun_that_could_mean_nobody_or_two_is_not_guessed(said: str) -> None:
    assert not any(name in text for text in texts(note(said)) for name in ("Graz", "Volvo", "Porto"))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("my brother Eskil lends us his trailer", "Eskil is Nora's brother."),
        ("lunch with Petra (accountant) on Friday", "Petra is Nora's accountant."),
        ("Noor's aunt Hala lives in Homs", "Hala is Noor's aunt."),
        ("I told Jin from BASF about the delay", "Jin is from BASF."),
        ("I have an uncle in Bari, Nino", "Nino is Nora's uncle."),
    ],
)
def test_who_is_whose_is_told_in_passing(said: str, told: str) -> None:
    assert told in texts(note(said))


@pytest.mark.parametrize("said", ["Sylt it is, not Rügen", "we decided on Sylt", "let's go with Sylt"])
def test_a_choice_is_a_decision(said: str) -> None:
    [found] = extract(note(said))
    assert found.statement.kind == "decision"
    assert "Sylt" in found.statement.text


@pytest.mark.parametrize(
    "said", ["Actually the gate code is 4417, not 4471", "I no longer work at Hydro", "switched from vim to helix"]
)
def test_a_word_of_change_is_marked(said: str) -> None:
    assert all(found.statement.change for found in extract(note(said)))


def test_a_negation_is_marked() -> None:
    [found] = extract(note("I don't have a car"))
    assert found.statement.negated


def test_a_question_at_the_end_does_not_take_the_statement_with_it() -> None:
    assert texts(note("the backup has been failing since 2 March, can you look?")) == [
        "The backup has been failing since Monday 2 March 2026."
    ]


def test_other_languages_give_nothing_rather_than_something_wrong() -> None:
    assert texts(note("Ich wohne seit gestern nicht mehr in Berlin und habe eine neue Adresse")) == []
    assert texts(note("我住在柏林")) == []


def test_every_relation_that_is_stated_is_in_the_table() -> None:
    said = ["I live in Rome", "I love tea", "my boss is Ada", "Tests must not sleep", "subs: Deezer 10.99, Mubi 12.99"]
    for text in said:
        for found in extract(note(text)):
            assert found.statement.relation.partition(":")[0] in RELATIONS


def test_single_valued_relations_are_known_with_their_key() -> None:
    assert is_single("favourite:tea")
    assert not is_single("allergic_to")
    assert not is_single("nothing that is known")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("My boss, Karin, lives in Basel.", "Nora's boss Karin lives in Basel."),
        ("Gerda, the younger sister, still lives in Husum.", "Gerda still lives in Husum."),
        ("btw honestly I live in Oslo now", "Nora lives in Oslo."),
        ("harbor ingests 4 million rows a day from Tallinn lol", "Harbor ingests 4 million rows a day from Tallinn."),
        ("We're nine in my team.", "Nora's team is nine people."),
        ("my phone number changed, it's 0170 555 2211 now", "Nora's phone number is 0170 555 2211."),
        ("Noemi and I are getting divorced", "Noemi and Nora are getting divorced."),
        ("no gym membership any more", "Nora no longer has gym membership."),
        ("Oksana works Tuesday to Friday", "Oksana works Tuesday to Friday."),
        (
            "The lecture was moved from Tuesday to Wednesday 13 May",
            "The lecture was moved from Tuesday to Wednesday 13 May 2026.",
        ),
    ],
)
def test_what_people_write_in_passing_is_told_as_a_sentence(words: str, told: str) -> None:
    assert told in texts(note(words))


@pytest.mark.parametrize(
    "words",
    [
        "Priya is allergic to the joke",
        "I'm married to my job",
        "My heart is on fire",
        "I sat with her and we talked",
        "I'm a huge fan",
        "Mixed emotions are rough, but I have faith in you",
        "I quit on Friday haha, no",
    ],
)
def test_pictures_jokes_and_what_only_points_back_state_nothing(words: str) -> None:
    assert texts(turn(words, before="ok")) == []


def test_a_pronoun_is_not_somebody_whose_title_it_does_not_fit() -> None:
    assert texts(note("Mrs. Dietz met the miller. He had one brown eye.")) == ["Mrs. Dietz met the miller."]
