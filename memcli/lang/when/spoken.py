"""Korean and Arabic: every time phrase has an English one that means the same, which the grammar then reads.

Only phrases that name their side themselves ("지난주", "قبل يومين", "2026년 5월");
a bare month waits for a caller who knows the side.
"""

from __future__ import annotations

import re
from datetime import datetime, tzinfo
from functools import lru_cache

from memcli.lang.when.interval import Interval

_MOST = 2_000
_MONTHS = "January February March April May June July August September October November December".split()
_WEEKDAYS = dict(zip("월화수목금토일", "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(), strict=True))
_ARABIC_WEEKDAYS = {
    "الاثنين": "Monday",
    "الإثنين": "Monday",
    "الثلاثاء": "Tuesday",
    "الأربعاء": "Wednesday",
    "الخميس": "Thursday",
    "الجمعة": "Friday",
    "السبت": "Saturday",
    "الأحد": "Sunday",
}
_ARABIC_MONTHS = dict(
    zip("يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر".split(), _MONTHS, strict=True)
)
_WORDS = (
    _ARABIC_WEEKDAYS
    | _ARABIC_MONTHS
    | {f"{number}월": month for number, month in enumerate(_MONTHS, 1)}
    | {f"{mark}요일": day for mark, day in _WEEKDAYS.items()}
    | {
        "지난": "last",
        "저번": "last",
        "이번": "this",
        "다음": "next",
        "الماضي": "last",
        "الماضية": "last",
        "القادم": "next",
        "القادمة": "next",
        "المقبل": "next",
        "المقبلة": "next",
        "يوم": "day",
        "أيام": "days",
        "يومين": "2 days",
        "주": "week",
        "달": "month",
        "주일": "weeks",
        "개월": "months",
        "일": "days",
        "년": "years",
        "시간": "hours",
        "분": "minutes",
        "아침": "morning",
        "오전": "morning",
        "오후": "afternoon",
        "저녁": "evening",
        "밤": "night",
        "أسبوع": "week",
        "الأسبوع": "week",
        "أسابيع": "weeks",
        "أسبوعين": "2 weeks",
        "شهر": "month",
        "الشهر": "month",
        "أشهر": "months",
        "شهور": "months",
        "شهرين": "2 months",
        "سنة": "year",
        "عام": "year",
        "السنة": "year",
        "العام": "year",
        "سنوات": "years",
        "أعوام": "years",
        "سنتين": "2 years",
        "عامين": "2 years",
    }
    | dict(zip("한 두 세 네 다섯 여섯 일곱 여덟 아홉 열".split(), "1 2 3 4 5 6 7 8 9 10".split(), strict=True))
    | dict(zip("ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة".split(), "3 4 5 6 7 8 9 10".split(), strict=True))
    | dict(zip("ثلاث أربع خمس ست سبع ثماني تسع عشر".split(), "3 4 5 6 7 8 9 10".split(), strict=True))
)
_COUNT = "[0-9]{1,4}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열"
_ARABIC_COUNT = "[0-9]{1,4}|ثلاث|أربع|خمس|ست|سبع|ثماني|تسع|عشر"
_LAST_NEXT = "الماضي|القادم|المقبل"
# What is looked for, and its English with the groups in order; longer phrases before those they contain.
_PHRASES = (
    ("([12][0-9]{3})년 ?(1[0-2]|[1-9])월 ?([0-9]{1,2})일", "{2} {1}월 {0}"),
    ("([12][0-9]{3})년 ?(1[0-2]|[1-9])월", "{1}월 {0}"),
    ("([12][0-9]{3})년(?= ?(?:에|도|부터|까지|이후|이전))", "in {0}"),
    ("(지난|저번|이번|다음) ?주 ?([월화수목금토일]요일)", "{1} {0} week"),
    ("(지난|저번|이번|다음) ?([월화수목금토일]요일)", "{0} {1}"),
    ("(지난|저번|이번|다음) ?주말", "{0} weekend"),
    ("(지난|저번|이번|다음) ?(주|달)(?!말)", "{0} {1}"),
    (f"({_COUNT}) ?(주일|주|개월|달|일|년|시간|분) ?전", "{0} {1} ago"),
    (f"({_COUNT}) ?(주일|주|개월|달|일|년|시간|분) ?(?:후|뒤)", "in {0} {1}"),
    ("일주일 ?전", "a week ago"),
    ("(?:이틀) ?전", "2 days ago"),
    ("(?:사흘) ?전", "3 days ago"),
    ("재작년", "two years ago"),
    ("작년|지난해", "last year"),
    ("올해", "this year"),
    ("내년", "next year"),
    ("어젯밤|어제 ?밤", "last night"),
    ("오늘 ?밤", "tonight"),
    ("오늘 ?(아침|오후|저녁)", "this {0}"),
    ("(?:어제) ?(아침|오전|오후|저녁)", "yesterday {0}"),
    ("(?:내일) ?(아침|오전|오후|저녁)", "tomorrow {0}"),
    ("그저께|그제(?!야)", "the day before yesterday"),
    ("어제", "yesterday"),
    ("오늘(?!날)", "today"),
    ("내일", "tomorrow"),
    ("모레(?=[ ,.?!]|$|는|에|까지|부터)", "the day after tomorrow"),
    (f"(?<!\\w)ال(?:أسبوع|اسبوع) ({_LAST_NEXT})(?!\\w)", "{0} week"),
    (f"(?<!\\w)الشهر ({_LAST_NEXT})(?!\\w)", "{0} month"),
    (f"(?<!\\w)(?:العام|السنة) ({_LAST_NEXT})ة?(?!\\w)", "{0} year"),
    (f"(?<!\\w)(?:يوم )?({'|'.join(_ARABIC_WEEKDAYS)}) ({_LAST_NEXT})ة?(?!\\w)", "{1} {0}"),
    ("(?<!\\w)هذا (الأسبوع|الشهر|العام)(?!\\w)|(?<!\\w)هذه (السنة)(?!\\w)", "this {0}"),
    (
        f"(?<!\\w)قبل ({_ARABIC_COUNT})ة? (أيام|يوم|أسابيع|أسبوع|أشهر|شهور|شهر|سنوات|سنة|أعوام|عام)(?!\\w)",
        "{0} {1} ago",
    ),
    ("(?<!\\w)قبل (يومين|أسبوعين|شهرين|سنتين|عامين)(?!\\w)", "{0} ago"),
    ("(?<!\\w)قبل (أسبوع|شهر|سنة|عام)(?!\\w)", "a {0} ago"),
    ("(?<!\\w)[أا]ول (?:من )?[أا]مس(?!\\w)", "the day before yesterday"),
    ("(?<!\\w)(?:[أا]مس|البارحة)(?!\\w)", "yesterday"),
    ("(?<!\\w)بعد غد[ًا]*(?!\\w)", "the day after tomorrow"),
    ("(?<!\\w)غدا?ً?ا?(?!\\w)", "tomorrow"),
    ("(?<!\\w)(?<!في )اليوم(?! ال)(?!\\w)", "today"),
    (f"(?<![\\w])([0-9]{{1,2}}) ({'|'.join(_ARABIC_MONTHS)}) (?:عام )?([12][0-9]{{3}})(?!\\w)", "{0} {1} {2}"),
    (f"(?<!\\w)({'|'.join(_ARABIC_MONTHS)}) (?:عام )?([12][0-9]{{3}})(?!\\w)", "{0} {1}"),
)
_BEGINS = "(?<![가-힣0-9])"
"""언어제약 has no yesterday in it."""
_FIGURES = str.maketrans("٠١٢٣٤٥٦٧٨٩", "0123456789")


@lru_cache(maxsize=2)
def _patterns(korean: bool) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The phrases of one language as patterns, with their English."""
    begins = _BEGINS if korean else ""
    return tuple(
        (re.compile(f"{begins}(?:{source})"), english)
        for source, english in _PHRASES
        if ("가" <= max(source) <= "힣") == korean
    )


@lru_cache(maxsize=2)
def _letter(korean: bool) -> re.Pattern[str]:
    return re.compile("[가-힣]" if korean else "[\u0620-\u064a]")


def triggered(text: str) -> bool:
    """Whether Korean or Arabic letters occur."""
    return any(_letter(korean).search(text) for korean in (True, False))


def _english(match: re.Match[str], form: str) -> str:
    groups = [group for group in match.groups() if group is not None]
    return " ".join(_WORDS.get(word, word) for word in form.format(*groups).split())


def in_english(phrase: str) -> str | None:
    """A whole phrase in English, None where it is no time phrase of these languages; a month may stand alone."""
    plain = phrase.strip().translate(_FIGURES)
    if plain in _ARABIC_MONTHS or re.fullmatch("(?:1[0-2]|[1-9])월", plain):
        return _WORDS[plain]
    for pattern, form in (*_patterns(True), *_patterns(False)):
        match = pattern.fullmatch(plain)
        if match is not None:
            return _english(match, form)
    return None


def read(text: str, anchor: datetime, zone: tzinfo | None) -> list[Interval]:
    """The intervals of a text in these languages, in its order."""
    from memcli.lang.when import resolve

    plain = text.translate(_FIGURES)
    found: list[Interval] = []
    taken = bytearray(len(text))
    readings: dict[str, Interval | None] = {}
    patterns = [pair for korean in (True, False) if _letter(korean).search(text) for pair in _patterns(korean)]
    for pattern, form in patterns:
        for match in pattern.finditer(plain):
            start, end = match.span()
            if any(taken[start:end]) or len(found) == _MOST:
                continue
            phrase = _english(match, form)
            if phrase not in readings:
                hits = resolve.find(phrase, anchor, zone, frozenset(), None)
                readings[phrase] = hits[0] if len(hits) == 1 else None
            taken[start:end] = b"\1" * (end - start)
            hit = readings[phrase]
            if hit is not None:
                found.append(
                    Interval(hit.start, hit.end, hit.grain, text[start:end], (start, end), hit.approximate, "spoken")
                )
    return sorted(found, key=lambda interval: interval.span)
