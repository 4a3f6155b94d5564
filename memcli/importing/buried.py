"""What was purged does not come back: an import asks the marks that tombstones keep (C11)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memcli.lang.redact import redact
from memcli.projection.database import Database
from memcli.store.marks import key_mark, words_marks
from memcli.types import Draft

REASON = "purged earlier"


class Buried:
    """The marks of this index that some drafts may meet. Where nothing was purged nothing is computed."""

    def __init__(self, db: Database, home_key: bytes, *, secrets_kept: bool) -> None:
        self._db = db
        self._key = home_key
        self._kept = secrets_kept
        self._any = db.has_rows("purged")

    def counts(self, keys: Iterable[str]) -> Mapping[str, int]:
        """Source key → how many entries with it were purged, for those of which any was."""
        if not self._any:
            return {}
        marked = {mark: key for key in keys if (mark := key_mark(key, self._key)) is not None}
        sql = "SELECT key, COUNT(*) FROM purged WHERE key IN (SELECT value FROM json_each(?)) GROUP BY key"
        return {marked[mark]: count for mark, count in self._rows(sql, list(marked))}

    def words(self, drafts: Sequence[Draft]) -> set[int]:
        """The positions of those drafts whose long words were purged, whatever their source key is now."""
        if not self._any or self._db.one("SELECT 1 FROM purged WHERE words IS NOT NULL LIMIT 1") is None:
            return set()
        marked: dict[str, list[int]] = {}
        for at, draft in enumerate(drafts):
            for text in {draft.text, draft.text if self._kept else redact(draft.text).text}:
                for mark in words_marks(text, draft.moment, self._key):
                    marked.setdefault(mark, []).append(at)
        found = self._rows(
            "SELECT DISTINCT words, 1 FROM purged WHERE words IN (SELECT value FROM json_each(?))", list(marked)
        )
        return {at for mark, _ in found for at in marked[mark]}

    def _rows(self, sql: str, marks: Sequence[str]) -> Iterator[tuple[str, int]]:
        yield from self._db.each(sql, (json.dumps(marks),))
