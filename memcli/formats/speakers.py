"""Is a text a conversation, and who speaks in it? In doubt it is a note.

The lines are surveyed once; then concrete patterns are tried, the surest
first: a chat with an AI, turns with time stamps, the person and others, people
by name. Every pattern wants two turns or more, near the beginning.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from memcli.formats.calendar import order_of
from memcli.formats.labels import STRONG_ROLES, is_field, is_identifier, is_log_level, role_label
from memcli.formats.turns import Turn, outside_fences, read_turn

_MOST_LABELS = 5000
_ENOUGH = 5000
_SEQUENCE = 400
_SPEECH = re.compile(
    r"[?!]|\b(?:i|i'm|i've|i'll|i'd|i’m|i’ve|i’ll|i’d|you|you're|you’re|your|we|we're|we’re|we'll|let's|let’s|my|me|us"
    r"|our|yes|yeah|yep|no|nope|ok|okay|sure|thanks|thank|hi|hello|hey|bye|sorry|please|great|right|well|lol|haha"
    r"|ich|du|wir|mir|dir|dich|mich|ihr|ja|nein|nee|danke|bitte|hallo|mein|meine|dein|deine|klar|genau"
    r"|je|tu|nous|vous|moi|toi|oui|non|merci|salut|bonjour|mon|ma|ton|ta"
    r"|yo|tú|nosotros|gracias|hola|sí|mi|tu|io|noi|grazie|ciao)\b"
    r"|[？！。吗呢吧啊我你ねよか]",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^a-z\d\W].*[.…。]\Z", re.DOTALL)
_THIRD_PERSON = re.compile(
    r"(?:(?:is|was|has|had|does|will|can|does|doesn't|doesn’t|isn't|isn’t|works|lives|likes|loves|hates|prefers"
    r"|wants|needs|owns|plays|moved|said|told|born|started|allergic|vegetarian|vegan)\b|(?!yes|thanks|this|its)[a-z]{2,}s\s)"
)

Pattern = Literal["roles", "stamped", "names"]


@dataclass
class Survey:
    """What a text's lines look like, counted."""

    lines: int = 0
    headings: int = 0
    bullets: int = 0
    first: int | None = None
    stamped: Counter[str] = field(default_factory=Counter)
    plain: Counter[str] = field(default_factory=Counter)
    weak: int = 0
    questions: int = 0
    speech: Counter[str] = field(default_factory=Counter)
    third: Counter[str] = field(default_factory=Counter)
    long: Counter[str] = field(default_factory=Counter)
    phrase: Counter[str] = field(default_factory=Counter)
    sequence: list[str] = field(default_factory=list)
    pairs: set[tuple[int, int]] = field(default_factory=set)

    def add(self, turn: Turn, following: str) -> None:
        """Count a line that may open a turn; `following` is the next line, for words that stand below a name."""
        counts = self.plain if turn.stamp is None else self.stamped
        if len(counts) >= _MOST_LABELS and turn.label not in counts:
            return
        counts[turn.label] += 1
        if len(self.sequence) < _SEQUENCE:
            self.sequence.append(turn.label)
        if turn.stamp is not None:
            self.weak += not turn.strong
            if turn.stamp.fields:
                self.pairs.add(turn.stamp.fields[:2])
        words = turn.rest or following
        self.speech[turn.label] += bool(_SPEECH.search(words) or _SENTENCE.match(words.rstrip()))
        self.questions += words.rstrip()[-1:] in ("?", "？", "か")
        self.third[turn.label] += _THIRD_PERSON.match(words) is not None
        self.long[turn.label] += words.count(" ") >= 4
        self.phrase[turn.label] += words.count(" ") >= 2

    @property
    def order(self) -> str | None:
        """The order of day and month, where the dates themselves settle it."""
        return order_of(self.pairs)


@dataclass(frozen=True)
class Cast:
    """How turns open (`stamped` ones only, or labels) and, for labels, who may open one."""

    pattern: Pattern
    speakers: frozenset[str]

    def opens(self, turn: Turn) -> bool:
        """Whether this line opens a turn here."""
        if self.pattern == "stamped":
            return turn.stamp is not None and not is_log_level(turn.label)
        return turn.stamp is None and turn.label in self.speakers


def survey(lines: Iterable[str]) -> Survey:
    """Count the lines of a text: all, or the first thousands where those leave nothing open."""
    found = Survey()
    waiting: Turn | None = None
    for line, open_ in outside_fences(lines):
        if not line or line.isspace():
            continue
        turn = read_turn(line.rstrip("\r")) if open_ else None
        if waiting:
            found.add(waiting, "" if turn else line)
            waiting = None
        if turn is not None and found.first is None:
            found.first = found.lines
        found.lines += 1
        if turn is None:
            found.headings += line.startswith("#") and line.lstrip("#")[:1] == " "
            found.bullets += line.startswith(("- ", "* ", "+ "))
        elif turn.rest:
            found.add(turn, "")
        else:
            waiting = turn
        if found.lines == _ENOUGH and _settled(found):
            break
    if waiting:
        found.add(waiting, "")
    return found


def _settled(found: Survey) -> bool:
    """Whether no later line can change anything: stamps open the turns, and their dates can be read."""
    cast = cast_of(found)
    return cast is not None and cast.pattern == "stamped" and (not found.pairs or found.order is not None)


def cast_of(found: Survey) -> Cast | None:
    """Who speaks, by the first pattern that fits; None where it is a note."""
    if found.first is None or found.first > 4 + found.lines // 5 or found.headings > 2 or _is_form(found.sequence):
        return None
    return _with_stamps(found) or _with_ai(found) or _with_me(found) or _by_name(found)


def _is_form(labels: list[str]) -> bool:
    """Whether labels come as records do: three or more fields in one order, three times or more.

    Three people who talk do not keep to an order for that long.
    """
    order = {label: at for at, label in enumerate(dict.fromkeys(labels))}
    records: list[list[int]] = []
    for label in labels:
        if order[label] == 0 or not records:
            records.append([])
        records[-1].append(order[label])
    ordered = sum(record == sorted(set(record)) for record in records)
    return (
        3 <= len(order) <= 12 and len(records) >= 3 and ordered == len(records) and len(labels) >= 3 * len(records) - 1
    )


def _with_ai(found: Survey) -> Cast | None:
    """The person and an assistant by their role words; other labels are words of theirs."""
    sides = {role_label(label) for label in found.plain}
    roles = frozenset(label for label in found.plain if role_label(label))
    turns = sum(found.plain[label] for label in roles)
    if not {"user", "assistant"} <= sides or turns < 2:
        return None
    sure = any(label.casefold() in STRONG_ROLES for label in roles)
    return Cast("roles", roles) if sure or turns * 2 >= found.plain.total() else None


def _with_stamps(found: Survey) -> Cast | None:
    """Labelled lines with time stamps, unless they are a program's log or a day's schedule."""
    labels, turns = found.stamped, found.stamped.total()
    if turns < 2 or sum(labels[label] for label in labels if is_field(label)) * 2 > turns:
        return None
    # `app.server: started` repeats in every log; names of that kind must talk too.
    names = sum(labels[label] for label in labels if not is_identifier(label))
    repeated = names * 2 > turns and any(count > 1 for count in labels.values())
    talk = found.speech.total()
    if found.weak * 2 > turns:
        return Cast("stamped", frozenset(labels)) if repeated and len(labels) > 1 and talk * 4 >= turns else None
    return Cast("stamped", frozenset(labels)) if repeated or talk * 3 >= turns else None


def _with_me(found: Survey) -> Cast | None:
    """`Me:` and somebody else: nobody heads a list with `Me`."""
    mine = [label for label in found.plain if label.casefold() in ("me", "you")]
    others = [label for label in found.plain if label not in mine and not role_label(label)]
    turns = found.plain.total()
    if not mine or not others or turns < 2 or found.third.total() * 2 > turns:
        return None
    # Each once and words around them: a note that reports what was said.
    whole = turns >= found.lines or found.plain.most_common(1)[0][1] > 1
    return Cast("names", frozenset(found.plain)) if whole and found.first == 0 else None


def _by_name(found: Survey) -> Cast | None:
    """Two names or more that come up twice or more each, and talk."""
    regular = {label: count for label, count in found.plain.items() if count > 1}
    labels = Counter(regular)
    if len(labels) < 2:
        return None
    turns = labels.total()
    strangers = found.plain.total() - turns
    if strangers > turns or not _talks(found, labels):
        return None
    if sum(found.third[label] for label in labels) * 2 > turns:
        return None
    return Cast("names", frozenset(labels))


def _talks(found: Survey, labels: Counter[str]) -> bool:
    """Whether enough of the lines sound like speech, and it is more than one who talks, or asks."""
    turns = labels.total()
    talk = sum(found.speech[label] for label in labels)
    wordy = sum(found.long[label] for label in labels)
    voices = sum(1 for label in labels if found.speech[label] or found.long[label])
    if (voices > 1 or found.questions > 0) and talk * 5 >= turns and (talk + wordy) * 3 >= turns:
        return True
    # Nothing but labelled lines with several words each: no form has that.
    return turns >= max(found.lines, 4) and sum(found.phrase[label] for label in labels) * 2 > turns
