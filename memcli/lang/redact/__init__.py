"""Secrets become a typed placeholder before anything is written.

`redact` is a function of its text alone. The rules are tables, one module a
family; they are loaded with the first text, and a pattern is compiled when one
of its keywords first occurs. Rules know kinds (what an issuer documents, what
a name announces), never single values.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Redaction:
    """One hidden stretch: which rule asked for it, and its half-open span in the original text."""

    rule: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text that may be written, and what was hidden in it, in order. No value is kept."""

    text: str
    found: tuple[Redaction, ...]


def redact(text: str) -> Redacted:
    """Hide every secret of `text`; a text without one comes back as the same object.

    Hiding twice changes nothing: redact(redact(x).text).text == redact(x).text.
    """
    from memcli.lang.redact.scan import hide

    return hide(text)


__all__ = ["Redacted", "Redaction", "redact"]
