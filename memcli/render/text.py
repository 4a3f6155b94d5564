"""Stored text on its way to a terminal: made harmless, measured, wrapped."""

from __future__ import annotations

import unicodedata

_JOINERS = {0x200C, 0x200D}
"""Format characters that writing needs: Persian and Indic words, families of emoji."""
_HIDDEN = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, *range(0xE0000, 0xE1000)}
"""Letters and marks that show nothing: fillers, tags, and the selectors in which text can be hidden."""
_UNSHOWN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def harmless(text: str) -> str:
    """The text without anything a terminal would obey: controls, direction marks and hidden characters are shown as
    `\\xNN` or `\\uNNNN`; newline and tab stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if _plain(char) else _escaped(char) for char in text.replace("\r\n", "\n"))


def _plain(char: str) -> bool:
    if char in "\n\t":
        return True
    code = ord(char)
    return code in _JOINERS or (unicodedata.category(char) not in _UNSHOWN and code not in _HIDDEN)


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
