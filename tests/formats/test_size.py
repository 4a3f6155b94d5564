"""Big files in little memory, and fast enough."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from . import golden

_BIG = """
import io, itertools, json, sys
from pathlib import Path
from memcli.formats import registry
from memcli.formats.base import ParseOptions
from memcli.formats.source import Source

class Endless(io.RawIOBase):
    def __init__(self, pieces):
        self.pieces, self.left = iter(pieces), b""
    def readable(self):
        return True
    def readinto(self, buffer):
        while not self.left:
            self.left = next(self.pieces, None)
            if self.left is None:
                self.left = b""
                return 0
        chunk, self.left = self.left[:len(buffer)], self.left[len(buffer):]
        buffer[:len(chunk)] = chunk
        return len(chunk)

kind, count = sys.argv[1], int(sys.argv[2])
if kind == "chatgpt":
    one = json.dumps(json.load(open(sys.argv[3]))[0]).encode()
    pieces = lambda: itertools.chain([b"[", one], itertools.repeat(b"," + one, count), [b"]"])
elif kind == "telegram":
    message = {"id": 1, "type": "message", "date": "2026-05-20T15:00:00", "from": "A", "text": "flat 9 " * 20}
    one = json.dumps(message).encode()
    head = b'{"name": "Bo", "type": "personal_chat", "id": 42, "messages": ['
    pieces = lambda: itertools.chain([head, one], itertools.repeat(b"," + one, count), [b"]}"])
elif kind == "whatsapp":
    line = "20/05/2026, 3:04\\u202fpm - Ada: {} \\n".format("flat 9 " * 20).encode()
    pieces = lambda: itertools.repeat(line, count)
elif kind == "mbox":
    head = b"From a Wed May 20 13:30:00 2026\\nFrom: a@x\\nTo: b@x\\nMessage-ID: <m@x>\\n\\n"
    mail = head + b"flat 9\\n" * 100 + b"\\n"
    pieces = lambda: itertools.repeat(mail, count)
else:
    line = b"[2026-05-20 15:04] Ada: " + b"flat 9 " * 20 + b"\\n"
    pieces = lambda: itertools.repeat(line, count)
source = Source("big", lambda: io.BufferedReader(Endless(pieces())))
seen = sum(1 for _ in registry.parse(source, registry.by_name(kind), ParseOptions()))
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(seen, sum(map(len, pieces())), int(peak.split()[1]) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs the peak memory of a process by itself")
@pytest.mark.parametrize(
    ("kind", "count"),
    [("chatgpt", 25_000), ("telegram", 200_000), ("whatsapp", 300_000), ("transcript", 300_000), ("mbox", 40_000)],
)
def test_memory_does_not_grow_with_the_file(kind: str, count: int) -> None:
    run = subprocess.run(
        [sys.executable, "-c", _BIG, kind, str(count), str(golden.SAMPLES / "chatgpt_conversations.json")],
        env={"PYTHONPATH": str(golden.TESTS.parent)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    seen, size, megabytes = map(int, run.stdout.split())
    assert seen >= count
    assert size > 25_000_000
    assert megabytes < 70
