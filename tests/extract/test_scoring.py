"""The bars of extraction on the labelled stories, and that nobody reaches them by repeating what was said."""

from __future__ import annotations

import pytest

from memcli.extract.context import Context, Found
from memcli.extract.extract import extract
from memcli.govern.verify import refusal
from memcli.memories import Quote, Statement
from tests.extract.scoring import HELD_OUT, Score, contexts, score, stories


@pytest.fixture(scope="module")
def whole() -> Score:
    return score(extract, stories())


def _echo(context: Context) -> list[Found]:
    entry = context.entry
    statement = Statement(entry.text, context.speaker or "", "note", entry.text, "fact", "observation")
    return [Found(statement, (Quote(entry.id, entry.text),))]


def test_most_of_what_is_stated_is_found(whole: Score) -> None:
    assert whole.recall >= 0.80, str(whole)


def test_nearly_everything_found_is_something_that_was_labelled(whole: Score) -> None:
    assert whole.precision >= 0.95, "\n".join([str(whole), *whole.unlabelled])


def test_nothing_is_said_about_the_wrong_subject(whole: Score) -> None:
    assert whole.wrong_subject == []


def test_classes_and_times_are_mostly_right(whole: Score) -> None:
    assert len(whole.wrong_class) <= 0.1 * whole.memories, whole.wrong_class
    assert len(whole.wrong_time) <= 0.15 * whole.timed, whole.wrong_time


def test_the_stories_held_out_do_not_fall_behind() -> None:
    held = score(extract, [story for at, story in enumerate(stories()) if at in HELD_OUT])
    assert held.recall >= 0.75, str(held)
    assert held.precision >= 0.90, str(held)


def test_the_later_stories_do_not_fall_behind_what_was_learnt_from_them() -> None:
    later = score(extract, stories("stories_more"))
    assert later.recall >= 0.80, str(later)
    assert later.precision >= 0.92, str(later)
    assert later.wrong_subject == []


def test_stories_that_nothing_was_learnt_from_keep_the_level_of_their_first_print() -> None:
    last = score(extract, stories("stories_last"))
    assert last.recall >= 0.85, str(last)
    assert last.precision >= 0.8, str(last)


def test_an_extractor_that_repeats_scores_nothing() -> None:
    echoed = score(_echo, stories())
    assert (echoed.recalled, echoed.right) == (0, 0)


def test_entries_that_state_nothing_give_nothing() -> None:
    spoken = []
    for story in stories():
        for context in contexts(story):
            if int(context.entry.id) in story["empty"]:
                spoken += [found.statement.text for found in extract(context)]
    assert spoken == []


def test_code_agrees_to_everything_that_is_proposed() -> None:
    refused = []
    for story in stories():
        for context in contexts(story):
            known = {entry.id: entry for entry in (*context.before, context.entry)}
            names = " ".join((context.speaker or "", context.listener or ""))
            for found in extract(context):
                why = refusal(found, known, names)
                if why is not None:
                    refused.append((why, found.statement.text))
    assert refused == []
