"""Words as the index sees them: stemmed by FTS5, CJK runs cut into bigrams, stop words known.

English is left to FTS5. A text in German, Spanish or Arabic is indexed with the
stems of its words behind the words, and a `Term` of a question looks for both:
what is not recognised is still found as it stands.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import cast

from memcli.lang.tongue import STOP as STOP_OF
from memcli.lang.tongue import Tongue, tongue

_CJK = "぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿가-힯ｦ-ﾝ\U00020000-\U0002fa1f"
_STOP_TEXT = """
    a about after again all also am an and any are as at be because been before being between both but by can could
    did do does doing done down during each ever few for from further get gets getting give go goes going gone got
    had has have having he her here hers him his how i if in into is it its itself just like made make many may me
    might mine more most much must my no nor not now of off on once one only or other our out over own please same
    say says said shall she should so some still such tell than that the their them then there these they thing
    things this those through to too under until up us very was we were what when where which while who whom whose
    why will with would yes yet you your yours
"""
_STOP_ELSEWHERE = """
    何 誰 谁 哪 几 是 何を 何が 何の 何に 何か 何で 何時 誰が 誰の 誰に 誰を 誰で 誰と
    什么 什麼 怎么 怎麼 哪里 哪裡 哪儿 多少 时候 時候 么时 麼時 为什 為什 是谁 谁的 几点 哪天 是什
    누구 구야 구한 언제 제까 어디 디에 디서 디야 무엇 무슨 얼마 마나 마였 였지 있지 있어 했어 했지 인가 나요 지요
    من متي اين ما ماذا كم هل كيف لماذا اي في علي الي عن مع او ثم هو هي انا نحن هذا هذه ذلك تلك التي الذي كان كانت
    قد لم لا لن ان لمن
"""
STOP = frozenset((_STOP_TEXT + _STOP_ELSEWHERE).split())


@lru_cache(maxsize=8)
def _pattern(source: str) -> re.Pattern[str]:
    """A pattern, compiled when it is first needed: `mem add` of plain words needs none.

    Case is ignored where the source says so: to ignore that of thousands of
    Han characters, which have none, takes forty milliseconds to compile.
    """
    return re.compile(source)


_RUN = f"[{_CJK}]+"
_ONE = f"[{_CJK}]"
# Combining marks and vowel signs: inside words, but no letters for `re`. FTS5 treats them alike on both sides.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0970-\u0dff"
    "\u0e31-\u0e4e\u0eb1-\u0ecd\u0f18-\u0fbc\u102b-\u109d\u17b4-\u17d3\u1dc0-\u1dff\ufe20-\ufe2f"
)
_WORD = rf"[{_CJK}]+|[^\W_{_CJK}](?:[^\W_{_CJK}]|[{_MARKS}])*"
_APOSTROPHE = r"(?i:(?<=\w)['’](?:s|re|ve|ll|d|m|t)\b)"
_UNSEARCHABLE = "[\x00\ud800-\udfff]"


_ARABIC = "\u0620-\u064a\u0671-\u06d3"
_ARABIC_MARKS = "[\u0640\u064b-\u065f\u0670]"
_ARABIC_FOLDED = str.maketrans("أإآٱىةؤئیک", "ااااي" + "هويي" + "ك")
_FOREIGN_DIGIT = r"[^\D0-9]"
_HAN = "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]"
PREFIX = "*"
"""Ends a form of a term that stands for all words that begin so."""
BACKWARDS = "\ue000"
"""Begins a German word that is indexed letter by letter from its end, so that its last part can be looked up."""
_LONG = 8


class Term(str):
    """A word of a question that the index may have in other forms: those, its stem and its language."""

    __slots__ = ("forms", "spoken", "stemmed")
    forms: tuple[str, ...]
    stemmed: str
    spoken: Tongue

    def __new__(cls, word: str, forms: tuple[str, ...], stemmed: str = "", spoken: Tongue = "") -> Term:
        made = super().__new__(cls, word)
        made.forms = tuple(dict.fromkeys(forms))
        made.stemmed = stemmed or word
        made.spoken = spoken
        return made

    @property
    def compound(self) -> bool:
        """Whether it may be a German compound."""
        return self.spoken == "de" and len(self.stemmed) >= _LONG


def indexed_form(text: str) -> str:
    """The text as the word index stores it: folded as a query is, CJK runs as bigrams, stems behind."""
    spoken = tongue(text)
    if text.isascii():
        return f"{text} {_stems_behind(text.lower(), spoken)}" if spoken else text
    folded = _fold(text)
    found = _pattern(_RUN).sub(lambda match: f" {' '.join(_run_indexed(match[0]))} ", folded)
    behind = _stems_behind(folded, spoken)
    return f"{found} {behind}" if behind else found


def _stems_behind(folded: str, spoken: Tongue) -> str:
    """The stems that a text is indexed with besides its words."""
    if not spoken and not _pattern(f"[{_ARABIC}]").search(folded):
        return ""
    stop = STOP_OF.get(spoken, STOP)
    found: list[str] = []
    for match in _pattern(_WORD).finditer(folded):
        word = match[0]
        if word in stop or len(word) < 3 or (stemmed := _stem_of(word, spoken)) is None:
            continue
        if stemmed != word:
            found.append(stemmed)
        if spoken == "de":
            found += _german_extras(word, stemmed)
    return " ".join(found)


def _german_extras(word: str, stemmed: str) -> list[str]:
    """What a German word is indexed as besides: without umlauts as typed, and backwards where it may be a compound."""
    extras = []
    if not word.isascii():
        extras.append(word.translate(_SPELT_OUT))
    if len(stemmed) >= _LONG:
        extras.append(BACKWARDS + stemmed[::-1])
    return extras


_SPELT_OUT = {ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue"}


def _stem_of(word: str, spoken: Tongue) -> str | None:
    """The light stem of a folded word; None where it is of no language that has one."""
    from memcli.lang import light

    first = word[0]
    if first > "\u024f":
        return light.arabic(word) if "\u0620" <= first <= "\u06d3" else None
    if not spoken:
        return None
    return light.german(word) if spoken == "de" else light.spanish(word)


def _fold(text: str) -> str:
    """Width, case, marks, digits and letters that are written in several ways, made one. ASCII only gets lower case."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    if _pattern(_FOREIGN_DIGIT).search(folded):
        folded = _pattern(_FOREIGN_DIGIT).sub(lambda match: str(unicodedata.decimal(match[0])), folded)
    if _pattern(f"[{_ARABIC}]").search(folded):
        folded = _pattern(_ARABIC_MARKS).sub("", folded).translate(_ARABIC_FOLDED)
        folded = _pattern(r"(?<=\b[وبل])(?=\d)").sub(" ", folded)
    if "ヴ" in folded:
        for old, new in (("ヴァ", "バ"), ("ヴィ", "ビ"), ("ヴェ", "ベ"), ("ヴォ", "ボ"), ("ヴ", "ブ")):
            folded = folded.replace(old, new)
    return folded


def _bigrams(run: str) -> list[str]:
    """The bigrams of a run of CJK characters, a Korean particle at its end cut off."""
    if "가" <= run[-1] <= "힣" and len(run) > 1 and "가" <= run[0] <= "힣":
        from memcli.lang.light import korean

        noun = korean(run)
        if len(noun) == 1:
            return [noun, run] if len(run) == 2 else [noun]
        run = noun
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


def _run_indexed(run: str) -> list[str]:
    """The bigrams of a run and its last character: so every Chinese character begins some word of the index."""
    found = _bigrams(run)
    if len(run) > 1 and _is_han(run[-1]):
        found.append(run[-1])
    return found


def words(text: str) -> list[str]:
    """The words of a text in order, folded, possessives cut; a CJK run gives its bigrams."""
    found: list[str] = []
    for match in _pattern(_WORD).finditer(_pattern(_APOSTROPHE).sub("", _fold(text))):
        word = match[0]
        if _pattern(_ONE).match(word):
            found.extend(_bigrams(word))
        else:
            found.append(word)
    return found


def content_terms(text: str, leave_out: Collection[str] = ()) -> list[str]:
    """The words of a query worth searching: no stop words, none of `leave_out`, each once, in order.

    Those that the index may have in other forms are a `Term`. Bigrams that
    only hold grammar together (hiragana alone, particle and next word) are
    left out while anything else is there. Falls back to all words where
    nothing is left.
    """
    spoken = tongue(text)
    if not spoken and text.isascii():
        every = list(dict.fromkeys(words(text)))
        terms = [
            word for word in every if word not in STOP and word not in leave_out and (len(word) > 1 or word.isdigit())
        ]
        return terms or [word for word in every if word not in leave_out]
    asked = [word for word in _asked(text) if word not in leave_out]
    stop = STOP | STOP_OF.get(spoken, frozenset())
    terms = [
        word
        for word in asked
        if word not in stop
        and (len(word) > 1 or word.isdigit() or _pattern(_ONE).match(word))
        and not _is_hiragana(word[0])
    ]
    return [_with_forms(word, spoken) for word in terms or asked]


def _asked(text: str) -> list[str]:
    """The words of a question as `words` has them, but a lone Chinese character between kana is a word of its own."""
    found: dict[str, None] = {}
    for match in _pattern(_WORD).finditer(_pattern(_APOSTROPHE).sub("", _fold(text))):
        run = match[0]
        if not _pattern(_ONE).match(run):
            found[run] = None
            continue
        for at, pair in enumerate(_bigrams(run)):
            if len(pair) == 2 and pair[1] in _PARTICLES and not _is_hiragana(pair[0]):
                if _is_han(pair[0]) and not (at and _is_han(run[at - 1])):
                    found[pair[0]] = None
                continue
            found[pair] = None
    return list(found)


_PARTICLES = "をはがにのでともへ"


def _is_hiragana(letter: str) -> bool:
    return "\u3040" <= letter <= "\u309f"


def _is_han(letter: str) -> bool:
    return "\u4e00" <= letter <= "\u9fff" or _pattern(_HAN).match(letter) is not None


def _with_forms(word: str, spoken: Tongue) -> str:
    if len(word) == 1 and _is_han(word):
        return Term(word, (word + PREFIX,))
    stemmed = None if len(word) < 3 or _pattern(_ONE).match(word) else _stem_of(word, spoken)
    if stemmed is None:
        return word
    if spoken != "de":
        return Term(word, (word, stemmed), stemmed, spoken)
    begins = stemmed + PREFIX if len(stemmed) >= 5 else stemmed
    return Term(word, (word, begins, *ends_with(stemmed)), stemmed, spoken)


def ends_with(stemmed: str) -> tuple[str, ...]:
    """The form that finds German compounds with this last part; none where it is too short to mean one."""
    return (BACKWARDS + stemmed[::-1] + PREFIX,) if len(stemmed) >= 4 else ()


def match_expression(terms: Collection[str]) -> str:
    """An FTS5 MATCH expression for any of the terms. Every term is quoted: raw user text raises in MATCH."""
    found: list[str] = []
    for term in terms:
        if isinstance(term, Term):
            found += [_quoted(form.removesuffix(PREFIX)) + " *" * form.endswith(PREFIX) for form in term.forms]
        else:
            found.append(_quoted(term))
    return " OR ".join(filter(None, found))


def _quoted(term: str) -> str:
    plain = _pattern(_UNSEARCHABLE).sub("", term)
    return '"' + plain.replace('"', '""') + '"' if plain.strip() else ""


def has_cjk(text: str) -> bool:
    """Whether Chinese, Japanese or Korean characters occur."""
    return bool(_pattern(_ONE).search(text))


@lru_cache(maxsize=1)
def _stemmer() -> Callable[[str], str]:
    import snowballstemmer

    return cast(Callable[[str], str], snowballstemmer.stemmer("english").stemWord)


def stem(word: str) -> str:
    """The stem of a word: of English, of Arabic, and of a `Term` in its language. Others come back as they are."""
    if isinstance(word, Term):
        return Term(word.stemmed, word.forms, word.stemmed, word.spoken)
    return _stem(word)


@lru_cache(maxsize=16_384)
def _stem(word: str) -> str:
    if word.isascii():
        return _stemmer()(word)
    return _stem_of(word, "") or word


def stems(text: str) -> list[str]:
    """The stems of all words of a text, in order, stop words included; for German and Spanish both they and English."""
    spoken = tongue(text)
    found = []
    for word in words(text):
        found.append(stem(word))
        if spoken and (light := _stem_of(word, spoken)):
            found.append(light)
    return found


def shared(terms: Collection[str], text: str) -> int:
    """How many of these stems occur in a text; those of German words also as a part of one, or with one as a part."""
    there = set(stems(text))
    return sum(term in there or any(_is_part(term, word) for word in there) for term in set(terms))


def _is_part(term: str, word: str) -> bool:
    if not isinstance(term, Term) or term.spoken != "de":
        return False
    part, whole = sorted((str(term), word), key=len)
    return (
        len(part) >= 4 and len(whole) >= _LONG and (whole.endswith(part) or (len(part) > 4 and whole.startswith(part)))
    )
