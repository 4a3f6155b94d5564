"""Words of six languages: their forms meet in the index, English stays as it was, any text is a query."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from memcli.lang.light import arabic, german, korean, spanish
from memcli.lang.tongue import tongue
from memcli.lang.words import Term, content_terms, indexed_form, match_expression, shared, stem, words
from memcli.projection import lexical
from memcli.projection.database import Database


@pytest.fixture
def db() -> Iterator[Database]:
    made = Database(":memory:")
    yield made
    made.close()


def finds(db: Database, entry: str, question: str) -> bool:
    with db.transaction():
        lexical.insert(db, 1, entry)
    expression = lexical.match_of(db, content_terms(question))
    return bool(expression) and bool(db.rows("SELECT rowid FROM words WHERE words MATCH ?", (expression,)))


@pytest.mark.parametrize(
    ("entry", "question"),
    [
        ("Die Gäste schlafen im Arbeitszimmer.", "Wo schlief der Gast?"),
        ("Die Rechnung der Werkstatt liegt auf dem Schreibtisch.", "Wo ist die Werkstattrechnung?"),
        ("Das Hochzeitsgeschenk ist im Schrank.", "Was ist mit dem Geschenk?"),
        ("Oma hat mir die Bücher gegeben.", "Welches Buch war das?"),
        ("Der Hund heißt Bärli.", "Wie heisst er? Ist das der Baerli?"),
        ("Für den Flur brauchen wir neue Lampen.", "Wo ist die Flurlampe?"),
        ("Wir sind nach Köln gefahren.", "Wann fahren wir und wohin?"),
        ("Nos encontramos en la estación.", "¿Dónde se encuentran?"),
        ("La luz del pasillo está rota.", "¿Qué luces hay?"),
        ("Mi hermana busca un piso.", "¿Qué pisos buscó ella?"),
        ("Dáselo a mi médico.", "¿Quién es el medico?"),
        ("Los jóvenes pagaron la cuenta.", "¿Quién va a pagar?"),
        ("猫は冷蔵庫の上", "猫？"),
        ("誰が猫を飼っているのか", "猫の名前は？"),
        ("我家有两只猫", "猫"),
        ("ヴェネツィアへ行った", "ベネツィアはいつ？"),
        ("ﾊﾞｽは８時に出る", "バスは8時？"),
        ("새 책은 책상 위에 있어", "책을 찾고 있어"),
        ("강아지에게서 벼룩이 나왔어", "강아지가 왜?"),
        ("우산을 버스에서 잃어버렸어", "우산이 어디?"),
        ("وصلت السيّارةُ أمسِ", "متى وصلت سيارتنا؟"),
        ("بيتي قرب المسجد", "اين البيت؟"),
        ("رقم الهاتف ٥٥٥٠١٤٢", "5550142"),
        ("اشتريت هدية لأختي", "ما الهديه؟"),
    ],
)
def test_two_forms_of_a_word_meet(db: Database, entry: str, question: str) -> None:
    assert finds(db, entry, question)


@pytest.mark.parametrize(
    ("entry", "question"),
    [
        ("Der Kühlschrank ist kaputt.", "Wo ist der Führerschein?"),
        ("El gato duerme en la cocina.", "¿Dónde está la bicicleta?"),
        ("電車が遅れている", "電話は？"),
        ("자전거가 고장났어", "자동차는 어디?"),
        ("الكتاب على الطاولة", "أين السيارة؟"),
        ("The die was cast in Los Angeles.", "What did they cook?"),
    ],
)
def test_other_words_do_not(db: Database, entry: str, question: str) -> None:
    assert not finds(db, entry, question)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Mein Pass liegt im Keller", "de"),
        ("Zahnärztin: Frau Müller", "de"),
        ("Wann laeuft der Vertrag aus?", "de"),
        ("Cual es el telefono de la oficina", "es"),
        ("mañana, 8:30", "es"),
        ("When did Jörg and Zoë meet in São Paulo?", ""),
        ("I had a jalapeño burrito at the Los Pollos place", ""),
        ("Die hard was on, so am I late?", ""),
        ("See ya, man!", ""),
        ("Où est la clé de la maison ?", ""),
        ("Onde está o meu passaporte? Não sei.", ""),
        ("Ik heb het boek op de tafel gelegd", ""),
        ("Dove sono le chiavi della macchina?", ""),
        ("Jag har köpt en ny bil och den är röd", ""),
        ("", ""),
        ("?!", ""),
        ("我对花生过敏", ""),
    ],
)
def test_the_language_of_a_text(text: str, language: str) -> None:
    assert tongue(text) == language


def test_english_is_indexed_and_asked_as_it_stands() -> None:
    said = "We moved the Harbour Survey's start to Tuesday, the 4th."
    assert indexed_form(said) is said
    terms = content_terms("When did we move the survey?")
    assert terms == ["move", "survey"]
    assert not any(isinstance(term, Term) for term in terms)
    assert match_expression(terms) == '"move" OR "survey"'


def test_a_word_is_indexed_besides_its_stem() -> None:
    assert {"schlüssel", "schlussel", "schluessel"} <= set(indexed_form("Der Schlüssel ist weg").split())
    assert {"llaves", "llav"} <= set(indexed_form("Las llaves de la casa").split())


def test_a_name_in_another_script_is_left_alone() -> None:
    assert "kenji" in words("سيزورنا Kenji في أغسطس")
    assert "kenji" in indexed_form("켄지가 Kenji에게 전화했어").split()
    assert "健司" in content_terms("Wie lange muss die Brühe von 健司 ziehen?")


@pytest.mark.parametrize(
    ("stemmer", "forms"),
    [
        (german, "brücke bruecke brücken"),
        (german, "häuser haus hauses häusern"),
        (german, "wackeln wackelt"),
        (german, "laufen läuft gelaufen"),
        (spanish, "alergia alérgica alérgicos"),
        (spanish, "conduce conduzco conducir"),
        (spanish, "pez peces"),
        (spanish, "devolverle devuélveme devuelve"),
        (arabic, "الدراجه دراجه دراجتي والدراجه"),
        (arabic, "رحلتنا الرحله رحله"),
        (korean, "열쇠가 열쇠를 열쇠에서 열쇠"),
    ],
)
def test_forms_of_one_stem(stemmer: object, forms: str) -> None:
    assert callable(stemmer)
    assert len({stemmer(form) for form in forms.split()}) == 1


def test_an_answer_shares_a_part_of_a_compound() -> None:
    terms = [stem(word) for word in content_terms("Wie teuer ist das Ferienhaus?")]
    assert shared(terms, "Das Haus für die Ferien kostet 312 Euro.") == 1
    assert shared(terms, "Die Batterie ist leer.") == 0
    assert shared([stem("understanding")], "They are standing there") == 0


def test_any_text_is_a_query_and_can_be_indexed(db: Database) -> None:
    chance = random.Random(5)
    letters = [chr(code) for code in range(0x20, 0x30000, 7) if not 0xD800 <= code < 0xE000] + ["\ud800", "\0"]
    frames = ("Wo ist der {}?", "¿Dónde está la {}?", "{}", "{}は何？", "ما {}؟", "{}가 어디?")
    for number in range(3_000):
        text = chance.choice(frames).format("".join(chance.choices(letters, k=chance.randrange(12))))
        terms = content_terms(text)
        lexical.search(db, terms, 5)
        for term in terms[:2]:
            lexical.frequency(db, term)
        if number % 10 == 0 and "\ud800" not in text:
            with db.transaction():
                lexical.insert(db, number + 1, text)
        assert indexed_form(text) == indexed_form(text)
