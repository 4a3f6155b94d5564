"""What of a statement decides whether another says the same or the opposite: worked out once, compared often.

Wordings differ, so words are compared as stems, numbers as figures, and
fillers count nothing. What may not differ between two sayings of one thing
(numbers with their units, days, before and after, not) is kept apart: it is
`hard`. How much a word weighs is fixed and does not depend on what else is
stored, else the order of imports would decide what is the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b

from memcli.extract.relations import relation_of
from memcli.lang.words import STOP, stem, words
from memcli.memories import Statement

_LIGHT = frozenset(
    "always usually really actually still also never often sometimes every each week month day year monthly weekly "
    "daily "
    "now currently nowadays anymore longer yeah well oh ok okay so btw note know think guess thing things go goes went "
    "going come came get got take takes keep keeps put start starts begin begins use uses must shall need needs please "
    "reminder written down later latest called name named there here one way lot bit kind sort rather quite pretty "
    "instruction new main whole own left right until straight mean yes sure sorry correction again back first "
    "hour hours minute minutes o'clock clock time times".split()
)
"""Words that carry little of what is said."""
_NUMBERS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90"}
_ORDINALS = {
    word: str(value)
    for value, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1)
}
_TENS = re.compile(
    r"\b(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[- ](one|two|three|four|five|six|seven|eight|nine|"
    r"first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"(?P<clock>\d{1,2}:\d\d)|(?P<number>\d+(?:[.,]\d+)?)(?:st|nd|rd|th)?"
    r"(?P<half> ?(?:am|pm|a\.m\.|p\.m\.))?(?P<unit>[ -]?[A-Za-z]{2,})?",
    re.IGNORECASE,
)
_GROUPS = re.compile(r"(?<![\d:.])\d{2,4}(?:[   -]\d{2,4}){2,}(?![\d:])")
_THOUSANDS = re.compile(r"(?<=\d)[,   ](?=\d{3}(?!\d))")
_HARD = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september "
    "october november december before after other except without only last next spring summer autumn winter".split()
)
_NOT = frozenset("not no never nor without cannot nobody nothing neither".split())
_HYPHENED = re.compile(r"\b(?:not|no|non)-\w[\w-]*|\bno (?:doubt|problem|matter|wonder|worries)\b", re.IGNORECASE)
_NOT_SHORT = re.compile(r"\b\w+n['’]t\b", re.IGNORECASE)
_TAIL = re.compile(
    r"\s*(?:[,;(]|\s[-–—]\s|\b(?:near|with|at|by|in|on|for|from|since|until|because|so|which|who|that|where|until|till|"
    r"instead|these days|than|but|not|any ?more|now)\b)",
    re.IGNORECASE,
)
_UNIT_NOT = (STOP | _LIGHT | _HARD) - frozenset(
    "hour hours minute minutes times week weeks month months day days".split()
)
_CURRENCY = frozenset("kr nok sek dkk euro euros eur dollars usd pounds gbp francs chf yen".split())
_BAD = frozenset(stem(word) for word in "dislike hate loathe detest bad awful".split())
_UNBEARABLE = frozenset(("stand", "bear"))
_NOT_BUT = re.compile(r", (?:and )?(?:not|don['’]t|do not|never) [^,.]*|\bnot [^,.]{1,40}, but\b", re.IGNORECASE)
_MAIN = re.compile(r"[,;]|\b(?:but|who|whom|which|that|because|so|when|if|while|although|since|than)\b")
_FREE = re.compile(r"\b(\w+)[- ]free\b", re.IGNORECASE)
_OWNED = re.compile(r"^(.+)(?:['’]s|s['’]) (\S.*)$")
_NUMBER = re.compile(r"\d")
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATE = re.compile(
    rf"\b(?:on|in|at|since|from|by|until)?\s*(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)? )?(?:of )?(?:{_MONTHS}|\w+day)\b"
    rf"(?: \d{{1,2}}(?:st|nd|rd|th)?\b)?(?:,? \d{{4}})?",
    re.IGNORECASE,
)
_DATED = frozenset("birthday born_in age time deadline appointment until away habit instruction".split())
_ADDED = re.compile(r"\b(?:after all|instead|any ?more|these days|again|yet|for good|at last)\b", re.IGNORECASE)
_IN_WEEK = re.compile(r"\bin the week of \d{1,2} \w+(?: \d{4})?|\bin \d{4}$|\bfrom monday\b", re.IGNORECASE)
_CLOCK = re.compile(r"\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?(?: from)?", re.IGNORECASE)
_LEADS = re.compile(r"^(?:lead|head|chair|captain) |responsible_for$")
_PROJECT = re.compile(r"\b(?:the|project|team|from|since|as of|again)\b", re.IGNORECASE)
_OWNER_TOLD = re.compile(r"^(\w+)['’]s (\w[\w-]*)['’]s \w")
_JOB_AT = re.compile(r"^(?:new )?job (?:at|with) (.+)$", re.IGNORECASE)
_BOND = re.compile(
    r"\b(?:is|are|am|got|get|gets|was|were) (?:now )?(engaged|married|divorced|separated|widowed)\b", re.IGNORECASE
)
_SWITCHED = re.compile(
    r"\b(?:switched|moved|changed|migrated|went) (?:over )?from (\w[\w .-]{0,30}?) to \w", re.IGNORECASE
)
_DEEDS = "deploy|build|test|lint|host|release|ship|format"
_DONE_WITH = re.compile(
    rf"\b(?P<deed>{_DEEDS}) (?:the )?(?P<what>[A-Za-z][\w.-]+) (?:with|using|via|through|on) (?P<tool>\w[\w .+-]*)",
    re.IGNORECASE,
)
_RUN_ON = re.compile(
    rf"^(?:the )?(?P<what>[A-Za-z][\w.-]+)(?:['’]s)? (?P<deed>{_DEEDS})s? (?:now )?(?:runs?|happens?|goes|go|"
    rf"are run|is run)"
    r" (?:now )?(?:with|via|through|on|in) (?P<tool>\w[\w .+-]*)",
    re.IGNORECASE,
)
TOOL_KIND = {
    tool: kind
    for kind, tools in (
        ("editor", "vim neovim nvim helix emacs nano vscode sublime zed kakoune pycharm intellij"),
        ("browser", "firefox chrome chromium safari brave vivaldi opera edge"),
        ("shell", "bash zsh fish nushell"),
        ("terminal", "kitty alacritty wezterm ghostty iterm iterm2 konsole"),
    )
    for tool in tools.split()
}
"""Tools that say by their name of what kind they are; of each kind one uses mainly one."""
_VERBAL = frozenset("state habit verb plan".split())
_MUCH = re.compile(r"\d|\b(?:once|twice|daily|weekly|monthly|often|rarely|never)\b")
_ATTRIBUTES = frozenset(("setting", "role", "main_tool", "number"))
_SINGLE = frozenset(
    stem(word)
    for word in "status stage team relationship rent salary fee price editor browser phone laptop job address manager "
    "boss "
    "diet desk seat room office car bike bank doctor dentist landlord weight size team deploy build lint host".split()
)
"""Of these one has one, however it is worded; of other things one says many things ("my day was long")."""
_TOOLS = frozenset(stem(word) for word in "editor browser phone laptop shell terminal bank".split())
_ADJECTIVE = re.compile(
    r"(?:ing|ed|en|ful|less|ous|ive|able|ible)$|^(?:slow|fast|new|old|dead|gone|lost|here|there|great|good|bad|nice|fine|"
    r"awful|full|empty|mine|cheap|heavy|dirty|clean|quiet|loud|closed|off|on|down|up)$"
)
TIMED = frozenset(("time", "deadline", "appointment", "until", "away", "plan", "goal"))
"""Relations whose value is a time, or that are the same thing only where their time is the same."""
ENDING = frozenset(("gave_up", "avoids", "cannot_eat"))
_ENDS = frozenset(
    "sell cancel quit stop leave drop return lose abandon ditch resign retire finish end delete uninstall break "
    "give_away give_up sell_off close".split()
)
"""Verbs that end what was: "sold the boat" ends having it."""


@dataclass(frozen=True, slots=True)
class Gist:
    """A statement as it is compared.

    `subject` is whom or what it is about; `slot` the single-valued place that
    it fills, None where a subject can have many such values. `value` are the
    stems of its value and key, `head` those before the first addition to it,
    `terms` those of the whole sentence but its subject. `numbers` are figures
    with their unit, where one follows, `counted` those of the value alone;
    `verb` is what is done, where the relation is filed under a verb;
    `hard` and `named` likewise its days, months and words like "before".
    `denies` says that it is not so, `ends` that it is so no longer, `ended`
    are the words of what is not, or no longer; `negations` is 1 where "not"
    stands in it an odd number of times; `happened` says that it took place
    once, `one` that its relation has a single value.
    """

    subject: str
    relation: str
    slot: str | None
    key: frozenset[str]
    value: frozenset[str]
    head: frozenset[str]
    terms: frozenset[str]
    numbers: frozenset[tuple[str, str]]
    counted: frozenset[tuple[str, str]]
    verb: str
    hard: frozenset[str]
    named: frozenset[str]
    denies: bool
    ends: bool
    ended: frozenset[str]
    negations: int
    happened: bool
    one: bool


@lru_cache(maxsize=16_384)
def gist(statement: Statement) -> Gist:
    """The gist of a statement."""
    statement, ended = _plainly(statement)
    base, _, key = statement.relation.partition(":")
    relation = relation_of(statement.relation)
    text = spelled(statement.text)
    value = spelled(statement.value)
    denies = statement.negated or (bool(_negations(_MAIN.split(_NOT_BUT.sub(" ", text))[0])) and base not in ENDING)
    ends = base in ENDING or (base == "verb" and key.replace(" ", "_").split("_")[0] in _ENDS)
    owner, slot = _slot(statement, base, key)
    subject = subject_key(owner)
    head = _head(value)
    if base == "feels":
        head = frozenset(("good" if _feels_good(statement.value, statement.text, key, statement.negated) else "bad",))
        denies = False
    exact = base == "feels" or slot is not None
    own_value = head if base == "feels" else _stems(value) | (frozenset() if exact else _stems(key))
    what = head if slot is not None else (_stems(value) if base == "verb" and not denies else own_value | _stems(key))
    return Gist(
        subject=subject,
        relation=base,
        slot=slot,
        key=_stems(key),
        value=own_value,
        head=head,
        terms=_stems(text) - frozenset(subject.split()),
        numbers=figures(value or text) if exact else figures(text),
        counted=figures(value),
        verb=_verb(base, key),
        hard=frozenset() if exact and base not in TIMED else hard(text),
        named=hard(value),
        denies=denies,
        ends=ends,
        ended=what if denies or ends else ended,
        negations=_negations(_NOT_BUT.sub(" ", text)) % 2,
        happened=slot is None and (base == "bought" or (base == "verb" and not denies)) and not ends and not ended,
        one=relation.single,
    )


def _plainly(statement: Statement) -> tuple[Statement, frozenset[str]]:
    """A statement in the plainest relation that it can be read as, and what it says has ended besides.

    "Is called Bo" is a name, "is at 10" a time, "my job at Acme" an
    employer, "is engaged to Bo" how two stand to each other; "switched from
    pen to pencil" ends the pen.
    """
    base, _, key = statement.relation.partition(":")
    value = statement.value
    if base not in _DATED:
        value = _ADDED.sub(" ", _DATE.sub(" ", _IN_WEEK.sub(" ", value))).strip(" ,")
    relation, subject = statement.relation, statement.subject
    if base in _ATTRIBUTES and (told := _OWNER_TOLD.match(statement.text)) and told[1].casefold() == subject.casefold():
        subject = f"{told[1]}'s {told[2]}"
    if base == "number":
        relation = f"setting:{key} number"
    elif base == "located" and _CLOCK.fullmatch(value):
        relation = "time"
    elif base == "state" and key == "call" and re.search(r"\bis called\b", statement.text):
        relation = "name"
    elif base == "setting" and (job := _JOB_AT.match(key)):
        relation, value = "works_at", job[1]
    elif base == "note" and (owned := _OWNED.match(key)) and _NUMBER.search(value):
        subject, relation = owned[1], f"setting:{owned[2]}"
    elif base in ("state", "plan", "responsible_for") and _LEADS.search(f"{key} {base}") and value:
        subject, relation, value = _PROJECT.sub("", value).strip(), "role:lead", statement.subject
    elif base in ("partner", "is", "verb", "state") and (bond := _BOND.search(statement.text)):
        relation, value = "setting:relationship", bond[1]
    if base == "state" and (done := _DONE_WITH.search(statement.text) or _RUN_ON.search(statement.text)):
        subject, relation, value = done["what"], f"setting:{done['deed'].lower()} with", f"with {done['tool']}"
    elif base == "uses" and statement.change and (kind := TOOL_KIND.get(value.partition(" ")[0].strip(","))):
        relation, value = f"main_tool:{kind}", value.partition(" ")[0].strip(",")
    switched = _SWITCHED.search(statement.text)
    ended = _stems(switched[1]) if switched else frozenset()
    return replace(statement, subject=subject, relation=relation, value=value), ended


def _slot(statement: Statement, base: str, key: str) -> tuple[str, str | None]:
    """Whose single-valued place a statement fills, and which; a thing that somebody has is a place of theirs.

    "Ann's manager is Bo" and the role of a manager that Bo has for Ann are
    one place. That something merely is so or so fills none.
    """
    relation = relation_of(statement.relation)
    owned = _OWNED.match(statement.subject)
    if base == "is" and owned is not None and (_identifies(statement) or _names_tool(owned[2], statement.value)):
        return owned[1], _place(owned[2])
    if base == "time" and owned is not None:
        return owned[1], _place(owned[2])
    if base in _ATTRIBUTES and key:
        if base == "setting" and not (_identifies(statement) or _stems(key) & _SINGLE):
            return statement.subject, None
        return statement.subject, _place(key)
    if base == "favourite" and not _stems(key):
        return statement.subject, None
    if not relation.single or (base == "habit" and not _how_much(statement.value, key)):
        return statement.subject, None
    return statement.subject, " ".join([base, *sorted(_stems(key) or ())])


def _verb(base: str, key: str) -> str:
    if base == "owns":
        return "have"
    return stem(key.split()[0].casefold()) if base in _VERBAL and key.split() else base


def _place(attribute: str) -> str:
    return " ".join(["attribute", *sorted(_stems(attribute) or {attribute.casefold()})])


def _identifies(statement: Statement) -> bool:
    """Whether the value names something, with a capital or a figure: "is Bo", "is at 9", not "is nice"."""
    head = _TAIL.split(spelled(statement.value).strip(), maxsplit=1)[0].strip()
    if _NUMBER.search(spelled(statement.value)):
        return True
    first = head.split()[0] if head.split() else ""
    return any(word.casefold() == first and word[:1].isupper() for word in re.findall(r"[^\W\d_]+", statement.text))


def _names_tool(attribute: str, value: str) -> bool:
    """Whether a word stands for the one of its kind that somebody uses: "my editor is vim", not "is slow"."""
    return bool(_stems(attribute) & _TOOLS) and " " not in value and not _ADJECTIVE.search(value)


def _how_much(value: str, key: str) -> bool:
    """Whether a habit's value is how often or how much: of that there is one. Of days there are several."""
    told = spelled(value)
    return not _stems(value) <= _stems(key) and not hard(told) and _MUCH.search(told) is not None


def hard(text: str) -> frozenset[str]:
    """The days, months and words like "before" of a text, which no two sayings of the same differ in."""
    return frozenset(word.removesuffix("s") if word.endswith("days") else word for word in words(text)) & _HARD


def merely_denies(statement: Statement) -> bool:
    """Whether a statement only says that something is not so, and not that it ended."""
    found = gist(statement)
    return found.denies and not found.ends


def subject_key(subject: str) -> str:
    """A subject without article, case, possessive and order of its words."""
    found = {stem(word) for word in words(subject) if word not in ("the", "a", "an", "my", "our", "of", "s")}
    return " ".join(sorted(found)) or subject.casefold()


@lru_cache(maxsize=4096)
def spelled(text: str) -> str:
    """The text with numbers as figures: "forty" is 40, "twenty-fifth" is 25, "4,200" is 4200."""
    if not text:
        return text
    text = _TENS.sub(lambda match: str(_ones(match[1]) + _ones(match[2])), text)
    text = re.sub(r"[^\W\d_]+", lambda match: _NUMBERS.get(match[0].lower(), match[0]), text)
    text = _FREE.sub(r"\1free", text)
    text = _GROUPS.sub(lambda match: re.sub(r"\D", "", match[0]), text)
    return _THOUSANDS.sub("", text)


def _ones(word: str) -> int:
    low = word.lower()
    return int(_NUMBERS.get(low) or _ORDINALS[low])


def figures(text: str) -> frozenset[tuple[str, str]]:
    """The figures of a text, each with the stem of the word that follows it directly where that is a unit."""
    found = set()
    for match in _FIGURE.finditer(text):
        if match["clock"]:
            hour, minute = match["clock"].split(":")
            found.add((f"{int(hour)}:{minute}", ""))
            continue
        number = match["number"].replace(",", ".")
        unit = (match["unit"] or "").strip(" -").lower()
        if unit in _UNIT_NOT or unit in _CURRENCY or unit in _NOT:
            unit = ""
        whole = number.rstrip("0").rstrip(".") if "." in number else number.lstrip("0") or "0"
        found.add((whole, stem(unit) if unit else ""))
    return frozenset(found)


def numbers_differ(a: frozenset[tuple[str, str]], b: frozenset[tuple[str, str]]) -> bool:
    """Whether two texts count different things: other figures, or the same of another unit."""
    if {number for number, _ in a} != {number for number, _ in b}:
        return True
    units = {number: unit for number, unit in a if unit}
    return any(unit and units.get(number, unit) != unit for number, unit in b)


def _negations(text: str) -> int:
    text = _HYPHENED.sub(" ", text)
    return sum(word in _NOT for word in words(text)) + len(_NOT_SHORT.findall(text))


@lru_cache(maxsize=16_384)
def _stems(text: str) -> frozenset[str]:
    found = [word for word in words(spelled(text)) if word not in STOP and word not in _LIGHT and word not in _NOT]
    return frozenset(stem(word) for word in found)


def _head(value: str) -> frozenset[str]:
    """The stems of a value before what is only added to it: "Oslo, near the park" is Oslo."""
    value = re.sub(r"^(?:in|at|on|with|by|to|from)\s+", "", value.strip(), flags=re.IGNORECASE)
    cut = _TAIL.search(value, 1) if value else None
    return _stems(value[: cut.start()] if cut else value) or _stems(value)


def _feels_good(value: str, text: str, key: str, negated: bool) -> bool:
    """Whether somebody likes a thing. "Cannot stand" is bad as it stands, "does not like" and "hates" are bad."""
    at = text.casefold().find(key.casefold()) if key else -1
    said = {stem(word) for word in words(f"{value} {text[:at] if at > 0 else text}")}
    if not said.isdisjoint(_UNBEARABLE):
        return False
    return said.isdisjoint(_BAD) != negated


@lru_cache(maxsize=16_384)
def keys(statement: Statement) -> tuple[int, ...]:
    """Numbers under which a statement is filed: any two that `govern/relate.py` could tie share one (see `sought`)."""
    found = gist(statement)
    filed = {_key("word", found.subject, word) for word in found.terms | found.value | found.key}
    if found.slot is not None:
        filed.add(_key("slot", found.subject, found.slot))
    if found.ended:
        filed.add(_key("not", found.subject, _longest(found.ended)))
    if found.relation == "note" and found.key:
        filed.add(_key("label", found.subject, _longest(found.key)))
    return tuple(sorted(filed))


@dataclass(frozen=True, slots=True)
class Sought:
    """Where the statements are filed that one could be tied to: any one of `single`, or `shared` of `words`."""

    single: tuple[int, ...]
    words: tuple[int, ...]
    shared: int


@lru_cache(maxsize=16_384)
def sought(statement: Statement) -> Sought:
    """Where to look for what a statement could be tied to.

    Two sayings of the same have half of their words in common, so a third of
    one's; what a statement denies has all of the words that are denied, the
    longest is looked for.
    """
    found = gist(statement)
    terms = found.terms | found.value | found.key
    single = {_key("not", found.subject, word) for word in terms}
    if found.slot is not None:
        single.add(_key("slot", found.subject, found.slot))
    if found.ended:
        single.add(_key("word", found.subject, _longest(found.ended)))
    if found.relation == "note" and found.key:
        single.add(_key("label", found.subject, _longest(found.key)))
    words_of = tuple(sorted(_key("word", found.subject, word) for word in terms))
    return Sought(tuple(sorted(single)), words_of, max(1, -(-len(found.terms) // 3)))


def _longest(what: frozenset[str]) -> str:
    return max(what, key=lambda word: (len(word), word))


def _key(kind: str, subject: str, word: str) -> int:
    return int.from_bytes(blake2b(f"{kind}|{subject}|{word}".encode(), digest_size=7).digest(), "big")
