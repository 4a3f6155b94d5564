"""The word index: FTS5 over stemmed words, runs of CJK characters as bigrams.

SQLite's own `porter` tokenizer stems, in C, in the transaction that applies
the entry; only runs of Chinese, Japanese and Korean characters, which have no
spaces to split at, are cut here, and stems of other languages are put behind
the words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memcli.lang.words import PREFIX, Term, ends_with, indexed_form, match_expression
from memcli.projection.database import Database


@dataclass(frozen=True, slots=True)
class WordHit:
    """One entry that shares words with the query; `score` is BM25, higher is better."""

    seq: int
    score: float


def insert(db: Database, seq: int, text: str) -> None:
    """Index an entry's words when the transaction commits; the caller holds it."""
    _later(db, seq, text)


def delete(db: Database, seq: int) -> None:
    """Take an entry's words out again, their bytes included (secure-delete), when the transaction commits."""
    _later(db, seq, None)


def _later(db: Database, seq: int, text: str | None) -> None:
    """Keep what becomes of an entry's words in this transaction, and what was of them before.

    Deleting and inserting the same row in one transaction damages the index
    (FTS5 of SQLite 3.53 with secure-delete, from some 200 words on): an entry
    that is forgotten and restored in one replay would. So each is written once.
    """
    before, _ = db.words.get(seq, (text is None, None))
    db.words[seq] = (before, text)
    db.at_commit["words"] = _write


def _write(db: Database) -> None:
    for seq, (before, text) in db.words.items():
        if text is None and before:
            db.raw.execute("DELETE FROM words WHERE rowid = ?", (seq,))
        elif text is not None and not before:
            db.raw.execute("INSERT INTO words (rowid, stems) VALUES (?, ?)", (seq, indexed_form(text)))
    db.words.clear()


def search(
    db: Database, terms: list[str], limit: int, where: str = "", values: tuple[object, ...] = ()
) -> list[WordHit]:
    """The best entries for any of the terms, BM25 with ties broken by id (D2, lexical view).

    `where` is a condition on `e`, the entries row; only visible entries count.
    """
    expression = match_of(db, terms)
    if not expression:
        return []
    found = db.rows(
        "SELECT w.rowid, -bm25(words) AS score FROM words w JOIN entries e ON e.seq = w.rowid "
        f"WHERE words MATCH ? {where and 'AND ' + where} ORDER BY score DESC, e.id LIMIT ?",
        (expression, *values, limit),
    )
    return [WordHit(seq, score) for seq, score in found]


def best(db: Database, terms: Sequence[str], limit: int) -> list[WordHit] | None:
    """The best entries of the whole store, without a look at their rows: five times as fast as `search`.

    None where the cut would go through a tie, which only ids could break.
    """
    expression = match_of(db, terms)
    if not expression:
        return []
    found = db.rows("SELECT rowid, -rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?", (expression, limit + 1))
    if len(found) > limit:
        last = found[-1][1]
        found = [(seq, score) for seq, score in found if score > last]
        if not found:
            return None
    return [WordHit(seq, score) for seq, score in found]


def frequency(db: Database, term: str) -> int:
    """In how many entries a term occurs."""
    expression = match_of(db, [term])
    return int(db.one("SELECT COUNT(*) FROM words WHERE words MATCH ?", (expression,))[0]) if expression else 0


def scores(db: Database, term: str, seqs: Iterable[int]) -> dict[int, float]:
    """BM25 of one term in those of the given entries that have it; the sum over terms is that of the query."""
    expression = match_of(db, [term])
    if not expression:
        return {}
    # The plus keeps SQLite from searching the index once for every entry.
    found = db.rows(
        "SELECT rowid, -rank FROM words WHERE words MATCH ? AND +rowid IN (SELECT value FROM json_each(?))",
        (expression, json.dumps(list(seqs))),
    )
    return dict(found)


_LEAST_PART = 4


def match_of(db: Database, terms: Iterable[str]) -> str:
    """The MATCH expression for the terms; a German compound is also sought by its parts."""
    return match_expression([_with_parts(db, term) for term in terms])


def _with_parts(db: Database, term: str) -> str:
    if not isinstance(term, Term) or not term.compound:
        return term
    return Term(term, term.forms + _parts(db, term))


def _parts(db: Database, term: Term) -> tuple[str, ...]:
    """The forms of the two parts of a compound: where it is cut is decided by what the index has.

    The longest last part that occurs, by itself or at the end of another
    compound, and what stands before it; else the longest first part that
    occurs by itself.
    """
    from memcli.lang.light import german

    whole = term.stemmed
    for cut in range(_LEAST_PART - 1, len(whole) - _LEAST_PART + 1):
        last = (whole[cut:], *ends_with(whole[cut:]))
        if _occurs(db, last):
            first = (german(whole[:cut]) + PREFIX,)
            return (*last, *first) if cut >= _LEAST_PART and _occurs(db, first) else last
    for cut in range(len(whole) - 1, _LEAST_PART - 1, -1):
        if _occurs(db, (whole[:cut],)):
            return (whole[:cut],)
    return ()


def _occurs(db: Database, forms: tuple[str, ...]) -> bool:
    expression = match_expression([Term("", forms)])
    return db.one("SELECT 1 FROM words WHERE words MATCH ? LIMIT 1", (expression,)) is not None
