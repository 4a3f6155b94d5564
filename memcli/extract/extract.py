"""Every statement worth keeping in one entry, by the rules (B2, B3)."""

from __future__ import annotations

from memcli.extract.context import Context, Found
from memcli.extract.instructions import instructions
from memcli.extract.reader import Reader
from memcli.lang.tongue import STOP, tongue
from memcli.lang.words import has_cjk

MOST = 40
"""Statements that one entry may give."""


def extract(context: Context) -> list[Found]:
    """What the entry states, in its order; nothing where it only greets, asks, jokes or supposes.

    Standing instructions are found whoever says them: whose they are is decided
    by `govern`. They are kept in their own words, and only they are durable; what is told in other words never is.
    Beyond them only what people say is read: assistants, tools,
    documents, web pages and mail state nothing about anybody (C3). English is the language that has
    rules; a text in another one gives nothing rather than something wrong.
    """
    entry = context.entry
    asked = instructions(context)
    taken = {quote.text for found in asked for quote in found.quotes}
    if entry.trust not in ("self", "other") or entry.role in ("assistant", "tool", "system") or not context.speaker:
        return asked[:MOST]
    if _foreign(entry.text) or (not entry.text.isascii() and has_cjk(entry.text)):
        return asked[:MOST]
    told = [found for found in Reader(context).read() if not _told_already(found, taken)]
    return [*asked, *told][:MOST]


def _told_already(found: Found, taken: set[str]) -> bool:
    """Whether these words were read as an instruction already: that is kept verbatim."""
    return any(quote.text in words or words in quote.text for quote in found.quotes for words in taken)


_ENGLISH = frozenset("i i'm the my is and we of to for with at it was are have".split())


def _foreign(text: str) -> bool:
    """Whether a text is in a language that has no rules here; a name in another language does not make it one."""
    spoken = tongue(text)
    if not spoken:
        return False
    words = text.lower().split()
    theirs = sum(word.strip(".,:;!?") in STOP[spoken] for word in words)
    return theirs >= 2 and theirs > sum(word in _ENGLISH for word in words)
