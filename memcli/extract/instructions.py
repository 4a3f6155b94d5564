"""The person's own explicit durable instructions: "from now on …", "always …", "never … again" (B3, C2).

Looked for by rules alone, so that no model decides what may become a rule. A
sentence counts where it tells somebody what to do, says that this holds for
good, and is said in earnest by the writer: not quoted, reported, asked,
supposed, joked, or told of the past. In doubt it is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memcli.extract import directives
from memcli.extract.asides import BLANK, own_words
from memcli.extract.context import Context, Found
from memcli.lang.words import words
from memcli.memories import Quote, Statement
from memcli.types import Entry

LONG_ENTRY = 4_000
"""Characters from which on an entry is mostly something that was pasted: only its ends are looked at."""
LONG_PARAGRAPH = 500
_WHOLE_SENTENCES = 5
_OWN_NOTES = frozenset({"markdown", "note", "org", "jrnl"})
_HISTORIES = frozenset({"bash-history", "zsh-history"})
_FIRST_PERSON = re.compile(r"\b(?:I|i|me|my|mine|myself)\b")
_PARAGRAPH = re.compile(r"[^\n]+(?:\n(?![ \t]*\n)[^\n]*)*")
_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?](?=[^\s\"')”’])[^.!?。！？\n]*)*(?:[.!?。！？]+[\"')”’]*|\n|\Z)")
_HEADING = re.compile(r"^[ \t]*(?:#{1,6}|\*{1,6})[ \t]+(?=\S)")
_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+")
_PLEASANTRY = re.compile(
    r"^(?:thanks|thank you|great|perfect|ok(?:ay)?|cool|nice|super|good|hi|hello|hey|yes|danke|gracias)\b"
    r"[^.!?\n]{0,40}[.!?]+\s+",
    re.IGNORECASE,
)
DOCUMENT = "A document"


@dataclass(frozen=True, slots=True)
class _Sentence:
    start: int
    end: int
    text: str


def instructions(context: Context) -> list[Found]:
    """The durable instructions in the entry, in its order, each with its words as evidence (B3).

    `text` names who said it and gives the words themselves; `value` is what
    is to be done, folded, without the words that make it durable.
    """
    entry = context.entry
    if not _may_instruct(entry):
        return []
    masked = own_words(entry.text)
    if entry.trust == "document" and not _FIRST_PERSON.search(masked) and entry.source not in ("org", "jrnl"):
        return []
    if directives.in_jest(masked):
        return []
    who = context.speaker or (DOCUMENT if entry.trust == "document" else "You")
    found = []
    for start, end in _spans(masked, context.people):
        quoted = entry.text[start:end].strip()
        if words(quoted):
            found.append(Found(_statement(who, quoted), (Quote(entry.id, quoted),)))
    return found


def reads_as_instruction(text: str) -> bool:
    """Whether words tell a reader what to do from now on, whoever said them and however often they are quoted."""
    return any(True for _ in _spans(text, frozenset())) or directives.commands_an_assistant(text)


def said(statement: Statement) -> str:
    """The words of an instruction without the name of who said them."""
    _, opened, rest = statement.text.partition(": “")
    if statement.relation != "instruction" or not opened or not rest.endswith("”"):
        return statement.text
    return rest[:-1]


def stated(who: str, quoted: str) -> str:
    """The self-contained text of an instruction: its words, and whose they are."""
    flat = " ".join(quoted.split()).replace("“", '"').replace("”", '"')
    return f"{who}: “{flat}”"


def _may_instruct(entry: Entry) -> bool:
    """Only the person's own words, what came from their own mail address, and notes that may be theirs."""
    if entry.source in _HISTORIES:
        return False
    if entry.trust == "self":
        return True
    return (entry.trust == "mail" and entry.role == "user") or (
        entry.trust == "document" and entry.source in _OWN_NOTES
    )


def _statement(who: str, quoted: str) -> Statement:
    kind_of = directives.manner(quoted)
    return Statement(
        text=stated(who, quoted),
        subject=who,
        relation="instruction",
        value=directives.core(quoted),
        kind="instruction",
        cls="preference",
        negated=kind_of.negated,
        importance=0.9,
        durable=True,
        change=kind_of.change,
    )


def _spans(masked: str, people: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Where instructions stand, a paragraph (or an item of a list of rules) at a time."""
    paragraphs = [(match.start(), match.end()) for match in _PARAGRAPH.finditer(masked)]
    if len(masked) > LONG_ENTRY:
        paragraphs = list(dict.fromkeys((*paragraphs[:1], *paragraphs[-1:])))
    for start, end in paragraphs:
        for first, last in _blocks(masked, start, end):
            yield from _within(masked, first, last, people)


def _blocks(masked: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A paragraph; its heading apart, and each item of a list apart unless a line before announces the list."""
    at = start
    lines = []
    for line in masked[start:end].splitlines(keepends=True):
        lines.append((at, at + len(line), line))
        at += len(line)
    while lines and _HEADING.match(lines[0][2]) and not _ITEM.match(lines[0][2]):
        lines.pop(0)
    if not lines:
        return
    announced = False
    begin = lines[0][0]
    for first, _, line in lines[1:]:
        if _ITEM.match(line) and not announced:
            before = masked[begin:first].rstrip()
            if before.endswith((":", ",")):
                announced = True
                continue
            yield begin, first
            begin = first
    yield begin, end


def _within(masked: str, start: int, end: int, people: frozenset[str]) -> Iterator[tuple[int, int]]:
    """The instruction of one block: all of it where it is short, else the sentences that carry it."""
    block = masked[start:end]
    skip = _ITEM.match(block) or _PLEASANTRY.match(block)
    if skip is not None:
        start += skip.end()
    sentences = _sentences(masked, start, end)
    good = [at for at, sentence in enumerate(sentences) if _instructs(sentence.text, people)]
    if not good or any(directives.mocks(sentence.text) for sentence in sentences):
        return
    if any(BLANK * 40 in sentences[at].text for at in good):
        return
    if end - start <= LONG_PARAGRAPH and len(sentences) <= _WHOLE_SENTENCES:
        first, last = 0, len(sentences) - 1
        while first < good[0] and directives.is_aside(sentences[first].text):
            first += 1
        while last > good[-1] and directives.is_aside(sentences[last].text):
            last -= 1
        yield sentences[first].start, sentences[last].end
        return
    for at in good:
        yield sentences[at].start, sentences[at].end


def _sentences(masked: str, start: int, end: int) -> list[_Sentence]:
    """The sentences of a block. One that only says how long the one before it holds belongs to it: "Never."."""
    found: list[_Sentence] = []
    text = masked[start:end]
    announced = text.split("\n", 1)[0].rstrip().endswith(":")
    for match in _SENTENCE.finditer(text):
        if not match[0].strip(f" \t\n{BLANK}.!?"):
            if match[0].strip() and found:
                found[-1] = _Sentence(found[-1].start, start + match.end(), found[-1].text + match[0])
            continue
        begins = start + match.start() + len(match[0]) - len(match[0].lstrip())
        one = _Sentence(begins, start + match.end(), match[0])
        if found and (directives.only_lasting(one.text) or announced):
            before = found.pop()
            one = _Sentence(before.start, one.end, f"{before.text.rstrip(' .!')}, {one.text.strip()}")
        found.append(one)
    return found


def _instructs(sentence: str, people: frozenset[str]) -> bool:
    return directives.is_standing(sentence, people)
