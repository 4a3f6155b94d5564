"""What is stored or named never reaches the terminal as anything but text, whichever command prints it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from llm.fakes import HashingEmbedder, ScriptedGenerator

from .harness import OUR_STYLE, Mem

ATTACKS = {
    "the clipboard (OSC 52)": "\x1b]52;c;cm0gLXJm\x07",
    "a link (OSC 8)": "\x1b]8;;https://example.org\x1b\\click\x1b]8;;\x1b\\",
    "the title (OSC 0)": "\x1b]0;owned\x07",
    "a clear screen (CSI)": "\x1b[2J\x1b[H",
    "a device string (DCS)": "\x1bP+q544e\x1b\\",
    "an overwritten line (CR)": "safe\rowned",
    "a backspace": "abc\x08\x08\x08xyz",
    "an 8-bit CSI": "\x9b31mred",
    "an 8-bit OSC": "\x9d52;c;cm0=\x9c",
    "a bell": "\x07",
    "a delete": "\x7f",
    "right to left": "\u202egpj.exe",
    "isolates": "\u2066hidden\u2069",
    "an Arabic mark": "\u061c",
    "zero width": "pass\u200bword\u2060\ufeff",
    "tag characters": "".join(chr(0xE0000 + ord(char)) for char in "obey"),
    "variation selectors": "a\U000e0100\U000e0141",
    "a soft hyphen": "so\u00adft",
    "a filler": "a\u3164b\u115fc",
    "line separators": "a\u2028b\u2029c\x85d",
    "annotations": "\ufff9a\ufffab\ufffb",
    "a form feed": "a\x0cb\x0bc",
}
HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u00ad\ufeff\u3164\u115f\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)


def harmless(shown: str) -> bool:
    return not HARMFUL.search(OUR_STYLE.sub("", shown))


@pytest.fixture
def attacked(mem: Mem, tmp_path: Path) -> Mem:
    """A memory whose every text, name, title, session, origin and file name attacks."""
    for number, attack in enumerate(ATTACKS.values()):
        text = f"boat {number} {attack} end"
        mem.ok("add", text)
        mem.ok(
            "add",
            "--speaker",
            f"Bo{attack}",
            "--session",
            f"s{attack}{number}",
            "--source",
            f"o{attack}",
            "-",
            stdin=text.encode(),
        )
        path = tmp_path / f"chat {number} {attack.replace('/', '')}.txt"
        path.write_text(
            f"[2026-01-01 10:00] Eve{attack.replace(chr(13), '')}: {attack}\n" * 4, encoding="utf-8", newline=""
        )
        mem.run("import", str(path))
        export = [
            {
                "title": f"Title {attack}",
                "id": f"c{number}{attack}",
                "mapping": {
                    "m": {
                        "id": f"m{attack}",
                        "message": {
                            "id": f"m{attack}",
                            "author": {"role": "user", "name": f"N{attack}"},
                            "content": {"content_type": "text", "parts": [f"boat {attack}"]},
                        },
                    }
                },
            }
        ]
        (tmp_path / f"{number}.json").write_text(json.dumps(export))
        mem.ok("import", str(tmp_path / f"{number}.json"))
    mem.embedder = HashingEmbedder()
    mem.ok("tidy")
    return mem


def printing(mem: Mem, tmp_path: Path) -> list[list[str]]:
    ids = [row[0] for row in mem.rows("id")]
    attack = "".join(ATTACKS.values())
    return [
        ["list", "-n", "1000"],
        ["list", "--sessions", "-n", "1000"],
        ["search", "boat", "-n", "1000"],
        ["ask", "where is the boat?", "-k", "50"],
        ["ask", f"boat {attack}?"],
        *[["show", entry_id] for entry_id in ids],
        ["undo", "--list"],
        ["verify"],
        ["doctor"],
        ["tidy"],
        ["model", "list"],
        ["init", "--me", f"Me{attack}"],
        ["import", str(tmp_path / f"missing{attack}")],
        ["import", "--as", attack, __file__],
        ["add", "--scope", attack, "x"],
        ["add", "--at", attack, "x"],
        ["show", attack],
        ["undo", attack],
        ["frob" + attack],
        ["list", "--" + attack],
        ["model", "use", attack],
        ["list", "--speaker", attack],
        *[["import", "--dry-run", str(path)] for path in sorted(tmp_path.glob("chat *"))],
    ]


@pytest.mark.parametrize("tty", [True, False], ids=["terminal", "pipe"])
def test_no_command_prints_anything_a_terminal_would_obey(
    attacked: Mem, tmp_path: Path, tty: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memcli.cli.progress.PATIENCE_S", float("inf"))  # a bar on a busy machine is not the question
    attacked.generator = ScriptedGenerator([f"The boat {attack} is end [1]" for attack in ATTACKS.values()])
    for command in printing(attacked, tmp_path):
        result = attacked.run(*command, tty=tty)
        assert "Traceback" not in result.err
        for shown in (result.out, result.err):
            assert harmless(shown), (command, HARMFUL.findall(OUR_STYLE.sub("", shown)), shown)


def test_the_summary_of_an_import_is_harmless_too(mem: Mem, tmp_path: Path) -> None:
    for number, attack in enumerate(ATTACKS.values()):
        path = tmp_path / f"{number}.txt"
        path.write_text(f"[2026-01-01 10:00] Eve{attack}: hello\n[2026-01-01 10:01] Bo: hello\n" * 3, encoding="utf-8")
        result = mem.run("import", str(path), tty=True)
        assert harmless(result.out + result.err), result
        result = mem.run("add", stdin=path.read_bytes(), tty=True)
        assert harmless(result.out + result.err), result


@pytest.mark.parametrize("answer", ["quote", "generated"])
def test_nor_does_an_answer_on_a_real_terminal(mem: Mem, answer: str) -> None:
    for attack in ATTACKS.values():
        mem.ok("add", f"the boat {attack} lies in the harbour")
    for command in (["list"], ["search", "boat"], ["ask", "--no-llm", "where is the boat?"], ["undo", "--list"]):
        code, got = mem.on_terminal(*command)
        assert code == 0
        assert harmless(got.decode().replace("\r\n", "\n")), got


def test_json_is_ascii_and_holds_every_character(attacked: Mem) -> None:
    for command in (
        ["list", "-n", "1000"],
        ["search", "boat"],
        ["ask", "where is the boat?"],
        ["list", "--sessions"],
        ["undo", "--list"],
    ):
        result = attacked.run(*command, "--json", tty=True)
        assert result.out.isascii()
        assert result.out.rstrip("\n").isprintable()
    texts = [entry["text"] for entry in attacked.ok("list", "-n", "1000", "--json").json["entries"]]
    for number, attack in enumerate(ATTACKS.values()):
        assert f"boat {number} {attack} end" in texts


def test_emoji_families_persian_and_accents_are_shown_as_they_are(mem: Mem) -> None:
    for text in ("👩‍👩‍👧 family", "می‌خواهم", "e\u0301 combining", "花生 peanuts", "❤️ heart"):
        mem.ok("add", text)
        assert text in mem.ok("list").out


@pytest.mark.parametrize("environ", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_colour_is_for_terminals_without_no_color(
    attacked: Mem, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memcli.cli.progress.PATIENCE_S", float("inf"))  # a bar on a busy machine is not the question
    for command in (["list"], ["list", "--sessions"], ["search", "boat"], ["ask", "the boat?"], ["doctor"], ["verify"]):
        assert "\x1b" not in attacked.run(*command, **environ).out
        assert ("\x1b[" in attacked.run(*command, tty=True, **environ).out) == (not environ), command
        assert "\x1b" not in attacked.run(*command, tty=True, **environ).err
        if command[0] not in ("doctor", "verify"):
            assert "\x1b" not in attacked.run(*command, "--json", tty=True).out
