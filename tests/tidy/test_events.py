"""Forming events: a topic each, turn by turn as in one go, kept through kills, undos and other models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from recall.making import DAY, EMBEDDER, embed_all
from store.making import NOW, CountedDisk, QuickDisk, digest, dump, note, open_store, replayed, undo_of

from memcli.lang.taxonomy import Taxonomy, parse
from memcli.log.files import all_files
from memcli.projection import vectors
from memcli.projection.events import COLUMNS, Event, entries_of, event_of
from memcli.recall.topics import Shelves
from memcli.store.rebuild import rebuild
from memcli.store.store import Store
from memcli.store.undo import Refused, undo
from memcli.store.verify import verify
from memcli.tidy import events, material
from memcli.tidy.events import Formed, form, is_due
from memcli.types import Entry, Moment

BOILER = [
    ("Ann", "The boiler in the cellar leaks."),
    ("Ben", "The boiler valve again? Call the plumber."),
    ("Ann", "The plumber says the boiler valve is broken."),
    ("Ben", "A boiler valve is cheap, the plumber is not."),
    ("Ann", "The plumber repairs the boiler valve tomorrow."),
]
CELLO = [
    ("Ben", "My cello lesson was lovely, we played Bach."),
    ("Ann", "Is the cello hard, with all these strings?"),
    ("Ben", "The cello strings hurt, but the Bach suite sounds well."),
    ("Ann", "Play the Bach suite on the cello for us."),
    ("Ben", "The cello teacher wants the Bach suite slower."),
]
TAXONOMY = parse('[home]\nrepairs = "repairs: boiler plumber valve leak"\n[arts]\nmusic = "music: cello Bach suite"\n')


def say(store: Store, session: str, lines: Sequence[tuple[str, str]], first: int = 0, **fields: Any) -> list[Entry]:
    """Lines of a talk a minute apart, from place `first` on."""
    at = fields.pop("at", NOW + first * 60_000)
    made = []
    for place, (speaker, text) in enumerate(lines):
        moment = Moment(at + place * 60_000, "minute", None, True)
        values = {"run": "R1", "role": "other", "trust": "other", "speaker": speaker, "moment": moment} | fields
        made.append(note(store, text, session=session, ordinal=first + place, **values))
    store.append_entries(made)
    return made


def shelves(taxonomy: Taxonomy = TAXONOMY) -> Shelves:
    return Shelves(taxonomy, tuple(EMBEDDER.one(item.text) for item in taxonomy.categories))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "home", QuickDisk())


def tidy(store: Store, run: str | None = None, within: int | None = None, places: Shelves | None = None) -> Formed:
    """Embed and form; `within` is for how many looks at the clock there is time."""
    embed_all(store)
    looks = iter(range(within if within is not None else 1_000_000))
    with store.tidying(), store.writing() as db:
        return form(store, db, run or store.ids.new(), places or shelves(), lambda: next(looks, None) is None)


def formed(store: Store) -> list[Event]:
    return store.consult(
        lambda reading: [
            event_of(row) for row in reading.db.rows(f"SELECT {COLUMNS} FROM events ORDER BY first_ms, id")
        ]
    )


def members(store: Store, event: Event) -> list[str]:
    return store.consult(lambda reading: entries_of(reading.db, event.id))


def journal(store: Store) -> bytes:
    return b"".join(path.read_bytes() for path in all_files(store.home.journal))


def texts(lines: Sequence[tuple[str, str]]) -> list[str]:
    return [text for _, text in lines]


def test_a_talk_becomes_an_event_a_topic_with_title_facts_and_a_shelf(store: Store) -> None:
    made = say(store, "talk", BOILER + CELLO)
    assert tidy(store).entries == 10
    first, second = formed(store)
    assert members(store, first) == [entry.id for entry in made[:5]]
    assert members(store, second) == [entry.id for entry in made[5:]]
    assert "boiler" in str(first.title).lower()
    assert "cello" in str(second.title).lower() or "bach" in str(second.title).lower()
    assert (first.topic.split("/")[:2], second.topic.split("/")[:2]) == (["home", "repairs"], ["arts", "music"])
    words = {entry.id: entry.text for entry in made}
    for event in (first, second):
        assert event.facts
        assert all(fact.text in words[fact.entry] for fact in event.facts)


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_talk_that_is_tidied_bit_by_bit_ends_like_one_tidied_whole(store: Store, step: int) -> None:
    lines = BOILER + CELLO
    for start in range(0, len(lines), step):
        say(store, "talk", lines[start : start + step], start)
        tidy(store)
    assert [event.size for event in formed(store)] == [5, 5]


def test_a_second_tidy_changes_nothing(store: Store) -> None:
    say(store, "talk", BOILER + CELLO)
    tidy(store)
    before = journal(store), digest(store)
    assert tidy(store) == Formed(0, 0, 0)
    assert (journal(store), digest(store)) == before
    assert store.consult(lambda reading: is_due(reading.db, TAXONOMY)) is False


def test_a_turn_more_joins_the_event_that_it_follows(store: Store) -> None:
    say(store, "talk", BOILER)
    tidy(store)
    (event,) = formed(store)
    (entry,) = say(store, "talk", [("Ann", "The plumber wants 90 euros for the boiler valve.")], 5)
    tidy(store)
    (grown,) = formed(store)
    assert grown.id == event.id
    assert entry.id in members(store, grown)


def test_what_comes_back_to_a_subject_joins_its_event(store: Store) -> None:
    made = say(store, "talk", BOILER + CELLO + BOILER[1:])
    tidy(store)
    assert sorted(event.size for event in formed(store)) == [5, 9]
    assert len(made) == 14


def test_undo_of_the_tidy_restores_the_digest_and_the_next_forms_them_again(store: Store) -> None:
    say(store, "talk", BOILER + CELLO)
    embed_all(store)
    before = digest(store)
    run = store.ids.new()
    tidy(store, run)
    titles = [event.title for event in formed(store)]
    undo(store, run)
    assert (digest(store), formed(store)) == (before, [])
    tidy(store)
    assert [event.title for event in formed(store)] == titles


def test_an_older_tidy_is_not_undone_while_a_later_builds_on_it(store: Store) -> None:
    say(store, "talk", BOILER)
    run = store.ids.new()
    tidy(store, run)
    say(store, "other", CELLO)
    tidy(store)
    with pytest.raises(Refused):
        undo(store, run)


def test_entries_taken_back_leave_their_event_and_the_next_tidy_words_it_anew(store: Store) -> None:
    say(store, "talk", BOILER[:4])
    say(store, "talk", [("Ann", "The plumber found a secret zeppelin zeppelin.")], 4, run="R2")
    tidy(store)
    (event,) = formed(store)
    store.append_change(undo_of(store, "R2"))
    (left,) = formed(store)
    assert (left.id, left.title, left.size) == (event.id, None, 4)
    assert tidy(store).events == 1
    (again,) = formed(store)
    assert again.title is not None
    assert "zeppelin" not in again.title.lower() + repr(again.facts)
    assert tidy(store) == Formed(0, 0, 0)
    store.append_change(undo_of(store, "R1"))
    assert formed(store) == []


def test_scopes_do_not_mix(store: Store) -> None:
    say(store, "talk", BOILER[:3])
    say(store, "talk", BOILER[3:], 3, scope="project:x")
    tidy(store)
    assert sorted((event.scope, event.size) for event in formed(store)) == [("project:x", 2), ("user", 3)]


def test_a_silence_of_hours_ends_an_event(store: Store) -> None:
    say(store, "talk", BOILER[:3])
    say(store, "talk", CELLO[:3], 3, at=NOW + DAY // 2)
    tidy(store)
    assert [event.size for event in formed(store)] == [3, 3]


def test_tool_results_are_in_no_event(store: Store) -> None:
    say(store, "talk", BOILER)
    say(store, "talk", [("tool", "exit 1: boiler not found")], 5, role="tool", trust="tool")
    assert tidy(store).entries == 5
    assert [event.size for event in formed(store)] == [5]


def test_notes_are_grouped_by_what_they_are_about_within_two_weeks(store: Store) -> None:
    def jot(day: int, text: str) -> None:
        moment = Moment(NOW + day * DAY, "second", 0)
        store.append_entries(
            [note(store, text, session=f"note:2026-11-{6 + day:02}", moment=moment, ordinal=NOW + day)]
        )

    jot(0, "boiler valve leaks, plumber called")
    jot(0, "cello lesson moved to Friday")
    jot(1, "plumber says boiler valve is broken")
    jot(3, "paid plumber for boiler valve")
    jot(20, "boiler valve leaks, plumber called again")
    tidy(store)
    assert sorted(event.size for event in formed(store)) == [1, 1, 3]


def test_a_document_is_grouped_by_its_sections(store: Store) -> None:
    parts = ["# Boiler\nThe boiler leaks.", "## Valve\nThe boiler valve.", "## Plumber\nBoiler plumber."]
    parts += ["# Cello\nThe cello has strings.", "## Bach\nCello suite by Bach.", "## Teacher\nCello teacher, Bach."]
    say(store, "markdown:plan.md", [("", text) for text in parts], source="markdown", speaker=None)
    tidy(store)
    assert [(event.title, event.size) for event in formed(store)] == [("Boiler", 3), ("Cello", 3)]


def test_a_conversation_of_one_event_keeps_the_title_of_its_source(store: Store) -> None:
    say(store, "chatgpt:1", BOILER, title="Leaking boiler", source="chatgpt")
    say(store, "chatgpt:2", CELLO, at=NOW + 10 * DAY, title="New chat", source="chatgpt")
    tidy(store)
    first, second = formed(store)
    assert first.title == "Leaking boiler"
    assert second.title != "New chat"


def test_a_budget_stops_between_stretches_and_the_next_tidy_goes_on(store: Store) -> None:
    for place in range(4):
        say(store, f"talk {place}", BOILER if place % 2 else CELLO, at=NOW + place * 10 * DAY)
    found = tidy(store, within=2)
    assert (found.entries, found.pending) == (10, 10)
    assert tidy(store).pending == 0
    assert len(formed(store)) == 4


def test_a_long_session_is_placed_stretch_by_stretch(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(material, "AT_ONCE", 7)
    monkeypatch.setattr(events, "AT_ONCE", 7)
    say(store, "talk", (BOILER + CELLO) * 3)
    assert tidy(store).pending == 0
    assert sum(event.size for event in formed(store)) == 30
    assert verify(store).healthy


def test_another_taxonomy_files_again_what_was_unsorted_or_lost_its_place(store: Store) -> None:
    say(store, "talk", BOILER + CELLO)
    only_music = parse('[arts]\nmusic = "music: cello Bach suite"\n')
    tidy(store, places=shelves(only_music))
    assert [event.topic.split("/")[0] for event in formed(store)] == ["unsorted", "arts"]
    titles = [event.title for event in formed(store)]
    assert tidy(store, places=shelves(only_music)) == Formed(0, 0, 0)
    assert tidy(store).events == 1
    assert [event.topic.split("/")[0] for event in formed(store)] == ["home", "arts"]
    only_home = parse('[home]\nrepairs = "repairs: boiler plumber valve leak"\n')
    tidy(store, places=shelves(only_home))
    assert [event.topic.split("/")[0] for event in formed(store)] == ["home", "unsorted"]
    assert [event.title for event in formed(store)] == titles
    assert tidy(store, places=shelves(only_home)) == Formed(0, 0, 0)


def test_replay_needs_no_model_and_a_rebuild_changes_nothing(store: Store, tmp_path: Path) -> None:
    say(store, "talk", BOILER + CELLO)
    tidy(store)
    with store.reading() as reading:
        state = dump(reading.db)
    assert state == replayed(store.home.root, tmp_path / "replay.db")
    rebuild(store)
    with store.reading() as reading:
        assert dump(reading.db) == state
    assert verify(store).healthy


def test_a_damaged_line_of_the_journal_only_makes_its_entries_wait_again(store: Store) -> None:
    say(store, "talk", BOILER)
    tidy(store)
    (path,) = all_files(store.home.journal)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(
        b"".join(line if b'"op":"event"' not in line else b"#" * (len(line) - 1) + b"\n" for line in lines)
    )
    (store.home.database).unlink()
    assert formed(store) == []
    assert tidy(store).entries == 5
    assert len(formed(store)) == 1


def test_many_small_sessions_are_synced_together(tmp_path: Path) -> None:
    disk = CountedDisk()
    store = open_store(tmp_path / "home", disk)
    for place in range(60):
        say(store, f"talk {place}", [("Ann", f"subject{place} and the word{place}")], at=NOW + place * 10 * DAY)
    embed_all(store)
    disk.calls.clear()
    with store.tidying(), store.writing() as db:
        form(store, db, store.ids.new(), None, lambda: False)
    assert disk.calls.count("fsync") <= 3
    assert len(formed(store)) == 60


def test_without_shelves_everything_is_unsorted_until_there_are_some(store: Store) -> None:
    say(store, "talk", BOILER)
    embed_all(store)
    with store.tidying(), store.writing() as db:
        form(store, db, store.ids.new(), None, lambda: False)
    assert [event.topic for event in formed(store)] == ["unsorted"]
    tidy(store)
    assert [event.topic.split("/")[:2] for event in formed(store)] == [["home", "repairs"]]


def test_a_turn_that_follows_entries_without_vectors_joins_their_event(store: Store) -> None:
    """A change of the embedder that a budget has cut short: the new turn is embedded, those before it not yet."""
    say(store, "talk", BOILER)
    tidy(store)
    (event,) = formed(store)
    (entry,) = say(store, "talk", [("Ann", "And the plumber is paid.")], 5)
    embed_all(store)
    with store.tidying(), store.writing() as db:
        old = [seq for (seq,) in db.rows("SELECT seq FROM entries WHERE id <> ?", (entry.id,))]
        with db.transaction():
            vectors.delete(db, old)
        form(store, db, store.ids.new(), None, lambda: False)
    tidy(store)
    assert [len(members(store, found)) for found in formed(store) if found.id == event.id] in ([5], [6])
    assert sum(found.size for found in formed(store)) == 6
    assert verify(store).healthy


def test_vectors_of_another_model_leave_events_as_they_are(store: Store) -> None:
    say(store, "talk", BOILER)
    tidy(store)
    before = [replace(event) for event in formed(store)]
    run = store.ids.new()
    with store.tidying(), store.writing() as db, db.transaction():
        db.execute("DELETE FROM vectors")
        db.execute("UPDATE entries SET embedded = 0")
    with store.tidying(), store.writing() as db:
        assert form(store, db, run, None, lambda: False) == Formed(0, 0, 0)
    assert formed(store) == before
