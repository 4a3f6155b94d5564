"""Source keys and sessions: what makes the same words from the same place the same.

With the source's own ids a key is `app:conversation:message`. Else it is an
HMAC under the home's random key, so that it tells nothing to who reads the log.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from memcli.clock import HOUR_MS, day, to_iso
from memcli.types import Draft

KEY_HEX = 24
ENDLESS = frozenset({"transcript", "whatsapp", "telegram", "slack", "discord", "signal", "imessage"})
"""Formats in which one conversation goes on for years: each of its days is a session."""

DAY_BEGINS_MS = 4 * HOUR_MS
"""When in the night a day of talk begins: what is said after midnight belongs to the evening before."""

DOCUMENTS = frozenset({"note", "markdown", "org", "html", "pdf"})


def conversation_mark(draft: Draft, home_key: bytes) -> str:
    """What stands for a conversation without an id: the HMAC of its first message."""
    when = to_iso(draft.moment) if draft.moment else ""
    return _hmac(home_key, (draft.app, draft.speaker or draft.role, when, draft.text))[:12]


def session_of(draft: Draft, mark: str, origin: str | None) -> str:
    """The session of a draft: its conversation (a day of it where it is endless), its file, or its first message."""
    if draft.app in DOCUMENTS and draft.conversation is None and origin is not None:
        return f"{draft.app}:{origin}"
    session = f"{draft.app}:{mark if draft.conversation is None else draft.conversation}"
    if draft.app in ENDLESS and draft.moment is not None:
        return f"{session}/{day(draft.moment, DAY_BEGINS_MS)}"
    return session


def source_key(draft: Draft, mark: str, home_key: bytes) -> tuple[str, bool]:
    """(key, whether it is the source's own id).

    A key that is not counts as a multiset. A section of a document has no
    first message to lean on: it may be edited anywhere and come by file or by
    pipe, so its words alone are its key, with the day where the document
    itself names one.
    """
    if draft.conversation is not None and draft.message is not None:
        return f"{draft.app}:{draft.conversation}:{draft.message}", True
    who = draft.speaker or draft.role
    told = draft.moment is not None and (draft.app not in DOCUMENTS or draft.moment.precision == "day")
    if told and draft.moment is not None:
        return "h:" + _hmac(home_key, (who, to_iso(draft.moment), draft.text)), False
    place = "document" if draft.app in DOCUMENTS else mark
    return "h:" + _hmac(home_key, (place, who, draft.text)), False


def _hmac(key: bytes, parts: Sequence[str]) -> str:
    message = b"\x00".join(part.encode("utf-8", "surrogatepass") for part in parts)
    return hmac.digest(key, message, "sha256").hex()[:KEY_HEX]
