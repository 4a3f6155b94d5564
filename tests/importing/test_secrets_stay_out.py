"""A canary in every place where a secret may stand: its value is in no file of the memory, the words around it are."""

from __future__ import annotations

import base64
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from cli.harness import Mem
from formats import made
from llm.fakes import HashingEmbedder

# Invented, and in parts, so that nobody's scanner takes them for real ones.
TOKEN = "ghp_" + "Zq7Rk2Vw9Xn4" + "Tb6Ym1Lp8Sd3" + "Hf5Gc0Jv2Ke7"
PASSWORD = "vT9" + "wq_Lm" + "7xKc2"
URL = f"postgres://ada:{PASSWORD}@db.example.com/boats"
BEFORE, AFTER = "pelican", "flamingo"
SAID = f"the {BEFORE} key is {TOKEN} and the {AFTER} is at home"


def messages(*said: Any) -> bytes:
    return json.dumps([{"role": "user", "content": "hello"}, *said]).encode()


def tool_call() -> bytes:
    """A secret in a script in an argument, escaped twice, right behind a newline."""
    script = f'# {BEFORE}\n{TOKEN}\ncurl "{URL}"\n# {AFTER}'
    arguments = json.dumps({"path": "deploy.sh", "edits": [{"new": json.dumps({"script": script})}]})
    call = {"id": "c1", "type": "function", "function": {"name": "write", "arguments": arguments}}
    return messages({"role": "assistant", "content": None, "tool_calls": [call]})


def title() -> bytes:
    message = {
        "uuid": "m1", "sender": "human", "text": f"{BEFORE} {AFTER}", "content": [], "attachments": [], "files": [],
        "created_at": "2026-05-20T13:00:01Z",
    }  # fmt: skip
    named = {"uuid": "a1", "name": f"About {TOKEN}", "chat_messages": [message, {**message, "uuid": "m2"}]}
    return json.dumps([{**named, "created_at": "2026-05-20T13:00:00Z", "account": {"uuid": "x"}}]).encode()


def mail(encoding: str, subtype: str = "plain") -> Callable[[], bytes]:
    def make() -> bytes:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = "Ada <ada@example.com>", "bo@example.com", f"Key {TOKEN}"
        message["Date"], message["Message-ID"] = "Wed, 20 May 2026 15:30:00 +0200", "<m7@example.com>"
        words = f"<p>{SAID}</p><p>{URL}</p>" if subtype == "html" else f"{SAID}\n{URL}\n"
        message.set_content(words, subtype=subtype, cte=encoding)
        return message.as_bytes()

    return make


def notebook() -> bytes:
    return (
        f"---\ntitle: My {TOKEN}\n---\n# Keys\n`{BEFORE}`\n```sh\nexport GITHUB_TOKEN={TOKEN}\n"
        f"psql '{URL}'\n```\n> **{TOKEN}** `{TOKEN}` [{AFTER}]({URL})\n"
    ).encode()


def telegram() -> bytes:
    pieces = [f"{BEFORE} ", {"type": "code", "text": TOKEN}, {"type": "text_link", "text": f" {AFTER}", "href": URL}]
    one = {"id": 1, "type": "message", "date": "2026-05-20T15:00:00", "date_unixtime": "1779282000", "from": "Ada"}
    said = [{**one, "from_id": "user7", "text": pieces}]
    return json.dumps({"name": "Bo", "type": "personal_chat", "id": 42, "messages": said}).encode()


PLACES: dict[str, tuple[str, Callable[[], bytes], str | None]] = {
    "a transcript": ("chat.txt", lambda: f"Ada: hi\nBo: {SAID}\nAda: {URL}\n".encode(), None),
    "a message": ("chat.json", lambda: messages({"role": "user", "content": f"{SAID}\n{URL}"}), None),
    "a chat in UTF-16": ("chat.txt", lambda: f"Ada: hi\nBo: {SAID}\nAda: {URL}\n".encode("utf-16"), None),
    "nested arguments": ("chat.json", tool_call, None),
    "a title": ("conversations.json", title, None),
    "beside Chinese": (
        "chat.txt",
        lambda: f"艾达: 你好{BEFORE}\n博: 密钥是{TOKEN}，别忘了{AFTER}\n艾达: 令牌{TOKEN}好的\n".encode(),
        None,
    ),
    "a note": ("keys.md", notebook, None),
    "a PDF": ("page.pdf", lambda: made.pdf(SAID), None),
    "a mail": ("key.eml", mail("quoted-printable"), None),
    "a mail in base64": ("key.eml", mail("base64"), None),
    "a mail in HTML": ("key.eml", mail("quoted-printable", "html"), None),
    "parts of a message": ("result.json", telegram, None),
    "a shell's history": (
        "history",
        lambda: (
            f"#1779282000\necho {BEFORE}\n#1779282060\nexport GH_TOKEN={TOKEN}\n#1779282120\n"
            f'curl -H "Authorization: Bearer {TOKEN}" https://example.com/{AFTER}\n#1779282180\npsql {URL}\n'
        ).encode(),
        "bash-history",
    ),
    "a shell's history of zsh": (
        "history",
        lambda: (
            f": 1779282000:0;echo {BEFORE} {AFTER}\n: 1779282060:0;git clone https://ada:{TOKEN}@example.com\n".encode()
        ),
        "zsh-history",
    ),
    "captions": (
        "talk.vtt",
        lambda: (
            f"WEBVTT\n\n00:00:01.000 --> 00:00:03.000\n<v Ada>{SAID}</v>\n\n"
            f"00:00:09.000 --> 00:00:12.000\n<v Bo>so <b>{TOKEN}</b> it is</v>\n"
        ).encode(),
        None,
    ),
    "a page": (
        "page.html",
        lambda: f"<html><body><h1>{BEFORE}</h1><pre>{TOKEN}</pre><p>{AFTER} {URL}</p></body></html>".encode(),
        None,
    ),
}
HIDDEN = re.compile(r"\[secret: ([a-z ]+)\]")
every_place = pytest.mark.parametrize("place", PLACES)


def forms(secret: str) -> set[bytes]:
    """The secret as bytes of a file might hold it."""
    plain = secret.encode()
    found = {plain, plain[::-1], plain.hex().encode(), plain.hex().upper().encode()}
    found |= {secret.encode("utf-16-le"), secret.encode("utf-16-be"), json.dumps(secret)[1:-1].encode()}
    found.add("".join(f"\\u{ord(char):04x}" for char in secret).encode())
    for shift in range(3):  # a run of bytes looks different in base64 by where it begins
        coded = base64.b64encode(b"\0" * shift + plain)
        found.add(coded[4 if shift else 0 :].rstrip(b"=")[:-1])
    return found


def bytes_of(home: Path) -> bytes:
    return b"\n".join(path.read_bytes() + str(path).encode() for path in sorted(home.rglob("*")) if path.is_file())


def assert_no_secret(home: Path) -> None:
    written = bytes_of(home)
    low = written.lower()
    for secret in (TOKEN, PASSWORD):
        assert not any(form in written for form in forms(secret)), secret
        assert secret.encode().lower() not in low  # as the index writes words
        # Nor a telling part of it.
        assert secret.encode()[4:24] not in written and secret.encode()[-8:] not in written


def source(place: str, folder: Path) -> tuple[Path, bytes, list[str]]:
    name, make, as_format = PLACES[place]
    path = folder / name
    path.write_bytes(make())
    return path, make(), ["--as", as_format] if as_format else []


@every_place
def test_an_import_writes_no_secret_and_every_other_word(place: str, mem: Mem, tmp_path: Path) -> None:
    path, data, named = source(place, tmp_path)
    would = mem.ok("import", "--dry-run", *named, str(path), "--json").json["hidden"]
    summary = mem.ok("import", *named, str(path), "--json").json
    mem.embedder = HashingEmbedder()
    mem.ok("tidy")
    assert_no_secret(mem.home)
    text = " ".join(mem.texts())
    assert BEFORE in text and AFTER in text
    assert summary["hidden"] == would
    titles = {title for (title,) in mem.rows("title") if title}
    assert summary["hidden"] == Counter(HIDDEN.findall(" ".join([text, *titles]))) != {}
    assert set(summary["hidden"]) <= {"github token", "url password", "authorization header"}, summary["hidden"]
    # Again, by another way, is nothing new: the key was made of what was said, not of what was written.
    again = mem.ok("import", *named, str(path), "--json").json
    assert again["new"] == 0
    mem.run("add", *named, stdin=data)
    assert_no_secret(mem.home)


@every_place
def test_a_person_is_told_what_was_hidden(place: str, mem: Mem, tmp_path: Path) -> None:
    path, _, named = source(place, tmp_path)
    assert "hidden before writing: " in mem.ok("import", *named, str(path)).out


@every_place
def test_kept_on_request(place: str, mem: Mem, tmp_path: Path) -> None:
    path, _, named = source(place, tmp_path)
    summary = mem.ok("import", "--keep-secrets", *named, str(path), "--json").json
    assert summary["hidden"] == {}
    assert TOKEN in " ".join(f"{text} {title}" for text, title in mem.rows("text, title"))


@pytest.mark.parametrize("place", ["a transcript", "nested arguments", "beside Chinese", "a mail", "a PDF"])
def test_a_pipe_and_a_zip_write_no_secret_either(place: str, mem: Mem, tmp_path: Path) -> None:
    path, data, named = source(place, tmp_path)
    hidden = mem.ok("add", *named, "--json", stdin=data).json["hidden"]
    assert sum(hidden.values()) >= 1
    assert_no_secret(mem.home)
    packed = Mem(tmp_path / "other")
    with zipfile.ZipFile(tmp_path / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(path, f"export/{path.name}")
    assert sum(packed.ok("import", str(tmp_path / "export.zip"), "--json").json["hidden"].values()) >= 1
    assert_no_secret(packed.home)


def test_a_typed_note_is_kept_without_its_secret(mem: Mem) -> None:
    result = mem.ok("add", SAID)
    assert "hidden" in result.err and "--keep-secrets" in result.err
    assert TOKEN not in result.out + result.err
    assert mem.ok("add", f"once more: {SAID}", "--json").json["hidden"] == {"github token": 1}
    assert_no_secret(mem.home)
    mem.ok("add", "--keep-secrets", SAID)
    assert TOKEN in mem.texts()[-1]


def test_a_question_is_noted_without_its_secret(mem: Mem) -> None:
    mem.ok("add", f"the {BEFORE} lives at the {AFTER}")
    mem.run("ask", f"Where does the {BEFORE} live with {TOKEN} and {URL}?")
    mem.run("ask", "--json", f"Does {TOKEN} still work, 令牌{TOKEN}好?")
    assert b'"kind":"question"' in bytes_of(mem.home)
    assert b"[secret: github token]" in bytes_of(mem.home)
    assert_no_secret(mem.home)


def test_the_canary_would_be_found(mem: Mem) -> None:
    mem.ok("add", "--keep-secrets", SAID)
    with pytest.raises(AssertionError):
        assert_no_secret(mem.home)
    for form in forms(TOKEN):
        (mem.home / "planted").write_bytes(b"x" + form + b"x")
        assert any(one in (mem.home / "planted").read_bytes() for one in forms(TOKEN))


def test_no_secret_stays_in_what_a_person_says_about_a_note_or_a_file(mem: Mem, tmp_path: Path) -> None:
    about = ("--source", f"src {TOKEN}", "--session", f"day {TOKEN}", "--speaker", f"Ada {TOKEN}")
    assert "3 secrets hidden" in mem.ok("add", *about, f"the {BEFORE} and the {AFTER}").err
    mem.ok("add", *about, stdin=b"Ada: hi\nBo: hello\nAda: tea?\nBo: yes\n")
    path = tmp_path / f"export {TOKEN}.md"
    path.write_text("# Harbour\n\nThe boat is red.\n")
    mem.ok("import", str(path), "--session", f"s {TOKEN}")
    assert [found for found in mem.home.rglob("*") if found.is_file() and TOKEN.encode() in found.read_bytes()] == []
