"""Entries and answers as lines of text. Styles are names; what they look like is decided by who prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memcli.answering.answer import Answer
from memcli.answering.passages import passage
from memcli.clock import show
from memcli.ids import TAIL
from memcli.importing.guard import SEAL
from memcli.lang.words import content_terms, stem
from memcli.recall.search import Evidence
from memcli.render.text import clip, harmless, one_line, wrap
from memcli.types import Entry

Style = Callable[[str, str], str]
SHOWN_CHARS = 400


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


def evidence_lines(question: str, found: Sequence[Evidence], columns: int, style: Style) -> list[str]:
    """The numbered evidence: number, time, speaker, the words nearest the question, trust where it is not a person's."""
    terms = [stem(word) for word in content_terms(question)]
    lines = []
    for number, item in enumerate(found, 1):
        entry = item.entry
        label = f"[{number}] {show(entry.moment)} {who(entry)}: "
        words = one_line(passage(entry.text, terms, SHOWN_CHARS))
        marked = "" if entry.trust in ("self", "other") else f" ({entry.trust})"
        text = wrap(label + words + marked, columns, "    ")
        head = text[: len(label) - 1]
        lines.append(style("label", head) + text[len(head) :] if text.startswith(label[:-1]) else text)
    return lines


def answer_text(answer: Answer, columns: int, style: Style) -> str:
    """The answer's own lines; a quote is labelled as one."""
    words = one_line(answer.text)
    if answer.kind == "quote":
        return style("label", "Quoted: ") + wrap("Quoted: " + words, columns)[len("Quoted: ") :]
    return style("answer", wrap(words, columns))


def seal(found: int, visible: int, pending: int) -> str:
    """The last line of an answer. `mem` knows its own answers by it and takes none of them in again."""
    text = f"{SEAL} {found} of {visible:,} entries"
    return f"{text}; {pending:,} by words only until `mem tidy`" if pending else text


def full(entry: Entry) -> str:
    """The words of an entry, harmless."""
    return harmless(entry.text)
