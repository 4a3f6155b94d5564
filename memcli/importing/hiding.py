"""Secrets are hidden before the first byte is written, and counted by kind. `--keep-secrets` is explicit."""

from __future__ import annotations

from collections import Counter

from memcli.lang.redact import redact

LABELS_REMEMBERED = 1_000


class Hiding:
    """Hides the secrets of the texts it is given, unless the person wants them kept."""

    def __init__(self, *, keep: bool = False) -> None:
        self.keep = keep
        self.counts: Counter[str] = Counter()
        self._labels: dict[str, str] = {}

    def text(self, text: str) -> str:
        """The text as it may be written; what was hidden is counted by the name of its rule."""
        if self.keep:
            return text
        hidden = redact(text)
        for redaction in hidden.found:
            self.counts[redaction.rule] += 1
        return hidden.text

    def label(self, text: str | None) -> str | None:
        """The same for what many entries share (a title, a session, a file's name): looked at and counted once."""
        if text is None:
            return None
        if text not in self._labels:
            if len(self._labels) == LABELS_REMEMBERED:
                self._labels.clear()
            self._labels[text] = self.text(text)
        return self._labels[text]


def describe(counts: Counter[str]) -> str:
    """`2 secrets hidden: github token, password in a URL`, for people."""
    total = sum(counts.values())
    kinds = ", ".join(name if count == 1 else f"{count} × {name}" for name, count in counts.most_common())
    return f"{total:,} {'secret' if total == 1 else 'secrets'} hidden before writing: {kinds}"
