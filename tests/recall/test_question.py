"""What is read off a question before anything is searched."""

from __future__ import annotations

import pytest

from memcli.recall.dates import NamedDate, named_dates, nearness
from memcli.recall.question import as_said, read

PEOPLE = ["Ann", "Ben Smith", "John Doe", "John Miller", "April", "O'Neil", "Will", "小明"]
JUNE_3 = 1_685_750_400_000  # 2023-06-03


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("When did Ann paint the door?", "When did I paint the door?"),
        ("When did Ann give Ben the key?", "When did I give you the key?"),
        ("What is Ben Smith's hobby?", "What is my hobby?"),
        ("What do Ann and Ben share?", "What do we share?"),
        ("What is in Ann’s bag for Ben?", "What is in my bag for you?"),
        ("who did ben meet?", "who did I meet?"),
        ("Where is the annual report?", "Where is the annual report?"),
        ("Which mark did April get in April 2023?", "Which mark did I get in April 2023?"),
        ("Where will we go?", "Where will we go?"),
        ("Where did Will go?", "Where did I go?"),
        ("小明去了哪里？", "小明去了哪里？"),
    ],
)
def test_a_question_is_embedded_as_its_subject_would_say_it(asked: str, said: str) -> None:
    assert as_said(asked, PEOPLE) == said


@pytest.mark.parametrize(
    ("asked", "subjects"),
    [
        ("When did Ann paint the door?", {"Ann"}),
        ("Did Ben meet Ann?", {"Ben Smith"}),
        ("Did Ben, Ann and John meet?", {"Ben Smith", "Ann", "John Doe", "John Miller"}),
        ("Did John Doe call?", {"John Doe"}),
        ("Did O'Neil call?", {"O'Neil"}),
        ("Will it rain?", set()),
        ("小明去了哪里？", {"小明"}),
    ],
)
def test_the_first_who_is_named_is_the_subject(asked: str, subjects: set[str]) -> None:
    plan = read(asked, PEOPLE)
    assert plan.subjects == subjects
    assert not plan.of_me


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ("¿Qué dijo Ivan ayer?", {"Iván"}),
        ("Was hat Frau Mueller gesagt?", {"Müller"}),
        ("Wie lange dauert Annas Ausbildung noch?", {"Anna"}),
        ("Are there more annas?", set()),
        ("ماذا أعطيت لأحمد؟", {"أحمد"}),
        ("What does PRIYA think of kenji's plan?", {"Priya", "Kenji"}),
        ("Will Mark come to dinner?", {"Mark"}),
        ("When will Will be back?", {"Will"}),
        ("What did May plant in June?", {"May"}),
        ("Which rose did the gardener recommend?", set()),
        ("Did Rose call?", {"Rose"}),
    ],
)
def test_people_are_known_by_their_names_however_they_are_written(asked: str, named: set[str]) -> None:
    known = ["Iván", "Müller", "Anna", "أحمد", "Priya", "Kenji", "Mark", "Will", "May", "June", "Rose"]
    assert read(asked, known).persons == named


def test_a_german_genitive_is_an_owner() -> None:
    assert as_said("Wie lange dauert Annas Ausbildung noch?", ["Anna"]) == "Wie lange dauert my Ausbildung noch?"


def test_names_and_stop_words_are_not_searched() -> None:
    assert read("What did Ann say to Ben Smith about the ladder?", PEOPLE).terms == ("ladder",)
    assert read("小明什么时候去了北京？", PEOPLE).terms == ("去了", "了北", "北京")


def test_i_am_meant_when_nobody_is_named() -> None:
    assert read("Where did I put my keys?", PEOPLE).of_me
    assert not read("Where did Ann put my keys?", PEOPLE).of_me


@pytest.mark.parametrize(
    "asked", ["When was it?", "How long did it take?", "In which year?", "什么时候？", "いつですか"]
)
def test_questions_for_a_time_are_seen(asked: str) -> None:
    assert read(asked, PEOPLE).when


@pytest.mark.parametrize(
    ("asked", "dates"),
    [
        ("on 3 June, 2023", (NamedDate(6, 3, 2023),)),
        ("on June 3rd", (NamedDate(6, 3),)),
        ("the 3rd of June 2023", (NamedDate(6, 3, 2023),)),
        ("in June", (NamedDate(6),)),
        ("in May 2023", (NamedDate(5, None, 2023),)),
        ("in May", (NamedDate(5),)),
        ("May I ask?", ()),
        ("the march to the sea", ()),
        ("2023-06-03", (NamedDate(6, 3, 2023),)),
        ("2023年6月3日", (NamedDate(6, 3, 2023),)),
        ("6月", (NamedDate(6),)),
        ("between June 3 and July 4 2023", (NamedDate(6, 3), NamedDate(7, 4, 2023))),
        ("on 45 June", ()),
        ("2023-13-40", ()),
    ],
)
def test_calendar_dates_are_read(asked: str, dates: tuple[NamedDate, ...]) -> None:
    assert named_dates(asked) == dates


def test_a_bare_month_that_is_a_person_is_none() -> None:
    assert named_dates("What did April say?", ["April"]) == ()
    assert named_dates("What did April say on 3 April?", ["April"]) == (NamedDate(4, 3),)


def test_a_day_is_told_of_on_it_and_for_a_week_after() -> None:
    day = 86_400_000
    dates = named_dates("on 3 June 2023")
    shares = [nearness(dates, JUNE_3 + gap * day) for gap in (-1, 0, 1, 8, 9)]
    assert shares == [0.0, 1.0, 0.5, 0.5, 0.0]
    assert nearness(named_dates("on 3 June"), JUNE_3 + 366 * day) == 1.0
    assert nearness(named_dates("on 3 June 2022"), JUNE_3) == 0.0
    assert nearness(dates, None) == 0.0
    assert nearness(named_dates("on 29 February"), JUNE_3) == 0.0
