"""Every statement worth keeping in one entry, by the rules (B2, B3)."""

from __future__ import annotations

from memcli.extract.context import Context, Found
from memcli.extract.instructions import instructions


def extract(context: Context) -> list[Found]:
    """What the entry states, in its order; nothing where it only greets, asks, jokes or supposes."""
    return instructions(context)
