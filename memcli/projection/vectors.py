"""The vector index: one bit vector an entry in vec0, re-scored from float16 halves (E1).

The float16 rows are the embedding; the bits find candidates by Hamming
distance fast enough for a million entries, and the cosine is computed from
the halves of the best of them.
"""

from __future__ import annotations

import json
import math
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import mul
from typing import cast

from memcli.projection.database import Database
from memcli.projection.sqlite import Damaged, NoVectors

SAMPLE = 256
MAX_K = 4096
_LISTED = "SELECT value FROM json_each(?)"


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
    close = _whole(db, query, [seq for seq, _ in _near(db, query, limit, where, values)])
    rows = db.rows(f"SELECT seq, id FROM entries WHERE seq IN ({_LISTED})", (json.dumps(list(close)),))
    if len(rows) < len(close):
        raise Damaged("a vector has no entry")
    rows.sort(key=lambda row: (-close[row[0]], row[1]))
    return [VectorHit(seq, close[seq], (close[seq] - mean) / deviation) for seq, _ in rows]


def nearest(
    db: Database, query: Sequence[float], limit: int, where: str = "", values: tuple[object, ...] = ()
) -> dict[int, float]:
    """The cosine of those entries whose signs agree most with the query's, at most `limit`.

    Where the limit cuts between entries that agree equally well, all of these
    are left out: only row numbers could choose between them.
    """
    if space(db) is None:
        return {}
    db.need_vectors()
    found = _near(db, query, limit + 1, where, values)
    if len(found) > limit:
        farthest = max(distance for _, distance in found)
        found = [row for row in found if row[1] < farthest] or found[:limit]
    return _whole(db, query, [seq for seq, _ in found])


def exact(db: Database, query: Sequence[float], seqs: Iterable[int]) -> dict[int, float]:
    """The cosine between the query and each of the given entries that has a vector."""
    rows = db.rows(f"SELECT seq, half FROM vectors WHERE seq IN ({_LISTED})", (json.dumps(sorted(seqs)),))
    return {seq: cosine(query, half) for seq, half in rows}


def _near(
    db: Database, query: Sequence[float], limit: int, where: str, values: tuple[object, ...]
) -> list[tuple[int, float]]:
    condition = f"AND seq IN (SELECT e.seq FROM entries e WHERE e.embedded = 1 AND {where})" if where else ""
    return cast(
        list[tuple[int, float]],
        db.rows(
            f"SELECT seq, distance FROM bits WHERE embedding MATCH vec_bit(?) AND k = ? {condition}",
            (to_bits(query), min(limit, MAX_K), *values),
        ),
    )


def _whole(db: Database, query: Sequence[float], seqs: Sequence[int]) -> dict[int, float]:
    close = exact(db, query, seqs)
    if len(close) < len(seqs):
        raise Damaged("a bit vector has no whole one")
    return close


def cosines(db: Database, query: Sequence[float], seqs: Iterable[int]) -> dict[int, VectorHit]:
    """The same for given entries, where they have a vector."""
    if space(db) is None:
        return {}
    mean, deviation = _usual(db, query)
    return {seq: VectorHit(seq, value, (value - mean) / deviation) for seq, value in exact(db, query, seqs).items()}


def _usual(db: Database, query: Sequence[float]) -> tuple[float, float]:
    """Mean and deviation of the cosine between the query and the store's sample."""
    rows = db.rows("SELECT half FROM vectors ORDER BY sample, seq LIMIT ?", (SAMPLE,))
    values = sorted(cosine(query, half) for (half,) in rows)
    if len(values) < 2:
        return 0.0, 1.0
    mean = math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / len(values)
    return mean, math.sqrt(variance) or 1.0
