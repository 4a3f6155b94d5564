"""What a model wrote, down to the few words that were asked for. Nothing is added, nothing reworded."""

from __future__ import annotations

import re

from memcli.answering.form import concludes, form_of, polar
from memcli.lang.words import STOP, stem, words

PART = re.compile(r"\s*(?:,|;|、|\n)\s*(?:and\s+)?")
_LAST_AND = re.compile(r"\s+and\s+(?!.*,)")
_OPENING = re.compile(r"(?:because|since|that|to be)\s+", re.IGNORECASE)
_WORD = re.compile(r"[\w’'-]+")
_PRONOUNS = frozenset("he she it they both".split())
_YES_NO = re.compile(r"(?:it is |very |most )?(likely |probably )?(yes|no)\b", re.IGNORECASE)
_LIKELY = re.compile(r"(un|not )?(?:likely|probabl[ey])\b", re.IGNORECASE)
SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
_TIMES = re.compile(r"\bhow (?:many times|often)\b", re.IGNORECASE)
_NUMBER = re.compile(rf"\b(\d+|{'|'.join(SMALL)}|once|twice|thrice)\b", re.IGNORECASE)
_NAMED = {"once": 1, "twice": 2, "thrice": 3}


def short(said: str, question: str) -> str:
    """The answer without the restated question, without what is said twice, and of yes and no that alone.

    A yes or no to what nobody said ("Would Ann like it?") is likely, and no more.
    """
    text = _once(said.strip().strip(".,;").strip())
    if polar(question):
        match = _YES_NO.match(text)
        if match is not None:
            sure = "likely " if concludes(question) else ""
            return f"{match[1] or sure}{match[2]}".capitalize()
        guess = _LIKELY.match(text)
        return text if guess is None else f"Likely {'no' if guess[1] else 'yes'}"
    if form_of(question) == "count":
        number = count(text)
        return text if number is None else spelled(number, question)
    text = _without_question(text, question)
    return _OPENING.sub("", text, count=1) if _OPENING.match(text) else text


def count(text: str) -> int | None:
    """The number that a text begins with or names first; None where it names none."""
    match = _NUMBER.search(text)
    if match is None:
        return None
    low = match[1].lower()
    return int(low) if low.isdigit() else _NAMED[low] if low in _NAMED else SMALL.index(low)


def spelled(number: int, question: str) -> str:
    """A number as prose has it: small ones in words, and "twice" where times are counted."""
    if _TIMES.search(question) and number in (1, 2):
        return ("once", "twice")[number - 1].capitalize()
    return SMALL[number].capitalize() if number < len(SMALL) else str(number)


def parts(text: str) -> list[str]:
    """The parts of a list, each once; one part where it is no list."""
    found = [part for part in PART.split(text) if part]
    if len(found) > 1 or _LAST_AND.search(text):
        found[-1:] = _LAST_AND.split(found[-1])
    kept: dict[str, str] = {}
    for part in found:
        kept.setdefault(part.casefold().strip(" ."), part)
    return list(kept.values())


def _once(text: str) -> str:
    found = [part for part in PART.split(text) if part]
    alike = [part.casefold() for part in found]
    return text if len(set(alike)) == len(alike) else ", ".join(dict.fromkeys(found))


def _without_question(text: str, question: str) -> str:
    """ "Ann painted the door blue" is "blue" where it was asked how Ann painted the door."""
    asked = {stem(word) for word in words(question)}
    end = 0
    for match in _WORD.finditer(text):
        said = words(match[0])
        if end == 0 and not _restates(match[0], said, question):
            return text
        if text[end : match.start()].strip() or not all(word in STOP or stem(word) in asked for word in said):
            break
        end = match.end()
    rest = text[end:].strip()
    begins_list = rest.startswith((",", ";", "&", "and "))
    return rest if rest and not begins_list and _WORD.search(rest) else text


def _restates(first: str, said: list[str], question: str) -> bool:
    """Whether an answer that begins with this word is a sentence about one whom the question names."""
    if len(said) == 1 and said[0] in _PRONOUNS:
        return True
    name = re.sub(r"['’]s?$", "", first)
    return name[:1].isupper() and re.search(rf"(?<!^)\b{re.escape(name)}\b", question) is not None
