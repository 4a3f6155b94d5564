"""A question that lacks its verb or its subject: completed from the question before it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from memcli.recall.followup.frame import Frame
from memcli.recall.followup.naming import Name, is_auxiliary
from memcli.recall.followup.said import matches

Kind = Literal["asking", "bare", "open", "part"]
_LONGEST = 8
_PLAIN_FORMS = {
    "im": "in",
    "ins": "in",
    "am": "an",
    "zum": "zu",
    "zur": "zu",
    "vom": "von",
    "beim": "bei",
    "del": "de",
    "al": "a",
}


def lacks(frame: Frame) -> Kind | None:
    """What kind of fragment a question is; None where it is whole.

    `asking`: "since when?", `bare`: "who did?", `open`: "anyone else?",
    `part`: "and in May?".
    """
    manner, words = frame.manner, frame.words
    if not words or frame.tokens[words[0]].quoted:
        return None
    if any(matches(frame.tokens, frame.begin, phrase) for phrase in manner.openers) and len(words) <= _LONGEST:
        return "open"
    if frame.auxiliary() is not None:
        return "bare" if _is_bare(frame) else None
    if len(words) > _LONGEST or any(_is_pronoun(frame, at) for at in words):
        return None
    if frame.asks:
        return "asking" if _only_asks(frame) else None
    ends_asking = frame.text.rstrip().endswith("?")
    begins = frame.tokens[words[0]].low in manner.prepositions
    if frame.led or (ends_asking and (begins or _only_names(frame))):
        return "part"
    return None


def _is_pronoun(frame: Frame, at: int) -> bool:
    """Whether a pronoun for a person or thing stands there, or "we" and the like as a subject."""
    low = frame.tokens[at].low
    if low in frame.manner.pronouns:
        return frame.manner.refers(frame.tokens, at)
    return False


def _is_bare(frame: Frame) -> bool:
    """ "Who did?", "Has he?": nothing but grammar, and an auxiliary or pronoun at its end."""
    last = frame.tokens[frame.words[-1]].low
    manner = frame.manner
    grammar = not frame.content and len(frame.words) <= _BARE_WORDS and len(frame.words) > 1
    return grammar and (last in manner.auxiliaries or last in manner.pronouns or last in manner.else_words)


_BARE_WORDS = 4


def _only_asks(frame: Frame) -> bool:
    """Whether nothing stands beside the asking words but one word, or a preposition and what goes with it."""
    rest = [at for at in frame.words if at >= frame.asking]
    part = next(
        (place for place, at in enumerate(rest) if frame.tokens[at].low in frame.manner.prepositions), len(rest)
    )
    if part < len(rest) and not _is_last_part(frame, rest[part:]):
        return False
    own = [at for at in rest[:part] if at in frame.content]
    named = any(at in frame.content and frame.tokens[at].capital for at in own)
    if named or len(own) > 1 or (len(own) == 1 and (part < len(rest) or len(rest) > _WITH_ONE)):
        return False
    return len(own) == 0 or frame.noun == frame.asking or frame.asks_with in ("which", "what", "how")


_WITH_ONE = 2


def _is_last_part(frame: Frame, part: Sequence[int]) -> bool:
    """Whether these words are one phrase with its preposition, and none that belongs to the noun before it."""
    lows = [frame.tokens[at].low for at in part]
    if lows[0] in ("of", "de", "von") or len(part) > _PART_WORDS:
        return False
    return not any(low in frame.manner.prepositions for low in lows[1:])


_PART_WORDS = 4


def _only_names(frame: Frame) -> bool:
    covered = {at for name in frame.names for at in range(name.first, name.last)}
    return bool(covered) and all(at in covered for at in frame.words)


def complete(frame: Frame, kind: Kind, before: Frame) -> tuple[str, bool]:
    """(the question with what it lacks, whether the rest of what was said before belongs behind it)."""
    own = frame.slice(frame.begin, frame.end)
    if kind == "part":
        swapped = _swap(frame, frame.begin, before)
        return (own, True) if swapped is None else (swapped, False)
    if any(at >= frame.asking for at in frame.content) and frame.asks and not _part_of(frame):
        return own, True
    if kind == "asking" and before.asks:
        return _ask(frame, before)
    if kind == "asking" and before.auxiliary() == before.begin:
        return f"{own} {before.slice(before.begin + 1, before.end)}", True
    return own, True


def _part_of(frame: Frame) -> int | None:
    """Where a phrase with a preposition begins behind the asking words, None where there is none."""
    lows = frame.manner.prepositions
    return next((at for at in frame.words if at >= frame.asking and frame.tokens[at].low in lows), None)


def _ask(frame: Frame, before: Frame) -> tuple[str, bool]:
    """Ask the same with other words: "since when" instead of "where"."""
    part = _part_of(frame)
    text = None if part is None else _swap(frame, part, before)
    own = frame.slice(frame.begin, frame.end if text is None else part or frame.end)
    asked = before.slice(before.begin, before.asking)
    if text is None:
        return f"{own} {before.slice(before.asking, before.end)}", True
    if asked.lower().startswith(own.lower()):
        return text, False
    return f"{own}{text[len(asked) :]}", True


def _swap(frame: Frame, first: int, before: Frame) -> str | None:
    """The question before with its time, person or place replaced by that of the fragment; None where it has none."""
    part = _inside(frame.slice(first, frame.end), frame.tokens[first].low in frame.manner.prepositions)
    timed = {at for start, end in frame.times for at in range(start, end)}
    own = [at for at in frame.content if at >= first]
    if own and all(at in timed for at in own):
        return _swap_time(frame, first, before, part)
    begins = frame.tokens[first].low in frame.manner.prepositions
    if begins:
        same = _same_phrase(frame.tokens[first].low, before)
        if same is not None:
            return _put(before, [(*same, part)])
    named = {at for name in frame.names for at in range(name.first, name.last)}
    if own and all(at in named for at in own):
        joined = frame.slice(min(own), max(own) + 1)
        whom = _first_named(before)
        if whom:
            return _put(before, [(whom[0].first, whom[-1].last, joined)])
        return _insert(before, part)
    return _insert(before, part) if begins and own and before.asks and not _is_choice(frame, first) else None


def _inside(part: str, lower: bool) -> str:
    """A part of one sentence as it stands within another."""
    return part[:1].lower() + part[1:] if lower else part


def uncut(frame: Frame, before: Frame) -> str | None:
    """The question before about another person, where this one is the same with some of its end left out.

    "What did Bo say?" after "What did Kenji say about the deadline?". None where it is not.
    """
    own, theirs = _slots(frame), _slots(before)
    if len(own) >= len(theirs) or len(own) < _SHORTEST_CUT or own[0] != theirs[0] or own.count("") != 1:
        return None
    left = iter(theirs)
    if not all(slot in left for slot in own):
        return None
    whom = _first_named(before)
    return _put(before, [(whom[0].first, whom[-1].last, frame.names[0].text)]) if whom else None


_SHORTEST_CUT = 4


def _slots(frame: Frame) -> list[str]:
    """The words of a question in small letters, every name as one empty word."""
    starts = {name.first for name in frame.names}
    inside = {at for name in frame.names for at in range(name.first, name.last)} - starts
    return ["" if at in starts else frame.tokens[at].low for at in frame.words if at not in inside]


def _is_choice(frame: Frame, first: int) -> bool:
    """ "By post or by mail?" offers answers."""
    return any(frame.tokens[at].low in frame.manner.joins for at in range(first, frame.end))


def _swap_time(frame: Frame, first: int, before: Frame, part: str) -> str | None:
    if not before.times:
        return _insert(before, part)
    start, end = before.times[0]
    prepositions = before.manner.prepositions
    if frame.tokens[first].low in prepositions:
        start -= before.tokens[start - 1].low in prepositions
    elif before.tokens[start].low in prepositions:
        start += 1
    return _put(before, [(start, end, part)])


def _insert(before: Frame, part: str) -> str | None:
    """The part behind the asking words: at the end the question before would stand there whole."""
    if not before.asks or before.asking >= before.end:
        return None
    return _put(before, [(before.asking, before.asking, f"{part} ")])


def _same_phrase(preposition: str, before: Frame) -> tuple[int, int] | None:
    """The phrase of the question before that begins with the same preposition and is no time."""
    wanted = _PLAIN_FORMS.get(preposition, preposition)
    timed = {at for start, end in before.times for at in range(start, end)}
    for at in before.words:
        if _PLAIN_FORMS.get(before.tokens[at].low, before.tokens[at].low) != wanted or at < before.asking:
            continue
        end = at + 1
        while end < before.end and before.tokens[end].is_word and not _ends_phrase(before, end):
            end += 1
        if end > at + 1 and not timed & set(range(at, end)):
            return at, end
    return None


def _ends_phrase(before: Frame, at: int) -> bool:
    low = before.tokens[at].low
    return (
        low in before.manner.prepositions
        or low in before.manner.breaks
        or is_auxiliary(before.tokens, at, before.manner)
    )


def _first_named(before: Frame) -> list[Name]:
    """The first person of a question, with those joined to them; a place where nobody else is named."""
    names = before.persons or before.names
    group = names[:1]
    for name in names[1:]:
        between = [token.low for token in before.tokens[group[-1].last : name.first]]
        if not between or any(low != "," and low not in before.manner.joins for low in between):
            break
        group.append(name)
    return group


def _put(before: Frame, edits: Sequence[tuple[int, int, str]]) -> str:
    """The question before, from where it begins to its last word, with ranges of tokens replaced."""
    tokens, text = before.tokens, before.text
    parts, at = [], tokens[before.begin].start
    for first, last, new in sorted(edits):
        parts += [text[at : tokens[first].start], new]
        at = tokens[last - 1].end if last > first else tokens[first].start
    return "".join([*parts, text[at : tokens[before.end - 1].end]])


def keywords(before: Frame, said: Collection[str], timed: bool) -> str:
    """What a question is about: its words but for grammar and those of `said`; its times only where `timed`."""
    times = {at for start, end in before.times for at in range(start, end)}
    kept = [
        at
        for at in before.words
        if _tells(before, at) and before.tokens[at].low not in said and (timed or at not in times)
    ]
    parts = [before.slice(at, at + 1 + _is_owner(before, at)) for at in kept]
    return " ".join(dict.fromkeys(parts))


def _is_owner(frame: Frame, at: int) -> bool:
    return at + 1 < len(frame.tokens) and frame.tokens[at + 1].low == "'s"


def _tells(frame: Frame, at: int) -> bool:
    if frame.begin <= at < frame.noun:  # "how long"
        return False
    return at in frame.content or frame.tokens[at].text.isdecimal()
