"""English, for the rules of follow-up questions."""

from __future__ import annotations

from collections.abc import Sequence

from memcli.lang.words import STOP
from memcli.recall.followup.manner import Manner, genders, phrases, pronouns, table
from memcli.recall.followup.said import Token

TELLING = table(
    """
    what who whom whose where when why how which is are did does do has have had can could will would should the of and
    he she it they his her their its about there anyone else more
    """
)
"""Words that tell English, and are no German or Spanish ones."""

_BE = table("is are was were be been being am 's 're isn't aren't wasn't weren't")
_AUXILIARIES = _BE | table(
    """
    do does did has have had can could will would shall should may might must 've 'll 'd don't doesn't didn't hasn't
    haven't hadn't can't couldn't won't wouldn't shouldn't
    """
)
_PREPOSITIONS = table(
    """
    in on at to from for with without by about of after before during since until till near under over into onto through
    between against around behind beside including per towards via within
    """
)
_SPREAD = table("next close back near up due according down in on at away as")
_WEATHER = table("rain rained raining rains snow snowed snowing snows")
_TAKING = table("take takes took taken cost costs")
_OF_CLAUSES = table("to that when if for")
_OF_TIMES = table("week month year morning afternoon evening night weekend time day summer winter spring autumn")
_MAKING = table("make makes made making")
_DEGREES = table(
    "still already yet again too also so now then really even always ever exactly finally first soon all just"
)


def _refers(tokens: Sequence[Token], at: int) -> bool:
    """It rains, it is hard to say, they made it home, there is, the bakery that he likes: nothing is referred to."""
    word = tokens[at].low
    before = tokens[at - 1].low if at else ""
    after = [token.low for token in tokens[at + 1 : at + 5]] + [""] * 4
    if word == "it":
        return not _is_empty(before, after)
    if word == "there":
        return not ((before in _BE and not _is_end(after[0])) or after[0] in _BE)
    if word in ("that", "this", "these", "those"):
        if after[0] in _OF_TIMES:
            return False
        return word != "that" or _points(tokens, at)
    return True


def _is_end(word: str) -> bool:
    """Whether a pronoun can stand before this word as the last of its phrase."""
    return (
        word in ("", "?", ".", ",", "!", ";", ":")
        or word in _PREPOSITIONS
        or word in _AUXILIARIES
        or word in _DEGREES
        or word in _BREAKS
    )


def _is_empty(before: str, after: Sequence[str]) -> bool:
    if after[0] in _WEATHER or (after[0] in _BE and after[1] in _WEATHER):
        return True
    if before in _MAKING and after[0] in ("to", "through", "home"):
        return True
    like = after[1:3] if after[0] in _BE else after[:2]
    if like[0] == "like" and like[1].endswith("ing"):
        return True
    rest = after[1:] if after[0] in _BE | _TAKING else after
    if rest is after and before not in _BE:
        return before in ("time", "day") or (before == "is" and after[0] == "?")
    clause = next((at for at, word in enumerate(rest[:3]) if word in _OF_CLAUSES), None)
    return clause is not None and (clause > 0 or after[0] in _TAKING) and rest[max(0, clause - 1)] not in _SPREAD


def _points(tokens: Sequence[Token], at: int) -> bool:
    """Whether "that" is a pronoun: after a preposition or a verb of the question's own, or before its end."""
    before = tokens[at - 1].low if at else ""
    after = tokens[at + 1].low if at + 1 < len(tokens) else ""
    if before in _PREPOSITIONS:
        return after not in _AUXILIARIES
    if before in _AUXILIARIES and not any(token.low in _AUXILIARIES for token in tokens[: at - 1]):
        return True
    return _is_end(after) and after not in _AUXILIARIES and before not in ("such", "like")


_BREAKS = table("and but or when while because before after if that which who since until so where how why , : ;")

MANNER = Manner(
    asking=table("what who whom whose where when why how which"),
    counting=table("what which whose many much"),
    persons=table("who whom whose"),
    things=table("what which"),
    pointing=table("that this these those"),
    conjunction="and",
    auxiliaries=_AUXILIARIES,
    prepositions=_PREPOSITIONS,
    near=table("in at from near into behind under over onto through around"),
    loose=table("to for of towards on"),
    determiners=table("a an the my our your this that these those some any no every each another"),
    pronouns=pronouns(
        """
        person subject m: he
        person object m: him
        person possessive m: his
        person subject f: she
        person possessive f: her hers
        people subject: they
        people object: them
        people possessive: their theirs
        thing subject: it
        thing possessive: its
        thing object: that this these those
        place object: there
        """
    ),
    leads=phrases(
        """
        and what about / and how about / but what about / what about / how about / or what about / and / but / or / so
        also / then / and then / ok and / okay and / or rather
        """
    ),
    openers=phrases(
        """
        anyone else / anybody else / anything else / anywhere else / someone else / somewhere else / the same / more
        tell me more / say more / go on / any other / any others / any more / another one / the other / only / even
        including / also / together / alone / more about / the rest / the others
        """
    ),
    else_words=table("else other others same instead too"),
    owners=table("my our your his her their"),
    kin=genders(
        "mother mum mom sister daughter aunt wife girlfriend niece grandmother grandma granny",
        "father dad brother son uncle husband boyfriend nephew grandfather grandpa",
        "cousin friend neighbour neighbor boss parents landlord landlady dentist doctor flatmate roommate colleague "
        "partner baby child kid dog cat puppy kitten",
    ),
    titles=genders("mrs ms miss lady", "mr sir lord", "dr prof professor doctor"),
    ordinals={
        **{
            word: number
            for number, word in enumerate(
                "first second third fourth fifth sixth seventh eighth ninth tenth".split(),
            )
        },
        **{word: number for number, word in enumerate("1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split())},
        "former": 0,
        "latter": -1,
        "last": -1,
    },
    one_words=table("one ones"),
    numbers=table("number no nr option item point #"),
    joins=table("and & or"),
    breaks=_BREAKS,
    naming=table("called named name names surname"),
    nothing=table("nothing nobody none unknown don't nowhere not"),
    yes_no=table("yes no yeah yep nope sure maybe perhaps"),
    stop=STOP | table("like ok okay please thanks thank hello hi hey well back"),
    refers=_refers,
    possessive="’s",
    speakers=table("i me my we us our you your"),
    having=table("have has had having"),
    either=table("her"),
    infinitive=table("to"),
    modal=table("do does did can could will would shall should may might must"),
    alone=table("former latter"),
    middles=phrases("the one in the middle / the middle one"),
)
