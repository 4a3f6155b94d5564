"""How much of what annotators observed in LoCoMo the memories hold: no model, the extractor alone.

    python bench/observations.py --data FILE.json [--out DIR]

Every conversation goes through the product's importer and the step of tidy
that derives memories. An observation counts as covered when a memory cites
the turn that it names and shares at least half of its content words, after
stemming. Observations are partly opinions about how somebody feels, which
memories leave out on purpose: the figure is for comparing versions, not a
score out of one. Prints a table and, as the last line, one JSON object; DIR
gets one line an observation.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memcli.clock import Clock
from memcli.formats.base import ParseOptions
from memcli.formats.registry import by_name, parse
from memcli.formats.source import Source
from memcli.importing.importer import Tally, import_drafts
from memcli.importing.terms import Terms
from memcli.lang.words import content_terms, stem
from memcli.projection.memories import COLUMNS, memory_of_row
from memcli.store.home import Home
from memcli.store.store import Store
from memcli.tidy.derive import derive
from memcli.types import Memory

HALF = 0.5
_TURN = re.compile(r"D\d+:\d+")


@dataclass(frozen=True)
class Observation:
    """What an annotator wrote about a turn, and who it is about."""

    sample: str
    turn: str
    text: str


def observations(sample: Mapping[str, Any]) -> Iterator[Observation]:
    """The observations of a conversation, one for each turn that they name."""
    for by_speaker in sample.get("observation", {}).values():
        for listed in by_speaker.values():
            for text, turns in listed:
                for turn in _TURN.findall(json.dumps(turns)):
                    yield Observation(str(sample["sample_id"]), turn, text)


def memories_by_turn(path: Path, home: Path) -> tuple[dict[str, list[Memory]], int, float]:
    """The memories of a file by the turn that they cite, how many turns there are, and the seconds it took."""
    raise NotImplementedError


def covered(observation: str, memories: Sequence[Memory]) -> float:
    """The greatest share of an observation's content words that one of these memories holds."""
    wanted = _stems(observation)
    return max((len(wanted & _stems(memory.statement.text)) / len(wanted) for memory in memories), default=0.0) if wanted else 0.0


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in content_terms(text))
