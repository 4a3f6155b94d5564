"""What a sentence of the first person takes for granted: "at Vestas we …", "my flat in Prague", "we're nine here".

The sentence is about something else, and may be an order or no clause at all,
so these are looked for in its words. Each is a statement of its own with the
sentence as its evidence (B2).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from memcli.extract.context import Found
from memcli.extract.gist import spelled
from memcli.extract.kinship import bond
from memcli.extract.person import possessive
from memcli.extract.relate import Reading
from memcli.extract.teller import Line, Scene, found

_NAME = r"(?:St\. )?[A-ZÀ-Þ][\w&.-]*\w(?: [A-ZÀ-Þ][\w&-]*\w)?"
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_LESSON = re.compile(
    rf"\b[Mm]y (?P<what>[a-z]+(?: [a-z]+)?), (?P<when>(?:on |every )?(?i:{_DAYS})(?:,? (?:at )?\d{{1,2}}[:.]\d\d)?)",
)
_HOME = re.compile(rf"\b[Mm]y (?:new )?(?:place|flat|apartment) in (?P<where>{_NAME})(?! (?:was|had|used))")
_EMPLOYED = re.compile(rf"\b[Aa]t (?P<firm>{_NAME}),? we (?!were\b|had\b|used\b|met\b|\w+ed\b)")
_JOB_AT = re.compile(rf"\b(?:I['’]?m|I am) (?:now )?an? [a-z][\w -]{{2,40}}? (?:at|for|with) (?P<firm>{_NAME})")
_FIRST_DAY = re.compile(
    rf"(?:\b(?:was|is|started|had) )?\b(?:my )?(?P<which>day one|first day|last day) at (?P<firm>{_NAME})"
    r"(?P<was> was| were| is)?",
    re.IGNORECASE,
)
_ADDRESS_IS = re.compile(
    r"^\W*(?:that['’]s|that is|this is|it['’]s) my (?:new |home |postal )?address\W*$", re.IGNORECASE
)
_ADDRESS = re.compile(r"\b[A-ZÀ-Þ][\w'’.-]+(?: [A-Za-zÀ-ÿ][\w'’.-]+){0,2} \d{1,4}[a-zA-Z]?\b(?:, \d{4,6} [A-ZÀ-Þ]\w+)?")
_HOW_MANY = re.compile(
    r"\b[Ww]e['’]?(?:re| are) (?:now )?(?P<count>\d{1,3}|[a-z]+)(?: people)? (?:in|on) (?:my|our|the) "
    r"(?P<what>team|family|"
    r"class|group|band|household|office|course|choir)\b"
)
_NAMED = re.compile(
    r"\b(?:I|[Ww]e|[Mm]y|[Oo]ur)\b[^.!?]{0,60}?\b(?P<kind>dog|cat|puppy|kitten|rabbit|hamster|parrot|horse|son|daughter|baby|"
    r"boyfriend|girlfriend|husband|wife|partner|brother|sister)\b[^.!?]{0,40}?,? (?:and )?(?:(?:her|his|its) "
    r"name(?:['’]s| is)|"
    r"(?:she|he|it)(?:['’]s| is) (?:called|named)|called|named) (?P<name>[A-ZÀ-Þ]\w+)"
)
_FIGURE = re.compile(r"\d{1,3}")
_FELL_THROUGH = re.compile(rf"(?P<what>{_NAME}) (?:fell through|came to nothing|is off the table)\b")
_CHANGED = re.compile(
    r"\b[Mm]y (?:new )?(?P<what>(?:phone |mobile |office |room )?number|address|email|e-mail|handle|username) "
    r"(?:has |is |was )?(?:changed|new)[,:;]? ?(?:to|it['’]s|it is|now)? (?P<value>\S[^,;!?]{2,40})"
)
_RELATIVE = re.compile(rf"(?P<what>{_NAME}), which I (?P<does>(?:can['’]t|cannot|can) \w+)(?=\W*$|,)")


def told_in_passing(scene: Scene, line: Line) -> list[Found]:
    """What the sentence takes for granted about who speaks; mostly nothing."""
    piece = line.piece
    made: list[Found] = []
    for hints, pattern, say in _PATTERNS:
        if any(hint in piece for hint in hints) and (match := pattern.search(piece)) is not None:
            made += say(scene, line, match)
    return made


def _say(scene: Scene, line: Line, predicate: str, reading: Reading) -> list[Found]:
    joint = "" if predicate.startswith("'") else " "
    return found(scene, line, f"{scene.speaker}{joint}{predicate}", scene.speaker, reading, tokens=[])


def _lesson(scene: Scene, line: Line, match: re.Match[str]) -> list[Found]:
    when = match["when"].lower()
    when = when if when.startswith(("on ", "every ")) else f"on {when}"
    reading = Reading(f"setting:{match['what']}", when, "fact", "semantic")
    text = f"{possessive(scene.speaker)} {match['what']} is {when}"
    return found(scene, line, text, scene.speaker, reading, tokens=[])


def _home(scene: Scene, line: Line, match: re.Match[str]) -> list[Found]:
    return _say(
        scene, line, f"lives in {match['where']}", Reading("lives_in", match["where"].lower(), "fact", "semantic")
    )


def _employed(scene: Scene, line: Line, match: re.Match[str]) -> list[Found]:
    return _say(
        scene, line, f"works at {match['firm']}", Reading("works_at", match["firm"].lower(), "fact", "semantic")
    )


def _day_at(scene: Scene, line: Line, match: re.Match[str]) -> list[Found]:
    past = (match["was"] or match[0]).strip().lower().startswith(("was", "had", "started"))
    if not past:
        return []
    firm = match["firm"]
    if match["which"].lower() == "last day":
        return _say(
            scene, line, f"no longer works at {firm}", Reading("verb:leave", firm.lower(), "event", "observation")
        )
    return _say(scene, line, f"started at {firm}", Reading("works_at", firm.lower(), "event", "semantic"))


def _address(scene: Scene, line: Line, match: re.Match[str]) -> list[Found]:
    before = scene.text[: line.sentence.start]
    named = list(_ADDRESS.finditer(before))
    if len(named) != 1:
        return []
    where = named[0][0]
    wider = Line(line.sentence, line.piece, [], [])
    wider.sentence = type(line.sentence)(named[0].start(), line.sentence.end, False)
    text = f"{possessive(scene.speaker)} address is {where}"
    return found(scene, wider, text, scene.speaker, Reading("address", where.lower(), "fact", "semantic"), tokens=[])


def _fell_through(scene: Scene, line: Line, match: re.Match[str]) -> list[Found]:
    reading = Reading("verb:cancel", match["what"].lower(), "event", "observation")
    return found(
        scene,
        line,
        f"{possessive(scene.speaker)} plan for {match['what']} fell through",
        scene.speaker,
        reading,
        tokens=[],
    )


def _changed(scene: Scene, line: Line, match: re.Match[str]) -> list[Found]:
    what, value = match["what"].lower(), match["value"].strip(" .")
    value = re.sub(r"\s+now$", "", value)
    key = what.removeprefix("new ").removesuffix(" number")
    relation = (
        f"number:{key}" if what.endswith("number") else what if what in ("address", "email") else f"setting:{what}"
    )
    text = f"{possessive(scene.speaker)} {what} is {value}"
    return found(scene, line, text, scene.speaker, Reading(relation, value.lower(), "fact", "semantic"), tokens=[])


def _relative(scene: Scene, line: Line, match: re.Match[str]) -> list[Found]:
    what = match["what"]
    does = match["does"].replace("’", "'")
    return _say(scene, line, f"{does} {what}", Reading(f"state:{does.split()[-1]}", what.lower(), "fact", "semantic"))


def _named(scene: Scene, line: Line, match: re.Match[str]) -> list[Found]:
    kind, name = match["kind"].lower(), match["name"]
    text = f"{possessive(scene.speaker)} {kind} is called {name}"
    return found(scene, line, text, scene.speaker, bond(kind, name), tokens=[])


def _how_many(scene: Scene, line: Line, match: re.Match[str]) -> list[Found]:
    if not _FIGURE.fullmatch(spelled(match["count"])):
        return []
    value = f"{match['count']} people"
    reading = Reading(f"setting:{match['what']}", value, "fact", "semantic")
    text = f"{possessive(scene.speaker)} {match['what']} is {value}"
    return found(scene, line, text, scene.speaker, reading, tokens=[])


_PATTERNS: tuple[tuple[tuple[str, ...], re.Pattern[str], Callable[[Scene, Line, re.Match[str]], list[Found]]], ...] = (
    (
        ("day,", "days,", ", mon", ", tue", ", wed", ", thu", ", fri", ", sat", ", sun", ", on ", ", every "),
        _LESSON,
        _lesson,
    ),
    (("place in ", "flat in ", "apartment in "), _HOME, _home),
    ((" we ",), _EMPLOYED, _employed),
    (("'m a", "’m a", "m now a", "I am a", "Im a"), _JOB_AT, _employed),
    ((" day at ", "day one at ", "Day one at "), _FIRST_DAY, _day_at),
    ((" address",), _ADDRESS_IS, _address),
    (("e're ", "e’re ", "e are ", "ere "), _HOW_MANY, _how_many),
    (("fell through", "came to nothing", "off the table"), _FELL_THROUGH, _fell_through),
    (("changed", " new"), _CHANGED, _changed),
    ((", which I ",), _RELATIVE, _relative),
    ((" name is ", " name's ", " called ", " named "), _NAMED, _named),
)
"""Each with words of which one must stand in the sentence, so that most sentences cost nothing."""
