"""Which format: traps of order, JSON that is never prose, damage, and the cost of a note."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memcli.errors import BadData, MemError, UsageError
from memcli.formats import registry
from memcli.formats.base import ParseOptions
from memcli.formats.source import Source
from memcli.types import Draft, Moment, Skip

from . import golden

NOTES = [
    "The dentist moved to Tuesday.",
    "wifi: abc\npin: 1234",
    "{not json} but a thought",
    "[ ] buy milk\n[x] buy bread",
    "[[Tools]] has the list",
    "[2026] was a good year",
    "{{date}} template",
    '"quoted" and no more',
    "42",
    "null",
    "https://example.com: the map",
    '{"a": 1} is what the server answers.',
    "C:\\temp: clean it\nD:\\data: keep it",
]


@pytest.mark.parametrize("text", NOTES)
def test_prose_is_a_note(text: str) -> None:
    assert registry.detect(Source.from_bytes("-", text.encode())).name == "note"


UNKNOWN_JSON = [
    '{"wifi": "abc"}',
    '[{"a": 1}]',
    "[1, 2, 3]",
    "{}",
    "[]",
    '{"a": 1}\n{"a": 2}\n',
    '{"a": 1}{"a": 2}',
    '{\n "a": 1\n}\n{\n "a": 2\n}\n',
    '{"a": "cut off he',
    '[{"a": 1}, {"a":',
    '\ufeff{"wifi": "abc"}',
]


@pytest.mark.parametrize("text", UNKNOWN_JSON)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_json_of_an_unknown_shape_is_refused_and_never_prose(text: str, encoding: str) -> None:
    with pytest.raises(BadData) as caught:
        registry.detect(Source.from_bytes("-", text.encode(encoding)))
    assert "does not know" in caught.value.message
    assert "--as" in (caught.value.hint or "")


def test_the_complaint_names_the_keys() -> None:
    with pytest.raises(BadData, match="keys alpha, beta"):
        registry.detect(Source.from_bytes("-", b'[{"alpha": 1, "beta": 2}]'))


def test_json_can_be_kept_as_a_note_when_asked() -> None:
    drafts = golden.read(Source.from_bytes("-", b'{"wifi": "abc"}'), "note")
    assert [draft.text for draft in drafts if isinstance(draft, Draft)] == ['{"wifi": "abc"}']


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        registry.by_name("whatsup")
    assert "chatgpt" in (caught.value.hint or "")


def test_every_format_goes_by_its_own_name() -> None:
    assert [registry.by_name(name).name for name in registry.NAMES] == list(registry.NAMES)


def test_a_cut_export_keeps_every_complete_conversation_and_reports_the_rest() -> None:
    conversations = json.loads((golden.SAMPLES / "chatgpt_conversations.json").read_text())
    whole = json.dumps([{**conversations[0], "id": f"c{n}", "conversation_id": f"c{n}"} for n in range(5)])
    source = Source.from_bytes("conversations.json", whole[: len(whole) - 300].encode())
    format_ = registry.detect(source)
    items = list(registry.parse(source, format_, ParseOptions()))
    assert format_.name == "chatgpt"
    assert {item.conversation for item in items if isinstance(item, Draft)} == {"c0", "c1", "c2", "c3"}
    assert items[-1] == Skip("after item 4", "the JSON is cut off here", damaged=True)


def test_an_export_cut_before_anything_complete_is_bad_data() -> None:
    whole = (golden.SAMPLES / "chatgpt_conversations.json").read_bytes()
    source = Source.from_bytes("conversations.json", whole[: len(whole) // 2])
    with pytest.raises(BadData, match="cut off"):
        list(registry.parse(source, registry.detect(source), ParseOptions()))


def test_a_bad_inner_line_is_reported_and_a_bad_last_line_is_not() -> None:
    good = '{"role": "user", "content": "hello"}'
    source = Source.from_bytes("x.jsonl", f"{good}\n{{bad\n{good}\n{good}\n{good[:20]}".encode())
    items = list(registry.parse(source, registry.detect(source), ParseOptions()))
    assert [item for item in items if isinstance(item, Skip)] == [Skip("line 2", "not JSON", damaged=True)]
    assert sum(isinstance(item, Draft) for item in items) == 3


@pytest.mark.parametrize("name", ["openai_messages.json", "chatgpt_conversations.json", "claude_ai_conversations.json"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_an_export_in_another_encoding_gives_the_same(name: str, encoding: str) -> None:
    data = (golden.SAMPLES / name).read_bytes()
    recoded = Source.from_bytes(name, data.decode().encode(encoding))
    format_ = registry.detect(recoded)
    assert golden.read(recoded, format_.name) == golden.read(Source.from_bytes(name, data), format_.name)


def test_pretty_printed_values_in_a_row_and_arrays_in_jsonl_are_read() -> None:
    one = json.dumps({"messages": [{"role": "user", "content": "flat 9"}]}, indent=1)
    for text in (f"{one}\n{one}", f"[{one}, {one}]"):
        source = Source.from_bytes("x.jsonl", text.encode())
        items = golden.read(source, registry.detect(source).name)
        assert [(item.ordinal, item.text) for item in items if isinstance(item, Draft)] == [(0, "flat 9")] * 2


def test_what_tells_a_format_may_come_late() -> None:
    tools = [{"type": "function", "description": "x" * 100}] * 2000
    data = json.dumps({"tools": tools, "messages": [{"role": "user", "content": "flat 9"}]}).encode()
    source = Source.from_bytes("x", data)
    items = golden.read(source, registry.detect(source).name)
    assert [item.text for item in items if isinstance(item, Draft)] == ["flat 9"]


def test_what_names_no_time_takes_the_persons_date() -> None:
    date = Moment(1_779_235_200_000, "day", None, True)
    source = Source.from_bytes("-", b"I moved to flat 9.")
    (draft,) = registry.parse(source, registry.by_name("note"), ParseOptions(date))
    assert isinstance(draft, Draft)
    assert draft.moment == date


def test_a_missing_file_is_no_input(tmp_path: Path) -> None:
    with pytest.raises(MemError) as caught:
        registry.detect(Source.from_path(tmp_path / "nowhere.txt"))
    assert caught.value.exit_code == 66


_COST = """
import sys
import memcli.types, memcli.errors
before = set(sys.modules)
from memcli.formats import registry
from memcli.formats.base import ParseOptions
from memcli.formats.source import Source
source = Source.from_bytes("-", b"The dentist moved to Tuesday; bring the blue card.")
drafts = list(registry.parse(source, registry.detect(source), ParseOptions()))
assert len(drafts) == 1
print(*(set(sys.modules) - before))
"""


def test_a_short_note_loads_nothing_heavy(tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(golden.TESTS.parent), "PYTHONPYCACHEPREFIX": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", _COST], env=environment, capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert {name for name in loaded if name.startswith("memcli.formats.")} == {
        f"memcli.formats.{name}" for name in ("base", "note", "registry", "source", "text")
    }
    assert not loaded & {"json", "ijson", "yaml", "charset_normalizer", "datetime", "email", "zipfile"}


@pytest.mark.parametrize("name", ["bash_history", "/home/ada/.bash_history", ".zsh_history"])
def test_a_shell_s_history_without_times_is_known_by_its_name(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        registry.detect(Source.from_bytes(name, b"ls -la\ncd boats\n"))
    assert "--as " in (caught.value.hint or "")
