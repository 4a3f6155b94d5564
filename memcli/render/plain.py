"""Entries as lines of text. Styles are names; what they look like is decided by who prints."""

from __future__ import annotations

from collections.abc import Callable

from memcli.clock import show
from memcli.ids import TAIL
from memcli.render.text import clip, harmless, one_line
from memcli.types import Entry

Style = Callable[[str, str], str]


def who(entry: Entry) -> str:
    """Who said it, as a screen names them."""
    if entry.speaker:
        return one_line(entry.speaker)
    return {"self": "me", "assistant": "assistant", "tool": "tool"}.get(entry.trust, entry.source)


def entry_line(entry: Entry, columns: int, style: Style) -> str:
    """One entry on one line: id, time, speaker, words."""
    head = f"{entry.id[-TAIL:]}  {show(entry.moment):<16}  "
    name = f"{who(entry)}: "
    mark = "* " if entry.pin else ""
    words = clip(f"{name}{mark}{one_line(entry.text)}", max(20, columns - len(head)))
    shown = style("name", words[: len(name)]) + words[len(name) :] if words.startswith(name) else words
    return f"{style('id', entry.id[-TAIL:])}  {style('time', f'{show(entry.moment):<16}')}  {shown}"


def full(entry: Entry) -> str:
    """The words of an entry, harmless."""
    return harmless(entry.text)
