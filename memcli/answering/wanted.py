"""What kind of thing a question asks for, and whether words have one."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

from memcli.lang.words import stem, words

Kind = Literal["phone", "number", "time", "name", "place", "reason", "any"]

_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("phone", re.compile(r"\b(?:tele)?phone number\b|\bmobile number\b|電話番号|电话号码|電話號碼|전화번호")),
    (
        "number",
        re.compile(
            r"\bhow (?:many|much|old|long|far|often|tall|big|high|large)\b|"
            r"\b(?:price|cost|phone|number|score|sum|amount|salary|age|percent\w*|size|weight|height|distance)\b"
        ),
    ),
    ("time", re.compile(r"\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|hour|week|season)\b")),
    (
        "name",
        re.compile(
            r"\bwho\b|\bwhose\b|\bnamed?\b|\bcalled\b|\btitle\b|\bbrand\b|\bbreed\b|\bauthor\b|"
            r"\b(?:which|what) (?:city|town|country|state|school|company|team|band|book|movie|film|game|restaurant|"
            r"song)\b"
        ),
    ),
    ("place", re.compile(r"\bwhere\b")),
    ("reason", re.compile(r"\bwhy\b|\breason\b")),
)
_PHONE = re.compile(r"\d(?:[\s().-]*\d){4}")
_COUNTS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve dozen couple several few half twice once hundred "
    "thousand pair".split()
)
_TIME = re.compile(
    r"\d|\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|days?|morning|evening|night|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|recently|since|soon|summer|winter|spring|fall|autumn|birthday|christmas|noon|midnight)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:in|at|near|from|to|on|under|behind|by)\b", re.IGNORECASE)
_REASON = re.compile(r"\b(?:because|since|so|to|for|cause|due|reason|helps?|makes?|want\w*|love)\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“«][^\"”»]+[\"”»]")
_CAPITALISED = re.compile(r"(?<![.!?…\"“]\s)(?<!^)\b(?!I\b)[A-Z][\w-]+")


def kind_of(question: str) -> Kind:
    """The kind of thing a question asks for; most are known in English alone, "any" where none can be told."""
    low = question.lower()
    return next((kind for kind, pattern in _KINDS if pattern.search(low)), "any")


def has(text: str, kind: Kind, asked: Collection[str] = ()) -> bool:
    """Whether the text has a thing of that kind. A name that is in the question (its stems are `asked`) is none."""
    match kind:
        case "phone":
            return _PHONE.search(text) is not None
        case "number":
            return any(character.isdigit() for character in text) or not _COUNTS.isdisjoint(words(text))
        case "time":
            return _TIME.search(text) is not None
        case "name":
            return _QUOTED.search(text) is not None or any(
                stem(word) not in asked for match in _CAPITALISED.finditer(text) for word in words(match[0])
            )
        case "place":
            return _PLACE.search(text) is not None
        case "reason":
            return _REASON.search(text) is not None
        case "any":
            return True
