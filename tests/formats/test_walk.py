"""Folders and zips: what is taken, what is left, what is refused."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from memcli.errors import BadData, NoInput
from memcli.formats import archive, registry
from memcli.formats.base import ParseOptions
from memcli.formats.walk import expand
from memcli.types import Draft, Skip

from . import golden


def names(path: Path) -> list[str]:
    return [source.name.removeprefix(f"{path}/") for source in expand(path)]


def make_zip(path: Path, files: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return path


def make_folder(path: Path, files: dict[str, str | bytes]) -> Path:
    for name, data in files.items():
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


VAULT: dict[str, str | bytes] = {
    "b.md": "# B",
    "a.md": "# A",
    "Daily/2026-05-20.md": "Sold the kayak.",
    ".obsidian/app.json": "{}",
    ".trash/old.md": "# Old",
    ".hidden.md": "# Hidden",
    "templates/day.md": "# {{date}}",
    "picture.png": b"\x89PNG",
    "mail/Inbox": "From a@example.com",
}


def test_a_vault_gives_its_notes_in_the_order_of_their_names(tmp_path: Path) -> None:
    assert names(make_folder(tmp_path, VAULT)) == ["Daily/2026-05-20.md", "a.md", "b.md", "mail/Inbox"]


def test_a_daily_note_is_dated_by_its_name(tmp_path: Path) -> None:
    source = next(expand(make_folder(tmp_path, VAULT)))
    (draft,) = registry.parse(source, registry.detect(source), ParseOptions())
    assert isinstance(draft, Draft)
    assert draft.moment is not None
    assert (golden.said_at(draft.moment), draft.moment.precision) == ("2026-05-20T00:00:00", "day")


def test_a_recording_is_dated_by_its_name(tmp_path: Path) -> None:
    data = (golden.SAMPLES / "meeting_zoom.vtt").read_bytes()
    path = make_folder(tmp_path, {"GMT20260520-130000_Recording.transcript.vtt": data})
    source = next(expand(path))
    (draft,) = registry.parse(source, registry.detect(source), ParseOptions())
    assert isinstance(draft, Draft)
    assert draft.moment is not None
    assert (golden.said_at(draft.moment), draft.moment.offset) == ("2026-05-20T13:00:05.790Z", 0)


def test_a_link_to_a_folder_above_is_no_loop(tmp_path: Path) -> None:
    make_folder(tmp_path, {"notes/a.md": "# A"})
    (tmp_path / "notes" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "notes" / "gone.md").symlink_to(tmp_path / "nowhere.md")
    assert names(tmp_path) == ["notes/a.md"]


def test_a_file_is_taken_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "history.dat"
    path.write_text("hello")
    assert [source.name for source in expand(path)] == [str(path)]


def test_an_export_gives_its_conversations_and_leaves_the_rest(tmp_path: Path) -> None:
    chats = (golden.SAMPLES / "chatgpt_conversations.json").read_text()
    files = {"conversations.json": chats, "user.json": "{}", "chat.html": "<html>", "message_feedback.json": "[]"}
    path = make_zip(tmp_path / "export.zip", {**files, "file-1.png": b"\x89PNG", "shared_conversations.json": "[]"})
    assert names(path) == ["conversations.json"]
    split = make_zip(tmp_path / "split.zip", {"conversations-001.json": chats, "conversations-000.json": chats})
    assert names(split) == ["conversations-000.json", "conversations-001.json"]


def test_takeout_gives_gemini_and_mail(tmp_path: Path) -> None:
    path = make_zip(
        tmp_path / "takeout.zip",
        {
            "Takeout/My Activity/Gemini Apps/MyActivity.json": "[]",
            "Takeout/My Activity/YouTube/MyActivity.json": "[]",
            "Takeout/Mail/All mail.mbox": "From ",
            "Takeout/Keep/note.html": "<html>",
            "Takeout/archive_browser.html": "<html>",
        },
    )
    assert names(path) == ["Takeout/Mail/All mail.mbox", "Takeout/My Activity/Gemini Apps/MyActivity.json"]


def test_a_zip_in_a_zip_is_opened_once(tmp_path: Path) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as inner:
        inner.writestr("a.md", "# A")
        inner.writestr("deeper.zip", b"PK\x05\x06" + b"\x00" * 18)
    path = make_zip(tmp_path / "outer.zip", {"inner.zip": held.getvalue(), "b.md": "# B"})
    assert names(path) == ["b.md", "inner.zip/a.md"]
    assert [source.text() for source in expand(path)] == ["# B", "# A"]


@pytest.mark.parametrize("name", ["../evil.md", "/etc/evil.md", "C:\\evil.md", "a/../../evil.md", "..\\evil.md"])
def test_a_member_that_leaves_the_archive_refuses_it(name: str, tmp_path: Path) -> None:
    path = make_zip(tmp_path / "evil.zip", {"good.md": "# Good", name: "# Evil"})
    with pytest.raises(BadData, match="leaves it"):
        names(path)


def test_a_member_that_is_a_link_refuses_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "link.zip"
    with zipfile.ZipFile(path, "w") as made:
        info = zipfile.ZipInfo("notes.md")
        info.external_attr = 0o120777 << 16
        made.writestr(info, "/etc/passwd")
    with pytest.raises(BadData, match="link"):
        names(path)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "bomb.zip", {"bomb.txt": b"0" * (4 * 1024**2)})
    with pytest.raises(BadData, match="fold"):
        names(path)


def test_too_many_members_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_ENTRIES", 3)
    monkeypatch.setattr(archive._Budget.__init__, "__defaults__", (3, archive.MOST_BYTES))
    with pytest.raises(BadData, match="members"):
        names(make_zip(tmp_path / "many.zip", {f"{n}.md": "x" for n in range(4)}))


def test_a_member_that_is_too_big_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_MEMBER_BYTES", 10)
    with pytest.raises(BadData, match="too big"):
        names(make_zip(tmp_path / "big.zip", {"a.md": "x" * 11}))


def test_an_office_document_is_no_archive_of_notes(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "letter.docx", {"[Content_Types].xml": "<x/>", "word/document.xml": "<x/>"})
    with pytest.raises(BadData, match="office"):
        names(path)


def test_a_damaged_member_is_an_error_of_ours(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "bad.zip", {"a.md": "# A\n" * 1000})
    data = bytearray(path.read_bytes())
    data[40] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(BadData, match=r"damaged|unpacked"):
        [source.text() for source in expand(path)]


def test_nothing_there_is_no_input(tmp_path: Path) -> None:
    with pytest.raises(NoInput):
        list(expand(tmp_path / "nowhere.zip"))


def test_a_damaged_day_of_a_slack_export_costs_no_other_day(tmp_path: Path) -> None:
    message = {"type": "message", "user": "U1", "text": "hi", "ts": "1779283200.000100"}
    later = {**message, "ts": "1779369600.000100", "text": "<@U1> &lt;3 <#C1|general> <mailto:a@example.com|mail>"}
    path = make_folder(
        tmp_path,
        {
            "export/users.json": json.dumps([{"id": "U1", "profile": {"display_name": "Ada"}}]),
            "export/channels.json": json.dumps([{"id": "C1", "name": "general"}]),
            "export/general/2026-05-20.json": json.dumps([message]),
            "export/general/2026-05-21.json": '[{"type": "mess',
            "export/general/2026-05-22.json": json.dumps([later, later]),
            "export/D7/2026-05-20.json": json.dumps([message]),
            "export/dms.json": json.dumps([{"id": "D7", "members": ["U1", "U2"]}]),
        },
    )
    items = [item for source in expand(path) for item in golden.read(source, registry.detect(source).name)]
    assert [(item.title, item.conversation, item.speaker, item.text) for item in items if isinstance(item, Draft)] == [
        ("Ada, U2", "D7", "Ada", "hi"),
        ("general", "C1", "Ada", "hi"),
        ("general", "C1", "Ada", "@Ada <3 #general mail"),
    ]
    assert [(item.reason, item.damaged) for item in items if isinstance(item, Skip)] == [
        ("the JSON is cut off here", True)
    ]
