"""The word index: FTS5 over stemmed words, runs of CJK characters as bigrams.

SQLite's own `porter` tokenizer stems, in C, in the transaction that applies
the entry; only runs of Chinese, Japanese and Korean characters, which have no
spaces to split at, are cut here.
"""

from __future__ import annotations

from dataclasses import dataclass

from memcli.lang.words import indexed_form, match_expression
from memcli.projection.database import Database


@dataclass(frozen=True, slots=True)
class WordHit:
    """One entry that shares words with the query; `score` is BM25, higher is better."""

    seq: int
    score: float


def insert(db: Database, seq: int, text: str) -> None:
    """Index an entry's words; the caller holds the transaction."""
    db.raw.execute("INSERT INTO words (rowid, stems) VALUES (?, ?)", (seq, indexed_form(text)))


def delete(db: Database, seq: int) -> None:
    """Take an entry's words out again, their bytes included (secure-delete)."""
    db.raw.execute("DELETE FROM words WHERE rowid = ?", (seq,))


def search(
    db: Database, terms: list[str], limit: int, where: str = "", values: tuple[object, ...] = ()
) -> list[WordHit]:
    """The best entries for any of the terms, BM25 with ties broken by id (D2, lexical view).

    `where` is a condition on `e`, the entries row; only visible entries count.
    """
    expression = match_expression(terms)
    if not expression:
        return []
    found = db.rows(
        "SELECT w.rowid, -bm25(words) AS score FROM words w JOIN entries e ON e.seq = w.rowid "
        f"WHERE words MATCH ? {where and 'AND ' + where} ORDER BY score DESC, e.id LIMIT ?",
        (expression, *values, limit),
    )
    return [WordHit(seq, score) for seq, score in found]
