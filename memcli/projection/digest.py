"""One number over the visible state, kept up to date with every change.

Each visible row has a 128-bit hash of its logical fields; the digest is their
sum modulo 2^128. A sum needs no order and no full pass when one row comes or
goes, and it is what two homes with the same records agree on.
"""

from __future__ import annotations

from hashlib import blake2b

from memcli.types import Entry

_MASK = (1 << 128) - 1
MARK_BYTES = 16


def mark(entry: Entry) -> bytes:
    """The hash of an entry's logical fields, 16 bytes, the same in every Python version."""
    moment = entry.moment
    when = None if moment is None else (moment.ms, moment.precision, moment.offset, moment.floating)
    fields: tuple[object, ...] = (
        entry.id,
        entry.run,
        entry.session,
        entry.ordinal,
        entry.source_key,
        entry.text,
        entry.imported_at,
        entry.speaker,
        entry.role,
        entry.trust,
        when,
        entry.scope,
        entry.source,
        entry.origin,
        entry.title,
        entry.status,
        bool(entry.pin),
    )
    if entry.blob is not None:
        fields += (entry.blob,)
    return blake2b(ascii(fields).encode("ascii"), digest_size=MARK_BYTES).digest()


def shift(digest: int, mark_bytes: bytes, sign: int) -> int:
    """The digest after a row came (+1) or went (-1)."""
    return (digest + sign * int.from_bytes(mark_bytes, "big")) & _MASK


def text(digest: int) -> str:
    """The digest as it is stored and shown: 32 hexadecimal digits."""
    return f"{digest:032x}"
