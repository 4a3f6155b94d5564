"""Any text at any time: no exception, sound intervals, and time that grows with the length only."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.lang.when import describe, find_times
from memcli.lang.when.lexicon import lexicon

_VOCABULARY = sorted({word for language in ("en", "de", "es") for word in lexicon(language)}) + (
    "3 12 31 99 2025 1900 12th 31st 3pm 14:30 99:99 2026-02-30 05.06.2025 9-17 5-7 1990s 80s Q3 q4 , . ! ? ' - \" ( \n"
    " May Friday March Sunday Will I we was will met 今天 三天前 下周五 来週の金曜日 3時 上周日 5月40日 半年前 9999年 "
).split(" ")
_ANCHORS = st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31, 23, 59))


@settings(max_examples=600, deadline=None)
@given(
    text=st.one_of(
        st.text(max_size=80),
        st.lists(st.sampled_from(_VOCABULARY), max_size=14).map(" ".join),
        st.lists(st.sampled_from(_VOCABULARY), max_size=10).map("".join),
    ),
    anchor=_ANCHORS,
    zone=st.one_of(st.none(), st.timezones()),
    future=st.sampled_from([None, True, False]),
)
def test_any_text_gives_sound_intervals(text: str, anchor: datetime, zone: object, future: bool | None) -> None:
    last = 0
    for one in find_times(text, anchor, zone, names=["May"], future=future):  # type: ignore[arg-type]
        assert one.start < one.end
        assert one.start.tzinfo is None and one.end.tzinfo is None
        first, end = one.span
        assert 0 <= first < end <= len(text) and text[first:end] == one.phrase
        assert first >= last
        last = end
        assert describe(one)
        if one.grain not in ("minute", "hour", "part"):
            assert one.start.time() == one.end.time() == datetime.min.time()
            assert one.end - one.start >= timedelta(days=1)


_HOSTILE = {
    "digits": "1" * 100_000,
    "digits and spaces": "1 " * 50_000,
    "spaces": " " * 100_000,
    "last": "last " * 20_000,
    "weekdays": "monday " * 14_000,
    "weekdays and commas": "Monday, " * 12_000,
    "dates": "May 5 " * 16_000,
    "clocks": "12:30 " * 16_000,
    "figures": "1:" * 50_000,
    "lines": "\n" * 100_000,
    "quotes": "'" * 100_000,
    "numerals": "三日" * 50_000,
    "today": "今天" * 50_000,
    "weeks": "周" * 100_000,
    "plans": "on Friday we will " * 5_500,
    "open": "the week before " * 6_000,
    "yesterdays": "어제 " * 33_000,
    "agos": "قبل " * 25_000,
    "dotted": "5. Mai " * 14_000,
}


@pytest.mark.parametrize("name", _HOSTILE)
def test_hostile_text_takes_linear_time(name: str) -> None:
    """Twice the text takes about twice the time (four times would be quadratic), whatever the machine does besides."""
    text = _HOSTILE[name]
    half, whole = (min(_spent(part) for _ in range(3)) for part in (text[: len(text) // 2], text))
    assert whole < 3 * half + 0.05


def _spent(text: str) -> float:
    began = time.process_time()
    find_times(text, datetime(2026, 5, 20))
    return time.process_time() - began


def test_importing_compiles_nothing_and_loads_no_grammar() -> None:
    code = (
        "import re, sys; compiled = []; real = re._compiler.compile\n"
        "re._compiler.compile = lambda *a, **k: (compiled.append(a), real(*a, **k))[1]\n"
        "import dataclasses, datetime, typing; compiled.clear()\n"
        "import memcli.lang.when\n"
        "assert not compiled, compiled\n"
        "loaded = {name for name in sys.modules if name.startswith('memcli.lang.when.')}\n"
        "assert loaded == {'memcli.lang.when.describe', 'memcli.lang.when.interval'}, loaded\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_ordinary_text_never_loads_the_grammar() -> None:
    code = (
        "import sys, datetime; from memcli.lang.when import find_times\n"
        "assert find_times('The cat is asleep on the sofa.', datetime.datetime(2026, 5, 20)) == []\n"
        "assert 'memcli.lang.when.resolve' not in sys.modules\n"
        "find_times('Gestern', datetime.datetime(2026, 5, 20))\n"
        "assert 'dateparser' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
