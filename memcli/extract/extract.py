"""Every statement worth keeping in one entry, by the rules (B2, B3)."""

from __future__ import annotations

from memcli.extract.context import Context, Found
from memcli.extract.reader import Reader
from memcli.lang.tongue import tongue
from memcli.lang.words import has_cjk

MOST = 40
"""Statements that one entry may give."""


def extract(context: Context) -> list[Found]:
    """What the entry states, in its order; nothing where it only greets, asks, jokes or supposes.

    Only what people say is read: assistants, tools, documents, web pages and
    mail state nothing about anybody (C3). English is the language that has
    rules; a text in another one gives nothing rather than something wrong.
    """
    entry = context.entry
    if entry.trust not in ("self", "other") or entry.role in ("assistant", "tool", "system") or not context.speaker:
        return []
    if tongue(entry.text) or (not entry.text.isascii() and has_cjk(entry.text)):
        return []
    return Reader(context).read()[:MOST]
