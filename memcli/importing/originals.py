"""Keeping the original of a document beside its words, unless there is a secret in it (A6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memcli.formats.base import Format
from memcli.formats.source import Source
from memcli.importing.buried import Buried
from memcli.importing.keys import conversation_mark, source_key
from memcli.lang.decode import decode
from memcli.lang.redact import redact
from memcli.store import blobs
from memcli.store.store import Reading, Store
from memcli.types import Draft, Skip

KEPT_WHOLE = frozenset({"pdf", "html"})
"""Formats whose words are only a reading of the file."""


def keep_original(
    store: Store, source: Source, form: Format, items: Iterable[Draft | Skip], keep_secrets: bool
) -> tuple[str | None, str | None]:
    """(the SHA-256 of the kept original, what in it made that one was left out).

    A secret, or what was purged, can be left out of words, not out of a file:
    such an original is not kept. Neither is that of a chat export, of which
    the words are all there is.
    """
    if form.name not in KEPT_WHOLE:
        return None, None
    data = source.read()
    drafts = [item for item in items if isinstance(item, Draft)]
    texts = [text for item in drafts for text in (item.text, item.title) if text]
    if form.name == "html":
        texts.append(decode(data)[0])
    if not keep_secrets and any(redact(text).found for text in texts):
        return None, "there is a secret in it"
    if _purged(store, drafts, keep_secrets):
        return None, "some of it was purged"
    store.home.make(store.disk)
    return blobs.put(store.home, data, store.disk), None


def _purged(store: Store, drafts: Sequence[Draft], keep_secrets: bool) -> bool:
    """Whether anything of a document was purged earlier."""
    if not store.home.exists:
        return False
    key = store.home.key(store.disk)

    def use(reading: Reading) -> bool:
        buried = Buried(reading.db, key, secrets_kept=keep_secrets)
        # A document has one conversation; where it has no ids its first section stands for it.
        mark = conversation_mark(drafts[0], key) if drafts else ""
        keys = {source_key(draft, mark, key)[0] for draft in drafts}
        return bool(buried.counts(keys) or buried.words(drafts))

    return store.consult(use)
