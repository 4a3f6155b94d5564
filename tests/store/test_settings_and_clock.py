"""Settings survive any name; times at the edge of the calendar are refused or shown, never an error."""

from __future__ import annotations

from datetime import UTC, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli import settings
from memcli.clock import Clock, from_iso, iso, parse_when, show, to_iso
from memcli.errors import UsageError
from memcli.ids import Ids, encode, milliseconds
from memcli.types import PRECISIONS, Moment
from store.making import NOW


@given(st.lists(st.text(), max_size=4).map(tuple))
def test_any_names_read_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, names: tuple[str, ...]
) -> None:
    path = tmp_path_factory.getbasetemp() / "config.toml"
    for recall in ({}, {"past_questions": True, "follow_ups": False}):
        path.write_bytes(settings.dump(settings.Settings(names, recall=recall)))
        assert settings.load(path) == settings.Settings(names, recall=recall)


@pytest.mark.parametrize(
    "content", [b"me = 5", b"me = [1]", b"me = [", b"\xff\xfe", b"recall = 1", b"[recall]\na = 'b'"]
)
def test_settings_that_cannot_be_meant_are_a_usage_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(content)
    with pytest.raises(UsageError):
        settings.load(path)


def test_no_settings_are_the_defaults_and_unreadable_ones_are_told(tmp_path: Path) -> None:
    assert settings.load(tmp_path / "missing") == settings.Settings()
    with pytest.raises(UsageError):
        settings.load(tmp_path)


@given(
    st.integers(-62_135_596_800_000, 253_402_300_799_999),
    st.booleans(),
    st.none() | st.integers(-1439, 1439),
    st.sampled_from(PRECISIONS),
)
def test_every_time_of_the_calendar_is_written_read_and_shown(
    ms: int, floating: bool, offset: int | None, precision: str
) -> None:
    moment = Moment(ms, precision, offset, floating)  # type: ignore[arg-type]
    assert from_iso(to_iso(moment)) == (ms, floating)
    for zone in (None, timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))):
        assert show(moment, zone)


@pytest.mark.parametrize("text", ["0001-01-01T00:00", "9999-12-31T23:59", "0001-01-01", "9999-12-31T23:59:59-14:00"])
@pytest.mark.parametrize("hours", [-12, 0, 14])
def test_a_date_at_the_edge_of_the_calendar_is_a_time_or_none(text: str, hours: int) -> None:
    found = parse_when(text, Clock(lambda: NOW, timezone(timedelta(hours=hours))))
    if found is not None:
        assert from_iso(to_iso(found))[0] == found.ms


def test_ids_rise_even_where_the_clock_steps_back_and_tell_their_time() -> None:
    times = iter([NOW, NOW, NOW + 5, NOW - 86_400_000, NOW - 1, NOW + 6])
    ids = Ids(lambda: next(times), lambda n: b"\xff" * n)
    made = [ids.new() for _ in range(6)]
    assert made == sorted(set(made))
    assert milliseconds(made[0]) == NOW
    assert iso(milliseconds(encode(NOW << 80))) == iso(NOW)


def test_ids_come_after_the_newest_of_others_and_two_processes_stay_apart() -> None:
    first, second = (Ids(lambda: NOW, newest_ms=lambda: NOW + 60_000).new() for _ in range(2))
    assert milliseconds(first) == milliseconds(second) == NOW + 60_001
    assert first != second


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        ("2026-05-20 15:04", "minute"),
        ("2026-05-20 15:04+02:00", "minute"),
        ("2026-05-20T15:04:05", "second"),
        ("2026-05-20T15:04:05+02:00", "second"),
    ],
)
def test_a_time_is_as_precise_as_it_is_written(text: str, precision: str) -> None:
    found = parse_when(text, Clock(lambda: NOW, UTC))
    assert found is not None
    assert found.precision == precision
