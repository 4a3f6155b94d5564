"""The closed vocabulary: every word the grammar knows, with its symbol and its value.

A symbol is one character, so that a rule is a short pattern over the symbols
of a sentence. Words that are not here are `x`. See `scan` for the symbols of
numbers and signs.

    d day word (days from today)      L last   N next   T this   R every
    g tonight (nights from today)     U unit   W weekday   V weekdays, repeated
    M month   S season   P part of the day   H feast (month, day)   z noon, midnight
    A ago   < ago, said before the number   i in   @ at   o on   b other preposition
    F from   v to   f of   t the   w now   X about   j and, or
    a one, as article   n number   h half   q couple, few   u first, second (ordinal word)
    E early   B beginning   e earlier, later   p am, pm
"""

from __future__ import annotations

from functools import lru_cache

Value = tuple[str, int | str | tuple[int, ...] | None]
Lexicon = dict[str, Value]

_MONTHS = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
}
_WEEKDAYS = {
    "en": "monday tuesday wednesday thursday friday saturday sunday",
    "de": "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
}
_NUMBERS = {
    "en": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty",
    "de": "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "es": "uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
}
_WORDS = {
    "en": """
        d today=0 yesterday=-1 tomorrow=1 tmrw=1 tmr=1 tomorow=1 tommorow=1 tommorrow=1
        g tonight=0 tonite=0
        A ago
        U minute minutes=minute min=minute mins=minute hour hours=hour hr=hour hrs=hour day days=day week weeks=week
        U month months=month year years=year quarter quarters=quarter weekend fortnight fortnights=fortnight
        V weekdays weekends=weekend mondays=0 tuesdays=1 wednesdays=2 thursdays=3 fridays=4 saturdays=5 sundays=6
        W mon=0 tue=1 tues=1 wed=2 thu=3 thur=3 thurs=3 fri=4 sat=5 sun=6
        M jan=1 feb=2 mar=3 apr=4 jun=6 jul=7 aug=8 sep=9 sept=9 oct=10 nov=11 dec=12
        S spring=0 summer=1 autumn=2 fall=2 winter=3 springs=0 summers=1 autumns=2 winters=3
        P morning afternoon evening night mornings=morning afternoons=afternoon evenings=evening nights=night
        z noon=12 midday=12 midnight=24
        L last past previous
        N next coming upcoming following
        T this
        R every each
        i in
        @ at
        o on
        b by until till since before after during over around through for within
        F from
        v to thru
        f of
        t the
        w now
        X about roughly approximately approx circa almost nearly maybe perhaps probably
        j and or
        a a=1 an=1
        n thirty=30 forty=40 fifty=50 sixty=60 ninety=90 hundred=100
        h half
        q couple=2 few=3
        u first=1 second=2 third=3 fourth=4
        E early=0 mid=1 late=2
        B beginning=0 start=0 middle=1 end=2
        e earlier=-1 later=1
        p am=0 pm=12
    """,
    "de": """
        d heute=0 gestern=-1 vorgestern=-2 morgen=1 übermorgen=2
        U minute minuten=minute stunde=hour stunden=hour tag=day tage=day tagen=day woche=week wochen=week monat=month
        U monate=month monaten=month jahr=year jahre=year jahren=year wochenende=weekend quartal=quarter
        V montags=0 dienstags=1 mittwochs=2 donnerstags=3 freitags=4 samstags=5 sonntags=6 wochenends=weekend
        W sonnabend=5
        M jänner=1 feber=2
        S frühling=0 frühjahr=0 sommer=1 herbst=2 winter=3
        P vormittag=morning nachmittag=afternoon abend=evening nacht=night früh=morning
        z mittag=12 mitternacht=24
        L letzte letzten letztes letzter letztem vergangene vergangenen vergangenes vorige vorigen voriges
        N nächste nächsten nächstes nächster kommende kommenden kommendes kommender
        T diese diesen dieses dieser diesem
        R jeden jede jedes jeder jedem
        < vor
        i in
        @ um
        o am
        b bis seit ab im gegen nach
        F von vom
        f des
        t der die das den dem
        X etwa ungefähr circa rund ca
        j und oder
        a ein=1 einem=1 einer=1 einen=1 eine=1
        h halben=1 halbe=1
        q paar=3
        E anfang=0 mitte=1 ende=2
    """,
    "es": """
        d hoy=0 ayer=-1 anteayer=-2 antier=-2 mañana=1
        g anoche=-1
        U minuto=minute minutos=minute hora=hour horas=hour día=day días=day
        U fin=weekend finde=weekend semana=week semanas=week mes=month
        U meses=month año=year años=year trimestre=quarter
        V sábados=5 domingos=6
        W miercoles=2 sabado=5
        M setiembre=9
        S primavera=0 verano=1 otoño=2 invierno=3
        P tarde=afternoon noche=night
        z mediodía=12 medianoche=24
        L pasado pasada
        N próximo próxima proximo proxima siguiente
        T este esta
        R cada todos todas
        < hace
        i en dentro
        b desde hasta para por durante
        f de del
        t el la los las
        X unos unas aproximadamente casi
        j y o
        a un=1 una=1
        h media=1 medio=1
        q par=2
        E principios=0 mediados=1 finales=2 fines=2
    """,
}


_SIGNS = {
    ",": "C",
    ".": ".",
    "!": ".",
    "?": ".",
    ";": ".",
    "…": ".",
    "'": "'",
    "’": "'",
    "-": "-",
    "–": "-",
    "—": ".",
    "\n": ".",
}


def _lexicon(language: str) -> Lexicon:
    table: Lexicon = {sign: (symbol, None) for sign, symbol in _SIGNS.items()}
    table |= {f"q{number}": ("Q", number) for number in (1, 2, 3, 4)}
    table |= {f"{half}.m{dot}": ("p", 12 if half == "p" else 0) for half in "ap" for dot in (".", "")}
    for symbol, names, first in (("M", _MONTHS, 1), ("W", _WEEKDAYS, 0), ("n", _NUMBERS, 1)):
        for value, name in enumerate(names[language].split(), first):
            table[name] = (symbol, value)
    for line in _WORDS[language].split("\n"):
        symbol, *entries = line.split() or [""]
        for entry in entries:
            word, _, given = entry.partition("=")
            value_text = given or word
            table[word] = (symbol, int(value_text) if value_text.lstrip("-").isdigit() else value_text)
    if language == "en":
        table |= {"christmas": ("H", (12, 25)), "xmas": ("H", (12, 25)), "halloween": ("H", (10, 31))}
    if language == "de":
        table |= {"weihnachten": ("H", (12, 25)), "silvester": ("H", (12, 31)), "heiligabend": ("H", (12, 24))}
    if language == "es":
        table |= {"navidad": ("H", (12, 25)), "nochebuena": ("H", (12, 24)), "nochevieja": ("H", (12, 31))}
    return table


@lru_cache(maxsize=3)
def lexicon(language: str) -> Lexicon:
    """Word, in lower case, to (symbol, value)."""
    return _lexicon(language)


@lru_cache(maxsize=3)
def triggers(language: str) -> frozenset[str]:
    """The words without one of which (or a digit) no rule of that language can hold."""
    return frozenset(
        word for word, (symbol, _) in lexicon(language).items() if symbol in "dgUVWMSPHzQ" and word[-1] not in "1234"
    )


@lru_cache(maxsize=1)
def all_triggers() -> frozenset[str]:
    return triggers("en") | triggers("de") | triggers("es")


_MARKERS = {
    "de": "ich wir und ist nicht ein eine haben habe hat sind wird werden mit auf für auch sich bei vor seit"
    " kommt kam waren wurde mein meine dein unser uns mir dir das der dem den zu im vom zum zur um beim",
    "es": "el la los las que y es por con para una un fue está nos te lo del al mi tu su pero muy más"
    " hace dentro se yo estuve tengo voy fui",
}
_ENGLISH = frozenset(
    "the i we you and is was to of in it my that for on with he she they are have had do did at this be not but"
    " will our your his her me us".split()
)


@lru_cache(maxsize=2)
def _markers(language: str) -> frozenset[str]:
    return frozenset(_MARKERS[language].split())


def language_of(words: set[str]) -> str:
    """`en`, `de` or `es`: the language whose time words and function words are most."""
    hits = words & all_triggers()
    if hits and hits <= _english_only():
        return "en"
    best, most = "en", 3 * len(hits & triggers("en")) + len(words & _ENGLISH)
    for other in ("de", "es"):
        score = 3 * len(hits & triggers(other)) + len(words & _markers(other))
        if score > most:
            best, most = other, score
    return best


@lru_cache(maxsize=1)
def _english_only() -> frozenset[str]:
    return triggers("en") - triggers("de") - triggers("es")
