"""The title and the fact sheet of an event, from its own words: no model (B4).

Title: the phrases whose words stand in most of its turns and in few others of
the store. Fact sheet: its most central sentences, verbatim.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memcli.lang.phrases import Phrase, phrases, telling, without_captions
from memcli.lang.words import has_cjk

FACTS = 3
TITLE_CHARS = 60
FACT_CHARS = 240
_LEAST_FACT_WORDS = 4
_ECHOES = re.compile(
    r"(?:wow|thanks?|congrat\w*|great|awesome|amazing|cool|nice|sounds|that['’]s|yeah|yep|yes|sure|aww?|oh|ooh|hey|hi|"
    r"hello|way to go|good|so (?:glad|proud|happy)|glad|love)\b",
    re.IGNORECASE,
)
_ECHO = 0.6
"""What is left of a sentence that answers what somebody else has told."""
_TOLD = 0.2
"""What a word is worth that another fact has told."""
_PARTS = 2
"""Phrases in a title at most."""
_SECOND = 0.6
"""What the second phrase must be worth, of the first."""
_UNSURE = 0.7
"""What is left of a phrase that may end in a verb ("the injury heals")."""
_ADJECTIVE = re.compile(r"(?:ing|ed|ive|ful|ous|able|ible|less|ish|est|al|ent|ant|ic|y|er|ize|ate|ify)$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|(?<=[。！？])|\n+")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)[ \t#]*(?:\n|$)")
_NO_TITLE = re.compile(
    r"(?:new|untitled|neue[rs]?)\s*(?:chat|conversation|note|document|thread)?|untitled.*|no subject|\(no subject\)|"
    r"conversation|chat|notes?|readme|document",
    re.IGNORECASE,
)

Rarity = Callable[[str], float]
"""How much a stem tells: the logarithm of how few entries of the store have it."""


@dataclass(frozen=True, slots=True)
class Said:
    """One entry as wording sees it: its id, its words, who said them, what it is worth (its nearness to the event)."""

    id: str
    text: str
    speaker: str | None = None
    nearness: float = 1.0


def weights(turns: Sequence[Said], rarity: Rarity, names: frozenset[str]) -> dict[str, float]:
    """How telling each stem is for these turns: in how many of them it stands, by whom, and how rare it is."""
    count: Counter[str] = Counter()
    by: dict[str, set[str | None]] = {}
    for turn in turns:
        for found in telling(turn.text, names):
            count[found] += 1
            by.setdefault(found, set()).add(turn.speaker)
    few = len(turns) <= 2
    return {
        word: (1 + 0.8 * math.log(often) if often > 1 or few else 0.6)
        * (1.2 if len(by[word]) > 1 else 1.0)
        * rarity(word)
        for word, often in count.items()
    }


def title(turns: Sequence[Said], worth_of: Mapping[str, float], names: frozenset[str], own: str | None = None) -> str:
    """A title of at most `TITLE_CHARS` characters, never empty.

    `own` is the title that the source itself gave, where it is about the
    whole event.
    """
    if own is not None and not _NO_TITLE.fullmatch(own.strip()):
        return _cut(" ".join(own.split()))
    found = _best_phrases(turns, worth_of, names)
    text = ", ".join(found)
    if text:
        return _cut(text[0].upper() + text[1:])
    central = sorted(_sentences(turns, names), key=lambda item: (-item.worth(worth_of), item.place))
    said = central[0].text if central else without_captions(turns[0].text).strip() or turns[0].text
    return _cut(" ".join(said.split()))


def heading(text: str) -> tuple[int, str] | None:
    """(its level, its words) of a section of a document that begins with a heading."""
    found = _HEADING.match(text)
    return (len(found[1]), found[2].strip()) if found else None


def _cut(text: str) -> str:
    if len(text) <= TITLE_CHARS:
        return text
    kept = text[:TITLE_CHARS]
    if not has_cjk(text) and " " in kept[TITLE_CHARS // 2 :]:
        kept = kept[: kept.rindex(" ")]
    return kept.rstrip(" ,;:-") + "…"


def _best_phrases(turns: Sequence[Said], worth_of: Mapping[str, float], names: frozenset[str]) -> list[str]:
    """The most telling phrases, best first, no stem twice; a single word follows more easily than it stands alone."""
    forms: dict[tuple[str, ...], Counter[str]] = {}
    nouns: Counter[tuple[str, ...]] = Counter()
    shapes: dict[tuple[str, ...], Phrase] = {}
    often = Counter(word for turn in turns for word in telling(turn.text, names))
    for turn in turns:
        for phrase in phrases(turn.text, names):
            if len(set(phrase.stems)) < len(phrase.stems):
                continue
            forms.setdefault(phrase.stems, Counter())[phrase.text] += 1
            nouns[phrase.stems] += phrase.noun
            old = shapes.get(phrase.stems)
            if old is None or (phrase.ends, phrase.name) > (old.ends, old.name):
                shapes[phrase.stems] = phrase
    scored = []
    for stems, phrase in shapes.items():
        worth = _worth(phrase, worth_of, forms[stems].total(), nouns[stems])
        if len(stems) > 1 and len(turns) > 2 and not nouns[stems] and not phrase.name and often[stems[-1]] < 2:
            worth *= _UNSURE
        if worth:
            scored.append((-worth, _usual_form(forms[stems]), stems))
    chosen: list[tuple[float, str]] = []
    used: set[str] = set()
    for loss, text, stems in sorted(scored):
        if used.intersection(stems):
            continue
        if chosen and loss > chosen[0][0] * (_SECOND if len(chosen[0][1].split()) > 1 else _SECOND * 0.75):
            break
        chosen.append((loss, text))
        used.update(stems)
        if len(chosen) == _PARTS:
            break
    return [text for _, text in chosen]


def _worth(phrase: Phrase, worth_of: Mapping[str, float], often: int, nouns: int) -> float:
    """What a phrase is worth in a title, 0 where it is none."""
    worths = sorted((worth_of.get(word, 0.0) for word in phrase.stems), reverse=True)
    if not worths[0]:
        return 0.0
    single = len(phrase.stems) == 1
    weak = not phrase.name and _ADJECTIVE.search(phrase.text.split()[-1]) is not None
    if single and weak and not (nouns and often > 1):
        return 0.0
    worth = sum(value * share for value, share in zip(worths, (1, 0.6, 0.3), strict=False))
    worth *= (1.0 if phrase.ends else 0.6) * (0.8 if weak else 1.0) * (0.9 if single else 1.0)
    return worth * (1 + 0.15 * (nouns > 0) + 0.15 * phrase.name) * (1 + 0.3 * math.log(often))


def _usual_form(forms: Counter[str]) -> str:
    return min(forms, key=lambda text: (-forms[text], text))


def leaf(
    turns: Sequence[Said], worth_of: Mapping[str, float], names: frozenset[str], rarity: Rarity, known: Collection[str]
) -> str | None:
    """The topic under a category: one that is there already and fits, else the event's own word; None without words.

    Of the three most telling words the one that the store knows best, so that
    others will join it.
    """
    best = sorted(worth_of, key=lambda word: (-worth_of[word], word))[:8]
    forms = _nouns(turns, set(best), names)
    named = [word for word in best if word in forms][:3]
    if not named:
        return None
    joined = next((word for word in named if forms[word] in known), None)
    return forms[joined or min(named, key=lambda word: (rarity(word), -worth_of[word], word))]


def _nouns(turns: Sequence[Said], stems: Collection[str], names: frozenset[str]) -> dict[str, str]:
    """How those of the stems are usually written, folded, that seem to name a thing."""
    forms: dict[str, Counter[str]] = {}
    for turn in turns:
        for phrase in phrases(turn.text, names):
            alone = len(phrase.stems) == 1 and phrase.stems[0] in stems
            if alone and (phrase.noun or phrase.name or not _ADJECTIVE.search(phrase.text)):
                forms.setdefault(phrase.stems[0], Counter())[phrase.text.casefold()] += 1
    return {word: _usual_form(found).replace("/", "-") for word, found in forms.items()}


def facts(turns: Sequence[Said], worth_of: Mapping[str, float], names: frozenset[str]) -> list[tuple[str, int, int]]:
    """The most central sentences, each as (entry, begin, end) of its words there, in the order of the turns.

    A question tells no fact; one is taken only where nothing else is there.
    What has been told already counts for little.
    """
    found = list(_sentences(turns, names))
    left = [item for item in found if not item.text.endswith(("?", "？"))] or found
    best: list[_Sentence] = []
    told: set[str] = set()
    while left and len(best) < FACTS:
        best.append(max(left, key=lambda item: (item.worth(worth_of, told), -item.place, -item.begin)))
        left.remove(best[-1])
        told |= best[-1].stems
    best.sort(key=lambda item: (item.place, item.begin))
    return [(turns[item.place].id, item.begin, item.end) for item in best]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence: in which turn and where, its words, its telling stems, and how near the turn is to the event."""

    place: int
    begin: int
    end: int
    text: str
    stems: frozenset[str]
    nearness: float

    def worth(self, worth_of: Mapping[str, float], told: Collection[str] = ()) -> float:
        words = [worth_of.get(word, 0.0) * (_TOLD if word in told else 1.0) for word in sorted(self.stems)]
        worth = math.fsum(words) / math.sqrt(4 + len(self.text.split())) * (0.5 + self.nearness)
        return worth * _ECHO if _ECHOES.match(self.text) else worth


def _sentences(turns: Sequence[Said], names: frozenset[str]) -> Iterator[_Sentence]:
    """The sentences that tell anything."""
    for place, turn in enumerate(turns):
        for begin, end in _spans(turn.text):
            text = turn.text[begin:end]
            stems = telling(turn.text, names, begin, end)
            if stems and (len(text.split()) >= _LEAST_FACT_WORDS or has_cjk(text) or len(turns) == 1):
                yield _Sentence(place, begin, end, text, frozenset(stems), turn.nearness)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text, without white space around; long ones end at a word."""
    marks = [0, *[edge for match in _SENTENCE_END.finditer(text) for edge in match.span()], len(text)]
    for begin, end in list(pairwise(marks))[::2]:
        words = text[begin:end]
        begin += len(words) - len(words.lstrip())
        end = begin + len(words.strip())
        if end - begin > FACT_CHARS:
            cut = text.rfind(" ", begin + FACT_CHARS // 2, begin + FACT_CHARS)
            end = cut if cut > 0 else begin + FACT_CHARS
        if begin < end:
            yield begin, end
