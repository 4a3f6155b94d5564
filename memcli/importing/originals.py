"""Keeping the original of a document beside its words, unless there is a secret in it (A6)."""

from __future__ import annotations

from collections.abc import Iterable

from memcli.formats.base import Format
from memcli.formats.source import Source
from memcli.lang.decode import decode
from memcli.lang.redact import redact
from memcli.store import blobs
from memcli.store.store import Store
from memcli.types import Draft, Skip

KEPT_WHOLE = frozenset({"pdf", "html"})
"""Formats whose words are only a reading of the file."""


def keep_original(
    store: Store, source: Source, form: Format, items: Iterable[Draft | Skip], keep_secrets: bool
) -> tuple[str | None, bool]:
    """(the SHA-256 of the kept original, whether one was left out for a secret in it).

    A secret can be hidden in words, not in a file: such an original is not
    kept. Neither is that of a chat export, of which the words are all there is.
    """
    if form.name not in KEPT_WHOLE:
        return None, False
    data = source.read()
    texts = [text for item in items if isinstance(item, Draft) for text in (item.text, item.title) if text]
    if form.name == "html":
        texts.append(decode(data)[0])
    if not keep_secrets and any(redact(text).found for text in texts):
        return None, True
    store.home.make(store.disk)
    return blobs.put(store.home, data, store.disk), False
