"""What is compared: plain baselines and the product, each a ranking of turns for a question."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from conversations import Asked, turn_of
from homes import Embedding
from scoring import Ranked, as_handed_on, mean, precision, share
from weighing import Weighing

from memcli.answering.answer import look_up
from memcli.answering.known import Known
from memcli.clock import DAY_MS
from memcli.lang.words import content_terms
from memcli.projection import lexical, vectors
from memcli.projection.database import Database
from memcli.recall.depth import MOST
from memcli.recall.finding import find
from memcli.recall.people import speakers
from memcli.recall.question import Query, as_said
from memcli.recall.search import Evidence
from memcli.recall.switches import SWITCHES, Switches

Ranking = Callable[[Database, Asked], list[str]]
BM25, MEANING, FUSED = "BM25 alone", "MiniLM alone", "reciprocal-rank fusion of the two"
RECALL, HANDED_ON = "recall", "as handed on"
_RANK_CONSTANT = 60


def baselines(embedder: Embedding) -> dict[str, Ranking]:
    """Words alone, meaning alone, and the usual way to put the two together."""

    def words(db: Database, asked: Asked) -> list[str]:
        return _turns(db, [hit.seq for hit in lexical.search(db, content_terms(asked.text), 100)])

    def meaning(db: Database, asked: Asked) -> list[str]:
        vector = next(embedder.embed([asked.text]))
        return _turns(db, [hit.seq for hit in vectors.search(db, vector, 100)])

    def fused(db: Database, asked: Asked) -> list[str]:
        score: dict[str, float] = {}
        for ranking in (words(db, asked), meaning(db, asked)):
            for place, turn in enumerate(ranking):
                score[turn] = score.get(turn, 0.0) + 1 / (_RANK_CONSTANT + place)
        return sorted(score, key=lambda turn: (-score[turn], turn))

    return {BM25: words, MEANING: meaning, FUSED: fused}


@dataclass
class Product:
    """The evidence of `mem ask`, and how long it took. The vectors of questions are made beforehand."""

    embedder: Embedding | None
    weighing: Weighing
    switches: Switches = SWITCHES
    seconds: list[float] = field(default_factory=list)

    def handed_on(self, db: Database, asked: Asked) -> list[Evidence]:
        """What `mem ask` hands on to be answered from."""
        return self.looked_up(db, asked)[0]

    def looked_up(self, db: Database, asked: Asked) -> tuple[list[Evidence], Known]:
        """The same with what is known of it, asked on the day after the last turn; recall itself has no clock."""
        query = Query(asked.text)
        found = self._find(db, asked, query, adaptive=True)
        now_ms = db.one("SELECT MAX(said_ms) FROM entries")[0] + DAY_MS
        evidence, learnt, _ = look_up(db, query, found, (), speakers(db), now_ms)
        return evidence, learnt

    def best(self, db: Database, asked: Asked, k: int = MOST) -> list[Evidence]:
        """The first `k`: what `mem ask -k` hands on."""
        return self._find(db, asked, Query(asked.text, k=k), adaptive=False)

    def _find(self, db: Database, asked: Asked, query: Query, *, adaptive: bool) -> list[Evidence]:
        begin = time.perf_counter()
        found = find(
            db,
            query,
            self.embedder,
            adaptive=adaptive,
            weights=self.weighing.recall_of(asked.sample),
            switches=self.switches,
        )
        self.seconds.append(time.perf_counter() - begin)
        return list(found.evidence)


def turns(evidence: Sequence[Evidence]) -> list[str]:
    """Every turn whose text is handed on; what is not of the benchmark counts as a turn too."""
    return [turn_of(item.entry.source_key) for item in evidence]


def learn_questions(db: Database, asked: Sequence[Asked], embedder: Embedding) -> None:
    """Embed all questions at once, as they stand and as their subjects would say them."""
    names = speakers(db)
    embedder.learn([item.text for item in asked] + [as_said(item.text, names) for item in asked])


def precision_at(results: Sequence[tuple[Asked, Sequence[Evidence]]], least_recall: float) -> dict[str, Any]:
    """The best precision that any depth has whose recall is at least so much, and that depth.

    A depth is a share of the chances and a least number of turns, as in `recall/depth.py`.
    """
    best: dict[str, Any] = {"precision": 0.0}
    for least in (1, 2, 3):
        for chance in (0.3, 0.25, 0.2, 0.15, 0.12, 0.1, 0.08, 0.065, 0.05, 0.04, 0.03, 0.02):
            ranked = [(asked, turns(evidence[: _worth(evidence, chance, least)])) for asked, evidence in results]
            recall = mean(share(asked, found) for asked, found in ranked)
            exact = mean(precision(asked, found) for asked, found in ranked)
            if recall >= least_recall and exact > best["precision"]:
                best = {**as_handed_on(ranked), "chance": chance, "least": least}
    return best


def _worth(evidence: Sequence[Evidence], chance: float, least: int) -> int:
    odds = [math.exp(item.score - evidence[0].score) for item in evidence]
    floor = chance * math.fsum(odds)
    return max(least, sum(value >= floor for value in odds))


def fixed(results: Sequence[tuple[Asked, Sequence[Evidence]]], k: int) -> Ranked:
    """The same with the first `k` alone."""
    return [(asked, turns(evidence[:k])) for asked, evidence in results]


def _turns(db: Database, seqs: Sequence[int]) -> list[str]:
    return [turn_of(db.one("SELECT key FROM entries WHERE seq = ?", (seq,))[0]) for seq in seqs]
