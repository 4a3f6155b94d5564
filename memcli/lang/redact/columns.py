"""Tables: the word "password" stands in the heading, the value some lines below."""

from __future__ import annotations

from collections.abc import Iterator

from memcli.lang.redact.rule import Rule, Span, compiled
from memcli.lang.redact.values import random_looking, spoken

_LINE = r"\\n|\n"
_PASSWORDS = frozenset(
    (
        "password",
        "passwort",
        "kennwort",
        "passwd",
        "pwd",
        "pw",
        "passphrase",
        "passcode",
        "contraseña",
        "senha",
        "mot de passe",
        "密码",
        "パスワード",
    )
)
_KEYS = frozenset(
    ("secret", "token", "api key", "secret key", "secret access key", "access token", "api token", "client secret")
)


def _head(cell: str) -> str:
    return cell.strip(" \t\r\"'`*_").casefold().replace("_", " ").replace("-", " ")


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
            names = [_head(cell) for cell in line.split(mark)]
            found = {i: name in _PASSWORDS for i, name in enumerate(names) if name in _PASSWORDS or name in _KEYS}
            if found and sum(map(bool, names)) > 1:
                return mark, found, len(names)
    return None


def columns(text: str) -> Iterator[Span]:
    """Values below a heading that names them, in Markdown tables and in CSV. Each line is read once."""
    if "\n" not in text and "\\n" not in text:
        return
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
                if fit and not any(c.isspace() for c in value):
                    first = at + cell.index(value)
                    yield first, first + fit
            at += len(cell) + 1


_CALLED = (
    "pass",
    "kennwort",
    "pwd",
    "pw",
    "contrase",
    "senha",
    "密码",
    "パスワード",
    "secret",
    "token",
    "api key",
    "api_key",
)

RULES = (Rule("password", _CALLED, find=columns, long=False),)
