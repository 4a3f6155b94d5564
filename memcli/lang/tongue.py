"""Which language a text is in, as far as the word index needs it: German, Spanish, or none of them.

Decided by function words and letters, so cheaply that every text can be
asked. Where it is wrong nothing is lost: the index keeps each word as it
stands and only adds its stem. Other scripts show themselves, word by word.
"""

from __future__ import annotations

from typing import Literal

Tongue = Literal["", "de", "es"]
_LOOKED_AT = 2_000
_GERMAN = frozenset(
    """
    aber auch auf aus bei beim bin bist da dann das dass dein deine dem den der des dich die dir doch du ein eine einem
    einen einer eines er es euch fuer für ganz gar habe haben hast hat hatte hatten hier ich ihm ihn ihr ihre im ist ja
    kann kein keine keinen konnte machen man mein meine meinem meinen meiner mich mir mit muss nach nicht noch nur oder
    sein seine seit sich sie sind soll über ueber um und uns unser unsere unter viel viele vom von vor wann war waren
    warum was weil welche welchem welchen welcher welches wem wen wenn wer werden wessen wie wieder wieso wieviel wird
    wo woher wohin wollte wurde würde zu zum zur zwischen schon gestern heute morgen immer denn als bis durch ohne gegen
    """.split()
)
_SPANISH = frozenset(
    """
    a adónde al algo allí antes aquí así ayer cada como cómo con cual cuál cuales cuáles cuando cuándo cuanta cuánta
    cuantas cuántas cuanto cuánto cuantos cuántos de del desde donde dónde el él ella ellas ellos en entre era eran es
    esa ese eso esta está están estar este esto estos estoy fue fueron ha hace hacer han hasta hay he hoy la las le les
    lo los mañana más me mi mis muy nada ni no nos nuestra nuestro o para pero por porque pues que qué quien quién
    quienes se ser si sí sido sin sobre solo sólo son soy su sus también te tener tengo tenía tiene tienen tu tus tuve
    tuvo un una unas uno unos va vamos voy y ya yo
    """.split()
)
STOP = {"de": _GERMAN, "es": _SPANISH}

# Words that speak for a language: none that are common in another that is looked at.
_FOR_GERMAN = _GERMAN - frozenset("da die man war was bin gar hat du es im des den um er so als an am".split())
_FOR_SPANISH = _SPANISH - frozenset("a ya y he me no son sin solo si he ha era o tu te ni va este".split())
_AGAINST = frozenset(
    """
    about and are at be but by can could did does for from get got had have her his how if into is it its just like my
    not of on or our out she should some that the their them there they this to too up we were what when where which
    who why with would you your i the
    au aux avec ce cette dans des du elle est et il je les mais nous pas pour qui sont sur une vous
    ao aos com como da do dos ele em eu foi foram isso mais meu minha muito na não nas nos os ou pela pelo quando seu
    sua um uma
    che di della delle gli il nel non per più sono
    aan dat een en het ik maar met naar niet op te van voor wat zijn
    att av är det ett för inte jag med och på som till
    af at der ikke jeg og til
    """.split()
) - frozenset("como nos der en te".split())
_KNOWN = _FOR_GERMAN | _FOR_SPANISH
_STRIPPED = ".,;:!?¿¡\"'()[]„“”«»…*_-"


def tongue(text: str) -> Tongue:
    """The language of a text, the same for the same text, always; "" where it is English, another, or in doubt."""
    low = text[:_LOOKED_AT].lower()
    if low.isascii():
        found = low.split()
        if _KNOWN.isdisjoint(found):
            return ""
        german, spanish, other = 0, 0, 0
    else:
        found = [word.strip(_STRIPPED) for word in low.split()]
        letters = set(low)
        german = (not letters.isdisjoint("äöü")) + 2 * ("ß" in letters)
        spanish = (not letters.isdisjoint("áéíóú")) + 2 * (not letters.isdisjoint("ñ¿¡"))
        other = 2 * (not letters.isdisjoint("åøæœãõçàèìòùâêîôûğışőű"))
    there = set(found)
    german += len(there & _FOR_GERMAN)
    spanish += len(there & _FOR_SPANISH)
    other += len(there & _AGAINST)
    best = max(german, spanish)
    if best <= other or (best < 2 and len(found) > 6):
        return ""
    return "de" if german >= spanish else "es"
