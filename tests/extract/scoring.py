"""Scores an extractor against the labelled stories: which labels are found, and which memories are none of them.

A memory matches a label when it cites one of the label's entries, is about the
label's subject (or one as good), has every needed value in its text or in the
dates that it stores, nothing that must be absent, and is not the entry's own
text repeated. Class and time are judged apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memcli.extract.context import WINDOW, Context, Found
from memcli.types import Entry, Moment

CASES = Path(__file__).parent.parent / "cases"
HELD_OUT = frozenset((1, 3, 5, 7, 9, 11))
"""Places in the file of the stories that the rules were not written with: chosen by parity, before reading them."""
Extractor = Callable[[Context], Sequence[Found]]


@dataclass
class Score:
    """Counts over some stories; the lists say what was missed and what was wrong."""

    required: int = 0
    recalled: int = 0
    memories: int = 0
    right: int = 0
    wrong_subject: list[str] = field(default_factory=list)
    wrong_class: list[str] = field(default_factory=list)
    wrong_time: list[str] = field(default_factory=list)
    timed: int = 0
    missed: list[str] = field(default_factory=list)
    unlabelled: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """The share of the labels that are not optional which some memory matches."""
        return self.recalled / self.required if self.required else 0.0

    @property
    def precision(self) -> float:
        """The share of the memories that match some label."""
        return self.right / self.memories if self.memories else 0.0

    def __str__(self) -> str:
        return (
            f"recall {self.recalled}/{self.required} = {self.recall:.3f}, precision {self.right}/{self.memories} = "
            f"{self.precision:.3f}, wrong subject {len(self.wrong_subject)}, class {len(self.wrong_class)}, "
            f"time {len(self.wrong_time)} of {self.timed}"
        )


def stories(name: str = "stories") -> list[dict[str, Any]]:
    """The labelled stories of a file, in its order."""
    return list(json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))["stories"])


def contexts(story: Mapping[str, Any]) -> list[Context]:
    """The entries of a story as the extractor gets them from the store."""
    entries = [_entry(row, story) for row in story["entries"]]
    me = story["me"]["name"]
    aliases = {name.casefold() for name in (me, *story["me"]["aliases"])}

    def name_of(entry: Entry) -> str | None:
        return me if entry.trust == "self" or (entry.speaker or "").casefold() in aliases else entry.speaker

    people = frozenset({entry.speaker for entry in entries if entry.speaker} | {me, *story["me"]["aliases"]})
    made = []
    for at, entry in enumerate(entries):
        before = tuple(item for item in entries[:at] if item.session == entry.session)[-WINDOW:]
        others = {name for item in before if (name := name_of(item)) is not None and name != name_of(entry)}
        listener = others.pop() if len(others) == 1 else None
        made.append(Context(entry, name_of(entry), listener, before, people))
    return made


def _entry(row: Mapping[str, Any], story: Mapping[str, Any]) -> Entry:
    said = datetime.fromisoformat(row["said_at"]).replace(tzinfo=UTC)
    moment = Moment(int(said.timestamp() * 1000), floating=True)
    number = row["n"]
    return Entry(
        id=str(number), run="r", session=row["session"], ordinal=number, source_key=str(number), text=row["text"],
        imported_at=0, speaker=row["speaker"], role=row["role"], trust=row["trust"], moment=moment,
        scope=story["scope"],
        source="note" if row["speaker"] is None else "chat",
    )  # fmt: skip


def score(extractor: Extractor, chosen: Sequence[Mapping[str, Any]]) -> Score:
    """What an extractor makes of some stories."""
    total = Score()
    for story in chosen:
        made = [(context, found) for context in contexts(story) for found in extractor(context)]
        _judge(story, made, total)
    return total


def _judge(story: Mapping[str, Any], made: Sequence[tuple[Context, Found]], total: Score) -> None:
    matched: dict[int, list[Found]] = {}
    for context, found in made:
        total.memories += 1
        where = f"{story['name']} {context.entry.id}: [{found.statement.subject}] {found.statement.text}"
        hits = [at for at, label in enumerate(story["memories"]) if _matches(label, found, context)]
        if not hits:
            near = [label for label in story["memories"] if _says(label, found, context)]
            (total.wrong_subject if near else total.unlabelled).append(where)
            continue
        total.right += 1
        labels = [story["memories"][at] for at in hits]
        if not any(found.statement.cls in label["class"] for label in labels):
            total.wrong_class.append(f"{where} is {found.statement.cls}, not {labels[0]['class']}")
        for at in hits:
            matched.setdefault(at, []).append(found)
    for at, label in enumerate(story["memories"]):
        if not label.get("optional"):
            total.required += 1
            total.recalled += at in matched
            if at not in matched:
                total.missed.append(
                    f"{story['name']} {label['entries']}: {label['subject']} {label['relation']} {label['value']}"
                )
        if at in matched and label["time"]:
            total.timed += 1
            if not any(_in_time(label["time"], found) for found in matched[at]):
                total.wrong_time.append(
                    f"{story['name']} {label['entries']}: {label['time']} {matched[at][0].statement.text}"
                )


def _matches(label: Mapping[str, Any], found: Found, context: Context) -> bool:
    owner = f"{(context.speaker or '').casefold()}'s "
    subjects = {_plain_name(name).removeprefix(owner) for name in (label["subject"], *label.get("subject_also", ()))}
    return _says(label, found, context) and _plain_name(found.statement.subject).removeprefix(owner) in subjects


def _says(label: Mapping[str, Any], found: Found, context: Context) -> bool:
    """Whether a memory cites the label's evidence and holds its values, whoever it is about."""
    if {int(quote.entry) for quote in found.quotes}.isdisjoint(label["entries"]):
        return False
    text = f"{found.statement.text} {_iso(found.statement.begin_ms)} {_iso(found.statement.end_ms)}".casefold()
    if not all(any(way.casefold() in text for way in need.split("|")) for need in label["value"]):
        return False
    if any(word.casefold() in text for word in label.get("absent", ())):
        return False
    return _plain(found.statement.text) != _plain(context.entry.text)


def _in_time(time: Mapping[str, str], found: Found) -> bool:
    begin, end = found.statement.begin_ms, found.statement.end_ms
    if begin is None or end is None:
        return False
    first = datetime.fromisoformat(time["start"]).replace(tzinfo=UTC).timestamp() * 1000
    last = datetime.fromisoformat(time["end"]).replace(tzinfo=UTC).timestamp() * 1000
    whole = (begin, end) == (first, last)
    return whole or (end - begin < 86_400_000 and first <= begin < last and last - first <= 86_400_000)


def _iso(ms: int | None) -> str:
    return "" if ms is None else datetime.fromtimestamp(ms / 1000, UTC).date().isoformat()


def _plain_name(name: str) -> str:
    return re.sub(r"^(?:the|a|an) ", "", name.casefold().replace("’", "'").strip())


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
