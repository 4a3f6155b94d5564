"""A worker that behaves badly. Run as a program: descriptor 3 in, 4 out, the manner in argv[1]."""

import json
import os
import signal
import struct
import sys
import time
from typing import Any

REQUESTS, ANSWERS = 3, 4
UNIT = struct.pack("4f", 1, 0, 0, 0).hex()
END = {"reason": "stop", "tokens": 2, "prompt_tokens": 3, "cut": 0, "prefix": "built"}


def say(data: bytes) -> None:
    try:
        while data:
            data = data[os.write(ANSWERS, data) :]
    except BrokenPipeError:
        os._exit(0)


def answer(number: int, **said: object) -> None:
    say(json.dumps({"id": number, **said}).encode() + b"\n")


def misbehave(manner: str, number: int) -> None:
    """What is done instead of answering an embed or generate request."""
    if manner == "hang":
        time.sleep(60)
    elif manner == "segv":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif manner == "exit":
        os._exit(3)
    elif manner == "flood":
        say(b"x" * (10 << 20))
    elif manner == "flood of pieces":
        for _ in range(10_000):
            answer(number, piece="x" * 1_000)
    elif manner == "flood about others":
        for _ in range(10_000):
            answer(1, piece="x" * 1_000)
    elif manner == "cut json":
        say(b'{"id": 2, "ok": {"vec')
        os._exit(0)
    elif manner == "noise":
        say(b"llama_model_loader: loaded meta data\n")
    elif manner == "binary":
        say(bytes(range(128, 256)) + b"\n")
    elif manner == "deep json":
        say(b"[" * 100_000 + b"\n")
    elif manner == "huge number":
        say(b'{"id": ' + b"9" * 10_000 + b"}\n")
    elif manner == "strange id":
        answer(999, ok={})
    elif manner == "no id":
        say(b'{"ok": {}}\n')
    elif manner == "not an object":
        say(b"[1]\n")
    elif manner == "nothing said":
        answer(number)
    elif manner == "wrong types":
        answer(number, ok={"vector": 7, "tokens": None, "reason": [], "yes": "1", "no": True})
    elif manner == "trickle":
        while True:
            say(b" ")
            time.sleep(0.05)
    elif manner == "told error":
        answer(number, error="encode", message="no \x1b]0;title\x07 luck")


def main() -> None:
    manner = sys.argv[1]
    if manner == "deaf":
        time.sleep(60)
    if manner == "hang at load":
        time.sleep(60)
    if manner == "talk":
        os.write(1, b"noise on stdout\n")
        os.write(2, b"noise on stderr\n")
    with os.fdopen(REQUESTS, "rb") as requests:
        for line in requests:
            serve(manner, json.loads(line))


def serve(manner: str, request: dict[str, Any]) -> None:
    number, op = request["id"], request["op"]
    if op == "load":
        answer(number, ok={"dim": 4, "n_ctx": 512})
    elif op == "cancel":
        answer(number, ok={**END, "reason": "cancelled"})
    elif op == "ping":
        answer(number, ok={"llama": "none"})
    elif manner in ("good", "talk"):
        well(request)
    elif manner == "wrong length":
        answer(number, ok={"vector": UNIT[:16], "tokens": 1, "cut": False})
    elif manner == "nan":
        answer(number, ok={"vector": struct.pack("4f", float("nan"), 0, 0, 1).hex(), "tokens": 1, "cut": False})
    elif manner == "infinite":
        answer(number, ok={"vector": struct.pack("4f", float("inf"), 0, 0, 1).hex(), "tokens": 1, "cut": False})
    elif manner == "length":
        answer(number, piece='{"half": ')
        answer(number, ok={**END, "reason": "length"})
    elif manner == "surrogate":
        say(b'{"id": %d, "piece": "\\ud800"}\n' % number)
        answer(number, ok=END)
    elif manner == "endless":
        answer(number, piece="first")
    else:
        misbehave(manner, number)


def well(request: dict[str, Any]) -> None:
    number = request["id"]
    if request["op"] == "embed":
        answer(number, ok={"vector": UNIT, "tokens": len(request["text"]), "cut": False})
    elif request["op"] == "yes_no":
        answer(number, ok={"yes": 0.6, "no": 0.2})
    else:
        answer(number, piece="he")
        answer(number, piece="llo")
        answer(number, ok=END)


main()
