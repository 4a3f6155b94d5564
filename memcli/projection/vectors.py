"""The vector index: one bit vector an entry in vec0, re-scored from float16 halves (E1).

The float16 rows are the embedding; the bits find candidates by Hamming
distance fast enough for a million entries, and the cosine is computed from
the halves of the best of them.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import mul

from memcli.projection.database import Database
from memcli.projection.sqlite import Damaged, NoVectors

SAMPLE = 256
MAX_K = 4096


@dataclass(frozen=True, slots=True)
class Space:
    """The embedding in use: the model's SHA-256 and its number of dimensions."""

    model: str
    dim: int


@dataclass(frozen=True, slots=True)
class VectorHit:
    """One entry near the query: its cosine, and how many deviations that is above the store's usual."""

    seq: int
    cosine: float
    z: float


def space(db: Database) -> Space | None:
    """The embedding the index was made with, None while there is none."""
    model = db.meta("embedder")
    return None if model is None else Space(model, db.meta("dim"))


def use_space(db: Database, new: Space) -> bool:
    """Make the index one for this embedding; True where another one's vectors had to go.

    The caller holds the transaction.
    """
    old = space(db)
    if old == new:
        return False
    db.need_vectors()
    db.execute("DROP TABLE IF EXISTS bits")
    db.execute(f"CREATE VIRTUAL TABLE bits USING vec0 (seq INTEGER PRIMARY KEY, embedding bit[{new.dim}])")
    db.execute("DELETE FROM vectors")
    db.execute("UPDATE entries SET embedded = 0 WHERE embedded = 1")
    db.set_meta("embedder", new.model)
    db.set_meta("dim", new.dim)
    return old is not None


def to_half(vector: Sequence[float]) -> bytes:
    """A vector as little-endian float16. Raises ValueError where a number is not finite."""
    if not all(map(math.isfinite, vector)):
        raise ValueError("a vector with a number that is not finite")
    return struct.pack(f"<{len(vector)}e", *vector)


def from_half(half: bytes) -> tuple[float, ...]:
    """The numbers of `to_half`."""
    return struct.unpack(f"<{len(half) // 2}e", half)


def to_bits(vector: Sequence[float]) -> bytes:
    """The signs of a vector, one bit a dimension, least significant bit first (as vec0 reads them)."""
    packed = bytearray(len(vector) // 8)
    for index, value in enumerate(vector):
        if value > 0:
            packed[index >> 3] |= 1 << (index & 7)
    return bytes(packed)


def insert(db: Database, rows: Iterable[tuple[int, str, bytes]]) -> int:
    """Index (seq, entry id, half) rows; the caller holds the transaction. Returns how many.

    An entry that is not visible any more is passed over.
    """
    db.need_vectors()
    count = 0
    for seq, entry_id, half in rows:
        changed = db.execute("UPDATE entries SET embedded = 1 WHERE seq = ? AND state = 0 AND embedded = 0", (seq,))
        if not changed.rowcount:
            continue
        db.execute("INSERT INTO vectors VALUES (?, ?, ?)", (seq, zlib.crc32(entry_id.encode()), half))
        db.execute("INSERT INTO bits (seq, embedding) VALUES (?, vec_bit(?))", (seq, to_bits(from_half(half))))
        count += 1
    return count


def delete(db: Database, seqs: Iterable[int]) -> None:
    """Take vectors out again; the caller holds the transaction.

    Raises `Damaged` where sqlite-vec cannot be loaded any more: a rebuilt
    index does without vectors.
    """
    for seq in seqs:
        try:
            db.need_vectors()
        except NoVectors as error:
            raise Damaged(str(error)) from error
        db.execute("DELETE FROM vectors WHERE seq = ?", (seq,))
        db.execute("DELETE FROM bits WHERE seq = ?", (seq,))
        db.execute("UPDATE entries SET embedded = 0 WHERE seq = ?", (seq,))


def cosine(query: Sequence[float], half: bytes) -> float:
    """The cosine of a unit query vector and a stored unit vector. Raises `Damaged` where their lengths differ."""
    if len(half) != 2 * len(query):
        raise Damaged("a vector of another length")
    return float(sum(map(mul, query, from_half(half))))


def search(
    db: Database, query: Sequence[float], limit: int, where: str = "", values: tuple[object, ...] = ()
) -> list[VectorHit]:
    """The entries nearest in meaning, best first, ties by id (D2, dense view).

    `where` is a condition on the entries row `e`. Their usual cosine to this
    query is taken over a fixed sample of the store, chosen by the hash of the
    id, so that a rebuilt index scores the same.
    """
    if space(db) is None:
        return []
    db.need_vectors()
    mean, deviation = _usual(db, query)
    condition = f"AND seq IN (SELECT e.seq FROM entries e WHERE e.embedded = 1 AND {where})" if where else ""
    near = db.rows(
        f"SELECT seq FROM bits WHERE embedding MATCH vec_bit(?) AND k = ? {condition}",
        (to_bits(query), min(limit, MAX_K), *values),
    )
    scored = []
    for (seq,) in near:
        found = db.one("SELECT v.half, e.id FROM vectors v JOIN entries e USING (seq) WHERE v.seq = ?", (seq,))
        if found is None:
            raise Damaged(f"the bit vector {seq} has no entry")
        scored.append((cosine(query, found[0]), found[1], seq))
    scored.sort(key=lambda item: (-item[0], item[1]))
    return [VectorHit(seq, value, (value - mean) / deviation) for value, _, seq in scored]


def cosines(db: Database, query: Sequence[float], seqs: Iterable[int]) -> dict[int, VectorHit]:
    """The same for given entries, where they have a vector."""
    if space(db) is None:
        return {}
    mean, deviation = _usual(db, query)
    found = {}
    for seq in seqs:
        row = db.one("SELECT half FROM vectors WHERE seq = ?", (seq,))
        if row is not None:
            value = cosine(query, row[0])
            found[seq] = VectorHit(seq, value, (value - mean) / deviation)
    return found


def _usual(db: Database, query: Sequence[float]) -> tuple[float, float]:
    """Mean and deviation of the cosine between the query and the store's sample."""
    rows = db.rows("SELECT half FROM vectors ORDER BY sample, seq LIMIT ?", (SAMPLE,))
    values = sorted(cosine(query, half) for (half,) in rows)
    if len(values) < 2:
        return 0.0, 1.0
    mean = math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / len(values)
    return mean, math.sqrt(variance) or 1.0
