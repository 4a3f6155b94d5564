"""Note or transcript: the labels, and what stamps and labels mean."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memcli.formats import registry
from memcli.formats.base import ParseOptions
from memcli.formats.source import Source
from memcli.types import Draft, Moment

from . import golden

CASES: list[dict[str, Any]] = json.loads((golden.TESTS / "cases" / "note_or_transcript.json").read_text("utf-8"))


def drafts(text: str, options: ParseOptions | None = None) -> list[Draft]:
    source = Source.from_bytes("-", text.encode())
    items = registry.parse(source, registry.detect(source), options or ParseOptions())
    return [item for item in items if isinstance(item, Draft)]


@pytest.mark.parametrize("case", CASES, ids=[case["why"][:50] for case in CASES])
def test_labelled_cases(case: dict[str, Any]) -> None:
    source = Source.from_bytes("-", case["text"].encode())
    kind = "note" if registry.detect(source).name in ("note", "markdown") else "transcript"
    assert kind == case["kind"]
    if kind == "transcript":
        assert len(drafts(case["text"])) == case["turns"]


def test_a_clock_without_a_date_goes_on_from_the_date_before_it_and_past_midnight() -> None:
    found = drafts("[2026-05-20 23:50] Ada: late?\n[23:59] Bo: yes\n[00:10] Ada: night\n[00:09] Bo: you too")
    assert [golden.said_at(draft.moment) for draft in found] == [
        "2026-05-20T23:50:00",
        "2026-05-20T23:59:00",
        "2026-05-21T00:10:00",
        "2026-05-21T00:09:00",
    ]


def test_a_clock_without_any_date_is_no_time() -> None:
    assert [draft.moment for draft in drafts("[15:04] Ada: hi\n[15:05] Bo: hello")] == [None, None]


def test_a_clock_takes_the_persons_date() -> None:
    found = drafts("[15:04] Ada: hi\n[15:05] Bo: hello", ParseOptions(Moment(1_779_235_200_000, "day", None, True)))
    assert [golden.said_at(draft.moment) for draft in found] == ["2026-05-20T15:04:00", "2026-05-20T15:05:00"]


def test_a_line_with_a_date_sets_the_day_and_is_no_words() -> None:
    found = drafts("--- 20 May 2026 ---\n15:04 <ada> hi all\n15:05 <bo> hello ada\n15:06 <ada> bye")
    assert [(draft.speaker, draft.text) for draft in found] == [("ada", "hi all"), ("bo", "hello ada"), ("ada", "bye")]
    assert golden.said_at(found[0].moment) == "2026-05-20T15:04:00"


def test_zones_are_instants_and_none_are_wall_clocks() -> None:
    found = drafts("[2026-05-20T15:04:05Z] Ada: hi\n[2026-05-20T17:04:05+02:00] Bo: hello\n[2026-05-20T15:05] Ada: ok")
    assert [(golden.said_at(d.moment), d.moment and d.moment.offset) for d in found] == [
        ("2026-05-20T15:04:05Z", 0),
        ("2026-05-20T15:04:05Z", 120),
        ("2026-05-20T15:05:00", None),
    ]


@pytest.mark.parametrize(
    ("order", "day"), [(None, None), ("dmy", "2026-04-03T15:04:00"), ("mdy", "2026-03-04T15:04:00")]
)
def test_an_ambiguous_date_is_no_date_until_someone_says_how_to_read_it(order: Any, day: str | None) -> None:
    found = drafts("[3/4/2026 15:04] Ada: hi\n[3/4/2026 15:05] Bo: hello", ParseOptions(date_order=order))
    assert golden.said_at(found[0].moment) == day


def test_one_date_above_twelve_settles_all_of_them() -> None:
    found = drafts("[3/4/2026 15:04] Ada: hi\n[13/4/2026 15:05] Bo: hello")
    assert golden.said_at(found[0].moment) == "2026-04-03T15:04:00"


def test_words_before_the_first_turn_are_kept_without_a_speaker() -> None:
    found = drafts("Kitchen talk\n\nAda: is the oven on?\nBo: no\nAda: ok\nBo: great")
    assert (found[0].speaker, found[0].role, found[0].text) == (None, "other", "Kitchen talk")
    assert len(found) == 5


def test_web_page_labels_are_roles() -> None:
    found = drafts("You said:\nI like oat milk.\n\nChatGPT said:\nNoted.\n\nYou said:\nSoy now.")
    assert [(draft.speaker, draft.role, draft.trust) for draft in found] == [
        (None, "user", "self"),
        (None, "assistant", "assistant"),
        (None, "user", "self"),
    ]


def test_markdown_roles_are_turns() -> None:
    found = drafts("## User\nI like oat milk.\n\n## Assistant\n- noted: oat\n\n## User\nSoy now.")
    assert [(draft.role, draft.text) for draft in found] == [
        ("user", "I like oat milk."),
        ("assistant", "- noted: oat"),
        ("user", "Soy now."),
    ]
