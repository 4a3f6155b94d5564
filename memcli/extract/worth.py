"""Whether a statement says enough to be kept: names, numbers, times and words that mean something (B3)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memcli.extract.english import words as w
from memcli.extract.parse import Clause
from memcli.extract.subject import Subject
from memcli.extract.tokens import Token
from memcli.lang.words import STOP

_WORD = re.compile(r"[^\W_][\w'’.-]*")
_NUMBER = re.compile(r"\d")
_ONE_TO_TWELVE = frozenset(
    "third fourth fifth sixth seventh eighth ninth tenth one two three four five six seven eight nine ten eleven "
    "twelve dozen hundred thousand".split()
)
EMPTY = frozenset(
    "think guess hope wish bet mean suppose wonder imagine agree understand thank appreciate sound seem doubt "
    "pray assume reckon apologise apologize admire congratulate wait know feel value cherish relate figure "
    "treasure".split()
)
"""Verbs that only say what somebody thinks of something."""
EVENTFUL = frozenset(
    "break marry divorce move graduate retire quit resign die adopt lose win buy sell sign pass fail".split()
)
"""Verbs that say much by themselves when they say when."""
LIGHT = frozenset(
    "be have get do make see feel look know go come want need keep try let give take say tell hear find use help put "
    "show remember believe like love enjoy miss forget happen turn talk hold mind stay bring share learn understand "
    "continue start begin lead work become realize realise check add mention encourage inspire motivate".split()
)
"""Verbs that mean little without what follows them."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What a stretch of text holds: words that mean something, names, and figures."""

    content: int
    names: int
    figures: float

    @property
    def score(self) -> float:
        """Names and figures say more than other words."""
        return self.content + 1.5 * self.names + 1.5 * self.figures


def weigh(text: str, leave_out: frozenset[str]) -> Weight:
    """What a text holds besides these words (lower case): mostly the names of who speaks."""
    content = names = 0
    figures = 0.0
    for match in _WORD.finditer(text):
        word = match[0].rstrip(".-")
        low = word.lower().removesuffix("'s").removesuffix("’s")
        if low in leave_out:
            continue
        if word[0].isdigit():
            figures += 1
        elif low in _ONE_TO_TWELVE and low != "one":
            figures += 0.5
        elif low in STOP or low in w.VAGUE or low in w.PRAISE or low in w.ADVERB or low in w.PREPOSITION:
            continue
        elif word[0].isupper() and low not in w.CALENDAR:
            names += 1
        elif len(low) > 2 and not low.endswith("ly"):
            content += 1
    return Weight(content, names, figures)


@dataclass(frozen=True, slots=True)
class Case:
    """A clause that is to be judged: who it is about and what it holds.

    `own`: it is about who speaks. `timed`: it names a time. `ruled`: a rule of
    the table knows its relation. `working`: it is a note or said at work, where
    what is said is meant to last; talk among friends must say more. `begin` is where its sentence
    begins. `ahead`: it is still to come.
    """

    clause: Clause
    tokens: list[Token]
    subject: Subject
    weight: Weight
    own: bool
    timed: bool
    ruled: bool
    working: bool
    begin: int
    ahead: bool = False

    @property
    def specific(self) -> bool:
        """Whether it holds a name, a figure or a time."""
        return self.timed or self.weight.names > 0 or self.weight.figures >= 1

    @property
    def after(self) -> Token | None:
        """The first word behind the verb that is no adverb."""
        return next(
            (
                token
                for token in self.tokens[self.clause.verb.end :]
                if token.tag not in "rn" and token.low not in _DEGREES
            ),
            None,
        )


_DEGREES = frozenset("so very real really super such more even too quite pretty".split())


_FIGURATIVE = re.compile(
    r"\ballergic to (?:(?:the|this|that|your|his|her|their|any|all) )?(?:[\w-]+ )?(?:joke|pun|morning|monday|"
    r"work|meeting|"
    r"deadline|talk|nonsense|bullshit|commitment|responsibility|exercise|drama|fun|idiot|stupidity|effort|homework|"
    r"people|person|idea|bureaucracy|paperwork|hype|jargon|sport|money|success|change|word|tone|feeling|question|"
    r"silence|truth|chore|housework|buzzword|spreadsheet|powerpoint|email|mail|slack|java|php|javascript)s?\b"
    r"|\b(?:married to (?:the|my|his|her|their) (?:job|work|phone|laptop|sea)|dying (?:to|of (?:laughter|"
    r"boredom|hunger|"
    r"curiosity))|(?:dead|brain|heart)[- ]?dead|dead (?:serious|tired|inside|wrong|right)|over the moon|on cloud nine|"
    r"on (?:fire|top of the world)|head over heels|(?:a )?piece of cake|cats and dogs|could eat a horse|eat a horse|"
    r"break a leg|hit the (?:sack|road|hay)|spill(?:ed)? the beans|in the same boat|on the same page|costs? an arm|"
    r"(?:an|my|your) elephant in the room|killing me|drives? (?:me|us|everyone) (?:crazy|nuts|mad|up the wall)|"
    r"dreams? (?:(?:is|are|was|were|'s|has|have) )?com(?:e|ing|in)\b.{0,4}true|into the unknown|hoping for the "
    r"best|(?:one )?(?:day|step) at a time|made of (?:money|steel|stone)|born yesterday|rocket science|(?:a "
    r")?(?:total|real|absolute) (?:zombie|wreck|legend|"
    r"saint|angel|disaster|nightmare)|(?:my|your) (?:cup of tea|jam)|walking on air|skating on thin ice)\b"
)
"""What is said in a picture: an allergy needs something that one can be allergic to."""


def figurative(words: str) -> bool:
    """Whether words (lower case) are meant in a picture, so that they state nothing as they stand."""
    return _FIGURATIVE.search(words) is not None


_TURNS = frozenset(
    "married divorced engaged separated promoted fired hired pregnant widowed sacked evicted accepted rejected "
    "diagnosed adopted naturalised naturalized".split()
)
"""What changes a life: "we're getting divorced" says enough by itself."""
_CHILDREN = frozenset("baby son sons daughter daughters twins triplets kids children brother sister siblings".split())
_HEALTH = frozenset("fine ok okay better sore swollen broken healed infected sprained torn".split())


def _turn_of_life(case: Case) -> bool:
    verb, after = case.clause.verb, case.after
    person = case.own or case.subject.person
    if verb.negated or verb.modal not in ("", "going to", "will", "'ll") or not person:
        return False
    if verb.base in ("be", "get") and after is not None:
        return after.low in _TURNS
    return verb.passive and case.tokens[verb.head].low in _TURNS


def worth_keeping(case: Case) -> bool:
    """Whether a clause states something that is worth a memory."""
    verb, after = case.clause.verb, case.after
    if _turn_of_life(case):
        return True
    behind = case.tokens[verb.end :]
    if behind and behind[-1].low == "fan" and verb.base == "be":
        return False
    of_this = any(token.low in ("this", "that", "these", "those", "it") for token in behind)
    if of_this and not case.specific and (verb.base in _TASTE or any(token.low == "fan" for token in behind[:5])):
        return False
    if verb.base == "work" and " ".join(token.low for token in case.tokens[verb.end :]).startswith("from home"):
        return True
    if case.own and verb.base == "be" and any(token.low in ("oldest", "youngest", "eldest") for token in behind[:3]):
        return True
    if verb.base == "have" and case.subject.person and any(token.low in _CHILDREN for token in behind[:4]):
        return True
    if verb.base == "learn" and verb.negated and case.own and case.weight.content >= 1:
        return True
    if verb.base == "be" and case.subject.attribute in w.BODY and after is not None and after.low in _HEALTH:
        return case.timed or len(case.tokens) > verb.end + 1
    if case.tokens[-1].low == "ones":
        return False
    told_off = any(token.low in ("your", "yourself", "yourselves") for token in case.tokens[verb.end :])
    if (
        case.clause.elided
        and verb.base == "have"
        and verb.tense == "present"
        and not verb.modal
        and (told_off or not case.working)
    ):
        return False  # "Have faith in yourself"
    if verb.base == "need" and not case.own and not case.subject.person and not case.working:
        return False
    if case.tokens[-1].tag in "obmn" and (verb.end < len(case.tokens) <= verb.end + 4 or verb.base == "do"):
        return False
    touched = case.tokens[verb.head].low in w.PRAISE and (case.own or case.subject.person or not case.timed)
    if verb.passive and (touched or verb.base in EMPTY):
        return False
    if verb.base == "feel" and not case.own:
        return False
    if case.own and verb.base in EMPTY and not verb.passive and not _meant(case):
        return False
    if verb.base in ("sound", "look", "seem", "smell", "taste") and not verb.progressive:
        return False
    if verb.base == "have" and after is not None and after.low in ("no", "fun"):
        return False
    if case.subject.guessed and not case.specific:
        return False
    if not case.working and not _told_in_talk(case):
        return False
    if verb.base == "be" and not verb.progressive and not verb.passive:
        return _state(case, after)
    if verb.base in _TASTE:
        shown = any(token.low in ("how", "your", "you") for token in case.tokens[verb.end :])
        vague = after is None or shown or after.low in _NOT_LIKED or (after.low == "the" and weight_of_like(case) < 2)
        return (not vague or case.specific) and case.weight.score >= 1
    score = case.weight.score + (0.5 if case.timed else 0)
    if case.timed and verb.base in EVENTFUL and verb.tense in ("past", "perfect"):
        return True
    if case.ahead:
        return True
    if verb.base in _DONE and verb.tense == "past" and not verb.negated:
        return case.weight.score >= 1
    if (
        verb.base == "give"
        and case.working
        and not (case.subject.person and case.subject.sure)
        and case.weight.content >= 1
    ):
        return True
    if verb.base in LIGHT:
        lasting = case.ruled and (case.working or verb.base in ("have", "be", "work", "give", "get"))
        return score >= (
            1
            if lasting or verb.base in EVENTFUL or (not case.own and verb.modal == "can")
            else 1.5
            if case.specific or not case.own
            else 2
        )
    if not case.own and verb.tense in ("past", "perfect") and (case.subject.person or case.working):
        return True
    return score >= 1


_DONE = frozenset("go make take start begin bring meet become".split())
_TASTE = frozenset("love like enjoy hate adore dislike".split())
_MOVING = frozenset(
    "make bring give help keep show inspire motivate remind fill push teach encourage let get mean".split()
)


_OUT_OF_ORDER = frozenset("down offline broken dead closed empty full".split())


def _state(case: Case, after: Token | None) -> bool:
    """What is: not what is wonderful."""
    weight, end = case.weight, case.clause.verb.end
    if after is None:
        return not case.own and weight.score >= 1
    if after.low in _OUT_OF_ORDER and case.working and not case.own and not case.subject.person:
        return True
    if after.low == "mine" and not case.own and len(case.clause.subject) > 1:
        return True
    if after.tag in "qt":
        return False
    favourite = case.subject.attribute.startswith(("favo",)) or any(
        token.low in ("favorite", "favourite") for token in case.tokens[end:]
    )
    if favourite:
        return weight.score >= 1 or len(case.clause.subject) > 1
    praised = after.low in w.PRAISE or (
        after.tag == "d" and any(token.low in w.PRAISE | w.VAGUE for token in case.tokens[end : end + 4])
    )
    if praised and _bent_on(case):
        return True
    if praised and case.own and case.timed and weight.content >= 2 and after.low == "busy":
        return True
    if praised and not case.ruled:
        return case.working and weight.names + weight.figures > 0 and weight.score >= 3
    if case.subject.attribute:
        return weight.score >= 0.5 or case.timed
    if not case.own and not case.subject.person:
        return weight.names + weight.figures > 0 or case.timed or weight.content >= (1 if case.working else 2)
    return weight.score + (1 if case.timed and (case.ruled or not case.own) else 0) >= 1


_NOT_LIKED = frozenset("that how your when it seeing hearing what this".split())


def weight_of_like(case: Case) -> float:
    """How much is said of what is liked: "the mood" is nothing, "the food and music of Lagos" is."""
    return case.weight.content + 2 * case.weight.names


_BENT = frozenset(
    "busy lucky blessed excited keen eager determined ready proud nervous worried thrilled grateful thankful "
    "interested".split()
)


def _bent_on(case: Case) -> bool:
    """I'm ready to adopt a child on my own: a feeling about something that is named, and not about who listens."""
    behind = case.tokens[case.clause.verb.end :]
    about = any(
        token.low in _BENT
        and at + 1 < len(behind)
        and (behind[at + 1].low in ("to", "about", "on", "in", "for", "of", "with") or behind[at + 1].forms == "g")
        for at, token in enumerate(behind[:4])
    )
    listener = any(token.low in ("you", "your", "it", "this", "that") for token in behind)
    return about and not listener and case.own and case.weight.content >= (2 if case.specific else 3)


def _meant(case: Case) -> bool:
    """I've known them for 4 years; I'm hoping to open a studio."""
    if case.clause.verb.base == "feel" and case.clause.verb.tense == "present":
        behind = case.tokens[case.clause.verb.end :]
        return case.weight.content >= 3 and not any(
            token.low in ("you", "your", "it", "like", "that") for token in behind
        )
    if case.clause.verb.base == "know":
        return case.clause.verb.tense == "perfect" and case.weight.figures > 0
    return case.clause.verb.base in ("hope", "think") and case.clause.verb.progressive and case.weight.content >= 3


def _told_in_talk(case: Case) -> bool:
    """What must hold of a clause in a talk among people, where most of what is said is not meant to last."""
    verb, subject = case.clause.verb, case.clause.subject
    first = subject[0] if subject else None
    behind = case.tokens[verb.end :]
    open_ended = verb.modal in ("must", "can", "cannot") or (verb.modal == "have to" and verb.tense == "present")
    if (
        open_ended
        and not (
            case.specific
            and (case.weight.score >= 2 or not case.own or (verb.modal == "can" and case.weight.names > 0))
        )
        and not case.ruled
        and not case.ahead
    ):
        return False
    favourite = any(token.low in ("favorite", "favourite") for token in behind) and any(
        token.low == "my" for token in behind
    )
    if verb.base == "be" and favourite and subject and subject[0].tag != "p":
        return True
    helped = (
        any(token.low in ("me", "my") for token in behind[:3]) and case.weight.content >= 3 and verb.tense == "present"
    )
    if verb.base in ("help", "let", "remind") and helped and subject and subject[0].tag != "p":
        return True
    if case.after is not None and case.after.low in w.ANYONE:
        return False
    if len(behind) > 1 and behind[0].low == "to" and behind[1].low in w.ANYONE:
        return False
    if verb.modal == "have to" and case.own and case.weight.score < 2:
        return False
    if verb.base == "be" and verb.modal in ("can", "cannot") and not case.specific:
        return False
    dangling = bool(behind) and behind[-1].low in ("it", "them", "that", "this", "one") and not case.specific
    if dangling and (case.weight.score < 1 or (len(behind) > 1 and behind[-2].tag == "i")):
        return False
    if verb.progressive and verb.base == "do" and case.weight.score < 2 and not case.specific:
        return False
    if case.own and case.weight.score < 1 and not case.ahead and not (case.timed and verb.base in EVENTFUL):
        return False
    if verb.base == "want" and verb.tense == "past" and not case.specific and case.weight.content < 3:
        return False
    if verb.base == "see" and verb.tense == "past" and (not case.specific or any(t.low == "your" for t in behind)):
        return False
    only = any(token.low == "only" for token in case.tokens[case.clause.stop : verb.first])
    if verb.base == "want" and behind and behind[0].low != "to":
        return only and case.weight.content >= 1
    if first is not None and first.low == "your" and verb.tense not in ("past", "perfect") and not case.timed:
        return False
    if verb.base in ("want", "share", "show", "send", "tell", "say") and any(token.low == "you" for token in behind):
        return case.ahead and verb.base != "want" and case.weight.content >= 1
    rather = any(token.low == "rather" for token in case.tokens[verb.first : verb.end])
    if verb.modal in ("would", "'d") and (
        (case.weight.score < 3 and not (rather and case.weight.score >= 1))
        or any(token.low in ("you", "your", "yours") for token in behind)
    ):
        return False
    if case.own and verb.base in ("care", "believe") and not case.specific:
        return False
    how = verb.base == "learn" and any(token.low == "to" for token in behind[1:3])
    if (
        case.after is not None
        and case.after.tag == "q"
        and not how
        and verb.base in ("see", "realize", "realise", "learn", "show", "tell", "get")
    ):
        return False
    if (
        first is not None
        and first.low in ("a", "an")
        and "n" in case.tokens[verb.head].forms
        and behind
        and behind[0].tag == "i"
    ):
        return False
    vague = (verb.base in ("keep", "stay", "try", "continue") and case.weight.content < 4) or (
        verb.base in ("do", "make", "get", "be", "give", "take") and case.weight.content < 3
    )
    if vague and verb.tense == "future" and not case.specific:
        return False
    if len(behind) > 1 and behind[0].low == "off" and behind[1].low == "to":
        return False
    if case.own and verb.base == "be" and _bent_on(case):
        return True
    if case.own and verb.base == "be" and not verb.progressive and not case.specific and not case.ruled:
        return case.after is not None and case.after.low not in ("up", "like", "all") and case.weight.content >= 2
    if first is not None and first.tag == "v" and "g" in first.forms:
        return False
    if (
        any(token.low in ("your", "you") for token in behind[:4])
        and (verb.tense != "past" or verb.base in _TASTE)
        and not case.weight.figures >= 1
    ):
        return False
    if first is not None and first.low == "we" and verb.tense == "present" and not verb.progressive:
        owned = verb.base == "have" and case.weight.content >= 4
        needed = verb.base == "need" and case.weight.content >= 3 and behind[0].low != "to"
        if case.ruled or needed or owned:
            return True
        liked = verb.base in _TASTE and case.weight.content >= 1
        return liked or case.specific or any(token.low in w.FREQUENCY for token in case.tokens)
    if first is not None and _perhaps_no_name(case, first):
        return False
    if not case.own and not case.subject.person and not case.subject.attribute:
        owned = first is not None and (first.tag == "s" or first.low in ("the",))
        if verb.base in _MOVING and not case.specific:
            return False
        return (
            case.specific
            or (owned and verb.tense in ("past", "perfect", "future") and case.weight.content >= 2)
            or (first is not None and first.tag == "s" and case.weight.content >= 2)
        )
    if case.own and verb.tense in ("past", "perfect") and verb.base not in _TASTE and not case.specific:
        return case.weight.content >= (2 if verb.base in LIGHT - _DONE else 1)
    return True


_OF_PERSONS = frozenset(
    "eat drink smoke live work study speak own drive teach play sleep hate snore commute rent".split()
)
"""What hardly anything but a person does."""


def _perhaps_no_name(case: Case, first: Token) -> bool:
    """Setbacks are …: whether the capital letter is only that of the sentence, and the sentence a saying."""
    subject = case.clause.subject
    if first.tag == "N" and not first.low.endswith("s") and case.clause.verb.base in _OF_PERSONS:
        return False
    unsure = first.start == case.begin and not case.subject.known and first.tag in "Nwv"
    bare = not any(token.tag in "ds" or (token.tag == "N" and token is not first) for token in subject)
    return unsure and bare and case.clause.verb.tense in ("present", "future") and not case.specific
