"""When a statement retires another, stands against it, says the same, or leaves it alone (C7)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from govern.making import cases, statement, wall
from govern.stated import ROWS
from memcli.extract.gist import figures, gist, keys, numbers_differ, sought, spelled, subject_key
from memcli.govern.course import Said, Thread, course
from memcli.govern.ledger import Ledger
from memcli.govern.relate import Side, tie
from memcli.memories import Quote, Statement
from memcli.projection.database import Database
from memcli.projection.memories import Saying

NOW = wall("2026-11-30T12:00")
MIRRORED = {"replaces": "replaced", "replaced": "replaces"}


def said(
    stated: Statement, words: str, at: str | None, *, trust: Any = "self", speaker: str | None = None, me: str = "Ann"
) -> Said:
    """One saying with its side, as the ledger makes it."""
    quotes = (Quote(f"{at}|{words}", words),)
    side = Ledger(Database(":memory:"), [me]).side(Saying(stated, quotes, trust), "user", wall(at), speaker)
    return Said(side, quotes)


def over(thread: Thread) -> bool:
    return thread.by is not None and (thread.until_ms is None or thread.until_ms <= NOW)


@pytest.mark.parametrize("pair", cases("contradictions")["pairs"], ids=lambda pair: f"{pair['id']}-{pair['kind']}")
def test_what_the_labelled_sayings_retire(pair: dict[str, Any]) -> None:
    """Read by hand (`stated.py`), all sixty: the right ones are closed, the others stand, conflicts are shown."""
    sayings, place = [], {}
    for number, where, subject, relation, value, text, marks in ROWS:
        if number == pair["id"]:
            more = dict(marks)
            begin, end = wall(more.pop("begin", None)), wall(more.pop("end", None))
            stated = statement(text, subject, relation, value, begin_ms=begin, end_ms=end, **more)
            entry = pair["entries"][where]
            one = said(
                stated, entry["text"], entry["said_at"], trust=entry["trust"], speaker=entry["speaker"], me=pair["me"]
            )
            sayings.append(one)
            place[id(one)] = where
    threads = course(sayings)
    closed = {place[id(one)] for thread in threads if over(thread) for one in thread.sayings}
    outcome = "ask" if any(thread.against for thread in threads) else "superseded" if closed else "both"
    assert closed == set(pair["retired"])
    assert outcome in (pair["expect"], *pair.get("expect_also", []))
    if pair["since"]:
        assert wall(f"{pair['since']}T00:00") in {
            thread.until_ms // 86_400_000 * 86_400_000 for thread in threads if thread.until_ms is not None
        }


def ann(text: str, relation: str, value: str, **more: Any) -> Statement:
    return statement(text, "Ann", relation, value, **more)


OLD, NEW = "2026-02-01T10:00", "2026-07-01T10:00"
HOME = ann("Ann lives in Riga.", "lives_in", "riga")
AWAY = ann("Ann lives in Tartu.", "lives_in", "tartu")


@pytest.mark.parametrize(
    ("new", "new_words", "old", "old_words", "expected"),
    [
        (AWAY, "I live in Tartu", HOME, "I live in Riga", "replaces"),
        (HOME, "I live in Riga", HOME, "Riga is where I live", "same"),
        (ann("Ann lives in Mežaparks, Riga.", "lives_in", "mežaparks, riga"), "x", HOME, "y", "apart"),
        (AWAY, "if I lived in Tartu", HOME, "I live in Riga", "apart"),
        (AWAY, "“I live in Tartu and love it”, the poster said", HOME, "I live in Riga", "apart"),
        (AWAY, "back when I lived in Tartu", HOME, "I live in Riga", "apart"),
        (AWAY, "I'm in Tartu this week", HOME, "I live in Riga", "apart"),
        (AWAY, "thinking of moving to Tartu", HOME, "I live in Riga", "apart"),
        (AWAY, "do I live in Tartu now?", HOME, "I live in Riga", "apart"),
        (
            ann("Ann moves to Tartu.", "moves_to", "tartu", kind="plan"),
            "we move to Tartu",
            HOME,
            "I live in Riga",
            "apart",
        ),
        (
            statement("Ann's sister lives in Tartu.", "Ann's sister", "lives_in", "tartu"),
            "my sister lives in Tartu",
            HOME,
            "I live in Riga",
            "apart",
        ),
        (
            ann("Ann speaks Latvian.", "speaks", "latvian"),
            "x",
            ann("Ann speaks Finnish.", "speaks", "finnish"),
            "y",
            "apart",
        ),
        (ann("Ann has a cat.", "pet", "cat"), "x", ann("Ann has a dog.", "pet", "dog"), "y", "apart"),
        (
            ann("Ann does not have a canoe any more.", "owns", "canoe", negated=True),
            "no canoe any more",
            ann("Ann has a red canoe.", "owns", "red canoe"),
            "I have a red canoe",
            "replaces",
        ),
        (
            ann("Ann sold the canoe.", "verb:sell", "canoe", kind="event"),
            "sold the canoe",
            ann("Ann has a red canoe.", "owns", "red canoe"),
            "I have a red canoe",
            "replaces",
        ),
        (
            ann("Ann stopped running.", "gave_up", "running"),
            "stopped running",
            ann("Ann runs on Sundays.", "habit:run on sundays", "on sundays"),
            "I run on sundays",
            "replaces",
        ),
        (
            ann("Ann stopped running.", "gave_up", "running"),
            "stopped running",
            ann("Ann rows on Sundays.", "habit:row on sundays", "on sundays"),
            "I row on sundays",
            "apart",
        ),
        (
            ann("Ann doesn't eat dairy.", "avoids", "dairy", negated=True),
            "no dairy for me",
            ann("Ann likes dairy-free cake.", "habit:eat dairy-free cake", "dairy-free cake"),
            "I eat dairy-free cake",
            "apart",
        ),
        (
            ann("Ann hates fog.", "feels:fog", "hates"),
            "I hate fog",
            ann("Ann loves fog.", "feels:fog", "loves"),
            "I love fog",
            "replaces",
        ),
        (
            ann("Ann likes fog.", "feels:fog", "likes"),
            "I like fog",
            ann("Ann loves fog.", "feels:fog", "loves"),
            "I love fog",
            "same",
        ),
        (
            ann("Ann went to Riga.", "verb:go", "to riga", kind="event", cls="observation"),
            "went to riga",
            ann("Ann went to Tartu.", "verb:go", "to tartu", kind="event", cls="observation"),
            "went to tartu",
            "apart",
        ),
        (
            statement("Ann's dentist is Dr Kask.", "Ann's dentist", "is", "dr kask"),
            "my dentist is Dr Kask",
            ann("Ann's dentist is Dr Saar.", "role:dentist", "dr saar"),
            "my dentist is Dr Saar",
            "replaces",
        ),
        (
            statement("Ann's dentist is nice.", "Ann's dentist", "is", "nice"),
            "my dentist is nice",
            ann("Ann's dentist is Dr Saar.", "role:dentist", "dr saar"),
            "my dentist is Dr Saar",
            "apart",
        ),
        (
            statement("The choir is at 19:30.", "choir", "time", "19:30"),
            "choir is at 19:30",
            statement("The choir is at 19:00.", "choir", "time", "19:00"),
            "choir is at 19:00",
            "replaces",
        ),
        (
            ann("Ann switched from pen to pencil.", "uses", "pencil", change=True),
            "switched from pen to pencil",
            ann("Ann draws with a pen.", "uses", "pen"),
            "I draw with a pen",
            "replaces",
        ),
    ],
)
def test_the_tie_of_two(new: Statement, new_words: str, old: Statement, old_words: str, expected: str) -> None:
    a, b = said(new, new_words, NEW).side, said(old, old_words, OLD).side
    assert tie(a, b) == expected
    assert tie(b, a) == MIRRORED.get(expected, expected)


@pytest.mark.parametrize(
    ("trust", "speaker", "old_trust", "old_speaker", "expected"),
    [
        ("self", "Ann", "self", "Ann", "replaces"),
        ("other", "Ben", "self", "Ann", "against"),
        ("document", None, "self", "Ann", "against"),
        ("mail", "shop", "self", "Ann", "apart"),
        ("web", None, "self", "Ann", "apart"),
        ("assistant", "Assistant", "self", "Ann", "apart"),
        ("self", "Ann", "mail", "shop", "replaces"),
        ("self", "Ann", "other", "Ben", "replaces"),
    ],
)
def test_whose_word_retires_whose(
    trust: str, speaker: str | None, old_trust: str, old_speaker: str | None, expected: str
) -> None:
    new = said(AWAY, "x", NEW, trust=trust, speaker=speaker).side
    assert tie(new, said(HOME, "y", OLD, trust=old_trust, speaker=old_speaker).side) == expected


@pytest.mark.parametrize("times", [(None, None), (None, OLD), (NEW, None), (OLD, OLD)])
def test_equal_and_unknown_times_leave_both_standing(times: tuple[str | None, str | None]) -> None:
    assert tie(said(AWAY, "x", times[0]).side, said(HOME, "y", times[1]).side) == "against"


def test_a_correction_counts_even_at_the_same_instant_and_what_it_corrects_never_was() -> None:
    wrong, right = said(HOME, "I live in Riga", OLD), said(AWAY, "correction: in Tartu", OLD)
    threads = {thread.statement.value: thread for thread in course([right, wrong])}
    assert threads["riga"].void
    assert threads["riga"].until_ms == threads["riga"].since_ms == threads["tartu"].since_ms
    assert threads["tartu"].by is None


def test_when_what_replaced_something_is_corrected_the_older_is_current_again() -> None:
    moved = ann("Ann lives in Tartu.", "lives_in", "tartu")
    never = ann("Ann does not live in Tartu.", "lives_in", "tartu", negated=True)
    sayings = [
        said(HOME, "I live in Riga", "2026-01-01T10:00"),
        said(moved, "I live in Tartu", "2026-02-01T10:00"),
        said(never, "I don't live in Tartu after all", "2026-03-01T10:00"),
    ]
    threads = {(thread.statement.value, thread.statement.negated): thread for thread in course(sayings)}
    assert threads["riga", False].by is None
    assert threads["tartu", False].void


def test_a_chain_closes_each_at_the_beginning_of_the_next_and_a_return_is_a_memory_of_its_own() -> None:
    days = ["2026-01-01T10:00", "2026-02-01T10:00", "2026-03-01T10:00"]
    threads = course([said(HOME, "Riga", days[0]), said(AWAY, "Tartu", days[1]), said(HOME, "Riga again", days[2])])
    assert [(thread.since_ms, thread.until_ms) for thread in threads] == [
        (wall(days[0]), wall(days[1])),
        (wall(days[1]), wall(days[2])),
        (wall(days[2]), None),
    ]


REWORDED = {
    "Alex": "habit:swim",
    "Liv": "state:play",
    "Atlas invoices": "instruction:send",
}


def as_stated(text: str, subject: str) -> Statement:
    """A saying with its subject in it, as it stands."""
    plain = " ".join(subject if word in ("I", "i") else word for word in text.split())
    return statement(plain, subject, REWORDED.get(subject, "state:be"), text)


@pytest.mark.parametrize("fact", cases("merging")["paraphrases"], ids=lambda fact: fact["subject"])
def test_close_sayings_of_one_fact_are_one_memory(fact: dict[str, Any]) -> None:
    told = [said(as_stated(one["text"], fact["subject"]), one["text"], one["said_at"]) for one in fact["entries"]]
    largest = max(course(told), key=lambda thread: len(thread.sayings))
    close = {one["text"] for one in fact["entries"] if one["close"]}
    assert {one.side.words for one in largest.sayings} >= close


@pytest.mark.parametrize("pair", cases("merging")["near_misses"], ids=lambda pair: pair["entries"][0]["text"][:30])
def test_near_misses_are_never_one_memory(pair: dict[str, Any]) -> None:
    """Not even where the extractor gave both the same relation."""
    subjects = {"Ben": "Ben", "Bea": "Bea", "Maria": "Maria"}
    told = []
    for one in pair["entries"]:
        text = one["text"]
        subject = subjects.get(text.split()[0]) or one["speaker"]
        subject = "brother-in-law" if "in-law" in text else "brother" if "brother" in text else subject
        told.append(said(as_stated(text, subject), text, one["said_at"]))
    assert len(course(told)) == 2


def test_ten_near_misses_of_a_fact_are_ten_memories_and_the_fact_stays_one() -> None:
    fact = cases("merging")["paraphrases"][0]
    near = cases("merging")["near_miss_of_first"]
    told = [said(as_stated(one["text"], "Alex"), one["text"], one["said_at"]) for one in fact["entries"][:6]]
    for one in near:
        text = one["text"]
        subject = "Ben" if text.startswith("Ben") else "Alex's sister" if "sister" in text else "Alex"
        told.append(said(as_stated(text, subject), text, one["said_at"]))
    assert sorted(len(thread.sayings) for thread in course(told)) == [1] * 10 + [6]


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("4,200 kr", "4200", False),
        ("forty lengths", "40 lengths", False),
        ("40 lengths", "40 minutes", True),
        ("the twenty-fifth", "the 25th", False),
        ("9:30", "09:30", False),
        ("412 55 019", "41255019", False),
        ("LH 1142", "LH 1124", True),
        ("six people", "6 people", False),
        ("850 euros", "580 euros", True),
    ],
)
def test_numbers_are_compared_as_what_they_count(one: str, other: str, differ: bool) -> None:
    assert numbers_differ(figures(spelled(one)), figures(spelled(other))) is differ


@pytest.mark.parametrize(
    ("one", "other"),
    [("The Standup", "standup"), ("Atlas invoices", "invoices of Atlas"), ("Ann's brother", "brother of Ann")],
)
def test_a_subject_is_the_same_in_another_form(one: str, other: str) -> None:
    assert subject_key(one) == subject_key(other)


WORDS = st.sampled_from("riga tartu canoe tea run 9:30 40 lengths every tuesday not never the old red".split())
STATEMENTS = st.builds(
    lambda relation, value, negated, change: ann(
        f"Ann {relation} {' '.join(value)}.", relation, " ".join(value), negated=negated, change=change
    ),
    st.sampled_from(["lives_in", "owns", "gave_up", "verb:sell", "habit:run", "feels:tea", "time", "note:key", "is"]),
    st.lists(WORDS, min_size=1, max_size=4),
    st.booleans(),
    st.booleans(),
)
SIDES = st.builds(
    lambda stated, at, trust, words: said(stated, words, at, trust=trust).side,
    STATEMENTS,
    st.sampled_from([None, OLD, NEW]),
    st.sampled_from(["self", "other", "document", "mail"]),
    st.sampled_from(["", "so it is", "correction: so it is", "if it were", "today it is"]),
)


@given(SIDES, SIDES)
def test_a_tie_is_the_same_from_both_ends(one: Side, other: Side) -> None:
    assert tie(other, one) == MIRRORED.get(tie(one, other), tie(one, other))


@given(SIDES, SIDES)
def test_what_is_tied_is_found_by_its_keys(one: Side, other: Side) -> None:
    if tie(one, other) == "apart":
        return
    where, filed = sought(one.statement), set(keys(other.statement))
    assert filed & set(where.single) or len(filed & set(where.words)) >= where.shared, gist(one.statement)
