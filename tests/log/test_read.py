"""Reading a file of lines: only newline bytes end a line, a torn tail is not given, nothing is dropped silently."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store.making import NOW

from memcli.errors import IOFailed
from memcli.log.files import all_files, current, month_of
from memcli.log.read import TAIL, complete_size, every_line, raw_lines, read, tail, torn_tail

pieces = st.lists(
    st.sampled_from([b"\n", b"\r", b"\xe2\x80\xa8", b"\0", b"x", b"y" * 40, b"\n\n", b"\xff"]), max_size=30
)


@given(pieces.map(b"".join), st.integers(0, 60))
def test_lines_and_their_ends_are_those_of_the_bytes(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, cut: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "lines"
    path.write_bytes(data)
    lines = list(raw_lines(path))
    assert b"".join(raw + b"\n" for _, raw in lines) == data[: data.rfind(b"\n") + 1]
    assert [end for end, _ in lines] == [n + 1 for n, byte in enumerate(data) if byte == 10]
    assert complete_size(path) == data.rfind(b"\n") + 1
    assert torn_tail(path) == len(data) - complete_size(path)
    for line in every_line(path):
        assert data[: line.end].endswith(line.tail)
        assert tail(path, line.end).endswith(line.tail)
        assert len(line.tail) <= TAIL
    if lines:
        end = lines[cut % len(lines)][0]
        assert list(raw_lines(path, end)) == [one for one in lines if one[0] > end]


def test_a_line_longer_than_any_buffer_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"a" * 5_000_000 + b"\nb\n" + b"c" * 5_000_000)
    assert [(end, len(raw)) for end, raw in raw_lines(path)] == [(5_000_001, 5_000_000), (5_000_003, 1)]
    assert complete_size(path) == 5_000_003


def test_bad_lines_are_given_with_their_number_and_why_and_blank_ones_are_not(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"garbage\n\n{}\ntorn")
    assert [(line.number, line.envelope, bool(line.problem)) for line in read(path)] == [
        (1, None, True),
        (3, None, True),
    ]


def test_a_file_that_cannot_be_read_is_our_error(tmp_path: Path) -> None:
    (tmp_path / "2026-11-aaaaaa.jsonl").mkdir()
    with pytest.raises(IOFailed):
        list(raw_lines(tmp_path / "2026-11-aaaaaa.jsonl"))
    with pytest.raises(IOFailed):
        complete_size(tmp_path / "missing")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], "2026-11-aaaaaa.jsonl"),
        (["2026-10-aaaaaa.jsonl"], "2026-11-aaaaaa.jsonl"),
        (["2026-12-aaaaaa.jsonl"], "2026-12-aaaaaa.jsonl"),
        (["2026-12-bbbbbb.jsonl"], "2026-11-aaaaaa.jsonl"),
        (["2027-01-aaaaaa.jsonl", "2026-12-aaaaaa.jsonl"], "2027-01-aaaaaa.jsonl"),
        (["notes-aaaaaa.jsonl", "2026-12-x-aaaaaa.jsonl", "2026-12-aaaaaa.jsonl.bak"], "2026-11-aaaaaa.jsonl"),
    ],
)
def test_a_device_appends_to_no_file_older_than_its_newest(tmp_path: Path, names: list[str], expected: str) -> None:
    for name in names:
        (tmp_path / name).touch()
    assert current(tmp_path, "aaaaaa", NOW).name == expected
    assert month_of(NOW) == "2026-11"


def test_only_logs_are_files_of_the_log_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in (
        "2026-11-b.jsonl",
        "2026-02-c.jsonl",
        "2026-11-a.jsonl",
        "x.jsonl",
        "2026-11-a.jsonl~",
        ".2026-11-a.jsonl",
    ):
        (tmp_path / name).touch()
    assert [path.name for path in all_files(tmp_path)] == ["2026-02-c.jsonl", "2026-11-a.jsonl", "2026-11-b.jsonl"]
    assert all_files(tmp_path / "missing") == []
