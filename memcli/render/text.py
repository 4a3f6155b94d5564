"""Stored text on its way to a terminal: made harmless, measured, wrapped."""

from __future__ import annotations

import unicodedata

_LINE_BREAKS = {0x2028, 0x2029, 0x85, 0x0B, 0x0C}
_BIDI = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_INVISIBLE = {0x00AD, 0x200B, 0x2060, 0xFEFF, *range(0xE0000, 0xE0080)}


def harmless(text: str) -> str:
    """The text without anything a terminal would obey: controls, direction marks and hidden characters are shown as
    `\\xNN` or `\\uNNNN`; newline and tab stay."""
    if text.isprintable():
        return text
    return "".join(char if _plain(char) else _escaped(char) for char in text.replace("\r\n", "\n"))


def _plain(char: str) -> bool:
    code = ord(char)
    if char in "\n\t":
        return True
    if code < 0x20 or 0x7F <= code < 0xA0 or code in _LINE_BREAKS or code in _BIDI or code in _INVISIBLE:
        return False
    return not 0xD800 <= code < 0xE000


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def width(text: str) -> int:
    """How many columns a terminal gives the text."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def one_line(text: str) -> str:
    """The text harmless and on one line."""
    return " ".join(harmless(text).split())


def clip(text: str, columns: int) -> str:
    """The text on at most `columns` columns, "…" at the end where it was longer."""
    if width(text) <= columns:
        return text
    kept, used = [], 1
    for char in text:
        used += width(char)
        if used > columns:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "…"


def wrap(text: str, columns: int, indent: str = "", first: str = "") -> str:
    """The text wrapped to `columns`, `first` before the first line and `indent` before the others.

    Breaks at spaces; a run without spaces that is wider than a line (CJK, an
    URL) breaks inside.
    """
    lines: list[str] = []
    line, used = first, width(first)
    room = max(columns, width(indent) + 16)
    empty = True
    for word in text.split():
        glue = "" if empty else " "
        for piece in _pieces(word, room - width(indent)):
            size = width(glue) + width(piece)
            if used + size > room and not empty:
                lines.append(line)
                line, used, glue, size = indent, width(indent), "", width(piece)
            line, used, empty, glue = line + glue + piece, used + size, False, ""
    lines.append(line)
    return "\n".join(lines)


def _pieces(word: str, room: int) -> list[str]:
    """The parts of a word between which a line may break: wide characters one by one, too long runs cut."""
    if word.isascii() and len(word) <= room:
        return [word]
    pieces: list[str] = []
    run = ""
    for char in word:
        if width(char) == 2:
            pieces += [run, char] if run else [char]
            run = ""
        elif width(run) >= room:
            pieces.append(run)
            run = char
        else:
            run += char
    return [*pieces, run] if run else pieces
