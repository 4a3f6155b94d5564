"""Spanish, for the rules of follow-up questions."""

from __future__ import annotations

from collections.abc import Sequence

from memcli.lang.tongue import STOP
from memcli.recall.followup.manner import Manner, genders, phrases, pronouns, table
from memcli.recall.followup.said import Token

_HAVING = table("he has ha hemos habéis han había habías habían tengo tiene tienes tenemos tienen")


def _refers(tokens: Sequence[Token], at: int) -> bool:
    """ "la casa" is an article, "lo que" a conjunction; "le … a Marta" names whom it means."""
    word = tokens[at].low
    after = tokens[at + 1].low if at + 1 < len(tokens) else ""
    if word in ("la", "las", "los"):
        return after in _HAVING
    if word == "lo":
        return after not in ("que", "de", "mismo", "más")
    if word in ("le", "les"):
        return not any(
            one.low == "a" and (other.capital or other.low in ("mi", "su", "tu", "la", "el", "los", "las"))
            for one, other in zip(tokens[at:], tokens[at + 1 :], strict=False)
        )
    return True


_ORDINALS = {
    stem + ending: number
    for number, stem in enumerate("primer segund tercer cuart quint sext séptim octav noven décim".split())
    for ending in ("o", "a", "os", "as")
} | {"primer": 0, "tercer": 2, "último": -1, "última": -1, "ultimo": -1, "ultima": -1}

MANNER = Manner(
    asking=table(
        """
        qué quién quiénes dónde adónde cuándo cuánto cuánta cuántos cuántas cómo cuál cuáles que quien donde cuando
        cuanto cuanta cuantos cuantas como cual cuales por-qué
        """
    ),
    counting=table("qué cuánto cuánta cuántos cuántas cuál que cuantos cuantas"),
    persons=table("quién quiénes quien"),
    things=table("qué cuál cuáles que"),
    pointing=table("eso esto"),
    conjunction="y",
    auxiliaries=table(
        """
        es son era eran fue fueron está están estaba estaban ha han he has había habían hay hace puede pueden debe va
        van
        """
    ),
    prepositions=table("a al ante bajo con contra de del desde durante en entre hacia hasta para por según sin sobre"),
    near=table("en desde hacia bajo"),
    loose=table("a al para de del"),
    determiners=table("el la los las un una unos unas mi mis nuestra nuestro tu tus este esta esos esas cada"),
    pronouns=pronouns(
        """
        person subject m: él
        person subject f: ella
        people subject: ellos ellas
        person possessive: su sus
        person object: le
        people object: les
        thing object: lo la los las eso esto ello aquello
        place object: allí allá ahí
        """
    ),
    leads=phrases("y qué hay de / y qué tal / qué tal / y / pero / o / y luego / entonces"),
    openers=phrases(
        "alguien más / algo más / el mismo / la misma / lo mismo / más / cuéntame más / solo / sólo / también"
    ),
    else_words=table("más otro otra mismo misma también"),
    owners=table("mi mis nuestra nuestro tu tus"),
    kin=genders(
        "madre mamá hermana hija tía mujer esposa novia sobrina abuela vecina jefa amiga",
        "padre papá hermano hijo tío marido esposo novio sobrino abuelo vecino jefe amigo",
        "padres",
    ),
    titles=genders("señora sra doña doctora", "señor sr don doctor", "dr dra"),
    ordinals=_ORDINALS,
    one_words=frozenset(),
    numbers=table("número nº punto opción"),
    joins=table("y e o u"),
    breaks=table("y pero o cuando mientras porque antes después si que , : ;"),
    naming=table("llama llamaba nombre nombres"),
    nothing=table("nada nadie ninguno ninguna no"),
    yes_no=table("sí si no quizás"),
    stop=STOP["es"],
    refers=_refers,
    possessive="",
    speakers=table("yo me mi mis nos nuestra nuestro tú te tu tus"),
    having=_HAVING,
    middles=phrases("el del medio / la del medio / el de en medio / la de en medio"),
    clitics=True,
)
