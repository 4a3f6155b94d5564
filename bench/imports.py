"""How many messages a second `mem import` takes in, format by format, with everything it does to each.

Each import is the installed `mem` in a process of its own, into a new home:
read, hide secrets, write, sync, index the words and the times that are named.
The messages are made up; one in 20 names a time, one in 200 holds a secret,
and an import counts only where every message came in as what it is.

    python bench/imports.py [--messages 20000] [--only FORMAT] [--rounds 3]

Prints a table and, as the last line, one JSON object. Always ends with 0: a
benchmark is no test. Where others use the machine, the figure by processor
time says more than the one by the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from speed import MEM, Run, Series, environment, in_turn, run

JSON_BAR, TEXT_BAR = 6_000, 4_000
TIMED, SECRET = 20, 200
PEOPLE = ("Ada", "Bo Demo", "Carmen", "Dmitri")
BEGIN = datetime(2026, 3, 1, 8, tzinfo=UTC)

_WHO = "Carmen|Dmitri|my sister|the landlord|our neighbour|the dentist|nobody|the plumber|a friend of Esra".split("|")
_DOES = (
    "wants to know about|has found|is looking for|never liked|brought back|keeps asking for|could use|gave away|"
    "is happy with|has no room for|takes care of"
).split("|")
_WHAT = (
    "the blue bicycle|the garden fence|that coffee grinder|a library card|the night train|our kitchen clock|"
    "the ferry timetable|a bread recipe|the camera strap|the rain barrel|the spare key|the oak table|a winter coat"
).split("|")
_ENDS = (
    "so we should talk about it|and I said no|which is fine with me|but it costs {n} crowns|the number is {n}|"
    "and you know how that goes|because the old one broke|in flat {n}, by the way|do you have the receipt?|"
    "what do you think?|and that is all I know|which surprised everyone|if nobody minds|but not for long|"
    "at least I hope so|and the colour is wrong|as everybody can see|but I would rather keep it|or so they say"
).split("|")
_TIMES = (
    "yesterday|next Friday|on 12 June|two weeks ago|tomorrow at 3|in March 2025|last summer|on Monday evening|"
    "the day after tomorrow|since 2019"
).split("|")
_SHORT = "ok|thanks!|haha yes|see you there|no idea, sorry|will do 👍|really?|good morning".split("|")
_LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"


class Message(NamedTuple):
    """One message, whatever it is written as."""

    number: int
    who: str
    when: datetime
    text: str


def messages(count: int) -> Iterator[Message]:
    """The same messages each time: a few words or a few sentences, as people write."""
    chance = random.Random(7)
    when = BEGIN
    for number in range(count):
        when += timedelta(seconds=chance.randrange(20, 900))
        yield Message(number, chance.choice(PEOPLE), when, _text(number, chance))


def _text(number: int, chance: random.Random) -> str:
    if chance.random() < 0.2 and number % TIMED and number % SECRET != 1:
        return chance.choice(_SHORT)
    said = []
    for _ in range(chance.choice((1, 1, 2, 3))):
        end = chance.choice(_ENDS).replace("{n}", str(chance.randrange(10, 999)))
        said.append(f"{chance.choice(_WHO)} {chance.choice(_DOES)} {chance.choice(_WHAT)}, {end}".capitalize())
    text = ". ".join(said)
    if number % TIMED == 0:
        text = f"{text}; we saw it {chance.choice(_TIMES)}"
    if number % SECRET == 1:
        value = "".join(chance.choices(_LETTERS, k=36))
        text += chance.choice(
            (f" token ghp_{value}", f" password: {value[:14]}", f" https://ada:{value[:12]}@example.com")
        )
    return text


# The formats


def _array(head: str, tail: str, one: Callable[[Message], Any]) -> Callable[[Iterator[Message]], Iterator[str]]:
    def write(said: Iterator[Message]) -> Iterator[str]:
        yield head
        for message in said:
            yield ("" if message.number == 0 else ",\n") + json.dumps(one(message))
        yield tail

    return write


def _lines(one: Callable[[Message], str], head: str = "") -> Callable[[Iterator[Message]], Iterator[str]]:
    def write(said: Iterator[Message]) -> Iterator[str]:
        yield head
        yield from map(one, said)

    return write


def _chatgpt(said: Iterator[Message]) -> Iterator[str]:
    held: list[Message] = []
    first = True
    for message in [*said, None]:
        if held and (message is None or len(held) == 20):
            yield ("[" if first else ",\n") + json.dumps(_conversation(held))
            held, first = [], False
        if message is not None:
            held.append(message)
    yield "]"


def _conversation(held: list[Message]) -> Any:
    ids = ["root", *(f"n{message.number}" for message in held)]
    mapping: dict[str, Any] = {"root": {"id": "root", "parent": None, "children": [ids[1]], "message": None}}
    for at, message in enumerate(held, 1):
        mapping[ids[at]] = {
            "id": ids[at], "parent": ids[at - 1], "children": ids[at + 1 : at + 2],
            "message": {
                "id": ids[at], "author": {"role": "assistant" if message.number % 2 else "user", "name": None},
                "create_time": message.when.timestamp(), "status": "finished_successfully", "weight": 1.0,
                "content": {"content_type": "text", "parts": [message.text]}, "recipient": "all", "metadata": {},
            },
        }  # fmt: skip
    number = held[0].number
    return {
        "id": f"c{number}", "conversation_id": f"c{number}", "title": "Boats", "current_node": ids[-1],
        "create_time": held[0].when.timestamp(), "update_time": held[-1].when.timestamp(), "mapping": mapping,
    }  # fmt: skip


def _claude_code(said: Message) -> str:
    line = {
        "isSidechain": False, "userType": "external", "cwd": "/home/demo", "sessionId": "s-1", "version": "2.1.0",
        "type": "user", "parentUuid": f"u{said.number - 1}" if said.number else None, "uuid": f"u{said.number}",
        "timestamp": f"{said.when:%Y-%m-%dT%H:%M:%S}.000Z", "message": {"role": "user", "content": said.text},
    }  # fmt: skip
    return json.dumps(line) + "\n"


def _telegram(said: Message) -> Any:
    return {
        "id": said.number + 1, "type": "message", "date": f"{said.when:%Y-%m-%dT%H:%M:%S}",
        "date_unixtime": str(int(said.when.timestamp())), "from": said.who, "from_id": f"user{len(said.who)}",
        "text": said.text, "text_entities": [{"type": "plain", "text": said.text}],
    }  # fmt: skip


def _openai(said: Message) -> str:
    role = "assistant" if said.number % 2 else "user"
    return json.dumps(
        {"id": f"m{said.number}", "role": role, "content": said.text, "created_at": said.when.timestamp()}
    )


def _slack(said: Message) -> Any:
    return {
        "type": "message",
        "user": said.who,
        "ts": f"{said.when.timestamp():.0f}.{said.number:06d}",
        "text": said.text,
    }


def _mail(said: Message) -> str:
    return (
        f"From ada@example.com {said.when:%a %b %d %H:%M:%S %Y}\nFrom: {said.who} <ada@example.com>\n"
        f"To: bo@example.com\nSubject: boats\nDate: {said.when:%a, %d %b %Y %H:%M:%S} +0000\n"
        f"Message-ID: <m{said.number}@example.com>\nContent-Type: text/plain; charset=utf-8\n\n{said.text}\n\n"
    )


FORMATS: dict[str, tuple[str, str, Callable[[Iterator[Message]], Iterator[str]], int]] = {
    "chatgpt": ("chatgpt", "conversations.json", _chatgpt, JSON_BAR),
    "claude-code": ("claude-code", "session.jsonl", _lines(_claude_code), JSON_BAR),
    "openai": ("openai", "chat.jsonl", _lines(lambda said: _openai(said) + "\n"), JSON_BAR),
    "telegram": (
        "telegram",
        "result.json",
        _array('{"name": "Bo", "type": "personal_chat", "id": 42, "messages": [\n', "]}", _telegram),
        JSON_BAR,
    ),
    "slack": ("slack", "day.json", _array("[", "]", _slack), JSON_BAR),
    "transcript": (
        "transcript",
        "chat.txt",
        _lines(lambda said: f"[{said.when:%Y-%m-%d %H:%M:%S}] {said.who}: {said.text}\n"),
        TEXT_BAR,
    ),
    "whatsapp": (
        "whatsapp",
        "WhatsApp Chat with Bo.txt",
        _lines(lambda said: f"{said.when:%d/%m/%Y, %H:%M} - {said.who}: {said.text}\n"),
        TEXT_BAR,
    ),
    "mbox": ("mbox", "mail.mbox", _lines(_mail), TEXT_BAR),
}
"""Of each: the name `mem` has for it, a file's name, its writer, the messages a second it should reach."""


def importing(folder: Path, path: Path, app: str, count: int) -> Callable[[], Run]:
    """One import into a new home. Ends the benchmark where it is not read as it was written."""
    home, printed = folder / "home", folder / "printed.json"

    def once() -> Run:
        shutil.rmtree(home, ignore_errors=True)
        done = run([MEM, "import", "--json", str(path)], environment(home), printed)
        said = json.loads(printed.read_bytes() or b"{}")
        hidden = sum(said.get("hidden", {}).values())
        if done.code or said.get("formats") != {app: count} or hidden < count // SECRET // 2:
            sys.exit(f"mem import {path.name} ended with {done.code}, read {said.get('formats')}, hid {hidden}")
        return done

    return once


def row(name: str, count: int, size: int, bar: int, found: Series) -> dict[str, Any]:
    """One line of the results."""
    return {
        "format": name,
        "messages": count,
        "bytes": size,
        "seconds": round(found.seconds, 2),
        "rate": round(count / found.seconds),
        "rate_cpu": round(count / found.cpu),
        "peak_mb": round(found.peak / 1e6),
        "bar": bar,
        "met": count / found.seconds >= bar,
    }


def main() -> int:
    options = argparse.ArgumentParser(description="Measure the imports of mem, format by format.")
    options.add_argument("--messages", type=int, default=20_000, help="how many each file holds")
    options.add_argument("--rounds", type=int, default=3, help="how often each is imported; the median counts")
    options.add_argument("--only", choices=list(FORMATS), action="append", help="only this; may be said again")
    asked = options.parse_args()
    names = asked.only or list(FORMATS)
    with tempfile.TemporaryDirectory(prefix="mem-imports-") as name_of_folder:
        folder = Path(name_of_folder)
        commands: dict[str, Callable[[], Run]] = {}
        sizes: dict[str, int] = {}
        for name in names:
            app, leaf, write, _ = FORMATS[name]
            (folder / name).mkdir()
            path = folder / name / leaf
            with path.open("w", encoding="utf-8") as file:
                file.writelines(write(messages(asked.messages)))
            commands[name], sizes[name] = importing(folder, path, app, asked.messages), path.stat().st_size
        found = in_turn(commands, asked.rounds, warm=0)
    rows = [row(name, asked.messages, sizes[name], FORMATS[name][3], found[name]) for name in names]
    print(f"{'format':<12} {'messages/s':>11} {'by cpu':>8} {'bar':>7}  met  {'peak MB':>7}")
    for one in rows:
        figures = f"{one['rate']:>11,} {one['rate_cpu']:>8,} {one['bar']:>7,}"
        print(f"{one['format']:<12} {figures}  {'yes' if one['met'] else 'NO':<4} {one['peak_mb']:>7}")
    machine = {"python": platform.python_version(), "system": platform.system(), "cpus": os.cpu_count()}
    load = os.getloadavg()[0]
    print(json.dumps({"version": 1, "machine": machine, "load": round(load, 1), "results": rows}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
