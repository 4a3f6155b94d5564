"""Damaged input: whatever is done to a sample, nothing but an error of ours comes out, and no text is invented."""

from __future__ import annotations

import json
import os
import random
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memcli.errors import MemError
from memcli.formats import registry
from memcli.formats.base import ParseOptions
from memcli.formats.source import Source
from memcli.formats.walk import expand
from memcli.types import Draft, Moment, Skip

from . import golden, made

EXAMPLES = int(os.environ.get("MEM_FUZZ", "300"))
"""How many examples each test tries: more in a night than in a minute."""

SAMPLES = {
    path.relative_to(golden.SAMPLES).as_posix(): path.read_bytes()
    for path in sorted(golden.SAMPLES.rglob("*"))
    if path.is_file()
}
OPTIONS = st.builds(
    ParseOptions,
    date=st.none() | st.just(Moment(1_779_235_200_000, "day", None, True)),
    date_order=st.sampled_from([None, "dmy", "mdy"]),
)
SAMPLES |= {"page.html": made.PAGE, "MyActivity.html": made.ACTIVITY, "page.pdf": made.pdf("I moved to flat 9")}
"""The samples, and documents beside them."""

PIECES = [piece.encode("utf-8", "surrogatepass") for piece in (
    "", "\x00", "\r\n", "\n\n",
    "[", "]", "{", "}", '"', ":", ": ", ",", "null", "-->", "[[[[", "\\", "\\x", "1e999", "-1",
    "true", "\u202f", "\ufeff", "9" * 20, "<", ">", "From ", "\n* ", "---\n", "\ud800", '{"a":', "ſ：٣", "Infinity",
    "[2026-13-45 99:99] X: y\n", "\n: 1779282000:0;", "\n#1779282000\n",
)] + [b"\xff", b"\x83"]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, bytes]:
    """A sample, cut, with bytes changed, pieces put in, or runs repeated or removed."""
    name = draw(st.sampled_from(sorted(SAMPLES)))
    data = SAMPLES[name]
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 60)))
        how = draw(st.sampled_from(["put", "remove", "repeat", "cut", "replace"]))
        if how == "put":
            data = data[:at] + draw(st.sampled_from(PIECES)) + data[at:]
        elif how == "remove":
            data = data[:at] + data[end:]
        elif how == "repeat":
            data = data[:end] + data[at:end] * 3 + data[end:]
        elif how == "cut":
            data = data[:at]
        else:
            data = data[:at] + draw(st.sampled_from(PIECES)) + data[end:]
    return name, data


def check(items: list[Draft | Skip]) -> None:
    """What every draft promises."""
    for item in items:
        if isinstance(item, Skip):
            assert item.where and item.reason
            continue
        assert item.text.strip()
        item.text.encode()
        for name in (item.speaker, item.title, item.conversation, item.message):
            assert name is None or (name.strip() and name.encode() is not None)
        assert item.moment is None or -(10**14) < item.moment.ms < 10**15
    assert all(item.ordinal >= 0 for item in items if isinstance(item, Draft))


def read(source: Source, name: str | None, options: ParseOptions) -> None:
    try:
        format_ = registry.by_name(name) if name else registry.detect(source)
        check(list(registry.parse(source, format_, options)))
    except MemError as error:
        assert error.message


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutated(), OPTIONS)
def test_a_damaged_sample_is_read_or_refused(sample: tuple[str, bytes], options: ParseOptions) -> None:
    read(Source.from_bytes(*sample), None, options)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutated(), st.sampled_from(registry.NAMES), OPTIONS)
def test_a_damaged_sample_read_as_any_format_is_read_or_refused(
    sample: tuple[str, bytes], name: str, options: ParseOptions
) -> None:
    read(Source.from_bytes(*sample), name, options)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.text(max_size=300), OPTIONS)
def test_any_text_is_read_or_refused(text: str, options: ParseOptions) -> None:
    read(Source.from_bytes("-", text.encode("utf-8", "surrogatepass")), None, options)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def _twisted(value: object, draw: st.DrawFn) -> object:
    """The same JSON with some values replaced by others of any type."""
    if draw(st.integers(0, 11)) == 0:
        return draw(JSON)
    if isinstance(value, dict):
        return {key: _twisted(item, draw) for key, item in value.items() if draw(st.integers(0, 25))}
    if isinstance(value, list):
        return [_twisted(item, draw) for item in value]
    return value


@st.composite
def twisted(draw: st.DrawFn) -> tuple[str, bytes]:
    names = [name for name in SAMPLES if name.endswith((".json", ".jsonl")) and "bad_escape" not in name]
    name = draw(st.sampled_from(sorted(names)))
    if name.endswith(".jsonl") or "signal" in name:
        lines = [json.loads(line) for line in SAMPLES[name].splitlines() if line.strip() and line.endswith(b"}")]
        return name, "\n".join(json.dumps(_twisted(line, draw)) for line in lines).encode()
    return name, json.dumps(_twisted(json.loads(SAMPLES[name]), draw)).encode()


@settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(twisted(), OPTIONS)
def test_fields_of_any_type_cost_no_more_than_themselves(sample: tuple[str, bytes], options: ParseOptions) -> None:
    name, data = sample
    read(Source.from_bytes(name, data), None, options)
    table = f"{name}.json"
    if (golden.GOLDEN / table).exists():
        read(Source.from_bytes(name, data), golden.load(name)["format"], options)


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_zip_is_read_or_refused(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/notes.md", "# Shed\nflat 9\n" * 50)
        archive.writestr("a/chat.txt", SAMPLES["whatsapp_android.txt"])
        archive.write(golden.SAMPLES / "slack_export.zip", "slack.zip")
    data = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 6)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    path.write_bytes(data if seed % 3 else data[: chance.randrange(len(data))])
    try:
        for source in expand(path):
            read(source, None, ParseOptions())
    except MemError as error:
        assert error.message
