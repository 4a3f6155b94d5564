"""Tables: the word "password" stands in the heading, the value some lines below."""

from __future__ import annotations

from collections.abc import Iterator

from memcli.lang.redact.rule import Rule, Span, compiled
from memcli.lang.redact.values import random_looking, spoken

_LINE = r"\\n|\n"
_HEAD_PASSWORD = r"(?i)[\"'*_ ]*(?:password|passwort|kennwort|passwd|pwd?|pass|passphrase|passcode|contraseña|senha|mot de passe|密码|パスワード)[\"'*_ \r]*$"
_HEAD_KEY = r"(?i)[\"'*_ ]*(?:secret|token|api[ _-]?key|secret[ _-](?:access[ _-])?key|access[ _-]token)[\"'*_ \r]*$"


def _lines(text: str) -> list[Span]:
    bounds = [0]
    for match in compiled(_LINE).finditer(text):
        bounds += [match.start(), match.end()]
    bounds.append(len(text))
    return list(zip(bounds[::2], bounds[1::2], strict=True))


def _heads(line: str) -> tuple[str, dict[int, bool], int] | None:
    """Delimiter, the columns to hide (True: passwords, False: keys) and the number of columns of a heading."""
    for mark in "|\t,;":
        if mark in line:
            cells = line.split(mark)
            found = {
                i: bool(compiled(_HEAD_PASSWORD).match(cell))
                for i, cell in enumerate(cells)
                if compiled(_HEAD_PASSWORD).match(cell) or compiled(_HEAD_KEY).match(cell)
            }
            if found:
                return mark, found, len(cells)
    return None


def columns(text: str) -> Iterator[Span]:
    """Values below a heading that names them, in Markdown tables and in CSV. Each line is read once."""
    heads: tuple[str, dict[int, bool], int] | None = None
    for start, end in _lines(text):
        line = text[start:end]
        cells = line.split(heads[0]) if heads is not None else []
        if heads is None or len(cells) != heads[2]:
            heads = _heads(line)
            continue
        at = start
        for i, cell in enumerate(cells):
            if i in heads[1]:
                value = cell.strip(" \t\r\"'`*")
                fit = (spoken if heads[1][i] else random_looking)(value)
                if fit:
                    first = at + cell.index(value)
                    yield first, first + fit
            at += len(cell) + 1


_KEYS = ("passw", "kennwort", "pwd", "pass", "pw", "contraseña", "senha", "密码", "パスワード")

RULES = (
    Rule("password", _KEYS, find=columns, long=False),
    Rule("api key", ("secret", "token", "key"), find=columns, long=False),
)
