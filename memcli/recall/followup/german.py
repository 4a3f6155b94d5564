"""German, for the rules of follow-up questions."""

from __future__ import annotations

from collections.abc import Sequence

from memcli.lang.tongue import STOP
from memcli.recall.followup.manner import Manner, genders, phrases, pronouns, table
from memcli.recall.followup.said import Token

_EMPTY = table("gibt geht regnet schneit ist war wird gab ging")
_OF_CLAUSES = table("dass ob zu wenn")


def _refers(tokens: Sequence[Token], at: int) -> bool:
    """ "das Haus" is an article, "es gibt" is nothing, "Sie" is who is spoken to."""
    token = tokens[at]
    after = tokens[at + 1 : at + 3]
    if token.low in ("sie", "ihr", "ihre", "ihren", "ihrem", "ihrer") and token.capital:
        return False
    if token.low == "es":
        return not ((at and tokens[at - 1].low in _EMPTY) or (after and after[0].low in _EMPTY))
    if token.low in ("das", "dies"):
        return not any(near.capital for near in after) and not (at and tokens[at - 1].text == ",")
    return True


_ORDINALS = {
    stem + ending: number
    for number, stem in enumerate("erst zweit dritt viert fünft sechst siebt acht neunt zehnt".split())
    for ending in ("e", "en", "er", "es")
} | {"letzte": -1, "letzten": -1, "letzter": -1, "letztes": -1, "erstere": 0, "ersterer": 0, "letztere": -1}
_ORDINALS |= {"letzterer": -1, "letzteres": -1, "ersteres": 0, "ersteren": 0, "letzteren": -1}

MANNER = Manner(
    asking=table(
        """
        was wer wen wem wessen wo wohin woher wann warum wieso weshalb wie welche welcher welches welchen welchem womit
        wofür wovon worüber wodurch woran
        """
    ),
    counting=table("welche welcher welches welchen welchem viele viel"),
    persons=table("wer wen wem wessen"),
    things=table("was welche welcher welches welchen welchem"),
    pointing=table("das dies"),
    conjunction="und",
    auxiliaries=table(
        """
        ist sind war waren bin bist hat haben habe hast hatte hatten wird werden wurde wurden kann können konnte muss
        müssen musste soll sollen will wollen wollte darf dürfen mag
        """
    ),
    prepositions=table(
        """
        in im an am auf aus bei beim bis durch für gegen hinter mit nach neben ohne seit über um unter von vom vor zu
        zum zur zwischen während ab inklusive
        """
    ),
    near=table("in im an am auf aus bei beim hinter nach neben unter zum zur"),
    loose=table("für zu von vom"),
    determiners=table(
        """
        der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner unser unsere unseren
        dein deine kein keine dieser diese dieses diesen diesem jede jeder jedes welche welches welcher welchen
        """
    ),
    pronouns=pronouns(
        """
        person subject m: er
        person object m: ihm ihn
        person possessive m: sein seine seinen seinem seiner seines
        person subject f: sie
        person possessive f: ihr ihre ihren ihrem ihrer
        people object: ihnen
        thing subject: es
        thing object: das dies dafür damit davon daran darauf darüber dazu dabei dagegen daraus danach davor
        place object: dort dorthin da
        """
    ),
    leads=phrases("und was ist mit / was ist mit / und / aber / oder / und wie ist es mit / und dann"),
    openers=phrases(
        "sonst noch / noch jemand / noch etwas / dasselbe / dieselbe / derselbe / mehr / mehr dazu / nur / auch"
    ),
    else_words=table("sonst noch auch"),
    owners=table("mein meine meinen meinem meiner unser unsere unseren dein deine"),
    kin=genders(
        "mutter mama schwester tochter tante frau freundin nichte oma großmutter nachbarin chefin",
        "vater papa bruder sohn onkel mann freund neffe opa großvater nachbar chef vermieter",
        "eltern cousine",
    ),
    titles=genders("frau", "herr herrn", "dr prof"),
    ordinals=_ORDINALS,
    one_words=frozenset(),
    numbers=table("nummer nr punkt"),
    joins=table("und & oder"),
    breaks=table("und aber oder als während weil bevor nachdem wenn dass der seit bis , : ;"),
    naming=table("heißt heissen heißen name namen genannt"),
    nothing=table("nichts niemand keine keiner unbekannt nicht nirgends"),
    yes_no=table("ja nein doch vielleicht"),
    stop=STOP["de"] | table("wir ihr du man mal denn"),
    refers=_refers,
    possessive="",
    speakers=table("ich mich mir mein meine wir uns unser du dich dir dein"),
    having=table("haben hat habe hatte hatten"),
    either=table("ihr"),
    infinitive=table("zu um"),
    alone=frozenset(word for word in _ORDINALS if word.startswith(("erstere", "letztere"))),
    middles=phrases("die mittlere / der mittlere / das mittlere"),
    nouns_capital=True,
)
